import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { call } from '#domain/api/call';
import { id, ids, oneOf, optional, optionalDecimal, optionalText, page } from '#domain/api/params';
import { toText } from '#domain/core/decimal';
import { toUsd } from '#domain/core/units';
import { Confirmed } from '../../../server/http/envelope';
import { Refusal, TooManyRequests } from '../../../server/http/refusal';
import { route } from '../../../server/http/route';
import { send, serve } from './testHttp';

let url: string;
let app: FastifyInstance;
/** Requests that reached a handler. */
let handled: unknown[];

const callers = new Map([['good', { userId: 7, sessionId: 1, isDemo: true }]]);

beforeAll(async () => {
  ({ url, app } = await serve(
    (server) => {
      const fields = { access: 'public', effect: 'reads', answer: v.unknown() } as const;
      const get = (path: string) => call({ ...fields, method: 'GET', path, params: {} });
      const params = {
        id,
        page,
        type: optional(oneOf(1, 2), 1),
        amount: optionalDecimal(toUsd),
        name: optionalText(20),
        list: optional(ids(3), undefined),
      };
      const read = call({ ...fields, method: 'GET', path: '/read', params });
      const write = call({ ...fields, method: 'POST', body: 'form', path: '/write', params });
      const seen = (params: v.InferOutput<typeof read.params>) => {
        handled.push(params);
        return { ...params, amount: toText(params.amount) };
      };
      route(server, read, { handler: ({ params }) => seen(params) });
      route(server, write, { handler: ({ params }) => seen(params) });
      route(
        server,
        { ...get('/mine'), access: 'user' },
        { handler: ({ caller }) => handled.push(caller) && caller.userId },
      );
      route(
        server,
        { ...get('/change'), effect: 'changes' },
        { handler: () => handled.push('change') && null },
      );
      route(server, get('/refused'), {
        handler: () => {
          throw new Refusal(77, 'rules.lotsBelowMinimum', { min: '0.01' });
        },
      });
      route(server, get('/confirmed'), {
        handler: () => new Confirmed({ a: 1 }, 'server.stopping'),
      });
      route(server, get('/busy'), {
        handler: () => {
          throw new TooManyRequests(59.2);
        },
      });
      route(server, get('/broken'), {
        handler: () => {
          throw new Error('a secret');
        },
      });
    },
    { origins: ['https://m.example.com'] },
    async (token) => callers.get(token),
  ));
});
afterAll(() => app.close());
beforeEach(() => {
  handled = [];
});

const en = { lang: 'en' };
const get = async (path: string, headers: Record<string, string> = en) => {
  const { status, text, headers: answered } = await send(url + path, { headers });
  return { status, headers: answered, ...JSON.parse(text) };
};
const post = async (body: string, type: string) => {
  const headers = { ...en, 'content-type': type };
  const { status, text } = await send(`${url}/write`, { method: 'POST', headers, body });
  return { status, ...JSON.parse(text) };
};
const FORM = 'application/x-www-form-urlencoded';

describe('an envelope', () => {
  it('holds what a handler returns', async () => {
    expect(await get('/read?id=5&t=1700000000000&other=x')).toMatchObject({
      status: 200,
      code: 1,
      msg: '',
      data: { id: 5, page: 1, type: 1, amount: '0', name: '' },
      headers: { 'cache-control': 'no-store', 'content-type': 'application/json; charset=utf-8' },
    });
  });

  it('holds what stands for optional parameters that are empty', async () => {
    expect(await get('/read?id=5&page=&type=&amount=&name=&list=')).toMatchObject({
      code: 1,
      data: { id: 5, page: 1, type: 1, amount: '0', name: '' },
    });
  });

  it('holds a confirmation or a refusal in the requested language', async () => {
    expect(await get('/confirmed')).toMatchObject({ code: 1, data: { a: 1 }, msg: /restarting/ });
    expect(await get('/refused')).toMatchObject({
      status: 200,
      code: 77,
      msg: 'Minimum lots: 0.01',
      data: null,
    });
  });

  it.each([
    ['an unknown path', '/nothing', 404],
    ['a path that cannot be read', '/%zz', 404],
    ['too many requests', '/busy', 429],
    ['a fault', '/broken', 500],
  ])('reports %s', async (_name, path, status) => {
    const answer = await get(path);
    expect(answer).toMatchObject({ status, code: status, data: null });
    expect(answer.msg).not.toBe('');
    expect(answer.msg).not.toContain('secret');
    expect(answer.headers['retry-after']).toBe(status === 429 ? '60' : undefined);
  });

  it('reports a body that is too large', async () => {
    expect(await post(`id=1&name=${'x'.repeat(100_000)}`, FORM)).toMatchObject({
      status: 413,
      code: 413,
    });
  });
});

