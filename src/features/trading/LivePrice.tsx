import { useRef } from 'react';
import type { Instrument } from '#domain/market/instrument';
import { formatChange, formatPrice, formatPriceChange, splitPrice } from '../../i18n/format';
import { language } from '../../i18n/i18n';
import { directionOf } from '../../ui/direction';
import { writeAttribute, writeText } from '../../ui/textCell';
import { useValue } from '../../useValue';
import type { LiveQuote } from '../../worker/quotes';
import { useQuote } from '../../worker/useQuote';
import styles from './LivePrice.module.css';

const ARROWS = { up: '▲', down: '▼', flat: '' } as const;

/** The live price and the day's change, painted without a React render. */
export function LivePrice({ instrument, seed }: { instrument: Instrument; seed: LiveQuote }) {
  const shownLanguage = useValue(language);
  const root = useRef<HTMLParagraphElement>(null);
  const head = useRef<HTMLSpanElement>(null);
  const tail = useRef<HTMLSpanElement>(null);
  const change = useRef<HTMLSpanElement>(null);
  const { id, precision } = instrument;

  useQuote(
    id,
    seed,
    (quote) => {
      const [first, last] = splitPrice(formatPrice(quote.close, precision));
      writeText(head.current, first);
      writeText(tail.current, last);
      const direction = directionOf(quote.change);
      const difference = formatPriceChange(quote.close - quote.open, precision);
      writeText(
        change.current,
        `${ARROWS[direction]} ${difference} (${formatChange(quote.change)})`,
      );
      if (root.current) writeAttribute(root.current, 'data-direction', direction);
      root.current?.toggleAttribute('data-stale', quote.stale && quote.marketOpen);
    },
    [precision, shownLanguage],
  );

  return (
    <p ref={root} className={styles.live} dir="ltr" translate="no">
      <span className={styles.price}>
        <span ref={head} />
        <span ref={tail} className={styles.tail} />
      </span>
      <span ref={change} className={styles.change} />
    </p>
  );
}
