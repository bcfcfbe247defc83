/**
 * Parameters of calls: what a client sends, and what the server reads of it. Text is read strictly (digits only, no
 * signs, spaces or exponents where none belong), JSON numbers are accepted too, and an empty optional parameter counts
 * as missing (protocol.md#numbers, protocol.md#parameters).
 */
import * as v from 'valibot';
import { type Decimal, ZERO } from '../core/decimal';
import { isSingleLine } from '../core/text';
import { LATEST_MS, toUnixMs, toUnixSeconds, type UnixMs, type UnixSeconds } from '../core/time';
import { isUuid } from '../core/uuid';
import { PAGE_SIZE } from './envelope';
import { type JsonSchema, type Schema, value } from './schema';

const LARGEST_INTEGER = 2_147_483_647;
/** Most rows of a page (protocol.md#order-list). */
const MAX_LIMIT = 500;

/** The sentence that refuses text which is no single line. */
export const FORGING_TEXT = 'server.textForging';

/** A parameter that is sent as text or as a number. */
function param<Sent, Read>(json: JsonSchema, read: (text: string) => Read | undefined) {
  return value<Sent, Read>(json, (sent) =>
    typeof sent === 'string' || typeof sent === 'number' ? read(String(sent)) : undefined,
  );
}

function readWhole(text: string, least: number, most: number): number | undefined {
  const number = /^\d{1,10}$/.test(text) ? Number(text) : -1;
  return number >= least && number <= most ? number : undefined;
}

/** An id of the database as its text; undefined for any other text. */
export const readId = (text: string) => readWhole(text, 1, LARGEST_INTEGER);

/** A whole number from `minimum` to `maximum`. */
export const wholeFrom = (minimum: number, maximum: number) =>
  param<number, number>({ type: 'integer', minimum, maximum }, (text) =>
    readWhole(text, minimum, maximum),
  );

/** A whole number from 0 to the largest integer of the database. */
export const integer = wholeFrom(0, LARGEST_INTEGER);
export const id = wholeFrom(1, LARGEST_INTEGER);

/** Unix milliseconds; 0 means none (protocol.md#parameters). */
export const milliseconds = param<number, UnixMs | null>(
  { type: 'integer', minimum: 0, maximum: LATEST_MS },
  (text) => {
    if (!/^\d{1,15}$/.test(text) || Number(text) > LATEST_MS) return undefined;
    return Number(text) > 0 ? toUnixMs(Number(text)) : null;
  },
);

/** Unix seconds; 0 means none (protocol.md#parameters). */
export const seconds = param<number, UnixSeconds | null>(
  { type: 'integer', minimum: 0 },
  (text) => {
    if (!/^\d{1,12}$/.test(text)) return undefined;
    return Number(text) > 0 ? toUnixSeconds(Number(text)) : null;
  },
);

/** At most `max` ids, separated by commas. */
export const ids = (max: number) =>
  param<string, number[]>({ type: 'string', pattern: `^\\d+(,\\d+){0,${max - 1}}$` }, (text) => {
    const ids = text.split(',').map(readId);
    return ids.length <= max && !ids.includes(undefined) ? (ids as number[]) : undefined;
  });

/** One of these texts. */
export const choice = <const T extends string>(texts: readonly T[]) =>
  param<T, T>({ type: 'string', enum: [...texts] }, (text) =>
    texts.find((known) => known === text),
  );

/** As `schema`; `otherwise` where it is missing or empty. */
export function optional<Sent, Read, const T>(schema: Schema<Sent, Read>, otherwise: T) {
  const given = v.rawTransform<unknown, Read | T>(({ dataset, addIssue, NEVER }) => {
    if (dataset.value === '') return otherwise;
    const result = v.safeParse(schema, dataset.value);
    if (result.success) return result.output;
    addIssue({ message: result.issues[0].message });
    return NEVER;
  });
  const sent = v.unknown() as Schema<Sent | '', unknown>;
  return v.optional(v.pipe(sent, v.metadata(v.getMetadata(schema)), given), '');
}

/** 0 where it is missing. */
export const integerOrZero = optional(integer, 0);

/** Counts from 1; 1 where it is missing. */
export const page = optional(id, 1);

/** Rows of a page; 0 means none (protocol.md#parameters). */
export const limit = v.pipe(
  optional(wholeFrom(0, MAX_LIMIT), 0),
  v.transform((rows) => rows || PAGE_SIZE),
);

/** One of these numbers. */
export const oneOf = <const T extends number>(...values: T[]) =>
  param<T, T>({ type: 'integer', enum: values }, (text) => {
    const number = readWhole(text, 0, LARGEST_INTEGER) as T;
    return values.includes(number) ? number : undefined;
  });

const DECIMAL = /^-?\d{1,18}(\.\d{1,18})?$/;

/** An exact decimal; `unit` gives it its unit, as `toUsd`. */
export const decimal = <T extends Decimal>(unit: (text: string) => T) =>
  param<string, T>({ type: 'string', pattern: DECIMAL.source }, (text) =>
    DECIMAL.test(text) ? unit(text) : undefined,
  );

/** Undefined where it is missing: the rules distinguish missing from zero. */
export const decimalIfSent = <T extends Decimal>(unit: (text: string) => T) =>
  optional(decimal(unit), undefined);

/** Zero where it is missing. */
export const optionalDecimal = <T extends Decimal>(unit: (text: string) => T) =>
  optional(decimal(unit), ZERO);

/** At most `max` characters of any kind: a secret, or text that has its own rule. */
export const anyText = (max: number) =>
  param<string, string>({ type: 'string', maxLength: max }, (text) =>
    text.length <= max ? text : undefined,
  );

/** Text of a form that the pattern, from start to end, gives it. */
export const matching = (pattern: RegExp) =>
  param<string, string>({ type: 'string', pattern: pattern.source }, (text) =>
    pattern.test(text) ? text : undefined,
  );

/** Empty where it is missing: a form's rule then says so. */
export const password = optional(anyText(1_000), '');

/** Text on one line, of at most `max` characters. */
export const text = (max = 200) => v.pipe(anyText(max), v.check(isSingleLine, FORGING_TEXT));

/** Empty where it is missing. */
export const optionalText = (max = 200) => optional(text(max), '');

export const uuid = value<string, string>({ type: 'string', format: 'uuid' }, (sent) => {
  const uuid = typeof sent === 'string' ? sent.toLowerCase() : '';
  return isUuid(uuid) ? uuid : undefined;
});

/** The file of a multipart form. The route reads it from the request itself. */
export const file = v.optional(
  value<object, null>({ type: 'string', contentMediaType: 'application/octet-stream' }, () => null),
);