describe('a request that does not fit its schema', () => {
  it.each([
    '/read',
    '/read?id=',
    '/read?id=0',
    '/read?id=-1',
    '/read?id=%2B1',
    '/read?id=1.0',
    '/read?id=1e3',
    '/read?id=0x10',
    '/read?id=%201',
    '/read?id=1%20',
    '/read?id=%D9%A5',
    '/read?id=NaN',
    '/read?id=99999999999',
    '/read?id=2147483648',
    '/read?id=1&id=1',
    '/read?id[]=1',
    '/read?id=1&t=1&t=2',
    '/read?id=1&unknown=1&unknown=2',
    '/read?id=1&page=0',
    '/read?id=1&page=x',
    '/read?id=1&type=3',
    '/read?id=1&amount=1e5',
    '/read?id=1&amount=1,5',
    '/read?id=1&amount=.5',
    '/read?id=1&amount=Infinity',
    '/read?id=1&name=123456789012345678901',
    '/read?id=1&name=a%00b',
    '/read?id=1&list=,',
    '/read?id=1&list=1,2,3,4',
    '/read?id=1&list=1,,2',
  ])('%s is refused and reaches no handler', async (path) => {
    expect(await get(path)).toMatchObject({
      status: 200,
      code: 400,
      msg: /^The request is malformed/,
      data: null,
    });
    expect(handled).toEqual([]);
  });

  it.each([
    ['id=1&id=2', FORM],
    ['', FORM],
    ['{"id":', 'application/json'],
    ['', 'application/json'],
    ['[]', 'application/json'],
    ['[{"id":1}]', 'application/json'],
    ['5', 'application/json'],
    ['null', 'application/json'],
    ['"id=1"', 'application/json'],
    ['{"id":null}', 'application/json'],
    ['{"id":true}', 'application/json'],
    ['{"id":[1]}', 'application/json'],
    ['{"id":{"$gt":0}}', 'application/json'],
    ['{"id":1.5}', 'application/json'],
    ['{"id":1,"id":1}', 'application/json'],
    ['{"id":1,"page":2,"id":3}', 'application/json'],
    ['{"id":1,"\\u0069d":2}', 'application/json'],
    ['{"id":1, "id" \n\t:2}', 'application/json; charset=utf-8'],
    ['{"id":1,"unknown":1,"unknown":1}', 'application/json'],
    ['{"id":1,"more":[{"a":{},"a":1}]}', 'application/json'],
    ['{"id":1,"\\"":1,"\\"":2}', 'application/json'],
    ['{"id":1,"\\\\":1,"\\u005c":2}', 'application/json'],
    ['{"id":1,"":1,"":2}', 'application/json'],
    ['{"id":1,"__proto__":{"x":1}}', 'application/json'],
    ['{"id":1,"constructor":{"prototype":{"x":1}}}', 'application/json'],
    ['id=1', 'text/plain'],
    ['<id>1</id>', 'application/xml'],
    ['id=1', 'nonsense'],
  ])('body %j as %s is refused and reaches no handler', async (body, type) => {
    expect(await post(body, type)).toMatchObject({ status: 200, code: 400, data: null });
    expect(handled).toEqual([]);
  });
});

