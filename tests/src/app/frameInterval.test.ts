import { expect, test } from 'vitest';
import {
  type FrameInterval,
  frameIntervalFor,
  shortestFrameInterval,
} from '../../../src/app/useFrameInterval';

/** The frame interval that results when each frame costs the same. */
function settled(cost: number, from: FrameInterval, least: FrameInterval): FrameInterval {
  let frameInterval = from;
  for (let i = 0; i < 10; i++) frameInterval = frameIntervalFor(cost, frameInterval, least);
  return frameInterval;
}

test('cheap frames come every 50 ms, expensive ones less often', () => {
  expect(settled(2.5, 50, 50)).toBe(50);
  expect(settled(15, 50, 50)).toBe(100);
  expect(settled(40, 50, 50)).toBe(200);
  expect(settled(1000, 50, 50)).toBe(200);
});

test('a device that has recovered speeds up again, up to the shortest interval allowed', () => {
  expect(settled(2.5, 200, 50)).toBe(50);
  expect(settled(2.5, 200, 100)).toBe(100);
});

test('a cost between two intervals does not make them alternate', () => {
  for (let cost = 0; cost < 60; cost += 0.5) {
    for (const from of [50, 100, 200] as const) {
      const frameInterval = settled(cost, from, 50);
      expect(frameIntervalFor(cost, frameInterval, 50)).toBe(frameInterval);
    }
  }
});

test('a device with little memory, or with few cores and not much memory, is slower', () => {
  expect(shortestFrameInterval({})).toBe(50);
  expect(shortestFrameInterval({ deviceMemory: 8, hardwareConcurrency: 2 })).toBe(50);
  expect(shortestFrameInterval({ deviceMemory: 2, hardwareConcurrency: 8 })).toBe(100);
  expect(shortestFrameInterval({ deviceMemory: 4, hardwareConcurrency: 2 })).toBe(100);
});
