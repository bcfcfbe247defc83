import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import { afterEach, describe, expect, it } from 'vitest';
import { call } from '#domain/api/call';
import { Proxies } from '../../../server/http/proxies';
import { route } from '../../../server/http/route';
import { originOf } from '../../../server/uploads/routes';
import { send, serve } from './testHttp';

let app: FastifyInstance;
let url: string;
let warnings: string[];
afterEach(() => app.close());

/** A server on loopback that answers how it understood the request. */
async function start(trusted: string[], requestsPerMinute = 0): Promise<void> {
  warnings = [];
  const log = { info() {}, warn: (text: string) => warnings.push(text), error() {} };
  const options = { proxies: new Proxies(trusted, log), requestsPerMinute };
  ({ app, url } = await serve((server) => {
    const fields = { access: 'public', params: {}, answer: v.unknown() } as const;
    const look = call({ ...fields, method: 'GET', path: '/look', effect: 'reads' });
    const change = call({
      ...fields,
      method: 'POST',
      body: 'json',
      path: '/change',
      effect: 'changes',
    });
    route(server, look, {
      handler: ({ request }) => ({
        counted: request.countedAddress,
        ip: request.ip,
        origin: originOf(request),
      }),
    });
    route(server, change, { handler: () => null });
  }, options));
}

const look = async (headers: Record<string, string>) =>
  JSON.parse((await send(`${url}/look`, { headers })).text).data;

describe('behind a declared proxy', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.8:40000', '203.0.113.8'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['10.0.0.9, 203.0.113.7:1', '203.0.113.7'],
    ['203.0.113.7:1, 127.0.0.2:5', '203.0.113.7'],
    ['127.0.0.3:4, 127.0.0.2:5', '127.0.0.3'],
    ['nonsense', 'unknown'],
  ])('limits use the client that %j names, without its port', async (given, counted) => {
    await start(['loopback']);
    expect((await look({ 'x-forwarded-for': given })).counted).toBe(counted);
  });

  it('a client that changes its port is one client', async () => {
    await start(['loopback'], 2);
    const status = async (port: number) =>
      (await send(`${url}/look`, { headers: { 'x-forwarded-for': `203.0.113.8:${port}` } })).status;
    expect([await status(40_000), await status(40_001), await status(40_002)]).toEqual([
      200, 200, 429,
    ]);
  });
});

describe('behind a proxy on this machine that is not declared', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['10.0.0.1, 203.0.113.7', '203.0.113.7'],
    ['203.0.113.7:50123', '203.0.113.7'],
    ['[2001:db8::1]:50123', '2001:db8::1'],
    ['2001:db8::1', '2001:db8::1'],
    ['nonsense', 'unknown'],
    ['', 'unknown'],
  ])('limits use the last address of %j, and nothing else does', async (given, counted) => {
    await start([]);
    const headers = {
      host: 'api.example.com',
      'x-forwarded-for': given,
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
    };
    expect(await look(headers)).toEqual({
      counted,
      ip: '127.0.0.1',
      origin: 'http://api.example.com',
    });
  });

  it('warns once', async () => {
    await start([]);
    await look({});
    expect(warnings).toEqual([]);
    await look({ 'x-forwarded-for': '203.0.113.7' });
    await look({ 'x-forwarded-for': '203.0.113.8' });
    expect(warnings).toEqual([expect.stringMatching(/^WARNING: .*--trust-proxy loopback/)]);
  });

  it('limits the requests of a client, and of no other', async () => {
    await start([], 20);
    const from = (address: string) =>
      send(`${url}/look`, { headers: { 'x-forwarded-for': address } });
    for (let i = 0; i < 20; i++) expect((await from('203.0.113.5')).status).toBe(200);
    expect((await from('203.0.113.5')).status).toBe(429);
    expect((await from('203.0.113.6')).status).toBe(200);
    expect((await send(`${url}/look`)).status).toBe(200);
  });

  it('does not use its host', async () => {
    await start([]);
    const { text } = await send(`${url}/change`, {
      method: 'POST',
      headers: {
        origin: 'https://evil.example',
        'sec-fetch-site': 'cross-site',
        'x-forwarded-host': 'evil.example',
        'x-forwarded-for': '203.0.113.7',
      },
    });
    expect(JSON.parse(text).code).toBe(403);
  });
});

describe('behind a declared proxy', () => {
  it('uses the address that it adds, and none before that', async () => {
    await start(['loopback']);
    const headers = {
      host: 'internal',
      'x-forwarded-for': '10.0.0.1, 203.0.113.7',
      'x-forwarded-host': 'm.example.com',
      'x-forwarded-proto': 'https',
    };
    expect(await look(headers)).toEqual({
      counted: '203.0.113.7',
      ip: '203.0.113.7',
      origin: 'https://m.example.com',
    });
    const { text } = await send(`${url}/change`, {
      method: 'POST',
      headers: { ...headers, origin: 'https://m.example.com', 'sec-fetch-site': 'cross-site' },
    });
    expect(JSON.parse(text).code).toBe(1);
    expect(warnings).toEqual([]);
  });

  it('counts 64 bits of an IPv6 address as one client', async () => {
    await start(['loopback'], 20);
    const from = (host: number) =>
      send(`${url}/look`, { headers: { 'x-forwarded-for': `2001:db8:1:2::${host}` } });
    for (let i = 0; i < 20; i++) expect((await from(i)).status).toBe(200);
    expect((await from(99)).status).toBe(429);
  });
});

it('another peer is counted by its own address, whatever its header says', () => {
  const proxies = new Proxies(['10.0.0.1'], console);
  const request = (remoteAddress: string) =>
    ({ socket: { remoteAddress }, headers: { 'x-forwarded-for': '198.51.100.1' } }) as never;
  expect(proxies.countedAddress(request('203.0.113.9'))).toBe('203.0.113.9');
  expect(proxies.countedAddress(request('10.0.0.1'))).toBe('198.51.100.1');
});
