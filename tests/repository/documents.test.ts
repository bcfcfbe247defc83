import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { EndpointFields } from '#domain/api/endpoint';
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

  it('reads the table', () => expect(table.length).toBeGreaterThan(40));

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

  it('and none besides', () => {
    expect(described.filter((option) => option && !options.has(option))).toEqual([]);
  });
});
