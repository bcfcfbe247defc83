import { Ajv2020 } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import type { JsonSchema } from '#domain/api/schema';

/** Texts of which one fits any pattern or format of the documents. */
const TEXTS = ['1', 'AB', '2026-01-31T08:00:00.000Z', 'data:image/png;base64,AA', 'KLINE.EURUSD'];

const ajv = new Ajv2020({ strict: false });
(addFormats as unknown as typeof addFormats.default)(ajv);

interface Document extends JsonSchema {
  components: { schemas: Record<string, JsonSchema> };
}

/** A value that the schema allows, with all required fields and one element in each list. */
export function sampleOf(schema: JsonSchema, document: Document): unknown {
  const { $ref, anyOf, const: constant, enum: values, type, properties, required, items } = schema;
  if (typeof $ref === 'string') {
    const name = $ref.split('/').at(-1) ?? '';
    return sampleOf(document.components.schemas[name] ?? {}, document);
  }
  if (Array.isArray(anyOf)) return sampleOf(anyOf.at(-1), document);
  if (constant !== undefined) return constant;
  if (Array.isArray(values)) return values.at(-1);
  if (type === 'object' && properties) {
    const fields = properties as Record<string, JsonSchema>;
    return Object.fromEntries(
      (required as string[]).map((name) => [name, sampleOf(fields[name] ?? {}, document)]),
    );
  }
  if (type === 'object') {
    return { 1: sampleOf(schema['additionalProperties'] as JsonSchema, document) };
  }
  if (type === 'array' && Array.isArray(schema['prefixItems'])) {
    const required = schema['prefixItems'].slice(0, schema['minItems'] as number);
    return required.map((item) => sampleOf(item, document));
  }
  if (type === 'array') return [sampleOf(items as JsonSchema, document)];
  if (type === 'string') return TEXTS.find((text) => ajv.validate(schema, text));
  if (type === 'integer' || type === 'number') return 1;
  return null;
}

/** Copies of a value, each without one of its fields, at any depth; with the path of the field. */
export function withoutEachField(value: unknown): [path: string, copy: unknown][] {
  if (Array.isArray(value)) {
    return value.flatMap((element, i) =>
      withoutEachField(element).map(([path, copy]): [string, unknown] => [
        `${i}.${path}`,
        value.with(i, copy),
      ]),
    );
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, field]): [string, unknown][] => {
    const { [name]: _, ...rest } = value as Record<string, unknown>;
    const deeper = withoutEachField(field).map(([path, copy]): [string, unknown] => [
      `${name}.${path}`,
      { ...value, [name]: copy },
    ]);
    // The keys of a map are no fields.
    return /^\d+$/.test(name) ? deeper : [[name, rest], ...deeper];
  });
}
