import type { ListedInstrument } from '#domain/api/read-market';
import { folded } from '#domain/core/inputText';
import { isEqual } from '#domain/core/isEqual';
import { LANGUAGE_TAGS, type Language } from '#domain/core/language';
import { toDurationMs, type UnixMs } from '#domain/core/time';
import type { Instrument } from '#domain/market/instrument';
import type { ListQuery, ListRow, ListWindow } from '#domain/market/list';
import type { Clock } from '../core/ports';
import { rowWindow } from '../core/rowWindow';
import type { Revision } from '../frames/frames';
import type { Quotes, Slot } from './quotes';

/** Sort a list by change again at most this often: rows that jump can't be read or tapped. */
export const RESORT_MS = toDurationMs(2000);
/** Keep sorted rows of this many queries: list, side list, search. */
const MOST_QUERIES = 8;

/** An instrument of the list. */
export interface Listed {
  instrument: Instrument;
  slot: Slot;
  nextOpen: UnixMs | undefined;
  closedReason: string | undefined;
  /** The text that a search looks in, from the first search on. */
  searched?: string;
}

/** What rows are sorted by: texts, or numbers of which NaN comes last in both directions. */
export type SortKey = Float64Array | readonly string[];

interface SortedRows {
  query: ListQuery;
  rows: Listed[];
  /** Read since they were last sorted. */
  used: boolean;
}

/** The instruments in the server's order, and the windows of them that the page shows (architecture.md#the-instrument-list). */
export interface InstrumentList {
  /** Replaces the list. `rows` hold no id and no code twice. */
  replace(rows: readonly ListedInstrument[]): void;
  /** Whether `rows` say nothing new of the instruments, apart from prices. */
  isSame(rows: readonly ListedInstrument[]): boolean;
  /** Why an instrument is closed, by a tick. */
  setClosedReason(slot: Slot, reason: string | undefined): void;
  setLanguage(language: Language): void;
  rows(query: ListQuery, from: number, to: number): ListWindow;
  rowIndex(query: ListQuery, code: string): number | undefined;
  /** The instruments that match a query, in the server's order. */
  matching(query: ListQuery): Listed[];
  /** Sorts rows by a key, which has an element for each of them; without one as lists are sorted. */
  sort(query: ListQuery, rows: readonly Listed[], key?: SortKey): Listed[];
  toRow(listed: Listed): ListRow;
  /** The row of a code, also of one that has left the list since; without a code, of the first open instrument. */
  row(code: string | undefined): ListRow | undefined;
  instrument(id: number): Instrument | undefined;
  /** The instrument of a code; where that is empty, of a name. */
  instrumentOf(code: string, name: string): Instrument | undefined;
  slot(id: number): Slot | undefined;
  readonly size: number;
  /** Quotes have moved: rows sorted by change may be out of order. */
  moved(): void;
}

