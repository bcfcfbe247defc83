import { add, type Decimal, decimal, negate, toNumber } from '#domain/core/decimal';
import { LANGUAGE_TAGS, type Language } from '#domain/core/language';
import { success } from '#domain/core/result';
import type { GridGateway } from '#domain/gateway/grid';
import type { ListQuery, ListRow } from '#domain/market/list';
import type { Order } from '#domain/trading/order';
import { rowWindow } from '../core/rowWindow';
import type { InstrumentList, Listed } from './list';
import type { Quotes } from './quotes';

/** Orders are kept of this many grids. */
const MOST_GRIDS = 16;
/** Asks only for the state of the list. */
const EMPTY: ListQuery = { only: [], sort: 'default', descending: false, favourites: [] };

interface GridOptions {
  list: Pick<InstrumentList, 'matching' | 'toRow' | 'rows'>;
  quotes: Pick<Quotes, 'price' | 'change' | 'isOpen' | 'quote'>;
  language: () => Language;
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
  /** Of the list. */
  revision: number;
  /** Another one whenever rows or their order are others. */
  version: number;
}

/** The rows of grids, whose order is held until the page asks for another (architecture.md#the-grid). */
export function createGrid({ list, quotes, language, holding }: GridOptions): GridGateway {
  const kept = new Map<string, Kept>();
  let versions = 0;

  /** A number for each instrument, to sort by; NaN comes last in both directions. */
  function valuesOf({ sort }: ListQuery, rows: readonly Listed[]): Float64Array | undefined {
    const fill = (value: (row: Listed) => number) => Float64Array.from(rows, value);
    switch (sort) {
      case 'price':
        return fill(({ slot }) => quotes.price(slot));
      case 'change':
        return fill(({ slot }) => quotes.change(slot));
      case 'open':
        return fill(({ slot }) => quotes.quote(slot).open);
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
  function placesOf(query: ListQuery, rows: readonly Listed[]): Uint32Array {
    const places = Uint32Array.from(rows, (_, place) => place);
    const direction = query.descending ? -1 : 1;
    const values = valuesOf(query, rows);
    if (values) {
      // By place among equals, so that rows of the same value do not change places.
      return places.sort(
        (a, b) => compareNumbers(values[a] as number, values[b] as number, direction) || a - b,
      );
    }
    const text = textOf(query.sort);
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

  function sorted(query: ListQuery): number[] {
    const rows = list.matching(query);
    const ids = Array.from(placesOf(query, rows), (place) => (rows[place] as Listed).instrument.id);
    if (query.favourites.length === 0 || query.only) return ids;
    const first = new Set(query.favourites);
    return [...ids.filter((id) => first.has(id)), ...ids.filter((id) => !first.has(id))];
  }

  /** The rows of a grid, whose former order stays where it is known and not asked for anew. */
  function ordered(known: Kept | undefined, query: ListQuery): Listed[] {
    const rest = new Map(list.matching(query).map((row) => [row.instrument.id, row]));
    const rows: Listed[] = [];
    for (const id of known ? known.rows.map(({ instrument }) => instrument.id) : sorted(query)) {
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

  function contents(grid: string, query: ListQuery, resort: boolean): Kept {
    const key = JSON.stringify(query);
    const { revision } = list.rows(EMPTY, 0, 0);
    const former = kept.get(grid);
    const known = former?.key === key ? former : undefined;
    if (known?.revision === revision && !resort) return known;
    const rows = ordered(resort ? undefined : known, query);
    const same =
      known?.revision === revision &&
      known.rows.length === rows.length &&
      known.rows.every((row, place) => row === rows[place]);
    const items = query.grouped ? withHeadings(rows) : rows;
    const next = { key, rows, items, revision, version: same ? known.version : ++versions };
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
      const { items, version } = contents(grid, query, resort);
      const { loading } = list.rows(EMPTY, 0, 0);
      return success({ revision: version, loading, ...rowWindow(items, from, to, toRow) });
    },
  };
}

/** What sorts by a text. */
function textOf(sort: ListQuery['sort']): ((row: Listed) => string) | undefined {
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
