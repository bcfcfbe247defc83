import { readFields, readInteger, readNumber, readRows, readText } from '#domain/core/read';
import { toUnixMs } from '#domain/core/time';
import { FIRST_ROWS_ID } from '#domain/market/firstRows';
import type { Instrument } from '#domain/market/instrument';
import type { ListRow } from '#domain/market/list';

const KEY = 'fulcrum.last-seen';

/** What a row of the list shows of an instrument. */
export type SeenInstrument = Pick<Instrument, 'id' | 'code' | 'name' | 'logo' | 'precision'> &
  Partial<Pick<Instrument, 'categoryId'>>;

/** What is shown of a row of the list. */
export interface SeenRow
  extends Pick<ListRow, 'quote' | 'arrived' | 'stale' | 'heading' | 'closedReason' | 'hasBook'> {
  instrument: SeenInstrument;
}

/** The first rows of one list in one language. They are not used for any other. */
export interface LastSeen {
  /** The language's word for a closed market. */
  closed: string;
  rows: SeenRow[];
}

function nameOf(language: string, query: object): string {
  return `${language} ${JSON.stringify(query)}`;
}

/** Keeps the rows for the first paint of the next visit. */
export function saveLastSeen(language: string, query: object, { closed, rows }: LastSeen): void {
  const saved = rows.map(({ instrument, quote, arrived, hasBook }) => {
    const { id, code, name, logo, precision } = instrument;
    return { instrument: { id, code, name, logo, precision }, quote, arrived, hasBook };
  });
  try {
    localStorage.setItem(KEY, JSON.stringify({ of: nameOf(language, query), closed, rows: saved }));
  } catch {
    // Storage is full or forbidden: the next visit starts with grey rows.
  }
}

/** The rows of the last visit, all of them stale; undefined where there are none of this list. */
export function lastSeen(language: string, query: object): LastSeen | undefined {
  try {
    const seen = readFields(JSON.parse(localStorage.getItem(KEY) ?? 'null'));
    const rows =
      seen?.['of'] === nameOf(language, query) && readRows(seen['rows'], (row) => readSeen(row));
    return rows && rows.length > 0 ? { closed: readText(seen?.['closed']) ?? '', rows } : undefined;
  } catch {
    return undefined;
  }
}

/** The rows that the page brought along, as stale ones (D130); empty where its server wrote none. */
export function pageRows(): SeenRow[] {
  try {
    const page = readFields(JSON.parse(document.getElementById(FIRST_ROWS_ID)?.textContent ?? ''));
    const at = Math.min(readNumber(page?.['at']) ?? 0, Date.now());
    return readRows(page?.['rows'], (row) => readSeen(row, at)) ?? [];
  } catch {
    return [];
  }
}

/** Reads a stored row: storage is untrusted input. */
function readSeen(value: unknown, at?: number): SeenRow | undefined {
  const row = readFields(value);
  const instrument = readFields(row?.['instrument']);
  const quote = readFields(row?.['quote']);
  const id = readInteger(instrument?.['id']);
  const precision = readInteger(instrument?.['precision']);
  const [code, name, logo] = ['code', 'name', 'logo'].map((key) => readText(instrument?.[key]));
  const [close, open, change] = ['close', 'open', 'change'].map((key) => readNumber(quote?.[key]));
  const arrived = at ?? readNumber(row?.['arrived']);
  const time = readNumber(quote?.['time']);
  if (id === undefined || precision === undefined || precision < 0 || precision > 20) return;
  if (code === undefined || name === undefined || logo === undefined) return;
  if (close === undefined || open === undefined || change === undefined) return;
  return {
    instrument: { id, code, name, logo, precision },
    quote: {
      close,
      open,
      change,
      time: time === undefined ? undefined : toUnixMs(time),
      marketOpen: quote?.['marketOpen'] === true,
    },
    arrived: toUnixMs(arrived ?? 0),
    stale: true,
    ...(row?.['hasBook'] === true && { hasBook: true }),
  };
}
