import type { Category } from '#domain/api/market';
import { add, type Decimal, decimal, negate, toNumber } from '#domain/core/decimal';
import { type Result, success } from '#domain/core/result';
import { type ColumnValueSpec, DAY, isOfBars } from '#domain/indicators/columns';
import { type DayBar, shareOfRange, withPrice } from '#domain/market/dayBar';
import { DAY_SORTS, type ListQuery, type ListRow } from '#domain/market/list';
import { spread, type TopOfBook } from '#domain/market/topOfBook';
import { volatility } from '#domain/market/volatility';
import type { Order } from '#domain/trading/order';
import { type GridQuery, type GridWorkerApi, MOST_SORTED_BY_BARS } from '#domain/worker/grid';
import type { WorkerApi } from '#domain/worker/workerApi';
import { rowWindow } from '../core/rowWindow';
import type { ColumnValues } from './columnValues';
import type { InstrumentList, Listed, SortKey } from './list';
import type { Quotes } from './quotes';

/** Orders are kept of this many grids. */
const MOST_GRIDS = 16;
/** Asks only for the state of the list. */
const EMPTY: ListQuery = { only: [], sort: 'default', descending: false, favourites: [] };

export interface GridOptions {
  list: Pick<InstrumentList, 'matching' | 'sort' | 'toRow' | 'rows'>;
  quotes: Pick<Quotes, 'price' | 'quote' | 'topsOfBook'>;
  columnValues: Pick<ColumnValues, 'hold' | 'values'>;
  /** In the present language. */
  categories: () => Promise<Result<readonly Category[]>>;
  sparklines: WorkerApi['sparklines'];
  /** The user's positions at the latest prices. */
  positions: () => readonly Order[];
}

interface Heading {
  categoryId: number;
  first: Listed;
  count: number;
}
type Item = Listed | Heading;

interface HeldGrid {
  key: string;
  rows: readonly Listed[];
  items: readonly Item[];
  unsorted: boolean;
  /** Of the list. */
  revision: number;
  /** Another one whenever rows or their order are others. */
  version: number;
}

