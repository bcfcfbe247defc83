import { once } from 'node:events';
import { connect } from 'node:net';
import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '#domain/api/call';
import { nothing } from '#domain/api/fields';
import { TooManyRequests } from '../../server/http/refusal';
import { route } from '../../server/http/route';
import { type Answer, send, serve } from '../server/http/testHttp';
import { FakeClock } from '../server/support/fakeClock';
import { PATIENT } from '../server/support/patient';
import { PASSWORD, type TestServer } from '../server/support/testServer';
import { ask, endpoints, startServer, validParams } from './calls';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

/** What the policy of every answer must restrict (tests/server/http/security.test.ts has the whole policy). */
function expectClosed(headers: Record<string, unknown>): void {
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-site',
    'cross-origin-opener-policy': 'same-origin',
  });
  const policy = String(headers['content-security-policy']);
  for (const part of ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'"]) {
    expect(policy.split(';')).toContain(part);
  }
  // Without a script-src of its own, a policy has its default-src for scripts: none.
  expect(policy).toMatch(/script-src 'self'|^(?!.*script-src)/);
  expect(policy).toMatch(/form-action '(self|none)'/);
  expect(policy).not.toMatch(/unsafe|nonce|\*/);
  expect(headers['server']).toBeUndefined();
  expect(headers['x-powered-by']).toBeUndefined();
}

describe('content policy and framing', () => {
  it.each(endpoints)('of %s', async (_name, endpoint) => {
    const asked: Record<string, string>[] = [
      {},
      { 'sec-purpose': 'prefetch' },
      { origin: 'https://evil.example' },
    ];
    for (const headers of asked) {
      const answer = await ask(server, endpoint, validParams(endpoint), headers);
      expectClosed(answer.headers);
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  it.each(['/', '/nothing', '/api/nothing', '/%zz', '/api/common/picture/x'])(
    'of %s',
    async (path) => {
      expectClosed((await send(server.url + path)).headers);
    },
  );
});

describe('the headers of an answer that a handler never saw', () => {
  const clock = new FakeClock();
  let bare: { url: string; app: FastifyInstance };
  beforeAll(async () => {
    const fields = {
      access: 'public',
      effect: 'reads',
      params: { text: v.optional(v.string(), '') },
      answer: nothing,
    } as const;
    const thrown: [string, unknown][] = [
      ['busy', new TooManyRequests(1)],
      ['broken', new Error('on purpose')],
      ['unavailable', Object.assign(new Error('on purpose'), { statusCode: 503 })],
    ];
    bare = await serve(
      (app) => {
        for (const [name, error] of thrown) {
          const path = `/api/${name}`;
          const handler = () => {
            throw error;
          };
          route(app, call({ ...fields, method: 'GET', path }), { handler });
        }
        const path = '/api/write';
        const write = call({ ...fields, method: 'POST', body: 'json', path });
        route(app, write, { handler: () => null });
      },
      { clock, requestsPerMinute: 3, trustProxy: ['loopback'] },
    );
  });
  afterAll(() => bare.app.close());

  /** Sends bytes and reads the answer. */
  async function sendRaw(
    text: string,
    then = async () => {},
  ): Promise<Pick<Answer, 'headers' | 'status'>> {
    const { hostname, port } = new URL(bare.url);
    const client = connect(Number(port), hostname);
    let answer = '';
    client.on('data', (chunk) => {
      answer += chunk;
    });
    const ended = once(client, 'close');
    client.write(text);
    await then();
    await ended;
    const [first = '', ...lines] = answer.split('\r\n\r\n')[0]?.split('\r\n') ?? [];
    const headers = lines.map((line) => line.split(/: (.*)/, 2) as [string, string]);
    return {
      status: Number(first.split(' ')[1]),
      headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
    };
  }

  const post = (headers: Record<string, string>, body = '{}') =>
    send(`${bare.url}/api/write`, { method: 'POST', headers, body });
  const get = (path: string, headers: Record<string, string> = {}) =>
    send(bare.url + path, { headers });
  const flood = async (path: string) => {
    const forwarded = { 'x-forwarded-for': path === '/' ? '203.0.113.1' : '203.0.113.2' };
    for (let n = 0; n < 3; n++) await get(path, forwarded);
    return get(path, forwarded);
  };
  const JSON_TYPE = { 'content-type': 'application/json' };
  const HEAD = 'Host: x\r\nConnection: close\r\n';

  const asked: [number, string, () => Promise<Pick<Answer, 'headers' | 'status'>>][] = [
    [400, 'bytes that are not HTTP', () => sendRaw('nonsense\r\n\r\n')],
    [404, 'an unknown path', () => get('/nothing')],
    [404, 'a request without a host', () => sendRaw('GET / HTTP/1.1\r\nConnection: close\r\n\r\n')],
    [
      404,
      'a websocket elsewhere',
      () => sendRaw(`GET /x HTTP/1.1\r\n${HEAD}Upgrade: websocket\r\n\r\n`),
    ],
    [
      408,
      'a slow body',
      () =>
        sendRaw(
          `POST /api/write HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{`,
          async () => {
            await expect.poll(() => clock.awaited, PATIENT).toBe(true);
            clock.pass(30_000);
          },
        ),
    ],
    [413, 'a body too large', () => post(JSON_TYPE, 'x'.repeat(70_000))],
    [415, 'a compressed body', () => post({ ...JSON_TYPE, 'content-encoding': 'gzip' })],
    [417, 'an Expect', () => sendRaw(`GET / HTTP/1.1\r\n${HEAD}Expect: cake\r\n\r\n`)],
    [429, 'too many requests', () => flood('/api/broken')],
    [429, 'too many requests for unknown paths', () => flood('/')],
    [429, 'a limit of its own', () => get('/api/busy')],
    [
      431,
      'a head too large',
      () => sendRaw(`GET / HTTP/1.1\r\n${HEAD}X: ${'x'.repeat(70_000)}\r\n\r\n`),
    ],
    [500, 'a fault', () => get('/api/broken')],
    [503, 'a failing database', () => get('/api/unavailable')],
  ];
  it.each(asked)('%i: %s', async (status, _name, answer) => {
    const { headers, ...given } = await answer();
    expect(given.status).toBe(status);
    expectClosed(headers);
    expect(headers['cache-control']).toBe('no-store');
  });

  it('428: a captcha', async () => {
    const answer = await send(`${server.url}/api/user/loginForU`, {
      method: 'POST',
      headers: JSON_TYPE,
      body: JSON.stringify({
        account: 'a@example.com',
        password: PASSWORD,
        login_type: 'email',
        captcha_id: 'x',
        captcha_text: 'x',
      }),
    });
    expect(JSON.parse(answer.text).code).toBe(428);
    expectClosed(answer.headers);
  });

  it('503: a server that stops', async () => {
    const { hostname, port } = new URL(bare.url);
    const client = connect(Number(port), hostname);
    await once(client, 'connect');
    const closing = bare.app.close();
    const [answer] = (await Promise.all([
      once(client, 'data'),
      client.write(`GET / HTTP/1.1\r\nHost: x\r\n\r\n`),
    ])) as [[Buffer], boolean];
    const text = answer[0].toString();
    expect(text).toMatch(/^HTTP\/1.1 503/);
    for (const name of ['content-security-policy', 'x-frame-options', 'referrer-policy']) {
      expect(text.toLowerCase()).toContain(`\r\n${name}: `);
    }
    await closing;
  });
});
