import type { EndpointFields } from '#domain/api/endpoint';
import type { JsonSchema } from '#domain/api/schema';
import { generated, table } from '../../repository/generated';

const WHO = { public: 'anyone', user: 'users', real: 'real users' };

/** docs/calls.md: every call with the names of its parameters, and the fields of every object that an answer names. */
export function callsPage(
  calls: readonly EndpointFields[],
  operationOf: (call: EndpointFields) => JsonSchema,
  objects: Readonly<Record<string, JsonSchema>>,
  meanings: ReadonlyMap<string, readonly (readonly [string, string])[]>,
): string {
  const rows = calls.map((call) => {
    const operation = operationOf(call);
    const { method, path, access, effect } = call;
    return [
      `\`${method} ${path}\``,
      WHO[access],
      [effect === 'once' ? '*once*' : '', 'body' in call ? call.body : '']
        .filter(Boolean)
        .join(' '),
      quoted(parametersOf(operation).sort().join(', ')),
      quoted(shapeOf(dataOf(operation))),
    ];
  });
  const columns = ['call', 'for', 'sent', 'parameters', '`data`'];
  const fields = Object.entries(objects)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, schema]) => [
      `\n### ${name}\n`,
      quoted(shapeOf(schema)),
      ...(meanings.has(name) ? [''] : []),
      ...(meanings.get(name) ?? []).map(([field, meaning]) => `- \`${field}\`: ${meaning}`),
    ]);
  const text = [
    'Meanings: [the protocol](protocol.md#conventions). *once*: sent with a key ([idempotency](protocol.md#idempotency)) and, optionally,',
    '`valid_until` ([deadlines](protocol.md#deadlines)).\n',
    table(
      columns,
      rows.sort(([a = ''], [b = '']) => (a < b ? -1 : 1)),
    ),
    '\n## Objects\n\nA field is a string unless its type follows it. Meanings are the comments of `domain/api/`.',
    ...fields,
  ];
  return generated('tests/server/api/documents.test.ts', 'Calls', text.join('\n'));
}

const quoted = (text: string) => (text ? `\`${text}\`` : '');

interface Sent extends JsonSchema {
  properties?: Record<string, JsonSchema>;
}

function parametersOf(operation: JsonSchema): string[] {
  const query = (operation['parameters'] as { name?: string }[]).flatMap(({ name }) => name ?? []);
  const body = operation['requestBody'] as
    | { content: Record<string, { schema: Sent }> }
    | undefined;
  const [sent] = Object.values(body?.content ?? {});
  return [...query, ...Object.keys(sent?.schema.properties ?? {})].filter(
    (name) => name !== 'valid_until',
  );
}

function dataOf(operation: JsonSchema): JsonSchema {
  const { content } = (operation['responses'] as Record<200, { content: object }>)[200];
  const [answer] = Object.values(content) as [{ schema: { oneOf: [Sent] } }];
  return answer.schema.oneOf[0].properties?.['data'] ?? {};
}

/** A schema in the words of TypeScript; empty for a string. */
function shapeOf(schema: JsonSchema): string {
  const { $ref, type, items, properties, additionalProperties } = schema as Sent & {
    $ref?: string;
  };
  const values = schema['enum'] as readonly unknown[] | undefined;
  const kinds = schema['anyOf'] as readonly JsonSchema[] | undefined;
  if ($ref) return $ref.replace(/.*\//, '');
  if (kinds) return unionOf(kinds.map(shapeOf));
  if ('const' in schema) return schema['const'] === '' ? '' : JSON.stringify(schema['const']);
  if (values) return values.map((value) => JSON.stringify(value)).join(' or ');
  if (items) return `${shapeOf(items as JsonSchema) || 'string'}[]`;
  if (properties) {
    const fields = Object.entries(properties).map(([name, field]) => {
      const shape = shapeOf(field);
      return shape ? `${name}: ${shape}` : name;
    });
    return `{${fields.join(', ')}}`;
  }
  if (type === 'object' && typeof additionalProperties === 'object')
    return `{…: ${shapeOf(additionalProperties as JsonSchema) || 'string'}}`;
  return type === 'string' ? '' : type === 'integer' ? 'number' : String(type ?? 'any');
}

/** A text or one of some texts is a text. */
function unionOf(shapes: readonly string[]): string {
  const others = shapes.includes('') ? shapes.filter((shape) => !/^(?:"|$)/.test(shape)) : shapes;
  return [...new Set(others)].join(' or ');
}
