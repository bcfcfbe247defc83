import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { baseAddress, withDomain } from '../../../workers/http/baseAddress';

const table: [origin: string, title: string, fallbackHost: string, http: string, ws: string][] = [
  [
    'https://m.example.com',
    'Fulcrum',
    '',
    'https://api.example.com',
    'wss://api.example.com/v1/ws',
  ],
  [
    'https://www.example.com:8443',
    'Fulcrum',
    'f.test',
    'https://api.example.com:8443',
    'wss://api.example.com:8443/v1/ws',
  ],
  ['https://a.b.example.com', '', '', 'https://api.b.example.com', 'wss://api.b.example.com/v1/ws'],
  ['http://m.example.com', '', '', 'http://api.example.com', 'ws://api.example.com/v1/ws'],
  ['https://m.example.com', 'DEMO', 'f.test', 'https://m.example.com', 'wss://m.example.com/v1/ws'],
  [
    'https://m.example.com',
    'DEMO account',
    '',
    'https://api.example.com',
    'wss://api.example.com/v1/ws',
  ],
  ['http://localhost:3000', 'Fulcrum', '', 'http://localhost:3000', 'ws://localhost:3000/v1/ws'],
  ['http://localhost:3000', 'Fulcrum', 'api.test', 'http://api.test', 'ws://api.test/v1/ws'],
  [
    'http://localhost:3000',
    'DEMO',
    'api.test',
    'http://localhost:3000',
    'ws://localhost:3000/v1/ws',
  ],
  ['https://trading', '', '', 'https://trading', 'wss://trading/v1/ws'],
  [
    'https://trading',
    '',
    'https://api.test:444/x',
    'https://api.test:444',
    'wss://api.test:444/v1/ws',
  ],
  ['https://example.com', '', '', 'https://example.com', 'wss://example.com/v1/ws'],
  ['http://192.168.1.20:3000', '', '', 'http://192.168.1.20:3000', 'ws://192.168.1.20:3000/v1/ws'],
  ['http://192.168.1.20:3000', '', '10.0.0.1:9', 'http://10.0.0.1:9', 'ws://10.0.0.1:9/v1/ws'],
  ['http://[::1]:3000', '', '', 'http://[::1]:3000', 'ws://[::1]:3000/v1/ws'],
  [
    'http://localhost:3000',
    '',
    'javascript:alert(1)',
    'http://localhost:3000',
    'ws://localhost:3000/v1/ws',
  ],
  ['http://localhost:3000', '', 'a b', 'http://localhost:3000', 'ws://localhost:3000/v1/ws'],
];

describe('the base address (protocol.md#base-address)', () => {
  it.each(table)('%s, title %j, fallback %j: %s', async (origin, title, fallbackHost, http, ws) => {
    const page = await withDomain({ origin, title, fallbackHost, domains: [] });
    expect(baseAddress(page)).toEqual({ http, ws });
  });

  const SUFFIXES = ['co.uk', 'com.hk', 'github.io', 'pages.dev', 'vercel.app', 'anything.ck'];
  const label = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/).filter((text) => text !== 'www');

  it.each(SUFFIXES)('a host right below %s has no sibling, one below that has', async (suffix) => {
    const asked = async (host: string, domains: string[]) => {
      const page = { origin: `https://${host}`, title: '', fallbackHost: '', domains };
      return baseAddress(await withDomain(page)).http;
    };
    await fc.assert(
      fc.asyncProperty(label, label, async (own, first) => {
        const domain = `${own}.${suffix}`;
        for (const written of [[], [domain]]) {
          expect(await asked(domain, written)).toBe(`https://${domain}`);
          expect(await asked(`${first}.${domain}`, written)).toBe(`https://api.${domain}`);
        }
      }),
    );
  });

  it('asks no sibling of a host that nothing has proved', () => {
    const page = { origin: 'https://m.example.com', title: '', fallbackHost: '', domains: [] };
    expect(baseAddress(page).http).toBe('https://m.example.com');
  });
});
