import { useRef } from 'react';
import { readPrice } from '#domain/core/readAmounts';
import type { ListRow } from '#domain/market/list';
import type { Side } from '#domain/trading/order';
import { liveQuote } from '../../../gateway/quotes';
import { useQuote } from '../../../gateway/useQuote';
import { language } from '../../../i18n/i18n';
import { readTyped } from '../../../i18n/typed';
import { writeText } from '../../../ui/textCell';
import { useValue } from '../../../useValue';
import { pendingText } from './pendingText';
import styles from './Ticket.module.css';
import { quotedPrice } from './ticketForm';

interface TargetNoteProps {
  id: string;
  row: ListRow;
  side: Side;
  /** The target as typed. */
  target: string;
}

/**
 * The name of the pending order and its distance from the market, painted without a React render. It
 * describes the field, and is no live region: it follows the market.
 */
export function TargetNote({ id, row, side, target }: TargetNoteProps) {
  const shownLanguage = useValue(language);
  const { instrument } = row;
  const note = useRef<HTMLSpanElement>(null);
  useQuote(
    instrument.id,
    liveQuote(row),
    ({ close }) => {
      const text = pendingText(side, readPrice(readTyped(target)), quotedPrice(close, instrument));
      writeText(note.current, text ? `${text.name} · ${text.distance}` : '');
    },
    [side, target, shownLanguage],
  );
  return <span id={id} ref={note} className={styles.targetNote} />;
}
