/** Settings that follow the account (protocol.md#synced-settings): their limits, and what a write replaces. */

import { readFields } from '../core/read';
import { isSingleLine } from '../core/text';
import { toDurationMs } from '../core/time';
import { isUuid } from '../core/uuid';

/** Bytes of all fields of a user: their names and values as JSON in UTF-8. */
export const MOST_BYTES = 200 * 1024;
/** Fields of a user, deleted ones not counted. */
export const MOST_FIELDS = 5_000;
/** Deleted fields that are kept of a user; the oldest are forgotten first. */
export const MOST_GONE = 5_000;
/** Fields that one call may set or delete. */
export const MOST_WRITTEN = 2_000;
/** A deletion is kept this long. A device that was away longer reads everything anew. */
export const GONE_KEPT_MS = toDurationMs(90 * 24 * 3_600_000);
/** Devices whose last write is kept of a user; those that wrote longest ago are forgotten first. */
export const MOST_DEVICES = 20;

const LONGEST_NAME = 64;
const LONGEST_FIELD = 200;
/** Nesting of a value; a layout takes a dozen. */
const DEEPEST = 32;
/** Names that an object of JavaScript has already. */
const INHERITED = new Set(['__proto__', 'constructor', 'prototype']);

/** Whether a document may have this name. A server knows none of them, so that clients may add some. */
export function isDocumentName(name: unknown): name is string {
  return isName(name, LONGEST_NAME);
}

/** Whether a field may have this name; that of an element of a list begins with the list's: `watch/7`. */
export function isFieldName(name: unknown): name is string {
  return isName(name, LONGEST_FIELD);
}

function isName(name: unknown, longest: number): name is string {
  return (
    typeof name === 'string' &&
    name !== '' &&
    name.length <= longest &&
    isSingleLine(name) &&
    !name.split('/').some((part) => INHERITED.has(part))
  );
}

/** The JSON text of a value; undefined where no field may have it: nothing, a number that is none, or nested too deeply. */
export function valueText(value: unknown): string | undefined {
  return value !== null && isStorable(value, DEEPEST) ? JSON.stringify(value) : undefined;
}

function isStorable(value: unknown, left: number): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object') return typeof value === 'string' || typeof value === 'boolean';
  if (value === null) return true;
  return left > 0 && Object.values(value).every((each) => isStorable(each, left - 1));
}

/** By which a write is known when it is repeated: a device counts its writes, and repeats the last one only. */
export interface WriteId {
  /** A UUID that the device has made for this account. */
  device: string;
  number: number;
}

/** The id of a write; undefined where it can't be one. */
export function readWriteId(sent: unknown): WriteId | undefined {
  const { device, number } = readFields(sent) ?? {};
  const isDevice = typeof device === 'string' && isUuid(device);
  if (!isDevice || typeof number !== 'number' || !Number.isInteger(number)) return undefined;
  return number >= 1 && number <= 2 ** 31 - 1 ? { device, number } : undefined;
}

/** The last write of a device, as it is kept. */
export interface LastWrite {
  number: number;
  /** Of its contents. */
  fingerprint: string;
}

/**
 * What a write is, by the last one that its device made: the next one, its repetition, or neither. Then it was on its way for so
 * long that the device has written since, or another device has the same name.
 */
export function attemptOf(
  last: LastWrite | undefined,
  { number, fingerprint }: LastWrite,
): 'next' | 'repeated' | 'other' {
  if (!last || number > last.number) return 'next';
  return number === last.number && fingerprint === last.fingerprint ? 'repeated' : 'other';
}

/** A field as it is stored. `text` is JSON; undefined: it was deleted. */
export interface StoredField {
  text: string | undefined;
  revision: number;
}

/** A value that a write replaced although its writer had not seen it. */
export interface ReplacedField {
  field: string;
  text: string;
}

/**
 * What a write does: later is what the server gets later. `changed` has what differs from what is
 * stored; a value above the revision `base`, the newest that the writer knew, is in `replaced`.
 */
export function writtenOver(
  stored: ReadonlyMap<string, StoredField>,
  base: number,
  written: ReadonlyMap<string, string | undefined>,
): { changed: Map<string, string | undefined>; replaced: ReplacedField[] } {
  const changed = new Map<string, string | undefined>();
  const replaced: ReplacedField[] = [];
  for (const [field, text] of written) {
    const before = stored.get(field);
    if (before?.text === text) continue;
    changed.set(field, text);
    if (before?.text !== undefined && before.revision > base) {
      replaced.push({ field, text: before.text });
    }
  }
  return { changed, replaced };
}
