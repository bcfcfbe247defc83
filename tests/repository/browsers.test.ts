import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Parser } from 'htmlparser2';
import { transformWithOxc } from 'vite';
import { expect, test } from 'vitest';
import { OLDEST, TARGET } from '../../scripts/lib/browsers.mjs';
import { Findings, type Versions } from './browserSupport';
import { ownNames, scanElement, scanScript } from './scriptFeatures';
import { scanStyle } from './styleFeatures';
import { root } from './tree';

/** Features that an oldest browser lacks, with all their values, and why they may be used. The list has no reserve. */
const EXCEPTIONS: Record<string, string> = {
  // Asked for in a way that can't be seen here.
  Notification: 'src/alerts/permission.ts asks for it',
  'Notification.permission': 'src/alerts/permission.ts asks for it',
  'Notification.requestPermission': 'src/alerts/permission.ts asks for it',
  'ServiceWorkerRegistration.showNotification': 'a push came, so there are notifications',
  'Navigator.share': 'its failure is caught, and the text is copied',
  ClipboardItem: 'its failure is caught, and the picture is saved',
  setImmediate: 'axios asks for it',
  'Window.cookieStore': 'axios asks for it',
  navigation: 'React asks for view transitions first',
  'Document.startViewTransition': 'React does without, and no screen uses it',
  'Symbol.dispose': 'signals-core names a method by it, whatever it is',
  // Other things of the same name.
  'AnimationEvent.animation': 'an event of React',
  'CSSStyleDeclaration.cssFloat': 'React sets it, no screen does',
  'RTCIceCandidate.component': 'a property of React Router',
  'Window.maximize': 'a method of the workspace',
  // Without them a picture or a text looks slightly different, a control is as usable.
  'CanvasRenderingContext2D.imageSmoothingQuality': 'a smaller picture is less sharp',
  '<select is>': 'React sets it for custom elements, which there are none of',
  '<input autocapitalize>': 'a keyboard may write a capital first',
  '<input capture>': 'a camera is on phones',
  '<link fetchpriority>': 'what is fetched ahead comes earlier',
  cursor: 'an iPhone has no pointer',
  'scrollbar-width': 'a scrollbar is in sight',
  'forced-color-adjust': 'Safari forces no colours',
  'text-wrap': 'lines break as usual',
  'hyphenate-limit-chars': 'words are divided elsewhere',
  'contain: style': 'no counters are used',
  'content-visibility': 'what is not in sight is laid out as well',
  'contain-intrinsic-block-size': 'of use with content-visibility alone',
  'break-after: avoid': 'a printed heading may be the last line of its page',
  '@page': 'printed with the usual margins',
};

const client = join(root, 'dist/client');
const assets = readdirSync(join(client, 'assets')).map((name) => join(client, 'assets', name));
const read = (path: string) => readFileSync(path, 'utf8');
const page = read(join(client, 'index.html'));
const inPage = [...page.matchAll(/<script>(.*?)<\/script>/gs)].map(([, text = '']) => text);
const scripts = [...assets, join(client, 'service-worker.js')]
  .filter((path) => path.endsWith('.js'))
  .map(read)
  .concat(inPage);
const styles = assets.filter((path) => path.endsWith('.css')).map(read);
const own = new Set(scripts.flatMap((code) => [...ownNames(code)]));

/** What a page with these scripts and styles needs that an oldest browser does not have. */
function younger(
  what: { html?: string; scripts?: readonly string[]; styles?: readonly string[] },
  oldest: Versions = OLDEST,
): string[] {
  const findings = new Findings(oldest);
  for (const code of what.scripts ?? []) scanScript(code, own, findings);
  for (const css of what.styles ?? []) scanStyle(css, findings);
  const onopentag = (tag: string, attributes: object) =>
    scanElement(tag, Object.keys(attributes), findings);
  new Parser({ onopentag }).end(what.html ?? '');
  return [...findings.found].map(([feature, lacking]) => `${feature} | ${lacking.join(', ')}`);
}

/** The exception that a line of `younger` falls under. */
const exceptionOf = (line: string) =>
  Object.keys(EXCEPTIONS).find(
    (name) => line.startsWith(`${name} |`) || line.startsWith(`${name}: `),
  );

