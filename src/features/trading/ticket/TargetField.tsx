import { computed, type ReadonlySignal } from '@preact/signals-react';
import { useId, useMemo, useRef, useState } from 'react';
import { readPrice } from '#domain/core/readAmounts';
import type { ListRow } from '#domain/market/list';
import { quotedPrice, quotedPriceText } from '#domain/market/quotedPrice';
import type { Side } from '#domain/trading/order';
import type { PendingKind } from '#domain/trading/triggers';
import type { TicketPreview } from '#domain/worker/trading';
import { language, useT } from '../../../i18n/i18n';
import { formatNumberInput, parseNumber } from '../../../i18n/numberInput';
import { NumberField } from '../../../ui/NumberField';
import { writeText } from '../../../ui/textCell';
import { useValue } from '../../../useValue';
import { liveQuote } from '../../../worker/quotes';
import { useQuote } from '../../../worker/useQuote';
import { pendingText } from './pendingText';
import { QuotePrices } from './QuotePrices';
import styles from './Ticket.module.css';

interface TargetFieldProps {
  row: ListRow;
  side: Side;
  /** The price as typed. */
  target: string;
  /** What the worker says of it. */
  preview: ReadonlySignal<TicketPreview | undefined>;
  onChange(target: string): void;
  onStep(direction: 1 | -1): void;
  error: string | undefined;
}

/**
 * The price of a pending order, labelled as limit or stop price, with those of the market to choose from. Beside it, the name of the order and its distance from the
 * market are painted without a React render; they describe the field, and are no live region: they follow the market.
 */
export function TargetField({ row, side, target, preview, ...field }: TargetFieldProps) {
  const t = useT();
  const shownLanguage = useValue(language);
  const { instrument } = row;
  const id = useId();
  const note = useRef<HTMLSpanElement>(null);
  const [kind, setKind] = useState<PendingKind>('limit');
  const reference = useMemo(() => computed(() => preview.value?.reference), [preview]);
  useQuote(
    instrument.id,
    liveQuote(row),
    ({ close }) => {
      const text = pendingText(
        side,
        readPrice(parseNumber(target)),
        readPrice(reference.value) ?? quotedPrice(close, instrument.precision),
      );
      writeText(note.current, text ? `${text.name} · ${text.distance}` : '');
      if (text) setKind(text.kind);
    },
    [side, target, reference, shownLanguage],
  );
  return (
    <div>
      <NumberField
        label={t(`trade.ticket.${kind}Price`)}
        text={target}
        placeholder={formatNumberInput(quotedPriceText(row.quote.close, instrument.precision))}
        aside={<span id={id} ref={note} className={styles.targetNote} />}
        describedBy={id}
        {...field}
      />
      <QuotePrices row={row} onPick={field.onChange} />
    </div>
  );
}
