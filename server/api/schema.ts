import type { z } from 'zod';

/** Whether two types are the same, optional and readonly fields included. */
export type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** `Schema` where what it describes is `Row`, field by field. No schema is assignable to anything else. */
export type DescribesRow<Row, Schema extends z.ZodType> =
  Same<z.output<Schema>, Row> extends true ? Schema : { readonly schemaDiffersFromRow: Row };

/** `Schema` where it takes all that is `Sent`. */
export type Takes<Sent, Schema extends z.ZodType> = [Sent] extends [z.input<Schema>]
  ? Schema
  : { readonly schemaRefuses: Sent };

/** `Schema` where it takes all that a client may send, and nothing that the endpoint does not declare. */
export type TakesParams<
  Params,
  Schema extends z.ZodType,
> = keyof z.input<Schema> extends keyof Params
  ? Takes<Params, Schema>
  : { readonly undeclaredParams: Exclude<keyof z.input<Schema>, keyof Params> };
