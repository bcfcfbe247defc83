import { secondOf, toUnixMs, type UnixMs } from '#domain/core/time';
import { type Bar, barStart } from '#domain/market/kline';
import { isCode } from '../code';

/** Position in the text. */
export interface TextPosition {
  /** Lines read. */
  line: number;
  /** Bytes read. */
  byte: number;
}

/** A quote of the file, and the position after it. */
export interface Row extends TextPosition {
  time: UnixMs;
  code: string;
  /** The bid price; 0 or less where the line has one that nobody can trade at. */
  price: number;
  /** Undefined of a minute. */
  ask?: number;
  /** Number of decimals as written. */
  decimals: number;
  /** 1 where the file has no volumes. */
  volume: number;
  /** The whole minute that holds `time`, in place of what trades have told of it. */
  bar?: Bar;
}

export type Report = (line: number, reason: string) => void;

/** Columns of a file; the last one may be missing. */
export const HEADER = 'time,code,bid,ask,volume';
const SHORT_HEADER = 'time,code,bid,ask';
/** Names of columns. */
const WORDS = /^[a-z][a-z _./-]+(,[a-z _./-]+){3,4}$/;
/** A line that begins so is a minute: time, code, open, high, low, close, volume. */
export const BAR_MARK = '#bar';
const BYTE_ORDER_MARK = '\u00ef\u00bb\u00bf';
const MAX_LINE = 1024;

/** Milliseconds from 1973 on; seconds are too short, so that they are refused. */
const TIME = /^\d{12,14}$/;
const NUMBER = /^-?(\d{1,15})(?:\.(\d{1,20}))?(?:[eE]([+-]?\d{1,2}))?$/;
/** Digits that a double represents exactly (D1). */
const MAX_DIGITS = 15;
const MAX_DECIMALS = 10;

/**
 * Reads the rows of a CSV text chunk by chunk. It holds at most one chunk and reads the next one
 * when the rows are taken. Lines that are not rows are reported and skipped.
 */
export async function* readRows(
  chunks: AsyncIterable<Uint8Array>,
  from: TextPosition,
  report: Report,
): AsyncGenerator<Row[]> {
  let { line, byte } = from;
  let rest = '';
  /** Bytes of an overlong line that were discarded. */
  let dropped = 0;

  const take = (text: string, length: number, rows: Row[]) => {
    line += 1;
    byte += dropped + length;
    const overlong = dropped + text.length > MAX_LINE;
    dropped = 0;
    const row = overlong ? 'the line is too long' : parseLine(text, { line, byte });
    if (typeof row === 'string') report(line, row);
    else if (row) rows.push(row);
  };

  for await (const chunk of chunks) {
    const rows: Row[] = [];
    // Latin-1 makes each byte one character, so that positions are bytes; a line is decoded by itself.
    const text =
      rest + Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).toString('latin1');
    let begin = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', begin)) {
      take(text.slice(begin, end), end + 1 - begin, rows);
      begin = end + 1;
    }
    rest = text.slice(begin);
    if (rest.length > MAX_LINE) {
      dropped += rest.length;
      rest = '';
    }
    if (rows.length > 0) yield rows;
  }
  if (rest.length + dropped > 0) {
    const rows: Row[] = [];
    take(rest, rest.length, rows);
    if (rows.length > 0) yield rows;
  }
}

/**
 * Returns the row; undefined for a header or an empty line; otherwise what is wrong with the line.
 */
function parseLine(raw: string, { line, byte }: TextPosition): Row | undefined | string {
  const text = decoded(line === 1 && raw.startsWith(BYTE_ORDER_MARK) ? raw.slice(3) : raw).trim();
  const header = text.toLowerCase();
  if (text === '' || (line === 1 && (header === HEADER || header === SHORT_HEADER)))
    return undefined;
  if (line === 1 && WORDS.test(header)) throw new Error(`its columns are ${text}, not ${HEADER}`);
  const fields = text.split(',');
  if (fields[0] === BAR_MARK) return parseBar(fields, { line, byte });
  if (fields.length !== 4 && fields.length !== 5)
    return `${fields.length} columns instead of 4 or 5`;
  const [time = '', code = '', bid = '', ask = '', volume = '1'] = fields;
  if (!TIME.test(time)) return `time "${time}" is not unix milliseconds`;
  if (!isCode(code)) return `code "${code}" is empty, too long or no UTF-8 text`;
  const decimals = decimalsOf(bid);
  if (decimals === undefined) return `bid "${bid}" is not a price`;
  if (decimalsOf(ask) === undefined) return `ask "${ask}" is not a price`;
  if (!isVolume(volume)) return `volume "${volume}" is not a volume`;
  const at = toUnixMs(Number(time));
  const price = Number(ask) > 0 ? Number(bid) : Math.min(Number(bid), Number(ask));
  return { time: at, code, price, ask: Number(ask), decimals, volume: Number(volume), line, byte };
}

/** Bytes as UTF-8; nearly all lines are ASCII. */
function decoded(bytes: string): string {
  return /[\u0080-\u00ff]/.test(bytes) ? Buffer.from(bytes, 'latin1').toString('utf8') : bytes;
}

function parseBar(fields: readonly string[], position: TextPosition): Row | string {
  const [, time = '', code = '', ...numbers] = fields;
  if (!TIME.test(time)) return `time "${time}" is not unix milliseconds`;
  if (!isCode(code)) return `code "${code}" is empty, too long or no UTF-8 text`;
  const prices = numbers.slice(0, 4);
  const decimals = prices.map(decimalsOf);
  if (numbers.length !== 5 || decimals.includes(undefined))
    return 'a bar has four prices and a volume';
  const [volume = ''] = numbers.slice(4);
  if (!isVolume(volume)) return `volume "${volume}" is not a volume`;
  const [open = 0, high = 0, low = 0, close = 0] = prices.map(Number);
  const at = toUnixMs(Number(time));
  const most = Math.max(...(decimals as number[]));
  const lowest = Math.min(open, high, low, close);
  const row = { time: at, code, decimals: most, volume: Number(volume), ...position };
  if (lowest <= 0) return { ...row, price: lowest };
  const start = barStart('1min', secondOf(at));
  const bar: Bar = { time: start, open, high, low, close, volume: Number(volume) };
  return { ...row, price: close, bar };
}

function isVolume(text: string): boolean {
  return NUMBER.test(text) && Number(text) > 0 && Number.isFinite(Number(text));
}

/** The number of decimals of a price, whatever its sign; undefined where the text is not a price. */
function decimalsOf(text: string): number | undefined {
  const match = NUMBER.exec(text);
  if (!match || !Number.isFinite(Number(text))) return undefined;
  const fraction = match[2] ?? '';
  const exponent = match[3] === undefined ? 0 : Number(match[3]);
  if (text.length > MAX_DIGITS) {
    const digits = (match[1] + fraction).replace(/^0+|0+$/g, '');
    if (digits.length > MAX_DIGITS) return undefined;
  }
  const written = fraction.length - exponent;
  if (written <= MAX_DECIMALS) return Math.max(0, written);
  return fraction.replace(/0+$/, '').length - exponent;
}
