import { effect, signal } from '@preact/signals-core';
import { isZero, sign, toFixed, toNumber, toText } from '#domain/core/decimal';
import { spread } from '#domain/market/book';
import type { Sort } from '#domain/market/list';
import { PROFIT_SCALE } from '#domain/trading/profit';
import { clock, quoteAge } from '../../../gateway/age';
import { watchBook } from '../../../gateway/books';
import { type DayBar, watchDayBar } from '../../../gateway/dayBars';
import { type Holding, watchHolding } from '../../../gateway/holdings';
import { link } from '../../../gateway/pump';
import type { LiveQuote } from '../../../gateway/quotes';
import { formatAmount, formatExact, formatShare, formatVolume } from '../../../i18n/format';
import type { StringKey } from '../../../i18n/i18n';
import { formatAge, formatPrice } from '../../../i18n/quoteFormat';
import {
  type Cell,
  type Column,
  cell,
  change,
  chart,
  label,
  price,
} from '../../../instruments/columns';
import type { GridColumn } from '../../../session/gridSettings';
import type { SeenInstrument, SeenRow } from '../../../session/lastSeen';
import { element } from '../../../ui/element';
import { writeText } from '../../../ui/textCell';
import { trendOf } from '../../../ui/trend';
import styles from './Grid.module.css';

/** Names of the categories by id, in the shown language. */
export const categoryNames = signal<ReadonlyMap<number, string>>(new Map());

/** What a row of a file knows besides the row itself. */
export interface Exported {
  row: SeenRow;
  category: string;
  holding: Holding | undefined;
}

interface GridColumnSpec {
  label: StringKey;
  /** Its order; a column without one is not sorted by. */
  sort?: Sort;
  /** Figures stand at the end of their column. */
  words?: true;
  make: Column;
  /** Its name in a file, which is that of the protocol in every language, and its exact value. */
  file?: { name: string; value(exported: Exported): string };
}

/** A cell that says what of a quote `text` says. */
function ofQuote(text: (quote: LiveQuote, instrument: SeenInstrument) => string): Column {
  return () => {
    const root = cell(undefined);
    return {
      element: root,
      show(shown) {
        if (!shown) writeText(root, '');
      },
      paint: (quote, instrument) => writeText(root, text(quote, instrument)),
    };
  };
}

/** A cell that says what of a row does not change with its price. */
function ofRow(text: (row: SeenRow) => string): Column {
  return () => {
    const root = cell(undefined);
    return { element: root, show: (shown) => writeText(root, shown ? text(shown.row) : '') };
  };
}

/** A cell that shows what the bar of the day says, with the latest price in it. */
function ofDay(
  make: () => {
    content?: HTMLElement;
    write(root: HTMLElement, day: DayBar | undefined, shown: Shown): void;
  },
): Column {
  return (): Cell => {
    const { content, write } = make();
    const root = content ? cell(undefined, content) : cell(undefined);
    root.dir = 'ltr';
    let day: DayBar | undefined;
    let close = Number.NaN;
    let precision = 0;
    const paint = () => {
      const seen = day && {
        ...day,
        // A price may come before the bar that has it.
        low: Math.min(day.low, close),
        high: Math.max(day.high, close),
      };
      write(root, seen, { close, precision });
    };
    return {
      element: root,
      show(shown) {
        if (!shown) write(root, undefined, { close, precision });
      },
      paint(quote, instrument) {
        close = quote.close;
        precision = instrument.precision;
        if (day) paint();
      },
      follow(instrument) {
        const stop = watchDayBar(instrument.id, (next) => {
          day = next;
          if (!Number.isNaN(close)) paint();
        });
        return () => {
          stop();
          day = undefined;
          paint();
        };
      },
    };
  };
}

interface Shown {
  close: number;
  precision: number;
}

const dayText = (text: (day: DayBar, shown: Shown) => string): Column =>
  ofDay(() => ({
    write: (root, day, shown) => writeText(root, day ? text(day, shown) : ''),
  }));

/** Where the price stands between the low and the high of the day. */
const range: Column = ofDay(() => {
  const mark = element('i', {});
  const track = element('span', { class: styles.range, 'aria-hidden': 'true' }, mark);
  return {
    content: track,
    write(root, day, { close }) {
      track.hidden = !day;
      const share = day && day.high > day.low ? (close - day.low) / (day.high - day.low) : 0.5;
      const text = day ? formatShare(share) : '';
      if (root.ariaLabel === text) return;
      root.ariaLabel = text;
      mark.style.insetInlineStart = `${Math.round(share * 100)}%`;
    },
  };
});

