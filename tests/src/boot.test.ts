import { readFileSync } from 'node:fs';
import { afterAll, beforeEach, expect, it, test, vi } from 'vitest';
import { listenToServiceWorker } from '../../src/app/serviceWorker';

/** What the page says where its own script does not come. */
const [message = ''] =
  /<p id="boot-failure"[\s\S]*?<\/p>/.exec(readFileSync('index.html', 'utf8')) ?? [];

// What the build writes into it, and the browser's worker.
vi.stubGlobal('FIRST_STAGE', 'postMessage(1)');
vi.stubGlobal('WORKER', '/assets/client.worker-BIHq0iVJ.js');
vi.stubGlobal('ERROR_REPORT', '/assets/errorReport-X.js');
vi.stubGlobal('Worker', EventTarget);
const fetching = vi.fn(async (_path: string, _options: RequestInit) => new Response());
const serviceWorker = new EventTarget();
Object.defineProperty(navigator, 'serviceWorker', { configurable: true, value: serviceWorker });
const listening = vi.spyOn(globalThis, 'addEventListener');
await import('../../src/boot');
const listeners = [...listening.mock.calls];
listening.mockRestore();

afterAll(() => {
  for (const [type, listener, options] of listeners)
    removeEventListener(type, listener as EventListener, options);
  globalThis.onunhandledrejection = null;
  for (const name of ['fulcrumWorker', 'showBootFailure', 'serviceWorkerSaid'])
    Reflect.deleteProperty(globalThis, name);
  Reflect.deleteProperty(navigator, 'serviceWorker');
  location.hash = '';
});

beforeEach(() => {
  document.body.innerHTML = message;
  fetching.mockClear();
  vi.stubGlobal('fetch', fetching);
});

/** A script of the page is blocked, or does not come. */
function fail(src: string): void {
  // Of a type that the tests' browser does not load.
  document.head.innerHTML = `<script type="text/plain" src="${src}"></script>`;
  document.head.querySelector('script')?.dispatchEvent(new Event('error'));
}
const failure = () => document.getElementById('boot-failure');

it('says where the page’s own script does not come, and fetches it past the cache', () => {
  expect(failure()?.hidden).toBe(true);
  fail('/assets/index-AbCdEfG.js');
  expect(failure()?.hidden).toBe(false);
  const [[path, options] = []] = fetching.mock.calls;
  expect(path).toMatch(/\/assets\/index-AbCdEfG\.js$/);
  expect(options).toEqual({ cache: 'reload' });
});

test.each([
  ['an extension', 'chrome-extension://abcdef/content.js'],
  ['another host', 'https://stats.example/assets/x.js'],
  ['a network in between', '/cdn-cgi/challenge-platform/main.js'],
])('a script that %s has put into the page leaves it as it is', (_, src) => {
  fail(src);
  expect(failure()?.hidden).toBe(true);
  expect(fetching).not.toHaveBeenCalled();
});

it('keeps what the service worker says until the app listens', () => {
  const said = (data: unknown) =>
    serviceWorker.dispatchEvent(new MessageEvent('message', { data }));
  said({ open: '/alerts' });
  listenToServiceWorker()();
  expect(location.hash).toBe('#/alerts');
  said({ open: '/order' });
  listenToServiceWorker()();
  expect(location.hash).toBe('#/alerts');
});

it('loads the same screen again', () => {
  location.hash = '#/register?invite_code=ABC';
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => {});
  globalThis.showBootFailure?.();
  const click = new MouseEvent('click', { bubbles: true, cancelable: true });
  failure()?.querySelector('a')?.dispatchEvent(click);
  expect(reload).toHaveBeenCalledOnce();
  expect(click.defaultPrevented).toBe(true);
  expect(location.hash).toBe('#/register?invite_code=ABC');
  reload.mockRestore();
});
