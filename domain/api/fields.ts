/**
 * Fields of answers: what a server sends, and what the worker reads of it. A number may come as text and a text as a
 * number (protocol.md#numbers). A field that money depends on takes its row with it, any other one costs only itself
 * (protocol.md#fields-that-cant-be-read).
 */
import * as v from 'valibot';
import { type Decimal, ZERO } from '../core/decimal';
import type { ListPage } from '../core/paging';
import { readEmail, readInteger, readIsoTime, readPicture, readText } from '../core/read';
import { LATEST_MS, toUnixMs, type UnixMs } from '../core/time';
import { type JsonSchema, lenient, type Schema, value } from './schema';

export const INTEGER = { type: 'integer' };
const TEXT = { type: 'string' };
/** An exact decimal. */
export const DECIMAL = { ...TEXT, pattern: '^-?\\d+(\\.\\d+)?$' };
/** ISO 8601 in UTC. */
export const TIME = {
  ...TEXT,
  format: 'date-time',
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$',
};
/** As `TIME`, or empty. */
export const OPTIONAL_TIME = { anyOf: [{ const: '', type: 'string' }, TIME] };

/** A count, or a number of seconds or milliseconds. */
export const whole = value<number, number>(INTEGER, readInteger);

/** As `whole`; 0 where it can't be read. */
export const wholeOrZero = lenient(whole, 0);

export const wholeFromOne = value<number, number>(INTEGER, (sent) => {
  const number = readInteger(sent);
  return number !== undefined && number > 0 ? number : undefined;
});

/** The number of a row. */
export const id = wholeFromOne;

/** Text that its row needs, be it empty. */
export const knownText = value<string, string>(TEXT, readText);

/** Empty where it can't be read. */
export const text = lenient(knownText, '');

/** Text that its row needs. */
export const neededText = value<string, string>(TEXT, (sent) => readText(sent) || undefined);

/** The address of a picture; empty where there is none that a page may show. */
export const picture = lenient(value<string, string>(TEXT, readPicture), '');

/** Empty where no mail can be sent to it. */
export const email = lenient(value<string, string>(TEXT, readEmail), '');

/** Empty for what is not https: that could be a script, or an unencrypted page. */
export const httpsAddress = lenient(
  value<string, string>(TEXT, (sent) => {
    const url = readText(sent) ?? '';
    return /^https:\/\//i.test(url) ? url : undefined;
  }),
  '',
);

/** An exact decimal with its unit; `read` is one of `core/readAmounts`. */
export function amount<T extends Decimal>(read: (sent: unknown) => T | undefined) {
  return value<string, T>(DECIMAL, read);
}

/** As `amount`; zero where it can't be read. */
export function amountOrZero<T extends Decimal>(read: (sent: unknown) => T | undefined) {
  return lenient(amount(read), ZERO);
}

/** As `amount`; zero where it is missing or empty. */
export function optionalAmount<T extends Decimal>(read: (sent: unknown) => T | undefined) {
  return v.pipe(
    lenient(v.pipe(v.unknown() as Schema<string, unknown>, v.metadata(DECIMAL)), ZERO),
    v.transform((sent) => sent || '0'),
    amount(read),
  );
}

/** ISO 8601 in UTC; undefined where it can't be read. */
export const time = lenient(
  value<string, ReturnType<typeof readIsoTime>>(TIME, readIsoTime),
  undefined,
);

/** As `time`; sent empty where it does not apply or is not known. */
export const optionalTime = lenient(
  value<string, ReturnType<typeof readIsoTime>>(OPTIONAL_TIME, readIsoTime),
  undefined,
);

/** Unix ms or ISO 8601: the alerts that a device keeps have the first. 0 and an empty text are none. */
export const moment = <Sent>(json: JsonSchema) =>
  lenient(
    value<Sent, UnixMs | undefined>(json, (sent) => {
      const time = readInteger(sent) ?? readIsoTime(sent);
      return time !== undefined && time > 0 && time <= LATEST_MS ? toUnixMs(time) : undefined;
    }),
    undefined,
  );

/** An enumeration that is sent as numbers: one of `known`, or a number that a later protocol adds. */
export const code = (...known: [number, ...number[]]) =>
  value<number, number>({ type: 'number', enum: known }, readInteger);

/** As `code`, read as one of `names`, which are in the order of their numbers from `first`. */
export const named = <const Name extends string | number>(names: readonly Name[], first = 0) =>
  value<number, Name>(
    { type: 'number', enum: names.map((_, index) => first + index) },
    (sent) => names[(readInteger(sent) ?? Number.NaN) - first],
  );

/** Whether it is 1 or, as some servers send it, `true`. */
export function readFlag(sent: unknown): boolean | undefined {
  if (typeof sent === 'boolean') return sent;
  const number = readInteger(sent);
  return number === undefined ? undefined : number === 1;
}

const knownFlag = value<number, boolean>({ type: 'number', enum: [0, 1] }, readFlag);

/** False where it can't be read. */
export const flag = lenient(knownFlag, false);

/** Undefined where it can't be read. */
export const optionalFlag = lenient(knownFlag, undefined);

/** `data` of a call that answers nothing. */
export const nothing = value<null, null>({ type: 'null' }, () => null);

/** One of these texts; empty where it is another one. */
export function choice<T extends string>(known: readonly T[]) {
  const json = { ...TEXT, enum: [...known] };
  const read = (sent: unknown) => known.find((text) => text === readText(sent));
  return lenient(value<T, T>(json, read), '' as const);
}

/** A field that a server may leave out; undefined where it does, and where it can't be read. */
export function optional<Sent, Read>(schema: Schema<Sent, Read>) {
  return v.exactOptional(lenient(schema, undefined));
}

/** A list; its rows that can't be read are dropped. */
export function rows<Sent, Read>(row: Schema<Sent, Read>) {
  return v.pipe(list(row), v.transform(readable));
}

/** The rows of `pageOf`. */
export const list = <Sent, Read>(row: Schema<Sent, Read>) => v.array(lenient(row, undefined));

function readable<T>(rows: (T | undefined)[]): T[] {
  return rows.filter((row) => row !== undefined);
}

/** One page of a list (protocol.md#lists): complete when the loaded count reaches the total. */
export function page<Sent, Read>(row: Schema<Sent, Read>) {
  return v.pipe(
    v.object({ data: list(row), total: lenient(whole, undefined) }),
    v.transform(({ data, total }) => pageOf(data, total)),
  );
}

/** A page whose end follows from the total. */
export function pageOf<T>(sent: (T | undefined)[], total: number | undefined): ListPage<T> {
  return { rows: readable(sent), received: sent.length, total, last: undefined };
}

/** A page of the lists of mining (protocol.md#mining-calls): complete when its number is the last one. */
export function numberedPage<Sent, Read>(row: Schema<Sent, Read>) {
  return v.pipe(
    v.object({
      data: list(row),
      current_page: lenient(whole, undefined),
      last_page: lenient(whole, undefined),
    }),
    v.transform(({ data, current_page: current, last_page: last }): ListPage<Read> => {
      const received = data.length;
      // Without page numbers, an empty page is the last.
      const ended = current !== undefined && last !== undefined ? current >= last : received === 0;
      return { rows: readable(data), received, total: undefined, last: ended };
    }),
  );
}
