import type { Decimal } from '#domain/core/decimal';
import { formatAmount } from '../i18n/format';
import { Skeleton } from '../ui/Skeleton';
import { useValue } from '../useValue';
import { connectionState } from '../worker/frameReceiver';

interface AccountAmountProps {
  amount: Decimal | undefined;
  /** It could not be had. */
  failed?: boolean;
  /** Of its placeholder, in rem. */
  width: number;
  height?: number;
}

/** An amount of the account with two decimals (domain.md#rounding). Amounts are not kept: offline none is on its way. */
export function AccountAmount({ amount, failed = false, ...size }: AccountAmountProps) {
  const offline = useValue(connectionState).state === 'offline';
  if (amount) return formatAmount(amount, 2);
  return offline || failed ? '–' : <Skeleton {...size} />;
}
