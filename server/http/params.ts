/**
 * Schemas of single parameters. Text is read strictly (digits only, no signs, spaces or exponents
 * where none belong), JSON numbers are accepted too, and an empty optional parameter counts as
 * missing (protocol.md#numbers, protocol.md#parameters).
 */

import { z } from 'zod';
import { FORGING_TEXT } from '#domain/api/params';
import type { Decimal } from '#domain/core/decimal';
import { isSingleLine } from '#domain/core/text';
import { toUnixMs } from '#domain/core/time';
import { describedAs } from '../api/jsonSchema';

const LARGEST_INTEGER = 2_147_483_647;

const scalar = z.union([z.string(), z.number()]).transform(String);
const missing = z.literal('').optional();

export const noParams = z.object({});

/** A whole number from 0 to the largest integer of the database. */
const integer = describedAs(
  scalar
    .pipe(z.string().regex(/^\d{1,10}$/))
    .transform(Number)
    .pipe(z.number().max(LARGEST_INTEGER)),
  { type: 'integer', minimum: 0, maximum: LARGEST_INTEGER },
);

export const id = describedAs(integer.pipe(z.number().min(1)), {
  type: 'integer',
  minimum: 1,
  maximum: LARGEST_INTEGER,
});
/** Unix milliseconds; 0 means none (protocol.md#parameters). */
export const milliseconds = describedAs(
  scalar
    .pipe(z.string().regex(/^\d{1,15}$/))
    .transform((text) => (Number(text) > 0 ? toUnixMs(Number(text)) : undefined)),
  { type: 'integer', minimum: 0 },
);
/** Returns `otherwise` where the parameter is missing. */
export const optional = <Schema extends z.ZodType, T>(schema: Schema, otherwise: T) =>
  z.union([missing.transform(() => otherwise), schema]);
/** Counts from 1; 1 where missing. */
export const page = optional(id, 1);
/** One of these numbers. */
export const oneOf = <const T extends number>(...values: T[]) =>
  describedAs(
    integer.refine((value): value is T => (values as number[]).includes(value)),
    { type: 'integer', enum: values },
  );

const DECIMAL = /^-?\d{1,18}(\.\d{1,18})?$/;

/** An exact decimal; `unit` gives it its unit, as `toUsd`. */
export const decimal = <T extends Decimal>(unit: (text: string) => T) =>
  describedAs(scalar.pipe(z.string().regex(DECIMAL)).transform(unit), {
    type: 'string',
    pattern: DECIMAL.source,
  });

/** Text on one line, of at most `max` characters. */
const text = (max = 200) =>
  describedAs(
    scalar.pipe(
      z
        .string()
        .max(max)
        .refine(isSingleLine, { params: { key: FORGING_TEXT } }),
    ),
    { type: 'string', maxLength: max },
  );
/** Empty where missing. */
export const optionalText = (max = 200) => text(max).default('');
/** Ids separated by commas. */
export const ids = (max: number) =>
  describedAs(
    scalar
      .transform((list) => list.split(',') as (string | number)[])
      .pipe(z.array(id).min(1).max(max)),
    { type: 'string', pattern: `^\\d+(,\\d+){0,${max - 1}}$` },
  );
