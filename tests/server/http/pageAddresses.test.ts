import { describe, expect, it } from 'vitest';
import { pageAddresses } from '../../../server/http/pageAddresses';
import { qrCode } from '../../../server/http/qrCode';

const address = (family: 'IPv4' | 'IPv6', name: string, internal = false) =>
  ({ family, address: name, internal, netmask: '', mac: '', cidr: null, scopeid: 0 }) as never;

const interfaces = {
  lo: [address('IPv4', '127.0.0.1', true), address('IPv6', '::1', true)],
  wlan0: [address('IPv4', '192.0.2.7'), address('IPv6', 'fe80::1')],
  gone: undefined,
};

describe('the addresses of the page', () => {
  it.each([
    ['127.0.0.1', 'http://localhost:3000', []],
    ['localhost', 'http://localhost:3000', []],
    ['::1', 'http://[::1]:3000', []],
    ['::', 'http://localhost:3000', ['http://192.0.2.7:3000']],
    ['0.0.0.0', 'http://localhost:3000', ['http://192.0.2.7:3000']],
    ['192.0.2.7', 'http://192.0.2.7:3000', ['http://192.0.2.7:3000']],
    ['2001:db8::7', 'http://[2001:db8::7]:3000', ['http://[2001:db8::7]:3000']],
  ])('of a server on %s', (host, own, network) => {
    expect(pageAddresses(host, 3000, interfaces)).toEqual({ own, network });
  });
});

it('draws a QR code in the same colours on every terminal', () => {
  const lines = qrCode('http://192.0.2.7:3000').split('\n');
  // 25 modules and a border of two, two modules to a line.
  expect(lines).toHaveLength(15);
  for (const line of lines) {
    expect(line).toHaveLength('\x1b[97;40m'.length + 29 + '\x1b[0m'.length);
    expect(line.startsWith('\x1b[97;40m') && line.endsWith('\x1b[0m')).toBe(true);
  }
});
