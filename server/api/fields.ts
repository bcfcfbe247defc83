/** Schemas of the fields of rows (protocol.md#numbers, protocol.md#time). */
import { z } from 'zod';

/** An id, a count or a number of seconds or milliseconds. */
export const whole = z.int();

/** Money, prices, lots and rates. */
export const decimalText = z.string().regex(/^-?\d+(\.\d+)?$/);

export const text = z.string();

/** ISO 8601 in UTC. */
export const isoTime = z.iso.datetime({ precision: 3 });

/** Empty where it does not apply or is not known. */
export const optionalIsoTime = z.union([z.literal(''), isoTime]);

/** An enumeration that is sent as numbers. Rows type it as `number`, because a client has to expect unknown ones. */
export function codes(...values: [number, ...number[]]): z.ZodType<number> {
  return z.literal(values);
}

/** A page of a list (protocol.md#lists). */
export function pageOf<Row extends z.ZodType>(row: Row) {
  return z.object({ data: z.array(row), total: whole });
}

/** `data` of calls that have nothing to say. */
export const nothing = z.null();
