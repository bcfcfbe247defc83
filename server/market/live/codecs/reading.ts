import { readJson } from '#domain/core/json';
import { type Fields, readFields, readNumber } from '#domain/core/read';
import { toUnixMs, toUnixSeconds, type UnixMs } from '#domain/core/time';
import { MOST_DECIMALS } from '#domain/market/decimals';
import type { Bar } from '#domain/market/kline';
import type { Decoded, LiveEvent, LiveTrade } from '../codec';

export const ignored = (what: string): Decoded => ({ events: [{ kind: 'ignored', what }] });
export const malformed = (reason: string): Decoded => ({ events: [{ kind: 'malformed', reason }] });
export const alive = (time?: UnixMs): Decoded => ({
  events: [time === undefined ? { kind: 'alive' } : { kind: 'alive', time }],
});

/** The answer to a whole message; `refused`: why it was not taken. */
export const answered = (request: string | undefined, refused?: string): Decoded => ({
  events: [
    { kind: 'alive' },
    {
      kind: 'answered',
      ...(request !== undefined && { request }),
      ...(refused !== undefined && { refused }),
    },
  ],
});

/** The object of a message; undefined for anything else. */
export function parseFields(text: string): Fields | undefined {
  return readFields(readJson(text));
}

/** Objects of a list; what is none is left out. */
export function fieldsOf(value: unknown): Fields[] {
  if (!Array.isArray(value)) return [];
  return value.map(readFields).filter((each) => each !== undefined);
}

/** A price or a volume above 0. A double holds what exchanges send: up to 15 digits (D1). */
function readPositive(value: unknown): number | undefined {
  const number = readNumber(value);
  return number !== undefined && number > 0 ? number : undefined;
}

/** Milliseconds since 1970, as a number or as text. */
export function readMs(value: unknown): UnixMs | undefined {
  const number = readNumber(value);
  return number !== undefined && number > 0 ? toUnixMs(Math.floor(number)) : undefined;
}

/** A time of RFC 3339, cut to milliseconds; `2026-04-07 14:30:10.000000000+00:00` too. */
export function readDate(value: unknown): UnixMs | undefined {
  if (typeof value !== 'string') return undefined;
  const time = Date.parse(value.replace(/(\.\d{3})\d+/, '$1').replace(' ', 'T'));
  return Number.isNaN(time) ? undefined : toUnixMs(time);
}

/** A trade; undefined where a field is missing or makes no sense. */
export function readTrade(
  symbol: unknown,
  price: unknown,
  volume: unknown,
  time: UnixMs | undefined,
  id: unknown,
): LiveTrade | undefined {
  const [priced, sized] = [readPositive(price), readPositive(volume)];
  if (typeof symbol !== 'string' || symbol === '' || time === undefined) return undefined;
  if (priced === undefined || sized === undefined) return undefined;
  if (typeof id !== 'string' && typeof id !== 'number') return undefined;
  return { kind: 'trade', symbol, price: priced, volume: sized, time, id: String(id) };
}

/** The best bid and ask; none where one side is empty. */
export function readTopOfBook(symbol: unknown, bid: unknown, ask: unknown): LiveEvent | undefined {
  const [best, least] = [readPositive(bid), readPositive(ask)];
  if (typeof symbol !== 'string' || best === undefined || least === undefined) return undefined;
  return { kind: 'book', symbol, bid: best, ask: least };
}

/** Events of rows; one that can't be read is reported, the others count. */
export function eventsOf(
  rows: readonly Fields[],
  what: string,
  read: (row: Fields) => LiveEvent | undefined,
): LiveEvent[] {
  if (rows.length === 0) return [{ kind: 'malformed', reason: `${what} without rows` }];
  return rows.map(
    (row): LiveEvent =>
      read(row) ?? { kind: 'malformed', reason: `${what} ${JSON.stringify(row).slice(0, 200)}` },
  );
}

/** A bar of REST; undefined where nothing was traded, or a field makes no sense. */
export function readBar(
  seconds: unknown,
  open: unknown,
  high: unknown,
  low: unknown,
  close: unknown,
  volume: unknown,
): Bar | undefined {
  const time = readNumber(seconds);
  const [o, h, l, c, v] = [open, high, low, close, volume].map(readPositive);
  if (time === undefined || !o || !h || !l || !c || !v) return undefined;
  return { time: toUnixSeconds(Math.floor(time)), open: o, high: h, low: l, close: c, volume: v };
}

/** Rows of klines as bars, oldest first. */
export function barsOf(rows: unknown, read: (row: readonly unknown[]) => Bar | undefined): Bar[] {
  if (!Array.isArray(rows)) throw new Error('the exchange sent no klines');
  const bars = rows.flatMap((row) => (Array.isArray(row) ? (read(row) ?? []) : []));
  return bars.sort((a, b) => a.time - b.time);
}

/** Decimals of a step such as `0.01`, `1e-05` or 0.5. */
export function decimalsOfStep(step: unknown): number {
  const number = readNumber(step);
  if (number === undefined || number <= 0) return 0;
  for (let decimals = 0; decimals < MOST_DECIMALS; decimals++) {
    const units = number * 10 ** decimals;
    if (Math.abs(units - Math.round(units)) < 1e-6 && Math.round(units) > 0) return decimals;
  }
  return MOST_DECIMALS;
}

/** Parts of at most `size`. */
export function chunks<T>(items: readonly T[], size: number): T[][] {
  const parts: T[][] = [];
  for (let i = 0; i < items.length; i += size) parts.push(items.slice(i, i + size));
  return parts;
}

/** Currencies in which pairs are listed: one unit is taken as one USD. */
export const QUOTES: ReadonlySet<string> = new Set(['USD', 'USDT', 'USDC']);

/** A number without leading zeros. */
const DIGITS = /^[1-9]\d*$/;

/** Where a trade stands among those of its pair. */
export interface Place {
  time: UnixMs;
  id: string;
}

/** By time; trades of one millisecond by their number, where they have one, otherwise as they came. */
export function isBefore(a: Place, b: Place): boolean {
  if (a.time !== b.time) return a.time < b.time;
  if (!DIGITS.test(a.id) || !DIGITS.test(b.id)) return false;
  // Numbers of 19 digits are no doubles.
  return a.id.length === b.id.length ? a.id < b.id : a.id.length < b.id.length;
}
