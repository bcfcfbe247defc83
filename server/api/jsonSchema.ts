import { z } from 'zod';

/** A JSON Schema (draft 2020-12), as OpenAPI 3.1 and AsyncAPI 3 take it. */
export type JsonSchema = { [key: string]: unknown };

/** How parameters are sent, for schemas that take several forms and convert them. */
const documented = z.registry<JsonSchema, z.core.$ZodType>();

/** `schema`, described by `json` in the documents. */
export function describedAs<Schema extends z.ZodType>(schema: Schema, json: JsonSchema): Schema {
  documented.add(schema, json);
  return schema;
}

/** The schemas of one document. Those with a name (`meta({ id })`) are collected and referred to. */
export class Components {
  readonly schemas: Record<string, JsonSchema> = {};

  /** `output`: of rows. `input`: of parameters, before they are converted. */
  schemaOf(schema: z.ZodType, io: 'input' | 'output' = 'output'): JsonSchema {
    // The name of an outermost schema would be lost.
    const { properties, $defs } = z.toJSONSchema(z.object({ schema }), {
      io,
      unrepresentable: 'any',
      override({ zodSchema, jsonSchema }) {
        const json = documented.get(zodSchema);
        if (!json) return;
        for (const key of Object.keys(jsonSchema)) delete jsonSchema[key as 'type'];
        Object.assign(jsonSchema, json);
      },
    });
    for (const [name, definition] of Object.entries($defs ?? {})) {
      const { id: _, ...rest } = definition;
      this.schemas[name] = withReferences(rest);
    }
    return withReferences(properties?.['schema'] as JsonSchema);
  }
}

function withReferences<T>(json: T): T {
  const text = JSON.stringify(json).replaceAll('"#/$defs/', '"#/components/schemas/');
  return JSON.parse(text) as T;
}