/** The rows of grids, whose order is held until the page asks for another (architecture.md#the-grid). */
export function createGrid({
  list,
  quotes,
  columnValues,
  categories,
  sparklines,
  positions,
}: GridOptions): Omit<GridWorkerApi, 'watchColumnValues'> {
  const held = new Map<string, HeldGrid>();
  let versions = 0;
  let categoryNames: ReadonlyMap<number, string> = new Map();
  /** Closes of the last day by id; those of before where they could not be fetched. */
  let lines: Readonly<Record<number, ArrayLike<number>>> = {};

  /** The key of what only grids sort by. */
  function keyOf(query: GridQuery, rows: readonly Listed[]): SortKey | undefined {
    const { sort } = query;
    const fill = (value: (row: Listed) => number) => Float64Array.from(rows, value);
    const ofDay = (value: (day: DayBar, price: number) => number) =>
      fill(({ instrument, slot }) => {
        const [low, high, volume] = columnValues.values(instrument.id, DAY);
        const price = quotes.price(slot);
        return Number.isNaN(low)
          ? Number.NaN
          : value(withPrice({ low, high, volume }, price), price);
      });
    const ofBook = (value: (topOfBook: TopOfBook) => number) =>
      fill(({ instrument }) => {
        const topOfBook = quotes.topsOfBook.get(instrument.id);
        return topOfBook ? value(topOfBook) : Number.NaN;
      });
    switch (sort) {
      case 'price':
        return fill(({ slot }) => quotes.price(slot));
      case 'open':
        return fill(({ slot }) => quotes.quote(slot).open);
      case 'low':
      case 'high':
      case 'volume':
        return ofDay((day) => day[sort]);
      case 'range':
        return ofDay(shareOfRange);
      case 'rsi':
      case 'macd':
      case 'atr':
      case 'sma':
      case 'ema': {
        const { columnValue } = query;
        return fill(({ instrument }) =>
          columnValue ? columnValues.values(instrument.id, columnValue)[0] : Number.NaN,
        );
      }
      case 'bid':
      case 'ask':
        return ofBook((topOfBook) => topOfBook[sort] || Number.NaN);
      case 'spread':
        return ofBook(spread);
      case 'age':
        return fill(({ slot }) => -(quotes.quote(slot).time ?? Number.NaN));
      case 'position':
      case 'profit': {
        const held = heldBy(sort, positions());
        return fill(({ instrument }) => held.get(instrument.id) ?? Number.NaN);
      }
      case 'volatility':
        return fill(({ instrument, slot }) =>
          volatility(lines[instrument.id] ?? [], quotes.price(slot)),
        );
      case 'code':
        return rows.map(({ instrument }) => instrument.code);
      case 'category':
        return rows.map(({ instrument }) => categoryNames.get(instrument.categoryId) ?? '');
      default:
        return undefined;
    }
  }

  /** The rows in their former order, with new ones at the end. */
  function inOrderOf(known: readonly Listed[], matching: readonly Listed[]): Listed[] {
    const rest = new Map(matching.map((row) => [row.instrument.id, row]));
    const rows: Listed[] = [];
    for (const { instrument } of known) {
      const row = rest.get(instrument.id);
      if (row && rest.delete(instrument.id)) rows.push(row);
    }
    rows.push(...rest.values());
    return rows;
  }

  function withHeadings(rows: readonly Listed[]): Item[] {
    const groups = new Map<number, Listed[]>();
    for (const row of rows) {
      const { categoryId } = row.instrument;
      const group = groups.get(categoryId);
      if (group) group.push(row);
      else groups.set(categoryId, [row]);
    }
    // The categories stand still while their instruments are sorted.
    return [...groups]
      .sort(([a], [b]) => a - b)
      .flatMap(([categoryId, members]): Item[] => [
        { categoryId, first: members[0] as Listed, count: members.length },
        ...members,
      ]);
  }

  /** Has the bars loaded that a grid is sorted by. Returns whether they are those of too many instruments. */
  function holdBars(grid: string, query: GridQuery, matching: readonly Listed[]): boolean {
    const spec = barsOf(query);
    const unsorted = spec !== undefined && matching.length > MOST_SORTED_BY_BARS;
    const ids = spec && !unsorted ? matching.map(({ instrument }) => instrument.id) : [];
    columnValues.hold(grid, ids, spec);
    return unsorted;
  }

  function contents(grid: string, query: GridQuery, resort: boolean): HeldGrid {
    const key = JSON.stringify(query);
    const { revision } = list.rows(EMPTY, 0, 0);
    const former = held.get(grid);
    const known = former?.key === key ? former : undefined;
    if (known?.revision === revision && !resort) return known;
    const matching = list.matching(query);
    const unsorted = holdBars(grid, query, matching);
    // An order that was not made, because there were too many instruments, is not one to keep.
    const stays = resort || known?.unsorted !== unsorted ? undefined : known;
    const order: GridQuery = unsorted ? { ...query, sort: 'default', descending: false } : query;
    const rows = stays
      ? inOrderOf(stays.rows, matching)
      : list.sort(order, matching, keyOf(order, matching));
    const same =
      known?.revision === revision &&
      known.rows.length === rows.length &&
      known.rows.every((row, place) => row === rows[place]);
    const items = query.grouped ? withHeadings(rows) : rows;
    const version = same ? known.version : ++versions;
    const next = { key, rows, items, unsorted, revision, version };
    held.delete(grid);
    held.set(grid, next);
    for (const oldest of held.keys()) {
      if (held.size <= MOST_GRIDS) break;
      held.delete(oldest);
    }
    return next;
  }

  function toRow(item: Item): ListRow {
    if (!('first' in item)) return list.toRow(item);
    const row = list.toRow(item.first);
    const { categoryId, count } = item;
    return {
      ...row,
      instrument: { ...row.instrument, id: -1 - categoryId },
      heading: { categoryId, count },
    };
  }

  return {
    async gridRows(grid, query, from, to, resort) {
      if (query.sort === 'category') {
        const answer = await categories();
        if (answer.ok) categoryNames = new Map(answer.data.map(({ id, name }) => [id, name]));
      }
      if (query.sort === 'volatility') {
        const answer = await sparklines(
          list.matching(query).map(({ instrument }) => instrument.id),
        );
        if (answer.ok) lines = answer.data;
      }
      const { rows, items, unsorted, version } = contents(grid, query, resort);
      const { loading } = list.rows(EMPTY, 0, 0);
      const window = rowWindow(items, from, to, toRow);
      return success({
        revision: version,
        loading,
        ...window,
        ...(unsorted && { unsorted }),
        ...(query.grouped && { instruments: rows.length }),
      });
    },
    async columnValues(instrumentIds, specs) {
      return success(
        Float64Array.from(
          instrumentIds.flatMap((id) => specs.flatMap((spec) => columnValues.values(id, spec))),
        ),
      );
    },
    leaveGrid: (grid) => columnValues.hold(grid, [], undefined),
  };
}

/** The bars that a grid is sorted by. */
function barsOf({ sort, columnValue }: GridQuery): ColumnValueSpec | undefined {
  if (DAY_SORTS.some((each) => each === sort)) return DAY;
  return isOfBars(sort) ? columnValue : undefined;
}

/** Lots (sells negative) or profit of each instrument that is held. */
function heldBy(sort: 'position' | 'profit', orders: readonly Order[]): Map<number, number> {
  const sums = new Map<number, Decimal>();
  for (const { instrumentId, side, lots, profit } of orders) {
    const held: Decimal = side === 'sell' ? negate(lots) : lots;
    const value: Decimal = sort === 'profit' ? profit : held;
    sums.set(instrumentId, add(sums.get(instrumentId) ?? decimal(0), value));
  }
  return new Map([...sums].map(([id, sum]) => [id, toNumber(sum)]));
}
