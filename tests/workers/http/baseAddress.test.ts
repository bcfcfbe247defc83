import { describe, expect, it } from 'vitest';
import { baseAddress } from '../../../workers/http/baseAddress';

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
  it.each(table)('%s, title %j, fallback %j: %s', (origin, title, fallbackHost, http, ws) => {
    expect(baseAddress({ origin, title, fallbackHost })).toEqual({ http, ws });
  });
});
