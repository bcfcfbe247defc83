import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '#domain/api/call';
import { toUnixMs } from '#domain/core/time';
import type { FirstRows } from '#domain/market/firstRows';
import { route } from '../../../server/http/route';
import { originOf } from '../../../server/uploads/routes';
import { send, serve } from './testHttp';

const PAGE = 'https://m.example.com';
const SCRIPT = `console.log(${JSON.stringify('x'.repeat(2_000))})`;
/** The script that the build writes into the page. */
const BOOT = 'if (1 < 2) {\n  start();\n}';
const LIST = Array.from({ length: 500 }, (_, Id) => ({ Id, Code: 'EURUSD' }));

const FIRST_ROWS: FirstRows = {
  at: toUnixMs(1),
  rows: [
    {
      instrument: { id: 1, code: 'A', name: '</script><!--<script>', logo: '', precision: 2 },
      quote: { close: 2, open: 1, change: 100, time: toUnixMs(1), marketOpen: true },
    },
  ],
};

let url: string;
let app: FastifyInstance;
let directory: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'fulcrum-client-'));
  mkdirSync(join(directory, 'assets'));
  mkdirSync(join(directory, '.vite'));
  mkdirSync(join(directory, 'bench/results'), { recursive: true });
  writeFileSync(join(directory, 'bench/results/index.html'), '<h1>Results</h1>');
  const page = readFileSync('index.html', 'utf8');
  writeFileSync(
    join(directory, 'index.html'),
    page.replace('<script', `<script>${BOOT}</script><script`),
  );
  writeFileSync(join(directory, 'manifest.json'), '{"name":"Fulcrum"}');
  writeFileSync(join(directory, '.vite', 'manifest.json'), '{}');
  writeFileSync(join(directory, 'assets', 'gateway.worker-abc123.js'), SCRIPT);
  writeFileSync(
    join(directory, 'assets', 'gateway.worker-abc123.js.br'),
    brotliCompressSync(SCRIPT),
  );
  ({ url, app } = await serve(
    (server) => {
      const fields = { access: 'public', params: {}, answer: v.unknown() } as const;
      const get = (path: string) => call({ ...fields, method: 'GET', path, effect: 'reads' });
      const write = call({
        ...fields,
        method: 'POST',
        body: 'json',
        path: '/api/write',
        effect: 'changes',
      });
      route(server, get('/api/list'), { handler: () => LIST });
      route(server, get('/api/origin'), { handler: ({ request }) => originOf(request) });
      route(server, write, { handler: () => null });
      route(server, get('/api/broken'), {
        handler: () => {
          throw new Error('on purpose');
        },
      });
    },
    {
      origins: [PAGE, 'http://localhost:5173'],
      fallbackHost: 'api.fallback.example',
      complaintUrl: 'https://elsewhere.example/complaints?a="$1"',
      title: 'A <&> B',
      variant: ['main-site', 'desktop-host'],
      vitalsShare: 0.25,
      clientDirectory: directory,
      firstRows: () => FIRST_ROWS,
      requestsPerMinute: 20,
      trustProxy: ['loopback'],
    },
  ));
});
afterAll(async () => {
  await app.close();
  rmSync(directory, { recursive: true });
});

describe('the headers of every answer', () => {
  it.each([
    ['the page', 'GET', '/'],
    ['the script of the worker', 'GET', '/assets/gateway.worker-abc123.js'],
    ['a call', 'GET', '/api/list'],
    ['an unknown path', 'GET', '/nothing'],
    ['a malformed path', 'GET', '/%zz'],
    ['a fault', 'GET', '/api/broken'],
    ['a HEAD', 'HEAD', '/api/list'],
    ['a refusal', 'POST', '/api/write'],
  ])('%s', async (_name, method, path) => {
    const headers: Record<string, string> =
      path === '/api/write' ? { 'sec-purpose': 'prefetch' } : {};
    const answer = await send(url + path, { method, headers });
    expect(answer.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
    });
    const policy = String(answer.headers['content-security-policy']);
    const directives = new Map(
      policy.split(';').map((part) => {
        const [name = '', ...sources] = part.trim().split(/\s+/);
        return [name, sources];
      }),
    );
    expect(policy).not.toMatch(/unsafe|nonce|\*/);
    expect(Object.fromEntries(directives)).toMatchObject({
      'default-src': ["'none'"],
      // Besides its own files, the one script in the page.
      'script-src': ["'self'", `'sha256-${createHash('sha256').update(BOOT).digest('base64')}'`],
      'style-src': ["'self'"],
      'worker-src': ["'self'", 'blob:'],
      'img-src': [
        "'self'",
        'data:',
        'blob:',
        'https://m.example.com',
        'https://api.example.com',
        'http://localhost:5173',
        'https://api.fallback.example',
        'http://api.fallback.example',
      ],
      'frame-src': ['https:'],
      'require-trusted-types-for': ["'script'"],
      'trusted-types': ['fulcrum', 'dompurify'],
      'frame-ancestors': ["'none'"],
      'base-uri': ["'none'"],
    });
    const { host } = new URL(url);
    expect(directives.get('connect-src')).toEqual([
      "'self'",
      `ws://${host}`,
      `wss://${host}`,
      'https://m.example.com',
      'wss://m.example.com',
      'https://api.example.com',
      'wss://api.example.com',
      'http://localhost:5173',
      'ws://localhost:5173',
      'https://api.fallback.example',
      'wss://api.fallback.example',
      'http://api.fallback.example',
      'ws://api.fallback.example',
      'https://elsewhere.example',
    ]);
  });

  it.each(["x; script-src 'unsafe-inline'", 'a b', 'a,b', '*'])(
    'a Host of %j is not copied into the policy',
    async (host) => {
      const { headers } = await send(url, { headers: { host } });
      expect(headers['content-security-policy']).toContain("connect-src 'self'");
      expect(headers['content-security-policy']).not.toContain(host);
    },
  );
});

