import type { Category } from '#domain/api/market';
import { add, type Decimal, decimal, negate, toNumber } from '#domain/core/decimal';
import { LANGUAGE_TAGS, type Language } from '#domain/core/language';
import { type Result, success } from '#domain/core/result';
import { type GridGateway, type GridQuery, MOST_SORTED_BY_BARS } from '#domain/gateway/grid';
import { DAY, type FigureSpec, isOfBars } from '#domain/indicators/columns';
import { spread } from '#domain/market/book';
import { type DayBar, shareOfRange, withPrice } from '#domain/market/dayBar';
import { DAY_SORTS, type ListQuery, type ListRow, type Sort } from '#domain/market/list';
import type { Order } from '#domain/trading/order';
import { rowWindow } from '../core/rowWindow';
import type { Figures } from './figures';
import type { InstrumentList, Listed } from './list';
import type { Quotes } from './quotes';

/** Orders are kept of this many grids. */
const MOST_GRIDS = 16;
/** Asks only for the state of the list. */
const EMPTY: ListQuery = { only: [], sort: 'default', descending: false, favourites: [] };

export interface GridOptions {
  list: Pick<InstrumentList, 'matching' | 'toRow' | 'rows'>;
  quotes: Pick<Quotes, 'price' | 'change' | 'isOpen' | 'quote' | 'books'>;
  figures: Pick<Figures, 'hold' | 'values'>;
  language: () => Language;
  /** In the present language. */
  categories: () => Promise<Result<readonly Category[]>>;
  /** The user's holding orders at the latest prices. */
  holding: () => readonly Order[];
}

interface Heading {
  categoryId: number;
  first: Listed;
  count: number;
}
type Item = Listed | Heading;