it.each([
  ['id=3&page=2&amount=1.50&list=1,2', FORM],
  ['{"id":3,"page":"2","amount":"1.50","list":"1,2"}', 'application/json'],
  ['{"id":"3","page":2,"amount":1.5,"list":"1,2"}', 'application/json; charset=utf-8'],
  ['id=3&page=2&amount=1.5&list=1,2&__proto__=x', FORM],
  ['{"id":3,"page":2,"amount":1.5,"list":"1,2","tags":[],"toString":[1]}', 'application/json'],
  // Texts that only look like a repeated key: values, other objects, quotes and braces in text.
  ['{"id":3,"page":2,"amount":1.5,"list":"1,2","name":"\\"id\\":{4}\\\\"}', 'application/json'],
  [
    '{"id":3,"page":2,"amount":1.5,"list":"1,2","a":"id","b":{"c":["id","id"]}}',
    'application/json',
  ],
  [
    '{"id":3,"a":{"id":1,"b":{"id":1}},"page":2,"amount":1.5,"list":"1,2","ID":4}',
    'application/json',
  ],
])('reads %s', async (body, type) => {
  expect(await post(body, type)).toMatchObject({
    code: 1,
    data: { id: 3, page: 2, amount: '1.5', list: [1, 2] },
  });
});

describe('a call that needs a login', () => {
  it.each([
    [{}],
    [{ authorization: '' }],
    [{ authorization: 'bad' }],
    [{ authorization: 'Bearer good' }],
    [{ cookie: 'authorization=good' }],
  ])('is refused with %j', async (headers) => {
    expect(
      await get('/mine?authorization=good&token=good', { ...en, ...headers } as never),
    ).toMatchObject({
      status: 200,
      code: 999,
      msg: 'Please log in',
    });
    expect(handled).toEqual([]);
  });

  it('is accepted with a bare token', async () => {
    expect(await get('/mine', { authorization: 'good' })).toMatchObject({ code: 1, data: 7 });
  });
});

describe('a call that changes something', () => {
  const foreign = { 'sec-fetch-site': 'cross-site' };
  it.each([
    [{ ...foreign }],
    [{ ...foreign, origin: 'https://evil.example' }],
    [{ ...foreign, origin: 'null' }],
    [{ origin: 'https://evil.example' }],
    [{ origin: 'null' }],
    [{ 'sec-fetch-mode': 'navigate' }],
    [{ 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }],
    [{ 'sec-purpose': 'prefetch' }],
    [{ 'sec-purpose': 'prefetch;prerender' }],
    [{ purpose: 'prefetch' }],
  ])('is refused with %j', async (headers) => {
    expect(await get('/change', { ...en, ...headers })).toMatchObject({ status: 200, code: 403 });
    expect(handled).toEqual([]);
  });

  it.each([
    [{}],
    [{ ...foreign, origin: 'https://m.example.com' }],
    [{ 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }],
    [{ 'sec-fetch-site': 'same-site', origin: 'https://m.example.com' }],
    [{ origin: 'https://m.example.com' }],
    [{ 'sec-fetch-site': 'same-origin', origin: 'https://hidden-by-a-proxy.example' }],
    [{ 'sec-fetch-dest': 'empty' }],
  ])('is accepted with %j', async (headers) => {
    expect(await get('/change', headers)).toMatchObject({ code: 1 });
  });

  it('leaves calls that only read open to every origin', async () => {
    expect(await get('/read?id=1', { 'sec-fetch-mode': 'navigate' })).toMatchObject({ code: 1 });
  });
});

it.each(
  ['image', 'script', 'style', 'iframe', 'object', 'audio', 'worker'].flatMap((destination) =>
    ['/read?id=1', '/change'].map((path) => [destination, path] as const),
  ),
)('is not fetched as %s: %s', async (destination, path) => {
  const headers = { ...en, 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': destination };
  expect(await get(path, headers)).toMatchObject({ status: 200, code: 403 });
  expect(handled).toEqual([]);
});

it.each(['/read?id=1', '/change', '/mine', '/nothing'])(
  'runs no handler for HEAD %s',
  async (path) => {
    const { status, text } = await send(url + path, {
      method: 'HEAD',
      headers: { authorization: 'good' },
    });
    expect(status).toBe(404);
    expect(text).toBe('');
    expect(handled).toEqual([]);
  },
);

it.each(['POST', 'PUT', 'DELETE', 'TRACE'])('has no %s for a GET call', async (method) => {
  const { status } = await send(`${url}/read?id=1`, { method });
  expect(status).toBe(404);
  expect(handled).toEqual([]);
});

it('waits for a slow upload as long as the client does, and closes a silent connection soon', () => {
  expect(app.server.requestTimeout).toBeGreaterThanOrEqual(180_000);
  expect(app.server.timeout).toBeLessThanOrEqual(30_000);
  expect(app.server.headersTimeout).toBeLessThanOrEqual(30_000);
});
