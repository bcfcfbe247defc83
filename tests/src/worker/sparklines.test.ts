import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { success } from '#domain/core/result';
import { ownCopy } from '../ownCopy';
import { scriptWorkerApi } from '../scriptedWorkerApi';

const { watchSparkline } = await ownCopy<typeof import('../../../src/worker/sparklines')>(
  '/src/worker/sparklines.ts',
);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const closes = Float32Array.of(1, 2, 3);

function answering() {
  const { scripted } = scriptWorkerApi();
  const asked: number[][] = [];
  scripted.sparklines = async (ids) => {
    asked.push([...ids]);
    return success(Object.fromEntries(ids.map((id) => [id, closes])));
  };
  return asked;
}

const later = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test('rows that come into sight together ask once; one that passes by asks for nothing', async () => {
  const asked = answering();
  const stops = [101, 102].map((id) => watchSparkline(id, () => undefined));
  watchSparkline(103, () => undefined)();
  await later(1000);
  expect(asked).toEqual([[101, 102]]);
  for (const stop of stops) stop();
});

test('a row that comes back shows its chart at once, and asks again after a minute', async () => {
  const asked = answering();
  watchSparkline(104, () => undefined);
  await later(1000);
  const stop = watchSparkline(105, () => undefined);
  await later(1000);
  stop();
  const painted: (Float32Array | undefined)[] = [];
  const paint = (next: Float32Array | undefined) => painted.push(next);
  const again = watchSparkline(105, paint);
  expect(painted).toEqual([closes]);
  await later(1000);
  expect(asked).toEqual([[104], [105]]);
  again();
  await later(60_000);
  asked.length = 0;
  watchSparkline(105, paint)();
  const last = watchSparkline(105, paint);
  await later(1000);
  expect(asked).toContainEqual([105]);
  last();
});
