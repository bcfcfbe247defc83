/** What a declaration is made of: schemas that know how something is sent, and what is read of it. */
import * as v from 'valibot';

/** As JSON Schema describes what is sent. */
export type JsonSchema = { [key: string]: unknown };

/** `Sent` on the wire, `Read` where it is used. */
export type Schema<Sent, Read> = v.GenericSchema<Sent, Read>;

/** The type of what is sent. */
export type Sent<S extends v.GenericSchema> = v.InferInput<S>;

/** The type of what is read. */
export type Read<S extends v.GenericSchema> = v.InferOutput<S>;

/** A single value. `read` returns undefined for what it can't read, and an object that needs the value with it. */
export function value<Sent, Read>(
  json: JsonSchema,
  read: (sent: unknown) => Read | undefined,
): Schema<Sent, Exclude<Read, undefined>> {
  return v.pipe(
    v.unknown() as Schema<Sent, unknown>,
    v.metadata(json),
    v.rawTransform<unknown, Exclude<Read, undefined>>(({ dataset, addIssue, NEVER }) => {
      const known = read(dataset.value);
      if (known !== undefined) return known as Exclude<Read, undefined>;
      addIssue();
      return NEVER;
    }),
  );
}

/** An object. Unlike that of `v.object`, an array is none, even where no field is needed. */
export function object<Entries extends v.ObjectEntries>(
  entries: Entries,
): v.ObjectSchema<Entries, undefined> {
  const schema = v.object(entries);
  return {
    ...schema,
    '~run': (dataset, config) =>
      schema['~run'](Array.isArray(dataset.value) ? { value: undefined } : dataset, config),
  };
}

/** As `schema`; `otherwise` where it is missing or can't be read. */
export function lenient<Sent, Read, const Otherwise>(
  schema: Schema<Sent, Read>,
  otherwise: Otherwise,
): Schema<Sent, Read | Otherwise> {
  return v.fallback(schema as Schema<Sent, Read | Otherwise>, () => otherwise);
}

/** What is read; undefined where it can't be. */
export function parse<S extends v.GenericSchema>(schema: S, sent: unknown): Read<S> | undefined {
  const result = v.safeParse(schema, sent, { abortEarly: true });
  return result.success ? result.output : undefined;
}