test('the oldest browsers have what the build uses', () => {
  const lines = younger({ html: page, scripts, styles });
  expect(lines.filter((line) => !exceptionOf(line))).toEqual([]);
  expect(new Set(lines.map(exceptionOf))).toEqual(new Set(Object.keys(EXCEPTIONS)));
});

/** Whether a script has syntax that the build would have written otherwise for the oldest browsers. */
async function hasYoungSyntax(code: string): Promise<boolean> {
  const written = async (target: string | string[]) =>
    (await transformWithOxc(code, 'script.js', { target, sourcemap: false })).code;
  return (await written('esnext')) !== (await written(TARGET));
}

test('the oldest browsers can read the built scripts', async () => {
  const young = await Promise.all(scripts.map(hasYoungSyntax));
  const begins = scripts.map((code) => code.slice(0, 100));
  expect(begins.filter((_, index) => young[index])).toEqual([]);
  expect(await hasYoungSyntax('using file = open();')).toBe(true);
});

test.each([
  ['Promise.try(run)', 'Promise.try'],
  ['list.union(other)', 'Set.union'],
  ['new URLPattern("/a")', 'URLPattern'],
  ['navigator.gpu.requestAdapter()', 'Navigator.gpu'],
  ['URL.canParse(text) ? new URL(text) : undefined', 'URL.canParse'],
  ['if (!other.union) log(); list.union(other)', 'Set.union'],
  ['/(?i:a)b/.test(text)', '(?i:…)'],
  ['(0, react.jsx)("div", { popover: "auto" })', '<div popover>'],
])('finds %s', (code, feature) => {
  const [line, ...more] = younger({ scripts: [code] });
  expect([line?.split(' |')[0], ...more]).toEqual([feature]);
});

test.each([
  'Promise.try ? Promise.try(run) : run()',
  'navigator.gpu?.requestAdapter()',
  'list.union?.(other)',
  'typeof URLPattern !== "undefined" && new URLPattern("/a")',
  'if ("union" in list) list.union(other)',
  'function run() { if (!list.union) return; list.union(other); }',
  'const known = "URLPattern" in self; if (known) make(new URLPattern("/a"))',
])('takes as asked for: %s', (code) => {
  expect(younger({ scripts: [code] })).toEqual([]);
});

test.each([
  ['a { color: light-dark(red, blue) }', 'light-dark()'],
  ['a { --ink: light-dark(red, blue) }', 'light-dark()'],
  ['a { field-sizing: content }', 'field-sizing'],
  ['a:open { color: red }', ':open'],
  ['@starting-style { a { opacity: 0 } }', '@starting-style'],
  ['@media (update: fast) and (inverted-colors) { a { color: red } }', '@media (inverted-colors)'],
  ['a { width: 1px; width: round(var(--a), 1px) }', 'round()'],
])('finds %s', (css, feature) => {
  expect(younger({ styles: [css] }).map((line) => line.split(' |')[0])).toContain(feature);
});

test.each([
  'a { color: red; color: light-dark(red, blue) }',
  '@supports (color: light-dark(red, blue)) { a { color: light-dark(red, var(--a)) } }',
  '@supports (field-sizing: content) { a { field-sizing: content } }',
  'a { -webkit-user-select: none; user-select: none }',
])('takes as having a fallback: %s', (css) => {
  expect(younger({ styles: [css] })).toEqual([]);
});

test('finds an attribute of index.html', () => {
  expect(younger({ html: '<button commandfor="a">' }).join()).toContain('<button commandfor>');
});

test('README.md names the oldest browsers, which the code needs', () => {
  const { chrome, edge, firefox, safari, ios_saf: ios } = OLDEST;
  expect(edge).toBe(chrome);
  expect(read(join(root, 'README.md')).replace(/\s+/g, ' ')).toContain(
    `Chrome and Edge ${chrome}, Firefox ${firefox}, Safari ${safari} (iOS ${ios})`,
  );
  // Named there as what sets them.
  const needed = younger({ styles }, { chrome: '116', firefox: '120', safari: '16.1' }).join();
  for (const feature of ['subgrid', ':has', 'color-mix()']) expect(needed).toContain(feature);
});
