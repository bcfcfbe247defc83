import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Frame, FramePort } from '#domain/worker/workerApi';
import { ownCopy } from '../ownCopy';

type FrameReceiver = typeof import('../../../src/worker/frameReceiver');

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** Each has its own copy of the module, because what waits for prices waits once in a page. */
async function page(runs: Promise<void>) {
  const { receiveFrames, pricesShown } = await ownCopy<FrameReceiver>(
    '/src/worker/frameReceiver.ts',
  );
  const port: FramePort<number, Frame> = { onmessage: null, postMessage: () => undefined };
  receiveFrames(port, runs);
  let shown = false;
  void pricesShown().then(() => {
    shown = true;
  });
  return {
    frame: () => port.onmessage?.({ data: { quotes: new Float64Array() } }),
    shownAfter: async (ms: number) => {
      await vi.advanceTimersByTimeAsync(ms);
      return shown;
    },
  };
}

test('the app waits 1.5 s for prices, from when the worker runs', async () => {
  let run = () => {};
  const { shownAfter } = await page(
    new Promise<void>((resolve) => {
      run = resolve;
    }),
  );
  expect(await shownAfter(5000)).toBe(false);
  run();
  expect(await shownAfter(1400)).toBe(false);
  expect(await shownAfter(100)).toBe(true);
});

test('it does not wait for a worker that never runs', async () => {
  const { shownAfter } = await page(new Promise(() => {}));
  expect(await shownAfter(9900)).toBe(false);
  expect(await shownAfter(100)).toBe(true);
});

test('the prices of the list alone are enough after a while', async () => {
  const { frame, shownAfter } = await page(new Promise(() => {}));
  frame();
  expect(await shownAfter(200)).toBe(false);
  expect(await shownAfter(100)).toBe(true);
});