interface Kept {
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
  figures,
  language,
  categories,
  holding,
}: GridOptions): Omit<GridGateway, 'watchFigures'> {
  const kept = new Map<string, Kept>();
  let versions = 0;
  let categoryNames: ReadonlyMap<number, string> = new Map();

  /** A number for each instrument, to sort by; NaN comes last in both directions. */
  function valuesOf(query: GridQuery, rows: readonly Listed[]): Float64Array | undefined {
    const { sort } = query;
    const fill = (value: (row: Listed) => number) => Float64Array.from(rows, value);
    const ofDay = (value: (day: DayBar, price: number) => number) =>
      fill(({ instrument, slot }) => {
        const [low, high, volume] = figures.values(instrument.id, DAY);
        const price = quotes.price(slot);
        return Number.isNaN(low)
          ? Number.NaN
          : value(withPrice({ low, high, volume }, price), price);
      });
    switch (sort) {
      case 'price':
        return fill(({ slot }) => quotes.price(slot));
      case 'change':
        return fill(({ slot }) => quotes.change(slot));
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
        const { figure } = query;
        return fill(({ instrument }) =>
          figure ? figures.values(instrument.id, figure)[0] : Number.NaN,
        );
      }
      case 'spread':
        return fill(({ instrument }) => {
          const book = quotes.books.get(instrument.id);
          return book ? spread(book) : Number.NaN;
        });
      case 'age':
        return fill(({ slot }) => -(quotes.quote(slot).time ?? Number.NaN));
      case 'position':
      case 'profit': {
        const held = heldBy(sort, holding());
        return fill(({ instrument }) => held.get(instrument.id) ?? Number.NaN);
      }
      default:
        return undefined;
    }
  }

  /** The places of `rows` in the order of the query. */
  function placesOf(query: GridQuery, rows: readonly Listed[]): Uint32Array {
    const places = Uint32Array.from(rows, (_, place) => place);
    const direction = query.descending ? -1 : 1;
    const values = valuesOf(query, rows);
    if (values) {
      // By place among equals, so that rows of the same value do not change places.
      return places.sort(
        (a, b) => compareNumbers(values[a] as number, values[b] as number, direction) || a - b,
      );
    }
    const text = textOf(query.sort, categoryNames);
    if (text) {
      const texts = rows.map(text);
      const { compare } = new Intl.Collator(LANGUAGE_TAGS[language()], { numeric: true });
      return places.sort(
        (a, b) => direction * compare(texts[a] as string, texts[b] as string) || a - b,
      );
    }
    if (query.only) {
      const own = new Map(query.only.map((id, place) => [id, place]));
      const at = (place: number) => own.get((rows[place] as Listed).instrument.id) ?? 0;
      return places.sort((a, b) => direction * (at(a) - at(b)));
    }
    if (query.descending) places.reverse();
    const closed = rows.map(({ slot }) => Number(!quotes.isOpen(slot)));
    return places.sort((a, b) => (closed[a] as number) - (closed[b] as number));
  }

  function sorted(query: GridQuery, rows: readonly Listed[]): number[] {
    const ids = Array.from(placesOf(query, rows), (place) => (rows[place] as Listed).instrument.id);
    if (query.favourites.length === 0 || query.only) return ids;
    const first = new Set(query.favourites);
    return [...ids.filter((id) => first.has(id)), ...ids.filter((id) => !first.has(id))];
  }

  /** The rows of a grid, whose former order stays where it is known and not asked for anew. */
  function ordered(
    known: Kept | undefined,
    query: GridQuery,
    matching: readonly Listed[],
  ): Listed[] {
    const rest = new Map(matching.map((row) => [row.instrument.id, row]));
    const rows: Listed[] = [];
    const ids = known?.rows.map(({ instrument }) => instrument.id) ?? sorted(query, matching);
    for (const id of ids) {
      const row = rest.get(id);
      if (row && rest.delete(id)) rows.push(row);
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
    figures.hold(grid, ids, spec);
    return unsorted;
  }

  function contents(grid: string, query: GridQuery, resort: boolean): Kept {
    const key = JSON.stringify(query);
    const { revision } = list.rows(EMPTY, 0, 0);
    const former = kept.get(grid);
    const known = former?.key === key ? former : undefined;
    if (known?.revision === revision && !resort) return known;
    const matching = list.matching(query);
    const unsorted = holdBars(grid, query, matching);
    // An order that was not made, because there were too many instruments, is not one to keep.
    const stays = resort || known?.unsorted !== unsorted ? undefined : known;
    const order: GridQuery = unsorted ? { ...query, sort: 'default', descending: false } : query;
    const rows = ordered(stays, order, matching);
    const same =
      known?.revision === revision &&
      known.rows.length === rows.length &&
      known.rows.every((row, place) => row === rows[place]);
    const items = query.grouped ? withHeadings(rows) : rows;
    const version = same ? known.version : ++versions;
    const next = { key, rows, items, unsorted, revision, version };
    kept.delete(grid);
    kept.set(grid, next);
    for (const oldest of kept.keys()) {
      if (kept.size <= MOST_GRIDS) break;
      kept.delete(oldest);
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
      const { items, unsorted, version } = contents(grid, query, resort);
      const { loading } = list.rows(EMPTY, 0, 0);
      const window = rowWindow(items, from, to, toRow);
      return success({
        revision: version,
        loading,
        ...window,
        ...(unsorted && { unsorted }),
      });
    },
    async figures(instrumentIds, specs) {
      return success(
        Float64Array.from(
          instrumentIds.flatMap((id) => specs.flatMap((spec) => figures.values(id, spec))),
        ),
      );
    },
    leaveGrid: (grid) => figures.hold(grid, [], undefined),
  };
}

/** The bars that a grid is sorted by. */
function barsOf({ sort, figure }: GridQuery): FigureSpec | undefined {
  if (DAY_SORTS.some((each) => each === sort)) return DAY;
  return isOfBars(sort) ? figure : undefined;
}

/** What sorts by a text. */
function textOf(
  sort: Sort,
  categoryNames: ReadonlyMap<number, string>,
): ((row: Listed) => string) | undefined {
  if (sort === 'category')
    return ({ instrument }) => categoryNames.get(instrument.categoryId) ?? '';
  if (sort === 'name') return ({ instrument }) => instrument.name;
  return sort === 'code' ? ({ instrument }) => instrument.code : undefined;
}

function compareNumbers(a: number, b: number, direction: number): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
  return direction * (a - b);
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
