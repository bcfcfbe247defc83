import { toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import { z } from 'zod';
import type { JsonSchema } from '#domain/api/schema';

/** A schema of either library, as long as not every call is declared in `domain/api` alone. */
export type AnySchema = z.ZodType | v.GenericSchema;

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

  /** `output`: of rows, which have no other fields. `input`: of what a client sends; other fields of it are ignored. */
  schemaOf(schema: AnySchema, io: 'input' | 'output' = 'output'): JsonSchema {
    if ('~run' in schema) return this.#declared(schema, io);
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

  /** What is sent of a declared schema. Those with a title are the named ones. */
  #declared(schema: v.GenericSchema, io: 'input' | 'output'): JsonSchema {
    const { $schema: _, ...json } = toJsonSchema(schema, {
      target: 'draft-2020-12',
      typeMode: 'input',
      // JSON Schema has no words for a rule in code.
      ignoreActions: ['check'],
      overrideSchema({ valibotSchema: { type }, jsonSchema: { default: _, ...json } }) {
        const isRow = type === 'object' && io === 'output';
        return isRow ? { ...json, additionalProperties: false } : json;
      },
    });
    return this.#collected(json) as JsonSchema;
  }

  #collected(json: unknown): unknown {
    if (Array.isArray(json)) return json.map((each) => this.#collected(each));
    if (typeof json !== 'object' || json === null) return json;
    const entries = Object.entries(json).map(([name, each]) => [name, this.#collected(each)]);
    const collected = Object.fromEntries(entries);
    const { title, ...rest } = collected;
    // A field can have this name too.
    if (typeof title !== 'string') return collected;
    this.schemas[title] = rest;
    return { $ref: `#/components/schemas/${title}` };
  }
}

function withReferences<T>(json: T): T {
  const text = JSON.stringify(json).replaceAll('"#/$defs/', '"#/components/schemas/');
  return JSON.parse(text) as T;
}
