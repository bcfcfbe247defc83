import { describe, expect, it } from 'vitest';
import { declaredEndpoints } from '../helpers/endpoints';
import { sourceFiles } from './tree';

const declared = declaredEndpoints.map(({ endpoint, ...named }) => ({ ...endpoint, ...named }));
type Declared = (typeof declared)[number];

const sources = sourceFiles(['workers', 'server', 'src']);

/** Whether page or worker asks for the call by its name. */
function isAskedFor({ subject, name }: Declared): boolean {
  return sources.some(
    ({ path, text }) => !path.startsWith('server/') && text.includes(`'${subject}.${name}'`),
  );
}

/** Whether a program has the endpoint: it imports the subject's table, or what is apart of it, and says its name. */
function isUsedIn(program: string, { subject, name }: Declared): boolean {
  return sources.some(
    ({ path, text }) =>
      path.startsWith(`${program}/`) &&
      (text.includes(`'#domain/api/${subject}'`) ||
        text.includes(`'#domain/${subject}/endpoints'`)) &&
      new RegExp(`(?:\\w*[aA]pi\\.|[{,]\\s*)${name}\\b`).test(text),
  );
}

describe('the table of endpoints (domain/api)', () => {
  it('has every call of the protocol', () => {
    expect(declared.length).toBeGreaterThan(50);
  });

  it('has each of them once', () => {
    const calls = declared.map(({ method, path }) => `${method} ${path}`);
    expect(calls.filter((call, i) => calls.indexOf(call) !== i)).toEqual([]);
  });

  it('is the only place that spells their paths', () => {
    const spelled = declared.flatMap(({ path }) =>
      sources.filter(({ text }) => text.includes(`'${path}'`)).map((file) => file.path),
    );
    expect(spelled).toEqual([]);
  });

  it('lets a call be added in three files: its declaration, its handler, its screen', () => {
    const all = [...sources, ...sourceFiles(['domain'])];
    const files = all.filter(({ text }) => /\bcompanyList\b/.test(text)).map(({ path }) => path);
    expect(files.sort()).toEqual([
      'domain/api/companies.ts',
      'server/companies/routes.ts',
      'src/features/search/CompanySearch.tsx',
    ]);
  });

  it.each(declared.map((endpoint) => [endpoint.name, endpoint] as const))(
    'declares correctly which programs use %s',
    (_name, endpoint) => {
      const { usedBy } = endpoint;
      expect({
        server: isUsedIn('server', endpoint),
        client: isUsedIn('workers', endpoint) || isAskedFor(endpoint),
      }).toEqual({ server: usedBy !== 'nobody', client: usedBy === undefined });
    },
  );
});
