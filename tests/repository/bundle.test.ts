import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '#domain/core/language';
import {
  UNUSED_AXIOS_MODULES,
  withPureRouterParts,
  withPureSignalElements,
} from '../../scripts/vitePlugins.ts';
import { SECTIONS } from '../../server/core/sections.ts';
import { root, sourceFiles } from './tree';

const read = (file: string) => readFileSync(join(root, file), 'utf8');
const json = (file: string): unknown => JSON.parse(read(file));
/** The texts of the files in a folder whose names match. */
const readAll = (folder: string, name: RegExp) =>
  readdirSync(join(root, folder))
    .filter((file) => name.test(file))
    .map((file) => read(`${folder}/${file}`));

interface Budget {
  name: string;
  passed: boolean;
  size: number;
  sizeLimit: number;
}

describe('budgets of the build (.size-limit.mjs)', () => {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'node_modules/size-limit/bin.js'), '--json'],
    { cwd: root, encoding: 'utf8' },
  );

  // Without a build it is an object with an error.
  const report: unknown = JSON.parse(stdout || '[]');
  const budgets = Array.isArray(report) ? (report as Budget[]) : [];

  it('finds a build: npm run build', () => {
    expect(stderr).toBe('');
    expect(budgets).toHaveLength(5);
  });

  it.each(budgets)('$name', ({ size, sizeLimit }) => {
    expect(size).toBeLessThanOrEqual(sizeLimit);
  });
});

