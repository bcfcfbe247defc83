import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Call } from '#domain/api/call';
import type { JsonSchema } from '#domain/api/schema';
import { toUnixSeconds } from '#domain/core/time';
import {
  INDICATOR_KINDS,
  INDICATORS,
  type IndicatorKind,
  usualIndicator,
} from '#domain/indicators/catalogue';
import { createIndicator } from '#domain/indicators/indicator';
import { Components } from '../../server/api/jsonSchema';
import { flagName, variableName } from '../../server/config/config';
import { OPTIONS, type Option } from '../../server/config/options';
import { ROUTES } from '../../src/app/routes';
import { declaredEndpoints } from '../helpers/endpoints';
import { generated, table } from './generated';
import { root } from './tree';

const SELF = 'tests/repository/documents.test.ts';
const page = (name: string) => readFileSync(join(root, name), 'utf8');

/** Every call of the protocol that somebody uses. */
const declared = declaredEndpoints
  .map(({ endpoint }) => endpoint)
  .filter(({ usedBy }) => usedBy !== 'nobody');

describe('docs/protocol.md', () => {
  const named = page('docs/protocol.md').match(/(?<=`)(?:GET|POST) \/[\w/]+(?=`)/g) ?? [];

  it('names each call once', () => {
    const calls = declared.map(({ method, path }) => `${method} ${path}`);
    expect(calls.length).toBeGreaterThan(40);
    expect(named.sort()).toEqual(calls.sort());
  });
});

/** The named objects of OpenAPI, those that stand only in another one, too. */
function namedObjects(): Readonly<Record<string, JsonSchema>> {
  const components = new Components();
  for (const endpoint of declared) {
    if ('answer' in endpoint) components.schemaOf((endpoint as Call).answer);
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

describe('entities of docs/protocol.md', () => {
  const [, entities = ''] = /\n## Entities\n([\s\S]*?)\n## /.exec(page('docs/protocol.md')) ?? [];
  const sections = [...entities.matchAll(/^### (.+)\n\n([\s\S]*?)(?=^### |(?![\s\S]))/gm)].map(
    ([, heading = '', text = '']) => ({
      id: heading === 'Basic settings' ? 'BasicInfo' : camelCase(heading),
      named: [...text.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
    }),
  );
  const schemas = namedObjects();

  it('are found', () => expect(sections.length).toBeGreaterThan(15));

  it.each(sections)('$id names only fields of its schema', ({ id, named }) => {
    const schema = schemas[id];
    expect(schema, `a schema of ${id}`).toBeDefined();
    expect(named.filter((name) => schema && !fieldsOf(schema).includes(name))).toEqual([]);
  });
});

const camelCase = (heading: string) =>
  heading.replace(/(?:^| )(\w)/g, (_, letter: string) => letter.toUpperCase());

describe('docs/routes.md', () => {
  it('is generated from the table of routes', async () => {
    const users = { user: 'user', real: 'real user' };
    const rows = ROUTES.map(({ path, file = 'app/Workspace', access, footer }) => [
      `\`${path}\``,
      `\`src/${file}.tsx\``,
      access ? users[access] : 'anyone',
      footer ? 'yes' : '',
    ]);
    const columns = ['route', 'screen', 'for', 'tab bar on a phone'];
    await expect(generated(SELF, 'Routes', table(columns, rows))).toMatchFileSnapshot(
      join(root, 'docs/routes.md'),
    );
  });
});

describe('docs/indicators.md', () => {
  /** The number of the bar of an hour at which each line begins, in a history that is whole. */
  function firstBars(kind: IndicatorKind): number[] {
    const next = createIndicator(usualIndicator(kind), { period: '60min', whole: true });
    const values = Array.from({ length: 200 }, (_, index) => {
      const close = 100 + Math.sin(index) + index / 50;
      const time = toUnixSeconds(index * 3600);
      return next({ time, open: close, high: close + 1, low: close - 1, close, volume: 1 }, false);
    });
    const firsts = INDICATORS[kind].lines.map(
      (_, line) => values.findIndex((each) => !Number.isNaN(each[line])) + 1,
    );
    // SuperTrend has a value in one of its lines at a time.
    return firsts.map((first) => first || Math.max(...firsts));
  }

  it('is generated from the catalogue', async () => {
    const rows = INDICATOR_KINDS.map((kind) => {
      const { place, parameters, lines } = INDICATORS[kind];
      const firsts = firstBars(kind);
      return [
        kind,
        place === 'price' ? 'overlay' : 'oscillator',
        parameters.map((each) => `${each.name} ${each.usual} (${each.least} to ${each.most})`),
        lines.map((line, index) => `${line} ${firsts[index]}`),
      ].map((cell) => (typeof cell === 'string' ? cell : cell.join('<br>')));
    });
    const columns = ['indicator', 'place', 'parameters', 'lines, and their first bar'];
    await expect(generated(SELF, 'Indicators', table(columns, rows))).toMatchFileSnapshot(
      join(root, 'docs/indicators.md'),
    );
  });
});

describe('docs/options.md', () => {
  it('is generated from the options of the server', async () => {
    const rows = Object.entries<Option>(OPTIONS).map(([name, each]) => {
      const flag = `${flagName(name)} ${each.placeholder}`.trimEnd().replaceAll('|', '\\|');
      return [
        each.secret ? '' : `\`--${flag}\``,
        `\`${each.variable ?? variableName(name)}\``,
        each.placeholder ? each.standard : '',
        each.help,
      ];
    });
    const columns = ['option', 'variable', 'default', 'meaning'];
    await expect(generated(SELF, 'Options', table(columns, rows))).toMatchFileSnapshot(
      join(root, 'docs/options.md'),
    );
  });
});
