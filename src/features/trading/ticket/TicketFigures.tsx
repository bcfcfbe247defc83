import { memo, useMemo } from 'react';
import { parseDecimal } from '#domain/core/decimal';
import type { Instrument } from '#domain/market/instrument';
import type { TicketPreview } from '#domain/worker/trading';
import { formatAmount, formatExact, formatPrice, UNKNOWN } from '../../../i18n/format';
import { boughtSymbol } from '../../../instruments/boughtSymbol';
import { LiveFigures, type LiveFiguresProps } from '../../../positions/LiveFigures';
import { ticketPreview } from '../../../worker/trading';
import { type PreviewFigure, previewLabel } from './previewLabel';
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

/** What the order that is previewed amounts to. */
export const TicketFigures = memo(function TicketFigures({
  instrument: { code },
}: {
  instrument: Instrument;
}) {
  const formats = useMemo(() => {
    const symbol = boughtSymbol(code);
    const value = (text: string | undefined, { units }: TicketPreview) =>
      symbol && units ? `${exact(units)} ${symbol} ≈ ${usd(text)}` : usd(text);
    return { value, pointValue, availableAfter: usd };
  }, [code]);
  return <PreviewFigures formats={formats} className={styles.preview} />;
});

/** What is decided by: it stays beside the order button. */
export const TicketCost = memo(function TicketCost({
  instrument: { precision },
}: {
  instrument: Instrument;
}) {
  const formats = useMemo(
    () => ({
      margin: usd,
      fee: usd,
      stopOutPrice: (text: string | undefined) =>
        text ? formatPrice(Number(text), precision) : UNKNOWN,
    }),
    [precision],
  );
  return <PreviewFigures formats={formats} className={styles.cost} />;
});

const unitsOf = ({ units }: TicketPreview) => units;

function PreviewFigures<Name extends PreviewFigure>(
  props: Pick<LiveFiguresProps<TicketPreview, Name>, 'formats' | 'className'>,
) {
  return <LiveFigures source={ticketPreview} label={previewLabel} basis={unitsOf} {...props} />;
}
