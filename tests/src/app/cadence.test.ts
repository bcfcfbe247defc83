import { expect, test } from 'vitest';
import { fastestPace, type Pace, paceFor } from '../../../src/app/cadence';

/** The pace that results when each frame costs the same. */
function settled(cost: number, from: Pace, least: Pace): Pace {
  let pace = from;
  for (let i = 0; i < 10; i++) pace = paceFor(cost, pace, least);
  return pace;
}

test('cheap frames come every 50 ms, expensive ones less often', () => {
  expect(settled(2.5, 50, 50)).toBe(50);
  expect(settled(15, 50, 50)).toBe(100);
  expect(settled(40, 50, 50)).toBe(200);
  expect(settled(1000, 50, 50)).toBe(200);
});

test('a device that has recovered speeds up again, up to the fastest pace allowed', () => {
  expect(settled(2.5, 200, 50)).toBe(50);
  expect(settled(2.5, 200, 100)).toBe(100);
});

test('a cost between two paces does not make the pace alternate', () => {
  for (let cost = 0; cost < 60; cost += 0.5) {
    for (const from of [50, 100, 200] as const) {
      const pace = settled(cost, from, 50);
      expect(paceFor(cost, pace, 50)).toBe(pace);
    }
  }
});

test('a device with little memory, or with few cores and not much memory, is slower', () => {
  expect(fastestPace({})).toBe(50);
  expect(fastestPace({ deviceMemory: 8, hardwareConcurrency: 2 })).toBe(50);
  expect(fastestPace({ deviceMemory: 2, hardwareConcurrency: 8 })).toBe(100);
  expect(fastestPace({ deviceMemory: 4, hardwareConcurrency: 2 })).toBe(100);
});
