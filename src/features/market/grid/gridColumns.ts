import { effect, signal } from '@preact/signals-core';
import { isZero, sign, toFixed, toText } from '#domain/core/decimal';
import { isRightToLeft } from '#domain/core/language';
import { type IndicatorSpec, usualIndicator } from '#domain/indicators/catalogue';
import { type ColumnIndicator, type ColumnValueSpec, DAY } from '#domain/indicators/columns';
import { type DayBar, shareOfRange, withPrice } from '#domain/market/dayBar';
import type { Sort } from '#domain/market/list';
import { spread, type TopOfBook } from '#domain/market/topOfBook';
import { volatility } from '#domain/market/volatility';
import { PROFIT_SCALE } from '#domain/trading/profit';
import type { ShownOfBook } from '#domain/worker/market';
import {
  formatAmount,
  formatChange,
  formatExact,
  formatPercentage,
  formatPriceChange,
  formatShare,
  formatVolume,
  isolated,
} from '../../../i18n/format';
import { language, type StringKey, t } from '../../../i18n/i18n';
import { formatAge, formatPrice } from '../../../i18n/quoteFormat';
import {
  type Cell,
  type Column,
  cell,
  change,
  chart,
  label,
  price,
  priceWidth,
} from '../../../instruments/columns';
import { INDICATOR_STYLES } from '../../../instruments/indicatorStyle';
import { formatValue, shortOf } from '../../../instruments/indicatorText';
import type { SeenInstrument, SeenRow } from '../../../instruments/lastSeen';
import {
  type GridColumn,
  isIndicator,
  type ShownColumn,
  USUAL_PERIOD,
} from '../../../preferences/gridSettings';
import { directionOf } from '../../../ui/direction';
import { element } from '../../../ui/element';
import { writeText } from '../../../ui/textCell';
import { clock, quoteAge } from '../../../worker/age';
import { watchColumnValue } from '../../../worker/columnValues';
import { connectionState } from '../../../worker/frameReceiver';
import { type InstrumentPosition, watchPosition } from '../../../worker/positions';
import type { LiveQuote } from '../../../worker/quotes';
import { watchSparkline } from '../../../worker/sparklines';
import { watchTopOfBook } from '../../../worker/topOfBook';
import styles from './Grid.module.css';

/** Names of the categories by id, in the shown language. */
export const categoryNames = signal<ReadonlyMap<number, string>>(new Map());

/** What a row of a file knows besides the row itself. */
export interface Exported {
  row: SeenRow;
  category: string;
  position: InstrumentPosition | undefined;
  /** The parts of a column value as far as they are loaded. */
  valuesOf(spec: ColumnValueSpec): readonly number[];
}

/** A column, that of an indicator with what it computes. */
export type GridColumnChoice =
  | { id: PlainColumn; figure?: never }
  | { id: ColumnIndicator; figure: Required<ColumnValueSpec> };

/**
 * The column of an indicator has the parameters of the first one of its kind that the charts have,
 * otherwise the usual ones.
 */
export function columnChoice(
  { id, period = USUAL_PERIOD }: Pick<ShownColumn, 'id' | 'period'>,
  ofCharts: readonly IndicatorSpec[],
): GridColumnChoice {
  if (!isIndicator(id)) return { id };
  const { parameters } = ofCharts.find(({ kind }) => kind === id) ?? usualIndicator(id);
  return { id, figure: { period, indicator: { kind: id, parameters } } };
}

