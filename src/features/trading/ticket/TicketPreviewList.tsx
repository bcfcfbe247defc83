import { parseDecimal } from '#domain/core/decimal';
import { ticketPreview } from '../../../gateway/trading';
import { formatAmount, formatExact } from '../../../i18n/format';
import { useT } from '../../../i18n/i18n';
import { LiveFigures, UNKNOWN } from '../../../positions/LiveFigures';
import styles from './Ticket.module.css';

const usd = (text: string | undefined) => {
  const amount = parseDecimal(text);
  return amount ? `${formatAmount(amount, 2)} USD` : UNKNOWN;
};
const exact = (text: string | undefined) => {
  const value = parseDecimal(text);
  return value ? formatExact(value) : UNKNOWN;
};

const FORMATS = {
  price: exact,
  margin: usd,
  fee: usd,
  pointValue: (text: string | undefined) => {
    const value = parseDecimal(text);
    return value ? `${formatExact(value)} USD` : UNKNOWN;
  },
  freeBalanceAfter: usd,
  stopOutPrice: exact,
};

/** The live preview of the order. */
export function TicketPreviewList() {
  const t = useT();
  return (
    <LiveFigures
      source={ticketPreview}
      formats={FORMATS}
      label={(name) => t(`trade.preview.${name}`)}
      className={styles.preview}
    />
  );
}
