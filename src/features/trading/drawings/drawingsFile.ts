import { compare, type Decimal, parseDecimal, round, toFixed } from '#domain/core/decimal';
import { readJson } from '#domain/core/json';
import { readFields } from '#domain/core/read';
import { toUnixSeconds } from '#domain/core/time';
import {
  ANCHORS,
  type Anchor,
  COLOURS,
  DASHES,
  type Drawing,
  type Drawings,
  KINDS,
  LONGEST_TEXT,
  MOST_DRAWINGS,
  type Style,
  WIDTHS,
} from './drawing';

/** The first field of a file, by which it is known. */
const FORMAT = 'fulcrum-drawings';
const VERSION = 1;
/** Prices of fewer digits survive the chart's doubles (D1). */
const MOST_DIGITS = 1e15;
/** 1 January 2200. */
const LATEST = 7_258_118_400;

/** Why a file is refused. `index` counts its drawings from 1. */
export type FileProblem =
  | { kind: 'notDrawings' }
  | { kind: 'newer' }
  | { kind: 'otherInstrument'; code: string }
  | { kind: 'tooMany' }
  | { kind: 'drawing'; index: number };

export type FileResult =
  | { ok: true; drawings: readonly Drawing[] }
  | { ok: false; problem: FileProblem };

/** The drawings of an instrument as JSON, for a file and for the device's storage. */
export function writeDrawings(code: string, drawings: Drawings): string {
  return `${JSON.stringify({ format: FORMAT, version: VERSION, instrument: code, drawings }, null, 1)}\n`;
}

/**
 * Reads what `writeDrawings` wrote, or anybody. Prices get `precision` decimals; one that has more
 * is refused. All or nothing: one invalid drawing refuses the file.
 */
export function readDrawings(text: string, code: string, precision: number): FileResult {
  const refused = (problem: FileProblem): FileResult => ({ ok: false, problem });
  const { format, version, instrument, drawings: rows } = readFields(readJson(text)) ?? {};
  if (format !== FORMAT || !Number.isSafeInteger(version) || typeof instrument !== 'string') {
    return refused({ kind: 'notDrawings' });
  }
  if (version !== VERSION) return refused({ kind: 'newer' });
  if (!Array.isArray(rows)) return refused({ kind: 'notDrawings' });
  if (instrument !== code) return refused({ kind: 'otherInstrument', code: instrument });
  if (rows.length > MOST_DRAWINGS) return refused({ kind: 'tooMany' });
  const drawings = new Map<string, Drawing>();
  for (const [at, row] of rows.entries()) {
    const drawing = readDrawing(row, (price) => exactPrice(price, precision));
    if (!drawing || drawings.has(drawing.id)) return refused({ kind: 'drawing', index: at + 1 });
    drawings.set(drawing.id, drawing);
  }
  return { ok: true, drawings: [...drawings.values()] };
}

/**
 * Reads the device's storage, which is untrusted input: what can't be read is left out. Prices are
 * rounded to `precision` decimals.
 */
export function readSavedDrawings(text: string | null, precision: number): Drawings {
  const { format, version, drawings: rows } = readFields(readJson(text ?? '')) ?? {};
  if (format !== FORMAT || version !== VERSION || !Array.isArray(rows)) return [];
  const drawings = new Map<string, Drawing>();
  for (const row of rows) {
    const drawing = readDrawing(row, (price) => nearestPrice(price, precision));
    if (drawing && drawings.size < MOST_DRAWINGS) drawings.set(drawing.id, drawing);
  }
  return [...drawings.values()];
}

/** The rows of kept drawings that are drawings, as they are; undefined where they are of a newer version. */
export function keptDrawings(text: string): readonly Drawing[] | undefined {
  const { format, version, drawings: rows } = readFields(readJson(text)) ?? {};
  if (format === FORMAT && version !== VERSION) return undefined;
  if (format !== FORMAT || !Array.isArray(rows)) return [];
  return rows.flatMap((row) => readDrawing(row, anyPrice) ?? []).slice(0, MOST_DRAWINGS);
}

/** A price as it is written. */
function anyPrice(value: unknown): string | undefined {
  return typeof value === 'string' && parseDecimal(value) ? value : undefined;
}

type ReadPrice = (value: unknown) => string | undefined;

function readDrawing(value: unknown, readPrice: ReadPrice): Drawing | undefined {
  const fields = readFields(value);
  if (!fields) return undefined;
  const { id, locked } = fields;
  const kind = KINDS.find((known) => known === fields['kind']);
  const style = readStyle(fields['style']);
  const text = kind && readDrawnText(fields['text'], kind === 'text');
  const given = fields['anchors'];
  if (typeof id !== 'string' || !/^[\w-]{1,64}$/.test(id) || typeof locked !== 'boolean') return;
  if (!kind || !style || text === undefined || !Array.isArray(given)) return;
  const anchors = given.flatMap((anchor) => readAnchor(anchor, readPrice) ?? []);
  if (given.length !== ANCHORS[kind] || anchors.length !== given.length) return;
  return { id, kind, anchors, style, locked, text };
}

/** A text that can be drawn on one line; undefined for any other. */
export function readDrawnText(value: unknown, needed: boolean): string | undefined {
  if (typeof value !== 'string' || value.length > LONGEST_TEXT) return undefined;
  if (/\p{Cc}/u.test(value) || value !== value.trim()) return undefined;
  return needed === (value !== '') ? value : undefined;
}

/** Undefined for anything that is no style. */
export function readStyle(value: unknown): Style | undefined {
  const fields = readFields(value);
  const colour = COLOURS.find((known) => known === fields?.['colour']);
  const width = WIDTHS.find((known) => known === fields?.['width']);
  const dash = DASHES.find((known) => known === fields?.['dash']);
  return colour && width && dash && { colour, width, dash };
}

function readAnchor(value: unknown, readPrice: ReadPrice): Anchor | undefined {
  const fields = readFields(value);
  const { time } = fields ?? {};
  const price = readPrice(fields?.['price']);
  if (typeof time !== 'number' || !Number.isSafeInteger(time)) return undefined;
  if (time < 0 || time > LATEST || price === undefined) return undefined;
  return { time: toUnixSeconds(time), price };
}

/** A price with no more decimals than the feed's, and so few digits that a double holds it (D1). */
function exactPrice(value: unknown, precision: number): string | undefined {
  const given = typeof value === 'string' ? parseDecimal(value) : undefined;
  const price = given && round(given, precision);
  return price && compare(price, given) === 0 ? priceText(price, precision) : undefined;
}

/** The feed's decimals may have changed since a price was kept. */
function nearestPrice(value: unknown, precision: number): string | undefined {
  const given = typeof value === 'string' ? parseDecimal(value) : undefined;
  return given && priceText(given, precision);
}

/** Undefined where it is no price that can be drawn. */
export function priceText(price: Decimal, precision: number): string | undefined {
  const { digits } = round(price, precision);
  return digits > 0 && digits < MOST_DIGITS ? toFixed(price, precision) : undefined;
}