export interface GridColumnSpec {
  /** In the head. */
  label: string;
  /** As `label`, but complete: where there is room. */
  name: string;
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
      write(root, day && withPrice(day, close), { close, precision });
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
        const stop = watchColumnValue(instrument.id, DAY, (low, high, volume) => {
          day = Number.isNaN(low) ? undefined : { low, high, volume };
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
  const track = element('span', { class: styles.range, 'aria-hidden': 'true', hidden: '' }, mark);
  return {
    content: track,
    write(root, day, { close }) {
      track.hidden = !day;
      const share = day ? shareOfRange(day, close) : 0.5;
      const text = day ? formatShare(share) : '';
      if (root.ariaLabel === text) return;
      root.ariaLabel = text;
      mark.style.insetInlineStart = `${Math.round(share * 100)}%`;
    },
  };
});

/** How far the price has ranged in the last day. */
const ofSparkline: Column = (): Cell => {
  const root = cell(undefined);
  root.dir = 'ltr';
  let closes: ArrayLike<number> = [];
  let close = Number.NaN;
  const paint = () => {
    const value = volatility(closes, close);
    writeText(root, Number.isNaN(value) ? '' : formatPercentage(value));
  };
  return {
    element: root,
    show(shown) {
      if (!shown) writeText(root, '');
    },
    paint(quote) {
      close = quote.close;
      paint();
    },
    follow(instrument) {
      const stop = watchSparkline(instrument.id, (known) => {
        closes = known ?? [];
        paint();
      });
      return () => {
        stop();
        closes = [];
        close = Number.NaN;
        writeText(root, '');
      };
    },
  };
};

/** A price of bid and ask, or their distance; empty where the feed has none. */
const ofBook =
  (read: (topOfBook: TopOfBook) => number, shown?: ShownOfBook): Column =>
  (): Cell => {
    const root = cell(undefined);
    root.dir = 'ltr';
    return {
      element: root,
      show(shown) {
        if (!shown) writeText(root, '');
      },
      follow(instrument) {
        const paint = (topOfBook: TopOfBook | undefined) =>
          writeText(root, topOfBook ? formatPrice(read(topOfBook), instrument.precision) : '');
        const stop = watchTopOfBook(instrument.id, paint, shown);
        return () => {
          stop();
          writeText(root, '');
        };
      },
    };
  };

/** A cell that says what the user holds; empty where that is nothing. */
function ofPosition(
  text: (position: InstrumentPosition) => string,
  direction: (position: InstrumentPosition) => number,
): Column {
  return (): Cell => {
    const root = cell(undefined);
    root.dir = 'ltr';
    const paint = (position: InstrumentPosition | undefined) => {
      writeText(root, position ? text(position) : '');
      const next = position ? directionOf(direction(position)) : '';
      if (root.dataset['value'] !== next) root.dataset['value'] = next;
    };
    return {
      element: root,
      show: (shown) => {
        if (!shown) paint(undefined);
      },
      follow(instrument) {
        const stop = watchPosition(instrument.id, paint);
        return () => {
          stop();
          paint(undefined);
        };
      },
    };
  };
}

/** A cell that says what an indicator is at the last bar. */
function ofIndicator(figure: ColumnValueSpec, kind: ColumnIndicator): Column {
  return (): Cell => {
    const root = cell(undefined);
    root.dir = 'ltr';
    const write = (text: string, direction: string) => {
      writeText(root, text);
      if (root.dataset['value'] !== direction) root.dataset['value'] = direction;
    };
    return {
      element: root,
      show(shown) {
        if (!shown) write('', '');
      },
      follow({ id, precision }) {
        const stop = watchColumnValue(id, figure, (value) => {
          const known = !Number.isNaN(value);
          const text = known ? INDICATOR_TEXTS[kind](value, precision) : '–';
          write(text, known && HAS_DIRECTION.has(kind) ? directionOf(value) : '');
        });
        return () => {
          stop();
          write('', '');
        };
      },
    };
  };
}

const INDICATOR_TEXTS: Readonly<
  Record<ColumnIndicator, (value: number, precision: number) => string>
> = {
  rsi: (value, precision) => formatValue(value, 'number', precision),
  // As the chart has it.
  macd: (value, precision) => formatPriceChange(value, precision + 1),
  atr: (value) => formatPercentage(value),
  sma: (value) => formatChange(value),
  ema: (value) => formatChange(value),
};

/** Above and below zero they say something else. */
const HAS_DIRECTION: ReadonlySet<ColumnIndicator> = new Set<ColumnIndicator>([
  'macd',
  'sma',
  'ema',
]);

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
  return formatAge(quoteAge(quote, connectionState.value.marketOffset, clock.value));
}

const number = (value: number, digits: number) =>
  Number.isNaN(value) ? '' : value.toFixed(digits);

const digitsOf = ({ instrument }: SeenRow) => instrument.precision;

/** What a file has of the bar of the day. */
const fileOfDay = (
  name: string,
  text: (day: DayBar, row: SeenRow) => string,
): GridColumnSpec['file'] => ({
  name,
  value({ row, valuesOf }) {
    const [low = Number.NaN, high = Number.NaN, volume = Number.NaN] = valuesOf(DAY);
    const { close } = row.quote;
    return Number.isNaN(low) ? '' : text(withPrice({ low, high, volume }, close), row);
  },
});

type PlainColumn = Exclude<GridColumn, ColumnIndicator>;
type PlainSpec = Omit<GridColumnSpec, 'label' | 'name'> & { label: StringKey };

