import { readFields, readInteger } from '../core/read';
import { type FeeType, toFeeType } from '../trading/margin';

/** How the broker charges and fills (protocol.md#basic-settings). */
export interface BrokerTerms {
  feeType: FeeType;
  /** Market orders and closes by hand are filled at bid or ask (domain.md#fill-at-bid-and-ask). */
  fillsAtQuote: boolean;
}

export function readTerms(value: unknown): BrokerTerms | undefined {
  const fields = readFields(value);
  const type = readInteger(fields?.['trade_fee_type']);
  if (type === undefined) return undefined;
  return { feeType: toFeeType(type), fillsAtQuote: readInteger(fields?.['fill_at_quote']) === 1 };
}
