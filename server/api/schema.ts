import type { z } from 'zod';
import type { OnceParams } from '#domain/api/endpoint';

/** Whether two types are the same, optional and readonly fields included. */
export type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** `Schema` where what it describes is `Row`, field by field. No schema is assignable to anything else. */
export type DescribesRow<Row, Schema extends z.ZodType> =
  Equal<z.output<Schema>, Row> extends true ? Schema : { readonly schemaDiffersFromRow: Row };

/** `Schema` where it takes all that is `Sent`. */
type Accepts<Sent, Schema extends z.ZodType> = [Sent] extends [z.input<Schema>]
  ? Schema
  : { readonly schemaRefuses: Sent };

/** The names of an object's fields; none where it has no fields that are known by name. */
type NamesOf<T> = string extends keyof T ? never : keyof T;

/** `Schema` where it takes all that a client may send, and nothing that the endpoint does not declare; what all calls that are done `once` take is changingRoute's own. */
export type TakesParams<Params, Schema extends z.ZodType> =
  NamesOf<z.input<Schema>> extends keyof Params
    ? Accepts<Omit<Params, keyof OnceParams>, Schema>
    : { readonly undeclaredParams: Exclude<NamesOf<z.input<Schema>>, keyof Params> };
