import { useMemo } from 'react';
import { parseDecimal } from '#domain/core/decimal';
import type { TicketPreview } from '#domain/gateway/trading';
import type { Instrument } from '#domain/market/instrument';
import { ticketPreview } from '../../../gateway/trading';
import { formatAmount, formatExact, formatPrice, UNKNOWN } from '../../../i18n/format';
import { LiveFigures } from '../../../positions/LiveFigures';
import { previewLabel } from './previewLabel';
import styles from './Ticket.module.css';

const usd = (text: string | undefined) => {
  const amount = parseDecimal(text);
  return amount ? `${formatAmount(amount, 2)} USD` : UNKNOWN;
};
const exact = (text: string | undefined) => {
  const value = parseDecimal(text);
  return value ? formatExact(value) : UNKNOWN;
};

const pointValue = (text: string | undefined) => {
  const value = parseDecimal(text);
  return value ? `${formatExact(value)} USD` : UNKNOWN;
};

const unitsOf = ({ units }: TicketPreview) => units;

/** The live preview of the order for an instrument. */
export function TicketPreviewList({ instrument }: { instrument: Instrument }) {
  const { code, precision } = instrument;
  const formats = useMemo(() => {
    const price = (text: string | undefined) =>
      text ? formatPrice(Number(text), precision) : UNKNOWN;
    const symbol = boughtSymbol(code);
    const value = (text: string | undefined, { units }: TicketPreview) =>
      symbol && units ? `${exact(units)} ${symbol} ≈ ${usd(text)}` : usd(text);
    return {
      value,
      price,
      margin: usd,
      fee: usd,
      pointValue,
      freeBalanceAfter: usd,
      stopOutPrice: price,
    };
  }, [code, precision]);
  return (
    <LiveFigures
      source={ticketPreview}
      formats={formats}
      label={(name) => previewLabel(name)}
      basis={unitsOf}
      className={styles.preview}
    />
  );
}

/** What is counted in units, where the code names it: `DOGE` of `DOGEUSD` and of `DOGE/USDC`. */
function boughtSymbol(code: string): string | undefined {
  return /^(.+?)\/?USD[TC]?$/.exec(code)?.[1];
}