describe('cross-origin resource sharing', () => {
  const preflight = (origin: string) =>
    send(`${url}/api/list`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'lang,authorization,idempotency-key,content-type',
      },
    });

  it('allows configured origins, with the headers of the client', async () => {
    const { status, headers } = await preflight(PAGE);
    expect(status).toBe(204);
    expect(headers['access-control-allow-origin']).toBe(PAGE);
    expect(headers['access-control-allow-headers']).toBe(
      'lang, authorization, idempotency-key, content-type, x-request-id',
    );
    expect(headers['access-control-allow-methods']).toMatch(/GET.*POST/);
    const call = await send(`${url}/api/list`, { headers: { origin: PAGE } });
    expect(call.headers['access-control-allow-origin']).toBe(PAGE);
    expect(call.headers['vary']).toContain('Origin');
    expect(call.headers['access-control-allow-credentials']).toBeUndefined();
  });

  it.each(['https://evil.example', 'null', `${PAGE}.evil.example`, 'http://m.example.com'])(
    'refuses %s',
    async (origin) => {
      expect((await preflight(origin)).headers['access-control-allow-origin']).toBeUndefined();
      const call = await send(`${url}/api/list`, { headers: { origin } });
      expect(call.headers['access-control-allow-origin']).toBeUndefined();
    },
  );
});

describe('the built client', () => {
  it('is cached for ever if its name contains a hash, otherwise not at all', async () => {
    for (const path of ['/', '/index.html', '/manifest.json']) {
      const { status, headers } = await send(url + path);
      expect(status).toBe(200);
      expect(headers['cache-control']).toBe('no-cache');
    }
    const script = await send(`${url}/assets/gateway.worker-abc123.js`);
    expect(script.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(script.headers['content-type']).toMatch(/^(text|application)\/javascript/);
    expect(script.text).toBe(SCRIPT);
  });

  it('requires its version of other pages where the operator says so', async () => {
    const manifest = { clientDirectory: directory, requireLatest: true };
    const other = await serve(() => {}, manifest);
    for (const [base, required] of [
      [url, undefined],
      [other.url, true],
    ] as const) {
      const { headers, text } = await send(`${base}/manifest.json`);
      expect(headers['content-type']).toMatch(/^application\/json/);
      expect(headers['cache-control']).toBe('no-cache');
      expect(JSON.parse(text)).toEqual({ name: 'Fulcrum', required });
    }
    await other.app.close();
  });

  it.each(['/bench/results', '/bench/results/'])(
    'has the page of benchmark results at %s, whose files are beside it',
    async (address) => {
      const { status, headers } = await send(url + address);
      expect(status).toBe(302);
      expect((await send(url + address, { method: 'HEAD' })).status).toBe(302);
      const page = await send(new URL(String(headers['location']), url).href);
      expect(page.text).toBe('<h1>Results</h1>');
      expect(page.headers['cache-control']).toBe('no-cache');
    },
  );

  it('has the configured values in its head', async () => {
    const { text, headers } = await send(`${url}/`);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(text).toContain('<title>A &#60;&#38;&#62; B</title>');
    expect(text).toContain('<meta name="variant" content="main-site desktop-host" />');
    expect(text).toContain('<meta name="domains" content="example.com" />');
    expect(text).toContain('<meta name="fallback-host" content="api.fallback.example" />');
    expect(text).toContain(
      '<meta name="complaint-url" content="https://elsewhere.example/complaints?a=&#34;$1&#34;" />',
    );
    expect(text).toContain('<meta name="vitals-share" content="0.25" />');
    expect((await send(`${url}/index.html`)).text).toBe(text);
  });

  it('brings rows as data, which no text in them ends', async () => {
    const { text } = await send(`${url}/`);
    const [, data = ''] =
      /<script type="application\/json" id="first-rows">(.*?)<\/script>/.exec(text) ?? [];
    expect(JSON.parse(data)).toEqual(FIRST_ROWS);
    expect(text.trimEnd()).toMatch(/<\/body>\s*<\/html>$/);
  });

  it('is not sent again if it is unchanged', async () => {
    const { headers } = await send(`${url}/`);
    const again = await send(`${url}/`, {
      headers: { 'if-none-match': String(headers['etag']), 'accept-encoding': 'br' },
    });
    expect([again.status, again.text]).toEqual([304, '']);
    expect(again.headers['content-security-policy']).toBeDefined();
  });

  it('is sent as it was compressed by the build', async () => {
    const headers = { 'accept-encoding': 'br' };
    const script = await send(`${url}/assets/gateway.worker-abc123.js`, { headers });
    expect(script.headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(script.body).toString()).toBe(SCRIPT);
  });

  it.each([
    '/.vite/manifest.json',
    '/assets/',
    '/assets/nothing.js',
    '/../package.json',
    '/%2e%2e/package.json',
    '/..%2fpackage.json',
    '/assets/..%5c..%5cpackage.json',
    '/assets//gateway.worker-abc123.js',
    '/assets/gateway.worker-ABC123.js',
    '/assets',
    '/index.html/',
    '/INDEX.html',
    '/trade',
    '/api/x.js',
    '/v1/foo.html',
    '//api/list',
    '/api//list',
    '/api/list/',
    '/api%2flist',
    '/a%00b',
    '/%zz',
    `/${'a'.repeat(5_000)}`,
  ])('has nothing at %s', async (path) => {
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'QUERY']) {
      const { status, headers, text } = await send(url + path, { method, headers: { lang: 'en' } });
      expect([method, status]).toEqual([method, 404]);
      expect(headers['content-security-policy']).toBeDefined();
      expect(headers['cache-control']).toBe('no-store');
      if (method === 'HEAD') continue;
      expect(JSON.parse(text)).toEqual({ code: 404, msg: expect.any(String), data: null });
    }
  });
});