/** The distance of bid and ask; empty where the feed has none. */
const spreadColumn: Column = (): Cell => {
  const root = cell(undefined);
  root.dir = 'ltr';
  return {
    element: root,
    show(shown) {
      if (!shown) writeText(root, '');
    },
    follow(instrument) {
      const stop = watchBook(instrument.id, (book) =>
        writeText(root, book ? formatPrice(toNumber(spread(book)), instrument.precision) : ''),
      );
      return () => {
        stop();
        writeText(root, '');
      };
    },
  };
};

/** A cell that says what the user holds; empty where that is nothing. */
function ofHolding(
  text: (holding: Holding) => string,
  trend: (holding: Holding) => number,
): Column {
  return (): Cell => {
    const root = cell(undefined);
    root.dir = 'ltr';
    const paint = (holding: Holding | undefined) => {
      writeText(root, holding ? text(holding) : '');
      const next = holding ? trendOf(trend(holding)) : '';
      if (root.dataset['value'] !== next) root.dataset['value'] = next;
    };
    return {
      element: root,
      show: (shown) => {
        if (!shown) paint(undefined);
      },
      follow(instrument) {
        const stop = watchHolding(instrument.id, paint);
        return () => {
          stop();
          paint(undefined);
        };
      },
    };
  };
}

/** The category's name, as soon as it is known. */
const category: Column = () => {
  const root = cell(undefined);
  let id: number | undefined;
  const paint = () => writeText(root, id === undefined ? '' : (categoryNames.value.get(id) ?? ''));
  return {
    element: root,
    show(shown) {
      id = shown?.row.instrument.categoryId;
      paint();
    },
    follow: () => effect(paint),
  };
};

/** The age of the quote while its market is open. */
function age(quote: LiveQuote): string {
  if (!quote.marketOpen) return '';
  return formatAge(quoteAge(quote, link.value.marketOffset, clock.value));
}

const number = (value: number, digits: number) =>
  Number.isNaN(value) ? '' : value.toFixed(digits);

/** The columns that a grid can show. */
export const COLUMN_SPECS: Readonly<Record<GridColumn, GridColumnSpec>> = {
  name: {
    label: 'market.name',
    sort: 'name',
    words: true,
    make: label,
    file: { name: 'ShowCode', value: ({ row }) => row.instrument.name },
  },
  code: {
    label: 'grid.code',
    sort: 'code',
    words: true,
    make: ofRow(({ instrument }) => instrument.code),
    file: { name: 'Code', value: ({ row }) => row.instrument.code },
  },
  category: {
    label: 'grid.category',
    words: true,
    make: category,
    file: { name: 'Category', value: (exported) => exported.category },
  },
  chart: { label: 'market.day', make: chart },
  price: {
    label: 'market.price',
    sort: 'price',
    make: price,
    file: {
      name: 'Close',
      value: ({ row }) => number(row.quote.close, row.instrument.precision),
    },
  },
  change: {
    label: 'market.change',
    sort: 'change',
    make: change,
    file: { name: 'Change', value: ({ row }) => number(row.quote.change, 2) },
  },
  open: {
    label: 'trade.day.open',
    sort: 'open',
    make: ofQuote(({ open }, { precision }) => (open > 0 ? formatPrice(open, precision) : '–')),
    file: {
      name: 'Open',
      value: ({ row }) =>
        row.quote.open > 0 ? number(row.quote.open, row.instrument.precision) : '',
    },
  },
  low: {
    label: 'trade.day.low',
    make: dayText(({ low }, { precision }) => formatPrice(low, precision)),
  },
  high: {
    label: 'trade.day.high',
    make: dayText(({ high }, { precision }) => formatPrice(high, precision)),
  },
  range: { label: 'grid.range', make: range },
  volume: {
    label: 'trade.tools.columns.volume',
    make: dayText(({ volume }) => formatVolume(volume)),
  },
  spread: { label: 'trade.book.spread', make: spreadColumn },
  age: {
    label: 'grid.age',
    sort: 'age',
    make: ofQuote(age),
    file: {
      name: 'Time',
      value: ({ row }) =>
        row.quote.time === undefined ? '' : new Date(row.quote.time).toISOString(),
    },
  },
  position: {
    label: 'grid.position',
    sort: 'position',
    make: ofHolding(
      ({ lots }) => formatExact(lots),
      () => 0,
    ),
    file: { name: 'Quantity', value: ({ holding }) => (holding ? toText(holding.lots) : '') },
  },
  profit: {
    label: 'orders.field.profit',
    sort: 'profit',
    make: ofHolding(
      ({ profit }) => formatAmount(profit, 2, 'always'),
      ({ profit }) => (isZero(profit) ? 0 : sign(profit)),
    ),
    file: {
      name: 'FactProfits',
      value: ({ holding }) => (holding ? toFixed(holding.profit, PROFIT_SCALE) : ''),
    },
  },
};
