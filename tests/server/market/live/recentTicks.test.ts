import { expect, it } from 'vitest';
import { toUnixMs } from '#domain/core/time';
import { RecentTicks } from '../../../../server/market/live/recentTicks';

const tick = (time: number, price: number) => ({
  instrumentId: 1,
  time: toUnixMs(time),
  price,
  volume: 1,
});

it('knows the range of the ticks after one moment and before another', () => {
  const ticks = new RecentTicks();
  const range = (since: number, until: number) => ticks.range(toUnixMs(since), toUnixMs(until));
  expect(range(0, 9_000)).toBeUndefined();
  for (const [time, price] of [
    [1_000, 5],
    [2_000, 9],
    [2_000, 3],
    [3_000, 4],
  ] as const) {
    ticks.add(tick(time, price));
  }
  expect(range(0, 9_000)).toEqual({ low: 3, high: 9 });
  expect(range(1_000, 3_000)).toEqual({ low: 3, high: 9 });
  expect(range(2_000, 3_001)).toEqual({ low: 4, high: 4 });
  expect(range(2_000, 3_000)).toBeUndefined();
});

it('keeps those of the last minutes, and not all', () => {
  const ticks = new RecentTicks();
  for (let second = 0; second < 3_600; second++) ticks.add(tick(second * 1_000, 1_000 + second));
  const end = toUnixMs(3_600_000);
  expect(ticks.range(toUnixMs(3_500_000), end)).toEqual({ low: 4_501, high: 4_599 });
  const { low = 0 } = ticks.range(toUnixMs(0), end) ?? {};
  expect(low).toBeGreaterThan(4_000);
  expect(low).toBeLessThan(4_500);
});
