import { expect, test } from 'vitest';
import { FRAME_MS } from '#domain/worker/workerApi';
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

test('cheap frames come at the shortest interval, expensive ones less often', () => {
  expect(settled(2.5, FRAME_MS, FRAME_MS)).toBe(FRAME_MS);
  expect(settled(20, FRAME_MS, FRAME_MS)).toBe(100);
  expect(settled(40, FRAME_MS, FRAME_MS)).toBe(200);
  expect(settled(1000, FRAME_MS, FRAME_MS)).toBe(200);
});

test('a device that has recovered speeds up again, up to the shortest interval allowed', () => {
  expect(settled(2.5, 200, FRAME_MS)).toBe(FRAME_MS);
  expect(settled(2.5, 200, 100)).toBe(100);
});

test('a cost between two intervals does not make them alternate', () => {
  for (let cost = 0; cost < 60; cost += 0.5) {
    for (const from of [FRAME_MS, 100, 200] as const) {
      const frameInterval = settled(cost, from, FRAME_MS);
      expect(frameIntervalFor(cost, frameInterval, FRAME_MS)).toBe(frameInterval);
    }
  }
});

test('a device with little memory, or with few cores and not much memory, is slower', () => {
  expect(shortestFrameInterval({})).toBe(FRAME_MS);
  expect(shortestFrameInterval({ deviceMemory: 8, hardwareConcurrency: 2 })).toBe(FRAME_MS);
  expect(shortestFrameInterval({ deviceMemory: 2, hardwareConcurrency: 8 })).toBe(100);
  expect(shortestFrameInterval({ deviceMemory: 4, hardwareConcurrency: 2 })).toBe(100);
});
