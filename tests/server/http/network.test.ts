import { describe, expect, it } from 'vitest';
import { networkOf } from '../../../server/http/network';

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
