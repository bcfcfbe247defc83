import { beforeEach, describe, expect, it } from 'vitest';
import { createSteadyTime } from '#domain/core/steadyTime';
import { toUnixMs, type UnixMs } from '#domain/core/time';

describe('a time that is not set back', () => {
  const HOUR = 3_600_000;
  let wall: number;
  let stopwatch: number;
  let now: () => UnixMs;
  const pass = (ms: number) => {
    wall += ms;
    stopwatch += ms;
  };
  beforeEach(() => {
    wall = 1_700_000_000_000;
    stopwatch = 5;
    now = createSteadyTime(
      () => toUnixMs(wall),
      () => stopwatch,
    );
  });

  it('is the wall clock, also after a sleep in which the monotonic clock stood still', () => {
    pass(1000);
    expect(now()).toBe(wall);
    wall += HOUR;
    expect(now()).toBe(wall);
  });

  it('goes on when the wall clock is set back, and counts a sleep after that', () => {
    pass(1000);
    const before = now();
    wall -= HOUR;
    pass(20);
    expect(now()).toBe(before + 20);
    wall += 60_000;
    expect(now()).toBe(before + 60_020);
    wall -= HOUR;
    expect(now()).toBe(before + 60_020);
  });

  it('does not run faster by clocks that are rounded', () => {
    const rounded = createSteadyTime(
      () => toUnixMs(Math.floor(wall / 100) * 100),
      () => Math.floor((stopwatch + 50) / 100) * 100,
    );
    for (let i = 0; i < 10_000; i++) {
      pass(7);
      rounded();
    }
    expect(Math.abs(rounded() - wall)).toBeLessThanOrEqual(100);
  });
});