/** The columns that a grid can show beside indicators. */
const PLAIN_COLUMNS: Readonly<Record<PlainColumn, PlainSpec>> = {
  name: {
    label: 'market.name',
    sort: 'name',
    words: true,
    make: label,
    file: { name: 'ShowCode', value: ({ row }) => row.instrument.name },
  },
  code: {
    label: 'trade.details.code',
    sort: 'code',
    words: true,
    make: ofRow(({ instrument }) => instrument.code),
    file: { name: 'Code', value: ({ row }) => row.instrument.code },
  },
  category: {
    label: 'grid.category',
    sort: 'category',
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
    sort: 'low',
    make: dayText(({ low }, { precision }) => formatPrice(low, precision)),
    file: fileOfDay('Low', ({ low }, row) => number(low, digitsOf(row))),
  },
  high: {
    label: 'trade.day.high',
    sort: 'high',
    make: dayText(({ high }, { precision }) => formatPrice(high, precision)),
    file: fileOfDay('High', ({ high }, row) => number(high, digitsOf(row))),
  },
  range: {
    label: 'grid.range',
    sort: 'range',
    make: range,
    file: fileOfDay('Range', (day, { quote }) => number(shareOfRange(day, quote.close), 4)),
  },
  volume: {
    label: 'trade.tools.columns.volume',
    sort: 'volume',
    make: dayText(({ volume }) => formatVolume(volume)),
    file: fileOfDay('Volume', ({ volume }) => String(volume)),
  },
  volatility: { label: 'market.volatility', sort: 'volatility', make: ofSparkline },
  bid: { label: 'trade.book.bid', sort: 'bid', make: ofBook(({ bid }) => bid || Number.NaN) },
  ask: { label: 'trade.book.ask', sort: 'ask', make: ofBook(({ ask }) => ask || Number.NaN) },
  spread: { label: 'trade.book.spread', sort: 'spread', make: ofBook(spread, 'spread') },
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
    make: ofPosition(
      ({ lots }) => formatExact(lots),
      () => 0,
    ),
    file: { name: 'Quantity', value: ({ position }) => (position ? toText(position.lots) : '') },
  },
  profit: {
    label: 'orders.field.profit',
    sort: 'profit',
    make: ofPosition(
      ({ profit }) => formatAmount(profit, 2, 'always'),
      ({ profit }) => (isZero(profit) ? 0 : sign(profit)),
    ),
    file: {
      name: 'FactProfits',
      value: ({ position }) => (position ? toFixed(position.profit, PROFIT_SCALE) : ''),
    },
  },
};

/** Without it a period such as `1H` is torn apart beside Latin letters, in a text from right to left. */
function isolatedInRtl(text: string): string {
  return isRightToLeft(language.peek()) ? isolated(text) : text;
}

/** How many more digits an indicator has in a file than the prices of which it is computed. */
const FILE_DIGITS = 3;

/** Columns of prices, and how many characters more than the price they have. */
const OF_PRICES: Partial<Record<GridColumn, number>> = {
  price: 0,
  open: 0,
  low: 0,
  high: 0,
  bid: 0,
  ask: 0,
  spread: 0,
  macd: 2,
};

/** The width of a column in which no price is cut, rem; `longest`: characters of the longest one. */
export function columnWidth({ id, width }: ShownColumn, longest: number): number {
  const more = OF_PRICES[id];
  return more === undefined ? width : Math.max(width, priceWidth(longest + more));
}

/** What a grid shows in a column. */
export function columnSpec({ id, figure }: GridColumnChoice): GridColumnSpec {
  if (figure === undefined) {
    const { label, ...rest } = PLAIN_COLUMNS[id];
    return { ...rest, label: t(label), name: t(label) };
  }
  const { period, indicator } = figure;
  const short = isolatedInRtl(shortOf(indicator));
  const shownPeriod = isolatedInRtl(t(`trade.period.${period}`));
  const names: Readonly<Record<ColumnIndicator, string>> = {
    rsi: short,
    macd: t('grid.histogram', { indicator: short }),
    atr: t('grid.ofPrice', { indicator: short }),
    sma: t('grid.distance', { average: short }),
    ema: t('grid.distance', { average: short }),
  };
  return {
    label: `${isolatedInRtl(shortOf(indicator) + SIGNS[id])} · ${shownPeriod}`,
    name: `${names[id]} · ${shownPeriod}`,
    sort: id,
    make: ofIndicator(figure, id),
    file: {
      name: [INDICATOR_STYLES[id].short, ...indicator.parameters, period].join(' '),
      value: ({ row, valuesOf }) =>
        number(valuesOf(figure)[0] ?? Number.NaN, digitsOf(row) + FILE_DIGITS),
    },
  };
}

/** What the head of an indicator's column says of its values, where they are not those that the chart has. */
const SIGNS: Readonly<Record<ColumnIndicator, string>> = {
  rsi: '',
  macd: '',
  atr: ' %',
  sma: ' Δ%',
  ema: ' Δ%',
};
