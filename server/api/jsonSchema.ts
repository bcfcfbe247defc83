import { toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import type { JsonSchema } from '#domain/api/schema';

/** The schemas of one document. Those with a title are collected and referred to. */
export class Components {
  readonly schemas: Record<string, JsonSchema> = {};

  /** `output`: of rows, which have no other fields. `input`: of what a client sends; other fields of it are ignored. */
  schemaOf(schema: v.GenericSchema, io: 'input' | 'output' = 'output'): JsonSchema {
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
