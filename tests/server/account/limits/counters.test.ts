import { describe, expect, it } from 'vitest';
import { toUnixMs } from '#domain/core/time';
import { FailureBackoff, HourlyQuota, networkOf } from '../../../../server/account/limits/counters';

describe('a network', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['::1:2', '0:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['2001:db8:1:2:3::', '2001:db8:1:2'],
    ['127.0.0.1', undefined],
    ['127.8.8.8', undefined],
    ['::1', undefined],
    ['::ffff:127.0.0.1', undefined],
  ])('of %s is %s', (address, network) => expect(networkOf(address)).toBe(network));
});

it('keeps a bounded number of entries', () => {
  const slowdown = new FailureBackoff(1, () => toUnixMs(0));
  const quota = new HourlyQuota(1, () => toUnixMs(0));
  for (let i = 0; i < 60_000; i++) {
    slowdown.begin(`k${i}`);
    quota.take(`k${i}`);
  }
  expect(slowdown.count('k59999')).toBe(1);
  expect(quota.take('k59999')).toBeGreaterThan(0);
  expect(slowdown.count('k0')).toBe(0);
  expect(quota.take('k0')).toBe(0);
});
