import { describe, expect, it } from 'vitest';
import { toUnixMs } from '#domain/core/time';
import { FailureBackoff, Quota } from '../../../../server/account/limits/counters';

it('keeps a bounded number of entries', () => {
  const slowdown = new FailureBackoff(1, () => toUnixMs(0));
  const quota = new Quota(1, () => toUnixMs(0));
  for (let i = 0; i < 60_000; i++) {
    slowdown.begin(`k${i}`);
    quota.take(`k${i}`);
  }
  expect(slowdown.count('k59999')).toBe(1);
  expect(quota.take('k59999')).toBeGreaterThan(0);
  expect(slowdown.count('k0')).toBe(0);
  expect(quota.take('k0')).toBe(0);
});

describe('a successful attempt', () => {
  const HOUR = 3_600_000;
  let time = 0;
  const backoff = () => new FailureBackoff(1, () => toUnixMs(time));
  const fail = (failures: FailureBackoff) => failures.begin('k')(true);

  it('does not keep the failures before it alive', () => {
    const failures = backoff();
    fail(failures);
    for (let minutes = 0; minutes < 59; minutes++) {
      time += HOUR / 60;
      failures.begin('k')(false);
    }
    expect(failures.count('k')).toBe(1);
    time += HOUR / 60;
    expect(failures.count('k')).toBe(0);
  });

  it.each([
    ['in order', [0, 1]],
    ['the later one first', [1, 0]],
  ])('does not start a wait again, also beside another one: %s', (_how, order) => {
    const failures = backoff();
    for (let i = 0; i < 4; i++) fail(failures);
    time += 3_000;
    const ends = [failures.begin('k')];
    time += 1_000;
    ends.push(failures.begin('k'));
    expect(failures.wait('k')).toBe(32_000);
    for (const index of order) ends[index]?.(false);
    expect(failures.wait('k')).toBe(4_000);
  });

  it('leaves a failure beside it as it is', () => {
    const failures = backoff();
    const right = failures.begin('k');
    time += 500;
    const wrong = failures.begin('k');
    time += 500;
    wrong(true);
    right(false);
    expect(failures.count('k')).toBe(1);
    expect(failures.wait('k')).toBe(500);
  });
});
