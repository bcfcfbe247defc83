/** Schemas of single parameters (protocol.md#parameters) of calls that are not declared in domain/api. */

import { z } from 'zod';
import { describedAs } from '../api/jsonSchema';

const missing = z.literal('').optional();

export const noParams = z.object({});

/** Returns `otherwise` where the parameter is missing. */
export const optional = <Schema extends z.ZodType, T>(schema: Schema, otherwise: T) =>
  z.union([missing.transform(() => otherwise), schema]);
/** One of these numbers. */
export const oneOf = <const T extends number>(...values: T[]) =>
  describedAs(
    z
      .union([z.string(), z.number()])
      .transform(String)
      .pipe(z.string().regex(/^\d{1,10}$/))
      .transform(Number)
      .refine((value): value is T => (values as number[]).includes(value)),
    { type: 'integer', enum: values },
  );