export function createList(clock: Clock, quotes: Quotes, revision: Revision): InstrumentList {
  let listed: Listed[] = [];
  let byId = new Map<number, Listed>();
  let bySlot: Listed[] = [];
  /** Instruments that have left the list since the visit began, by code. */
  const delisted = new Map<string, Listed>();
  let loading = true;
  let language: Language | undefined;
  /** Made when it is used: it takes longer than the rest of the list. */
  let collator: Intl.Collator | undefined;
  let resorting = false;
  /** By the query as JSON. */
  const sortedRows = new Map<string, SortedRows>();

  function matching(query: ListQuery): Listed[] {
    const { categoryId, open, only, search = '' } = query;
    const chosen = only && new Set(only);
    const words = search
      .split(/[\s/]+/)
      .map(lettersOf)
      .filter((word) => word !== '');
    return listed.filter(
      (row) =>
        (categoryId === undefined || row.instrument.categoryId === categoryId) &&
        (!open || quotes.isOpen(row.slot)) &&
        (!chosen || chosen.has(row.instrument.id)) &&
        contains(row, words),
    );
  }

  /** The key of what a list sorts by. */
  function keyOf({ sort, ranked }: ListQuery, rows: readonly Listed[]): SortKey | undefined {
    if (sort === 'name') return rows.map(({ instrument }) => instrument.name);
    return sort === 'change'
      ? Float64Array.from(rows, ({ slot }) => {
          const change = quotes.change(slot);
          return ranked ? Math.abs(change) : change;
        })
      : undefined;
  }

  function sort(query: ListQuery, rows: readonly Listed[], given?: SortKey): Listed[] {
    const { only, favourites } = query;
    const direction = query.descending ? -1 : 1;
    const key = given ?? keyOf(query, rows);
    const places = Uint32Array.from(rows, (_, place) => place);
    if (key instanceof Float64Array) {
      // By place among equals, so that rows of the same value do not change places.
      places.sort((a, b) => compareNumbers(key[a] as number, key[b] as number, direction) || a - b);
    } else if (key) {
      collator ??= new Intl.Collator(language && LANGUAGE_TAGS[language], { numeric: true });
      const { compare } = collator;
      places.sort((a, b) => direction * compare(key[a] as string, key[b] as string) || a - b);
    } else if (only) {
      const own = new Map(only.map((id, place) => [id, place]));
      const at = (place: number) => own.get((rows[place] as Listed).instrument.id) ?? 0;
      places.sort((a, b) => direction * (at(a) - at(b)));
    } else {
      const closed = rows.map(({ slot }) => Number(!quotes.isOpen(slot)));
      places.sort((a, b) => (closed[a] as number) - (closed[b] as number) || direction * (a - b));
    }
    const sorted = Array.from(places, (place) => rows[place] as Listed);
    if (favourites.length === 0 || only || query.ranked) return sorted;
    const first = new Set(favourites);
    return [
      ...sorted.filter((row) => first.has(row.instrument.id)),
      ...sorted.filter((row) => !first.has(row.instrument.id)),
    ];
  }

  const sorted = (query: ListQuery) => sort(query, matching(query));

  function rowsOf(query: ListQuery): Listed[] {
    const key = JSON.stringify(query);
    const known = sortedRows.get(key);
    if (known) {
      known.used = true;
      return known.rows;
    }
    const rows = sorted(query);
    sortedRows.set(key, { query, rows, used: true });
    for (const oldest of sortedRows.keys()) {
      if (sortedRows.size <= MOST_QUERIES) break;
      sortedRows.delete(oldest);
    }
    return rows;
  }

  function resort(): void {
    resorting = false;
    let different = false;
    for (const [key, { query, rows, used }] of sortedRows) {
      if (query.sort !== 'change') continue;
      if (!used) {
        sortedRows.delete(key);
        continue;
      }
      const next = sorted(query);
      if (next.some((row, index) => row !== rows[index])) {
        sortedRows.set(key, { query, rows: next, used: false });
        different = true;
      }
    }
    if (different) revision.bump();
  }

  function toRow({ instrument, slot, nextOpen, closedReason }: Listed): ListRow {
    const open = quotes.isOpen(slot);
    return {
      instrument,
      quote: quotes.quote(slot),
      arrived: quotes.arrived(slot),
      stale: quotes.isStale(slot),
      nextOpen: open ? undefined : nextOpen,
      ...(!open && closedReason && { closedReason }),
      ...(quotes.topsOfBook.has(instrument.id) && { hasBook: true }),
    };
  }

  return {
    matching,
    sort,
    toRow,
    replace(rows) {
      for (const row of listed) delisted.set(row.instrument.code, row);
      listed = [];
      byId = new Map();
      bySlot = [];
      for (const { instrument, nextOpen, closedReason } of rows) {
        const row: Listed = {
          instrument,
          slot: quotes.add(instrument.id, instrument.code, instrument.precision),
          nextOpen,
          closedReason,
        };
        delisted.delete(instrument.code);
        listed.push(row);
        byId.set(instrument.id, row);
        bySlot[row.slot] = row;
      }
      for (const { slot } of delisted.values()) quotes.delist(slot);
      loading = false;
      sortedRows.clear();
      revision.bump();
    },
    isSame: (rows) =>
      rows.length === listed.length &&
      rows.every(({ instrument, nextOpen, closedReason, quote }, index) => {
        const known = listed[index] as Listed;
        return (
          quotes.isOpen(known.slot) === quote.marketOpen &&
          isEqual(
            [instrument, nextOpen, closedReason],
            [known.instrument, known.nextOpen, known.closedReason],
          )
        );
      }),
    setClosedReason(slot, reason) {
      const row = bySlot[slot];
      if (!row || row.closedReason === reason) return;
      row.closedReason = reason;
      revision.bump();
    },
    setLanguage(next) {
      language = next;
      collator = undefined;
      sortedRows.clear();
      revision.bump();
    },
    rows(query, from, to) {
      return { revision: revision.current, loading, ...rowWindow(rowsOf(query), from, to, toRow) };
    },
    rowIndex(query, code) {
      const index = rowsOf(query).findIndex((row) => row.instrument.code === code);
      return index < 0 ? undefined : index;
    },
    row(code) {
      if (code === undefined) {
        const first = listed.find(({ slot }) => quotes.isOpen(slot)) ?? listed[0];
        return first && toRow(first);
      }
      const gone = delisted.get(code);
      if (gone) return { ...toRow({ ...gone, nextOpen: undefined }), delisted: true };
      const slot = quotes.slot(code);
      const row = slot === undefined ? undefined : bySlot[slot];
      return row && toRow(row);
    },
    instrument: (id) => byId.get(id)?.instrument,
    instrumentOf(code, name) {
      const slot = quotes.slot(code);
      if (code !== '') return slot === undefined ? undefined : bySlot[slot]?.instrument;
      return listed.find(({ instrument }) => instrument.name === name)?.instrument;
    },
    slot: (id) => byId.get(id)?.slot,
    get size() {
      return listed.length;
    },
    moved() {
      if (resorting) return;
      for (const { query } of sortedRows.values()) {
        if (query.sort !== 'change') continue;
        resorting = true;
        clock.after(RESORT_MS, resort);
        return;
      }
    },
  };
}

/** Whether each word is in the name or in the code. */
function contains(row: Listed, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const { name, code } = row.instrument;
  row.searched ??= `${lettersOf(name)} ${lettersOf(code)}`;
  const text = row.searched;
  return words.every((word) => text.includes(word));
}

/** Letters and digits of a text as searches compare them, so that XRPUSD is found as XRP/USD. */
function lettersOf(text: string): string {
  return folded(text).replace(/[^\p{L}\p{M}\p{N}]+/gu, '');
}

function compareNumbers(a: number, b: number, direction: number): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
  return direction * (a - b);
}
