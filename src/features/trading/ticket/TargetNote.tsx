import { useRef } from 'react';
import { readPrice } from '#domain/core/read';
import type { ListRow } from '#domain/market/list';
import type { Side } from '#domain/trading/order';
import { approach } from '#domain/trading/triggers';
import { liveQuote } from '../../../gateway/quotes';
import { useQuote } from '../../../gateway/useQuote';
import { language } from '../../../i18n/i18n';
import { readTyped } from '../../../i18n/typed';
import { useValue } from '../../../signals';
import { writeText } from '../../../ui/textCell';
import { distanceText, pendingName } from './pendingText';
import styles from './Ticket.module.css';

interface TargetNoteProps {
  row: ListRow;
  side: Side;
  /** The target as typed. */
  target: string;
}

/** The name of the pending order and its distance from the market, painted without a React render. */
export function TargetNote({ row, side, target }: TargetNoteProps) {
  const shownLanguage = useValue(language);
  const { instrument } = row;
  const note = useRef<HTMLOutputElement>(null);
  useQuote(
    instrument.id,
    liveQuote(row),
    ({ close }) => {
      const typed = readPrice(readTyped(target));
      const price = readPrice(close.toFixed(instrument.precision));
      const from = typed && price && approach(typed, price);
      writeText(
        note.current,
        from ? `${pendingName(side, from)} · ${distanceText(typed, price)}` : '',
      );
    },
    [side, target, shownLanguage],
  );
  return <output ref={note} className={styles.targetNote} />;
}
