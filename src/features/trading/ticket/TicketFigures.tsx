import { memo, useMemo } from 'react';
import { parseDecimal } from '#domain/core/decimal';
import type { Instrument } from '#domain/market/instrument';
import type { TicketPreview } from '#domain/worker/trading';
import { formatExact, UNKNOWN } from '../../../i18n/format';
import { boughtSymbol } from '../../../instruments/boughtSymbol';
import { priceOrUnknown, usdOrUnknown } from '../../../positions/accountFormats';
import { LiveFigures, type LiveFiguresProps } from '../../../positions/LiveFigures';
import { ticketPreview } from '../../../worker/trading';
import { type PreviewFigure, previewLabel } from './previewLabel';
import styles from './Ticket.module.css';

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
      symbol && units ? `${exact(units)} ${symbol} ≈ ${usdOrUnknown(text)}` : usdOrUnknown(text);
    return { value, pointValue, availableAfter: usdOrUnknown };
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
      margin: usdOrUnknown,
      fee: usdOrUnknown,
      stopOutPrice: (text: string | undefined) => priceOrUnknown(text, precision),
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
