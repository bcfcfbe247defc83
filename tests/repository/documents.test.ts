import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Call } from '#domain/api/call';
import type { EndpointFields } from '#domain/api/endpoint';
import type { JsonSchema } from '#domain/api/schema';
import { Components } from '../../server/api/jsonSchema';
import { usage } from '../../server/config/config';
import { ROUTES } from '../../src/app/routes';
import { root } from './tree';

const page = (name: string) => readFileSync(join(root, name), 'utf8');

const isEndpoint = (value: unknown): value is EndpointFields =>
  typeof value === 'object' && value !== null && 'path' in value && 'effect' in value;

/** Every call of the protocol that somebody uses. */
async function endpoints(): Promise<EndpointFields[]> {
  const folder = join(root, 'domain/api');
  const modules = await Promise.all(
    readdirSync(folder).map((file) => import(join(folder, file)) as Promise<object>),
  );
  return modules
    .flatMap((module) => Object.values(module))
    .filter(isEndpoint)
    .filter(({ usedBy }) => usedBy !== 'nobody');
}

describe('docs/protocol.md', async () => {
  const text = page('docs/protocol.md');
  /** What follows a call, up to the next one. */
  const said = new Map<string, string>();
  const calls = text.split(/`(?=(?:GET|POST) \/)/);
  for (const [index, part] of calls.slice(1).entries()) {
    const [, call = ''] = /^((?:GET|POST) \/[\w/]+)/.exec(part) ?? [];
    // Two calls in one sentence share its rest.
    const rest = /^[^`]*`(?:, )?$/.test(part) ? (calls[index + 2] ?? '') : part;
    said.set(call, rest.split(/\n\n|\n- /)[0] ?? '');
  }
  const table = await endpoints();

  it('has the table of calls', () => expect(table.length).toBeGreaterThan(40));

  it.each(table.map((call) => [`${call.method} ${call.path}`, call] as const))(
    'describes %s',
    (name, call) => {
      const words = said.get(name);
      expect(words).toBeDefined();
      expect(words?.includes('*once*')).toBe(call.effect === 'once');
      expect(/\bform\b/.test(words ?? '')).toBe(call.method === 'POST' && call.body === 'form');
    },
  );
});

/** The named objects of OpenAPI, those that stand only in another one, too. */
async function namedObjects(): Promise<Readonly<Record<string, JsonSchema>>> {
  const components = new Components();
  for (const folder of ['server/api', 'domain/api']) {
    for (const file of readdirSync(join(root, folder))) {
      const values = Object.values((await import(join(root, folder, file))) as object);
      for (const value of values) {
        if (value instanceof z.ZodType) components.schemaOf(value);
        if (isEndpoint(value) && 'answer' in value) components.schemaOf((value as Call).answer);
      }
    }
  }
  return components.schemas;
}

/** Names of an object's fields, and of the fields of objects in it that have no name of their own. */
function fieldsOf({ properties = {}, items }: JsonSchema): string[] {
  if (items) return fieldsOf(items as JsonSchema);
  return Object.entries(properties as Record<string, JsonSchema>).flatMap(([name, field]) => [
    name,
    ...fieldsOf(field),
  ]);
}

describe('entities of docs/protocol.md', async () => {
  const text = page('docs/protocol.md');
  const [, entities = ''] = /\n## Entities\n([\s\S]*?)\n## /.exec(text) ?? [];
  const sections = [...entities.matchAll(/^### (.+)\n\n`(\{[^`]+\})`/gm)].map(
    ([, heading = '', fields = '']) => ({
      id: heading === 'Basic settings' ? 'BasicInfo' : camelCase(heading),
      // A name of a type, as in `get_fund: Fund`, or an example is no field.
      fields: fields.replace(/: (?:\w+|"[^"]*")/g, '').match(/\w+/g) ?? [],
    }),
  );
  const schemas = await namedObjects();
  // Optional entities have no schema here: protocol.md#features.
  const known = sections.filter(({ id }) => id !== 'Alert');

  it('are found', () => expect(known.length).toBeGreaterThan(15));

  it.each(known)('$id has the fields of its schema', ({ id, fields }) => {
    const schema = schemas[id];
    expect(schema, `a schema of ${id}`).toBeDefined();
    expect([...fields].sort()).toEqual(schema && fieldsOf(schema).sort());
  });
});

const camelCase = (heading: string) =>
  heading.replace(/(?:^| )(\w)/g, (_, letter: string) => letter.toUpperCase());

describe('docs/screens.md', () => {
  const rows = page('docs/screens.md')
    .split('\n')
    .filter((line) => line.startsWith('| `/'))
    .flatMap((line) => {
      const [paths = '', , access = '', bar = ''] = line
        .split('|')
        .slice(1)
        .map((cell) => cell.trim());
      return [...paths.matchAll(/`([^`?]+)[^`]*`/g)].map(([, path = '']) => ({
        path,
        access,
        bar,
      }));
    });
  const words = { user: 'user', real: 'real user' };

  it('has the table of routes', () => {
    const table = ROUTES.map(({ path, access, footer }) => ({
      path,
      access: access ? words[access] : 'anyone',
      bar: footer ? 'yes' : '',
    }));
    expect(rows).toEqual(table);
  });
});

describe('options of the server', () => {
  const options = new Set(usage().match(/--[a-z][a-z-]*/g));
  const described = [...page('docs/operations.md').matchAll(/^\| `(--[a-z-]+)/gm)].map(
    ([, option]) => option,
  );

  it('are all described in docs/operations.md', () => {
    const missing = [...options].filter((option) => !described.includes(option));
    expect(missing).toEqual(['--help']);
  });

  it('and no other', () => {
    expect(described.filter((option) => option && !options.has(option))).toEqual([]);
  });
});
