import { expect, it } from 'vitest';
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