it.each([
  ['br', brotliDecompressSync],
  ['gzip', gunzipSync],
] as const)('a long answer is compressed with %s', async (encoding, decompress) => {
  const answer = await send(`${url}/api/list`, { headers: { 'accept-encoding': encoding } });
  expect(answer.headers['content-encoding']).toBe(encoding);
  expect(JSON.parse(decompress(answer.body).toString()).data).toEqual(LIST);
});

it.each([
  [{ 'x-forwarded-proto': 'https' }, 'https://api.example.com'],
  [{ 'x-forwarded-proto': 'https', 'x-forwarded-host': 'm.example.com' }, 'https://m.example.com'],
  [{}, 'http://api.example.com'],
  [{ 'x-forwarded-host': 'a b' }, ''],
] as const)(
  'addresses of pictures have the host and scheme that a proxy with %j was called by',
  async (forwarded, origin) => {
    const { text } = await send(`${url}/api/origin`, {
      headers: { host: 'api.example.com', ...forwarded },
    });
    expect(JSON.parse(text).data).toBe(origin);
  },
);

describe('the limit of requests', () => {
  const from = (address: string) =>
    send(`${url}/api/list`, { headers: { 'x-forwarded-for': address, lang: 'en' } });

  it('answers 429 only to the address that exceeds it', async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 21; i++) statuses.push((await from('203.0.113.5')).status);
    expect(statuses).toEqual([...Array(20).fill(200), 429]);
    const { headers, text } = await from('203.0.113.5');
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(JSON.parse(text)).toMatchObject({ code: 429, msg: /^Too many/, data: null });
    expect((await from('203.0.113.6')).status).toBe(200);
  });

  it('counts requests of unknown paths as well', async () => {
    const ask = (path: string) =>
      send(url + path, { headers: { 'x-forwarded-for': '203.0.113.8' } });
    for (let i = 0; i < 10; i++) {
      expect((await ask('/nothing')).status).toBe(404);
      expect((await ask('/api/list')).status).toBe(200);
    }
    expect((await ask('/nothing')).status).toBe(429);
    expect((await ask('/api/list')).status).toBe(429);
  });

  it('uses the address from the proxy, not the one that the client wrote', async () => {
    for (let i = 0; i < 20; i++) await from(`198.51.100.${i}, 203.0.113.7`);
    expect((await from('127.0.0.1, 203.0.113.7')).status).toBe(429);
  });

  it('does not count requests of the machine itself', async () => {
    for (let i = 0; i < 50; i++) expect((await send(`${url}/api/list`)).status).toBe(200);
  });
});