it('the first script of index.html starts the worker, whose rest is one file', () => {
  const files = readdirSync(join(root, 'dist/client/assets')).filter((file) =>
    /^client\.worker-.*\.js$/.test(file),
  );
  expect(files).toHaveLength(1);
  expect(read(`dist/client/assets/${files[0]}`)).not.toMatch(/\bfrom\s*["']\.\//);
  const page = read('dist/client/index.html');
  const [, script = ''] = /<script>(.*?)<\/script>/s.exec(page) ?? [];
  expect(gzipSync(script).length).toBeLessThan(3000);
  expect(script).toContain(files[0]);
  // Behind a style sheet it would wait for it.
  expect(page.indexOf(script)).toBeLessThan(page.search(/<script [^>]*src=|rel="stylesheet"/));
});

// Firefox counts what is prefetched as `default-src`, which is nothing.
it('index.html asks for files only as the content policy names them', () => {
  const page = read('dist/client/index.html');
  const links = [...page.matchAll(/<link [^>]*rel="([\w-]+)"(?: as="(\w+)")?/g)];
  const asked = new Set(links.map(([, rel, as]) => [rel, as].filter(Boolean).join(' as ')));
  const known = ['apple-touch-icon', 'icon', 'manifest', 'modulepreload', 'preload as style'];
  expect([...asked].sort()).toEqual([...known, 'stylesheet']);
});

it('what the worker loads after its first prices is one file', () => {
  const names = readdirSync(join(root, 'dist/client/assets'));
  const file = names.find((name) => /^next-client\.worker-.*\.js$/.test(name));
  expect(names.filter((name) => name.startsWith('retryingSender-'))).toEqual([]);
  const imported = read(`dist/client/assets/${file}`).matchAll(/\bfrom\s*["'`]\.\/([^"'`]+)/g);
  // The bundler's own helpers are some hundred bytes.
  const loaded = /^(?:(?:http-)?client\.worker|rolldown-runtime)-/;
  for (const [, name] of imported) expect(name).toMatch(loaded);
});

it('the service worker keeps the worker with all that it imports', () => {
  const keeper = read('dist/client/service-worker.js');
  const files = readdirSync(join(root, 'dist/client/assets')).filter((name) =>
    /client\.worker-.*\.js$/.test(name),
  );
  expect(files).toHaveLength(4);
  for (const file of files) {
    const imported = read(`dist/client/assets/${file}`).matchAll(/["'`]\.\/([^"'`]+\.js)/g);
    for (const name of [file, ...Array.from(imported, ([, name = '']) => name)])
      expect(keeper).toContain(name);
  }
});

it('index.html brings the notice that no money is real, in every language', () => {
  const data = /id="notices">([^<]*)</.exec(read('dist/client/index.html'))?.[1] ?? '{}';
  const notices = LANGUAGES.map((language) => [
    language,
    (json(`locales/${language}.json`) as { common: { sandbox: string } }).common.sandbox,
  ]);
  expect(JSON.parse(data)).toEqual(Object.fromEntries(notices));
});

it('what every screen loads after its first paint are two scripts, and no screen', () => {
  const manifest = json('dist/client/.vite/manifest.json') as Record<
    string,
    { file: string; imports?: string[] }
  >;
  const loaded = new Set<string>();
  const add = (key: string) => {
    if (loaded.has(key)) return;
    loaded.add(key);
    for (const next of manifest[key]?.imports ?? []) add(next);
  };
  add('src/app/mount.tsx');
  const before = new Set(loaded);
  add('src/app/Deferred.tsx');
  const more = [...loaded].filter((key) => !before.has(key));
  expect(more.map((key) => manifest[key]?.file.replace(/^.*\/|-\w{7}\.\w+$/g, '')).sort()).toEqual([
    'Deferred',
    'around',
  ]);
});

/**
 * scripts/vitePlugins.ts depends on what is inside of these two packages, so their versions are
 * pinned. After an update these tests may fail. Then: look into the new version for what the
 * plugin names, adapt the plugin, compare the sizes (`npx size-limit`) with those before, and
 * run tests/e2e. Where the package offers an option of its own by then, take it and drop the plugin.
 */
describe.each([
  ['react-router-dom', '7.18.5'],
  ['axios', '1.21.1'],
  ['@preact/signals-react', '3.12.0'],
])('%s, whose internals the build depends on', (name, version) => {
  it(`is pinned to ${version}`, () => {
    const { dependencies } = json('package.json') as { dependencies: Record<string, string> };
    const installed = json(`node_modules/${name}/package.json`) as { version: string };
    expect(dependencies[name]).toBe(version);
    expect(installed.version).toBe(version);
  });
});

describe('withoutUnusedRouterParts', () => {
  const source = readAll('node_modules/react-router/dist/development', /\.mjs$/).join('\n');

  it('finds the components and their names in React Router', () => {
    expect(source).toMatch(/^var Link = React\d*\.forwardRef\($/m);
    expect(source).toMatch(/^Link\.displayName = "Link";$/m);
  });

  it('leaves none of them with a side effect', () => {
    const pure = withPureRouterParts(source);
    expect(pure.match(/^var \w+ = React\d*\.\w+\(/gm)).toBeNull();
    expect(pure.match(/^\w+\.displayName/gm)).toBeNull();
  });

  it('keeps Link, which the app does not use, out of the build', () => {
    const scripts = readAll('dist/client/assets', /\.js$/);
    expect(scripts.length).toBeGreaterThan(1);
    // An attribute that only Link sets.
    expect(source).toContain('data-discover');
    expect(scripts.filter((script) => script.includes('data-discover'))).toEqual([]);
  });
});

describe('withoutSignalElements', () => {
  const source = read('node_modules/@preact/signals-react/runtime/dist/runtime.mjs');

  it('finds what makes a signal an element, and the shim', () => {
    const pure = withPureSignalElements(source);
    expect(pure).toContain('/* @__PURE__ */ Object.defineProperties(');
    expect(pure).not.toContain('use-sync-external-store');
  });

  it('keeps signals as elements out of the build', () => {
    const scripts = readAll('dist/client/assets', /\.js$/);
    // What only they have.
    const mark = 'getSnapshot:()=>0';
    expect(source).toContain(mark);
    expect(scripts.filter((script) => script.includes(mark))).toEqual([]);
  });

  it('keeps one copy of the core in the page', () => {
    const scripts = readAll('dist/client/assets', /\.js$/);
    expect(scripts.filter((script) => script.includes('preact-signals'))).toHaveLength(1);
  });
});

describe('withoutUnusedAxiosParts', () => {
  it.each(UNUSED_AXIOS_MODULES)('finds axios/lib/%s', (module) => {
    expect(existsSync(join(root, 'node_modules/axios/lib', module))).toBe(true);
  });

  // Texts that survive minifying; the others have none.
  it.each([
    ['adapters/xhr.js', 'XMLHttpRequest'],
    ['cancel/CancelToken.js', 'executor must be a function'],
    ['core/createMultipartBody.js', 'Random byte generation is not supported'],
    ['helpers/HttpStatusCode.js', 'NonAuthoritativeInformation'],
    ['helpers/cookies.js', 'document.cookie'],
    ['helpers/formDataToBlob.js', 'Invalid multipart boundary'],
    ['helpers/formDataToJSON.js', 'FormData field is too deeply nested'],
    ['helpers/toFormData.js', 'visitor must be a function'],
  ])('keeps %s out of the worker', (module, mark) => {
    const worker = readAll('dist/client/assets', /^client\.worker-.*\.js$/).join('\n');
    expect(worker).not.toBe('');
    expect(read(`node_modules/axios/lib/${module}`)).toContain(mark);
    expect(worker).not.toContain(mark);
  });
});

it('the built server has each section of strings in which it writes', () => {
  const used = sourceFiles(['server']).flatMap(({ text }) =>
    [...text.matchAll(/\btranslate\(\s*\w+,\s*['`](\w+)\./g)].map(([, section]) => section),
  );
  expect(used).toContain('alerts');
  const had: readonly (string | undefined)[] = SECTIONS;
  expect(used.filter((section) => !had.includes(section))).toEqual([]);
});
