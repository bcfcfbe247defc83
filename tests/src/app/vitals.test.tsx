import { renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Metric } from 'web-vitals';
import { toDurationMs, toUnixMs } from '#domain/core/time';
import { useVitals } from '../../../src/app/Deferred';
import { steadyTime } from '../../../src/worker/age';
import { apply } from '../../../src/worker/frameReceiver';
import { eventually } from '../../helpers/eventually';
import { quoteNumbers, scriptWorkerApi } from '../scriptedWorkerApi';

/** What the library has been asked to report, by the name of its function. */
const asked = vi.hoisted(() => new Map<string, (metric: { value: number }) => void>());
vi.mock('web-vitals', () =>
  Object.fromEntries(
    ['onCLS', 'onFCP', 'onINP', 'onLCP', 'onTTFB'].map((name) => [
      name,
      (report: (metric: Pick<Metric, 'value'>) => void) => asked.set(name, report),
    ]),
  ),
);

/** A browser that tells long frames: the test says which. */
class Frames {
  static supportedEntryTypes = ['long-animation-frame'];
  static told: number[] = [];
  observe() {}
  disconnect() {}
  takeRecords() {
    return Frames.told.map((duration) => ({ duration }));
  }
}

const sendBeacon = vi.fn((_address: string, _form: URLSearchParams) => true);
const setting = document.createElement('meta');
setting.name = 'vitals-share';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  asked.clear();
  sendBeacon.mockClear();
  Frames.told = [];
  setting.content = '0.25';
  document.head.append(setting);
  vi.stubGlobal('PerformanceObserver', Frames);
  vi.spyOn(performance, 'now').mockReturnValue(20_000);
  Object.defineProperty(navigator, 'sendBeacon', { configurable: true, value: sendBeacon });
});
afterEach(() => {
  setVisibility('visible');
  Reflect.deleteProperty(document, 'visibilityState');
  Reflect.deleteProperty(navigator, 'sendBeacon');
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  setting.remove();
});

function setVisibility(visibilityState: DocumentVisibilityState): void {
  Object.defineProperty(document, 'visibilityState', {
    configurable: true,
    value: visibilityState,
  });
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
}

/** The app starts, and chance has drawn this number. */
function visit(drawn: number) {
  vi.spyOn(Math, 'random').mockReturnValue(drawn);
  const workerApi = scriptWorkerApi();
  workerApi.scripted.serverOrigin = async () => 'https://api.example.com';
  renderHook(useVitals);
  return workerApi;
}

const reported = () =>
  sendBeacon.mock.calls.map(([address, form]) => [address, Object.fromEntries(form)]);

it('sends what a visit was like when the page is hidden for the first time', async () => {
  visit(0.2);
  await eventually(() => expect(asked.has('onCLS')).toBe(true));
  apply({ connection: { state: 'live', marketOffset: toDurationMs(0) } });
  for (const [name, value] of [
    ['onTTFB', 79.6],
    ['onLCP', 1700.2],
    ['onCLS', 0.0214],
  ] as const)
    asked.get(name)?.({ value });
  Frames.told = [60, 90];
  setVisibility('visible');
  expect(sendBeacon).not.toHaveBeenCalled();
  setVisibility('hidden');
  setVisibility('visible');
  setVisibility('hidden');
  expect(reported()).toEqual([
    [
      'https://api.example.com/api/common/vitals',
      { ttfb: '80', lcp: '1700', cls: '21', long_frames: '6' },
    ],
  ]);
});

it.each([
  ['the first one', 0.6, '60'],
  ['a later one', 0.4, '500'],
])('tells the age of one quote that was drawn, as %s', async (_which, drawn, age) => {
  setting.content = '1';
  const { frame } = visit(drawn);
  await eventually(() => expect(asked.has('onCLS')).toBe(true));
  apply({ connection: { state: 'live', marketOffset: toDurationMs(0) } });
  const quoteOf = (id: number, ms: number) =>
    quoteNumbers(id, 1.1, { time: toUnixMs(steadyTime() - ms) });
  frame({ quotes: Float64Array.from([...quoteOf(1, 60), ...quoteOf(2, 500)]) });
  setVisibility('hidden');
  expect(reported()).toMatchObject([[expect.anything(), { quote_age: age }]]);
});

it.each([
  ['chance has not picked it', '0.25', 0.25],
  ['the operator wants none', '', 0],
])('loads and sends nothing where %s', async (_why, share, drawn) => {
  setting.content = share;
  visit(drawn);
  // The import would be there by then.
  await vi.importActual('web-vitals');
  setVisibility('hidden');
  expect(asked.size).toBe(0);
  expect(reported()).toEqual([]);
});
