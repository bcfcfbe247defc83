import { effect, signal } from '@preact/signals-react';
import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react';
import type { ListRow } from '#domain/market/list';
import type { TopOfBook } from '#domain/market/topOfBook';
import type { Side } from '#domain/trading/order';
import { formatPrice } from '../../../i18n/format';
import { language } from '../../../i18n/i18n';
import { writeText } from '../../../ui/textCell';
import { useValue } from '../../../useValue';
import { liveQuote, watchQuote } from '../../../worker/quotes';
import { watchTopOfBook } from '../../../worker/topOfBook';
import { ticketPreview } from '../../../worker/trading';
import styles from './ButtonPrice.module.css';

interface ButtonPriceProps {
  /** The button is described by it. */
  id: string;
  row: ListRow;
  /** Whose ask or bid is shown, the last price where there is none; left out for the price of the previewed order. */
  side?: Side;
  /** Gets the price that is shown, NaN where there is none. */
  seen?: RefObject<number>;
  children: ReactNode;
}

/** The label of a button that orders, with the price below it, painted without a React render. The price is no part of the name: screen readers would repeat each change. */
export function ButtonPrice({ id, row, side, seen, children }: ButtonPriceProps) {
  const shownLanguage = useValue(language);
  const cell = useRef<HTMLSpanElement>(null);
  const { instrument } = row;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the row only seeds its quote; prices are formatted in the language
  useLayoutEffect(() => {
    const write = (quoted: number) => {
      const price = quoted || Number.NaN;
      if (seen) seen.current = price;
      writeText(cell.current, formatPrice(price, instrument.precision));
    };
    if (!side) return effect(() => write(Number(ticketPreview.value?.price)));
    const topOfBook = signal<TopOfBook>();
    const endTopOfBook = watchTopOfBook(instrument.id, (next) => (topOfBook.value = next));
    const { quote, release } = watchQuote(instrument.id, liveQuote(row));
    const stop = effect(() => {
      const { close, marketOpen } = quote.value;
      const quoted = topOfBook.value?.[side === 'buy' ? 'ask' : 'bid'];
      write((marketOpen && quoted) || close);
    });
    return () => {
      stop();
      release();
      endTopOfBook();
    };
  }, [instrument.id, instrument.precision, side, seen, shownLanguage]);
  return (
    <span className={styles.priced}>
      {children}
      <span ref={cell} id={id} aria-hidden="true" dir="ltr" />
    </span>
  );
}
