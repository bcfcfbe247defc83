import { effect, signal } from '@preact/signals-core';
import { isZero, sign, toFixed, toText } from '#domain/core/decimal';
import type { Sort } from '#domain/market/list';
import { PROFIT_SCALE } from '#domain/trading/profit';
import { clock, quoteAge } from '../../../gateway/age';
import { type Holding, watchHolding } from '../../../gateway/holdings';
import { link } from '../../../gateway/pump';
import type { LiveQuote } from '../../../gateway/quotes';
import { formatAmount, formatExact } from '../../../i18n/format';
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
import { writeText } from '../../../ui/textCell';
import { trendOf } from '../../../ui/trend';

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
