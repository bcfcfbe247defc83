import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { failedElsewhere } from '#domain/worker/failed';
import { type Failure, framesOf, report, screenOf } from '../../src/errorReport';

const sendBeacon = vi.fn((_address: string, _form: URLSearchParams) => true);
const share = document.createElement('meta');
share.name = 'errors-share';
const HOUR = 3_600_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  location.hash = '';
  sendBeacon.mockClear();
  share.content = '1';
  document.head.append(share);
  Object.defineProperty(navigator, 'sendBeacon', { configurable: true, value: sendBeacon });
  vi.stubEnv('VITE_VERSION', '0123456789ab');
});
afterEach(() => {
  Reflect.deleteProperty(navigator, 'sendBeacon');
  localStorage.clear();
  share.remove();
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

const sent = () =>
  sendBeacon.mock.calls.map(([address, form]) => ({ address, ...Object.fromEntries(form) }));

/** An error with a place in our files. */
function failed(message = 'e is not a function'): Error {
  const error = new TypeError(message);
  error.stack = `TypeError: ${message}\n    at f (${location.origin}/assets/app-X.js:1:23)`;
  return error;
}
const rejection = (reason: unknown) =>
  Object.assign(new Event('unhandledrejection'), { reason }) as unknown as Failure;

it('sends release, engine, screen, name, sentence and places of an error', () => {
  report(new ErrorEvent('error', { error: failed('not a decimal: 12.50 of "Ann"') }));
  expect(sent()).toEqual([
    {
      address: '/api/common/client_error',
      release: '0123456789ab',
      engine: 'webkit',
      screen: '/',
      name: 'TypeError',
      text: 'not a decimal …',
      stack: 'app-X.js:1:23',
    },
  ]);
});

it('sends a rejection, an error of the worker, and one of the service worker with its own release', () => {
  report(rejection(failed()));
  const filename = `${location.origin}/assets/client.worker-X.js`;
  const message = 'Uncaught RangeError: not a decimal';
  report(new ErrorEvent('error', { message, filename, lineno: 2, colno: 7 }));
  const { failed: details } = failedElsewhere(failed(), 'ba9876543210');
  report({ error: details });
  report(new ErrorEvent('error', { error: Object.assign(new Error(), details) }));
  expect(sent()).toMatchObject([
    { name: 'TypeError', stack: 'app-X.js:1:23' },
    { name: 'RangeError', text: 'not a decimal', stack: 'client.worker-X.js:2:7' },
    { name: 'TypeError', release: 'ba9876543210' },
    { name: 'TypeError', release: 'ba9876543210' },
  ]);
});

it.each([
  ['what is no error', () => rejection('a secret')],
  [
    'an error of an extension',
    () => {
      const error = failed();
      error.stack = 'TypeError: x\n    at chrome-extension://abc/content.js:1:2';
      return rejection(error);
    },
  ],
  ['an error without a place', () => new ErrorEvent('error', { message: 'Script error.' })],
  ['a failed network', () => rejection(failed('Failed to fetch'))],
])('does not send %s', (_what, failure) => {
  report(failure());
  expect(sent()).toEqual([]);
});

it('sends ten within an hour', () => {
  for (let n = 0; n < 12; n++) report(rejection(failed()));
  expect(sent()).toHaveLength(10);
  vi.setSystemTime(Date.now() + HOUR);
  report(rejection(failed()));
  expect(sent()).toHaveLength(11);
  // A clock that was set back.
  vi.setSystemTime(Date.now() - 2 * HOUR);
  report(rejection(failed()));
  expect(sent()).toHaveLength(12);
});

it('counts anew where storage holds nonsense, and is silent where there is none', () => {
  localStorage.setItem('fulcrum.errors-sent', '{"a":1}');
  report(rejection(failed()));
  expect(sent()).toHaveLength(1);
  localStorage.setItem('fulcrum.errors-sent', 'nonsense');
  report(rejection(failed()));
  vi.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
    throw new Error('forbidden');
  });
  report(rejection(failed()));
  expect(sent()).toHaveLength(1);
});

it.each([
  ['the user wants none', () => localStorage.setItem('fulcrum.error-reports', 'false')],
  [
    'the server wants none',
    () => {
      share.content = '';
    },
  ],
  ['a server without the setting has served the page', () => share.remove()],
  [
    'chance has not picked it',
    () => {
      share.content = '0.25';
    },
  ],
])('sends none where %s', (_why, prepare) => {
  prepare();
  report(rejection(failed()), () => 0.25);
  expect(sent()).toEqual([]);
});

it('sends the share that the server wants', () => {
  share.content = '0.25';
  report(rejection(failed()), () => 0.2);
  expect(sent()).toHaveLength(1);
});

const PAGE = { origin: 'https://m.example.com', pathname: '/' } as Location;

it.each([
  [
    'Chromium',
    `TypeError: secret https://m.example.com/assets/x.js:1:1 told
    at a (https://m.example.com/assets/app-C8_eB.js:9:30)
    at async https://m.example.com/assets/start-X.js:2:4
    at new b (https://m.example.com/?secret=1#/order:12:6)
    at c (blob:https://m.example.com/0c1d-2:1:77)
    at d (https://elsewhere.example/assets/app-X.js:9:9)
    at Array.map (<anonymous>)`,
  ],
  [
    'Firefox',
    `a@https://m.example.com/assets/app-C8_eB.js:9:30
async*@https://m.example.com/assets/start-X.js:2:4
b@https://m.example.com/?secret=1#/order:12:6
c@blob:https://m.example.com/0c1d-2:1:77
d@https://elsewhere.example/assets/app-X.js:9:9`,
  ],
  [
    'WebKit',
    `a@https://m.example.com/assets/app-C8_eB.js:9:30
https://m.example.com/assets/start-X.js:2:4
b@https://m.example.com/?secret=1#/order:12:6
c@blob:https://m.example.com/0c1d-2:1:77
d@https://elsewhere.example/assets/app-X.js:9:9
map@[native code]`,
  ],
])('reads the stack of %s', (_engine, stack) => {
  expect(framesOf(stack, PAGE)).toEqual([
    'app-C8_eB.js:9:30',
    'start-X.js:2:4',
    'page:12:6',
    'blob:1:77',
  ]);
});

it('sends at most twenty places', () => {
  const line = 'a@https://m.example.com/assets/app-X.js:9:30\n';
  expect(framesOf(line.repeat(50), PAGE)).toHaveLength(20);
});

it.each([
  ['', '/'],
  ['#/', '/'],
  ['#/trade?code=EURUSD', '/trade'],
  ['#/news/12', '/news/:'],
  ['#/panel/Ann%20Lee/x/y/z/1/2/3', '/panel/:/x/y/z/:'],
])('names the screen of %s', (hash, screen) => {
  expect(screenOf(hash)).toBe(screen);
});
