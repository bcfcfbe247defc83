import { expect, it } from 'vitest';
import { timeAfter, toDurationMs } from '#domain/core/time';
import { SteadyClock } from '../../../server/core/steadyClock';
import { FakeClock } from '../support/fakeClock';

const HOUR = 3_600_000;

it('is the system’s clock, also after that is set forward', () => {
  const system = new FakeClock();
  const clock = new SteadyClock(system);
  for (const ms of [0, 1, 999, HOUR]) {
    system.pass(ms);
    expect(clock.now()).toBe(system.now());
  }
  system.jump(HOUR);
  expect(clock.now()).toBe(system.now());
  expect(clock.lead).toBe(0);
});

it('runs a tenth slower after the system’s clock is set back, until that has caught up', () => {
  const system = new FakeClock();
  const clock = new SteadyClock(system);
  const start = clock.now();
  system.setBack(3000);
  expect(clock.now()).toBe(start);
  let last = start;
  for (let second = 1; second <= 30; second++) {
    system.pass(1000);
    const now = clock.now();
    expect(now - last).toBeGreaterThanOrEqual(899);
    expect(now - last).toBeLessThanOrEqual(901);
    last = now;
  }
  expect(clock.lead).toBe(0);
  system.pass(1000);
  expect(clock.now()).toBe(last + 1000);
});

it('is never before the time that an earlier process stored', () => {
  const system = new FakeClock();
  const stored = timeAfter(system.now(), toDurationMs(HOUR));
  const clock = new SteadyClock(system, stored);
  expect(clock.now()).toBe(stored);
  system.pass(1000);
  expect(clock.now()).toBe(stored + 900);
  expect(clock.lead).toBe(HOUR - 100);
});
