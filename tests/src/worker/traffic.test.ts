import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Rates, watchRates } from '../../../src/worker/traffic';
import { type AsyncWorkerApi, setWorkerApi } from '../../../src/worker/workerApi';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A fake worker with a number of messages before and per second. */
function worker(before: number, aSecond: number): AsyncWorkerApi {
  const began = performance.now();
  const traffic = async () => {
    const messages = before + ((performance.now() - began) / 1000) * aSecond;
    return { messages, characters: messages * 100, busyMs: messages };
  };
  return { traffic } as Partial<AsyncWorkerApi> as AsyncWorkerApi;
}

test('rates are of one worker, also after it is replaced by another', async () => {
  setWorkerApi(worker(100_000, 20));
  const reported: Rates[] = [];
  const stop = watchRates(true, (rates) => reported.push(rates));
  await vi.advanceTimersByTimeAsync(5000);
  setWorkerApi(worker(0, 50));
  await vi.advanceTimersByTimeAsync(5000);
  stop();
  const messages = reported.map(({ messagesPerSecond }) => Math.round(messagesPerSecond));
  expect(messages.slice(0, 4)).toEqual([20, 20, 20, 20]);
  expect(messages.at(-1)).toBe(50);
  expect(Math.min(...messages)).toBe(20);
});
