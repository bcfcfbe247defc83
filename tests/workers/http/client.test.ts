import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EndpointFields } from '#domain/api/endpoint';
import { readText } from '#domain/core/read';
import { success } from '#domain/core/result';
import { toUnixMs, type UnixMs } from '#domain/core/time';
import type { WorkerEvent } from '#domain/worker/workerApi';
import { createHttp, type Http } from '../../../workers/http/client';
import { FakeClock } from '../support/fakeClock';
import { type Reply, ScriptedHttp } from '../support/scriptedHttp';

const call = (path: string, method: 'GET' | 'POST' | 'DELETE' = 'GET') => {
  const transport = method === 'POST' ? ({ method, body: 'json' } as const) : { method };
  const fields = { ...transport, path, access: 'public', effect: 'reads' } as const;
  return fields satisfies EndpointFields;
};

describe('an answer', () => {
  let clock: FakeClock;
  let server: ScriptedHttp;
  let events: WorkerEvent[];
  let signedOut: [string, boolean][];
  let token: string;
  let serverTime: UnixMs | undefined;
  let http: Http;

  beforeEach(() => {
    clock = new FakeClock();
    server = new ScriptedHttp();
    events = [];
    signedOut = [];
    token = 'secret';
    serverTime = undefined;
    http = createHttp({
      base: () => 'http://server',
      clock,
      language: () => 'kr',
      token: () => token,
      emit: (event) => events.push(event),
      signedOut: (of, initial) => signedOut.push([of, initial]),
      serverFeatures: async () => success([]),
      serverTime: () => serverTime,
      adapter: server.adapter,
    });
  });

  const answer = (reply: Reply) => {
    server.on('/x', () => reply);
    return http.call(call('/x'), {}, readText);
  };
  const transport = (code: string) => ({ ok: false, failure: { kind: 'transport', code } });

  it('of code 1 is its data', async () => {
    expect(await answer({ data: 'yes' })).toEqual({ ok: true, data: 'yes' });
    expect(await answer({ raw: { code: '1', msg: 'ok', data: 'yes' } })).toEqual({
      ok: true,
      data: 'yes',
    });
    expect(events).toEqual([]);
  });

  it('has the sentence of the server', async () => {
    server.on('/x', () => ({ data: 'yes', msg: 'Done.' }));
    expect(await http.send(call('/x', 'POST'), {}, readText)).toEqual({
      ok: true,
      data: { data: 'yes', text: 'Done.' },
    });
  });

  it.each([400, 0, -1, 2, 500])(
    'of code %i is a refusal, shown with the sentence of the server',
    async (code) => {
      expect(await answer({ code, msg: 'No.' })).toEqual({
        ok: false,
        failure: { kind: 'refused', code, text: 'No.' },
      });
      expect(events).toEqual([{ type: 'notice', tone: 'error', text: 'No.' }]);
    },
  );

  it('of code 999 ends the session of its request', async () => {
    expect(await answer({ code: 999, msg: '' })).toEqual({
      ok: false,
      failure: { kind: 'signed-out' },
    });
    await http.call(call('/x'), {}, readText, { initial: true, quiet: true });
    expect(signedOut).toEqual([
      ['secret', false],
      ['secret', true],
    ]);
    expect(events).toEqual([]);
  });

  it.each([500, 502, 404, 413, 409])(
    'of status %i is a transport failure, shown with its code',
    async (status) => {
      const { failure } = transport(`${status}`);
      expect(await answer({ status, body: '<html>' })).toEqual({ ok: false, failure });
      expect(events).toEqual([{ type: 'failure', failure }]);
      // The body shows whether the server itself has answered, or a proxy before it.
      expect(await answer({ status, body: { code: 5, msg: 'x', data: null } })).toEqual({
        ok: false,
        failure: { ...failure, answered: true },
      });
    },
  );

  it.each(['ERR_NETWORK', 'ETIMEDOUT', 'ECONNABORTED'])(
    'that never comes is a transport failure: %s',
    async (fault) => {
      expect(await answer({ fault })).toEqual(transport(fault));
      expect(events).toHaveLength(1);
    },
  );

  it.each([
    null,
    '',
    '<html>',
    7,
    [],
    {},
    { code: null },
    { code: 'x', data: 'y' },
    { msg: 'no code', data: 'y' },
    { code: 1 },
    { code: 1, data: { wrong: true } },
  ])('that is no envelope, or has other data than requested, is a broken one (%#)', async (raw) => {
    expect(await answer({ raw })).toEqual(transport('ERR_BAD_RESPONSE'));
  });

  it('of a cancelled call shows nothing', async () => {
    const controller = new AbortController();
    server.on('/x', () => new Promise<Reply>(() => {}));
    const asked = http.call(call('/x'), {}, readText, { signal: controller.signal });
    await clock.advance(10);
    controller.abort();
    expect(await asked).toEqual({ ok: false, failure: { kind: 'cancelled' } });
    expect(events).toEqual([]);
  });

  it('is shown as the call specifies', async () => {
    server.on('/no', () => ({ code: 7, msg: 'No.' })).on('/down', () => ({ fault: 'ERR_NETWORK' }));
    await http.call(call('/no'), {}, readText, { quiet: true });
    await http.call(call('/down'), {}, readText, { quiet: true });
    await http.call(call('/down'), {}, readText, { quiet: 'transport' });
    expect(events).toEqual([]);
    await http.call(call('/no'), {}, readText, { quiet: 'transport' });
    expect(events).toHaveLength(1);
  });

  it('is requested again after the Retry-After of the server', async () => {
    let calls = 0;
    server.on('/x', () =>
      ++calls < 3 ? { status: 429, headers: { 'retry-after': '2' } } : { data: 'yes' },
    );
    const asked = http.call(call('/x'), {}, readText);
    await clock.advance(3999);
    expect(calls).toBe(2);
    await clock.advance(1);
    expect(await asked).toEqual({ ok: true, data: 'yes' });
    expect(events).toEqual([]);
  });

  it('is requested again at the date of Retry-After', async () => {
    let calls = 0;
    const at = new Date(clock.now() + 5000).toUTCString();
    server.on('/x', () =>
      ++calls < 2 ? { status: 503, headers: { 'retry-after': at } } : { data: 'yes' },
    );
    const asked = http.call(call('/x'), {}, readText);
    await clock.advance(5000);
    expect(await asked).toEqual({ ok: true, data: 'yes' });
  });

  it.each([
    ['its clock is known', true, -1],
    ['its clock is known', true, 1],
    ['its answer has a date', false, -1],
    ['its answer has a date', false, 1],
  ])(
    'is requested again at the date on the clock of the server, where %s',
    async (_, isKnown, sign) => {
      const now = clock.now() + sign * 300_000;
      const date = (at: number) => new Date(at).toUTCString();
      if (isKnown) serverTime = toUnixMs(now);
      let calls = 0;
      server.on('/x', () => {
        const headers = { 'retry-after': date(now + 5000), ...(!isKnown && { date: date(now) }) };
        return ++calls < 2 ? { status: 503, headers } : { data: 'yes' };
      });
      const asked = http.call(call('/x'), {}, readText);
      await clock.advance(4999);
      expect(calls).toBe(1);
      await clock.advance(1);
      expect(await asked).toEqual({ ok: true, data: 'yes' });
    },
  );

  it.each(['60', '', 'soon', '-1'])('fails when the server says %j', async (value) => {
    const result = answer({ status: 429, headers: { 'retry-after': value } });
    await clock.advance(1000);
    expect(await result).toMatchObject(transport('429'));
  });

  it.each(['600', '9999999', 'Fri, 01 Jan 2100 00:00:00 GMT'])(
    'asks for ten minutes at most: %s',
    async (value) => {
      const result = answer({ status: 503, headers: { 'retry-after': value } });
      expect(await result).toMatchObject({ failure: { retryAfter: 600_000 } });
    },
  );

  it('is not waited for after the call is cancelled', async () => {
    const controller = new AbortController();
    server.on('/x', () => ({ status: 429, headers: { 'retry-after': '9' } }));
    const asked = http.call(call('/x'), {}, readText, { signal: controller.signal });
    await clock.advance(1000);
    controller.abort();
    expect(await asked).toEqual({ ok: false, failure: { kind: 'cancelled' } });
    expect(server.asked).toHaveLength(1);
  });

  it('blocks clicks while any call waits', async () => {
    let release = (_: Reply) => {};
    server.on('/slow', () => new Promise((resolve) => (release = resolve)));
    server.on('/x', () => ({ code: 3, msg: '' }));
    const slow = http.call(call('/slow'), {}, readText, { busy: true, quiet: true });
    await http.call(call('/x'), {}, readText, { busy: true, quiet: true });
    expect(events).toEqual([{ type: 'busy', busy: true }]);
    await clock.advance(1);
    release({ fault: 'ERR_NETWORK' });
    await slow;
    expect(events).toEqual([
      { type: 'busy', busy: true },
      { type: 'busy', busy: false },
    ]);
  });
});

describe('a request, over real HTTP', () => {
  let server: Server;
  let origin: string;
  let http: Http;
  let asked: { method: string; url: URL; headers: IncomingMessage['headers']; body: string }[];
  let events: WorkerEvent[];
  let respond: (path: string) => { status: number; body: string } | undefined;

  const connect = (options: { timeoutMs?: number } = {}) =>
    createHttp({
      base: () => origin,
      clock: new FakeClock(toUnixMs(1_700_000_000_000)),
      language: () => 'spa',
      token: () => 'secret',
      emit: (event) => events.push(event),
      signedOut: () => {},
      serverFeatures: async () => success([]),
      serverTime: () => undefined,
      ...options,
    });

  beforeEach(async () => {
    asked = [];
    events = [];
    respond = () => ({ status: 200, body: '{"code":1,"msg":"","data":"yes"}' });
    server = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      const url = new URL(request.url ?? '', 'http://x');
      asked.push({ method: request.method ?? '', url, headers: request.headers, body });
      const answer = respond(url.pathname);
      if (answer)
        response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    http = connect();
  });

  afterEach(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });

  it('has language, token and, for a GET, the time', async () => {
    expect(await http.call(call('/a'), { page: 2, none: undefined }, readText)).toEqual({
      ok: true,
      data: 'yes',
    });
    const [request] = asked;
    expect(request?.method).toBe('GET');
    expect(Object.fromEntries(request?.url.searchParams ?? [])).toEqual({
      page: '2',
      t: '1700000000000',
    });
    expect(request?.headers).toMatchObject({ lang: 'spa', authorization: 'secret' });
    expect(request?.headers['idempotency-key']).toBeUndefined();
    expect(request?.headers['user-agent']).not.toContain('axios');
  });

  it('has each of several ids once', async () => {
    await http.call(call('/a'), { forex_id: '1,2,3' }, readText);
    expect(asked[0]?.url.searchParams.getAll('forex_id')).toEqual(['1,2,3']);
  });

  it('sends a DELETE as a GET, a POST without the time', async () => {
    await http.send(call('/a', 'DELETE'), { id: 1 }, readText);
    await http.send(call('/a', 'POST'), { id: 1 }, readText);
    expect(asked.map(({ method, url }) => `${method} ${url.search}`)).toEqual([
      'DELETE ?id=1&t=1700000000000',
      'POST ',
    ]);
    expect(asked[1]?.body).toBe('{"id":1}');
    expect(asked[1]?.headers['content-type']).toContain('application/json');
  });

  it('encodes a form', async () => {
    const formCall = { ...call('/a'), method: 'POST', body: 'form' } as const;
    const form = { account: 'a+b@c.de', password: 'p&ß=%', none: undefined, id: 7 };
    await http.send(formCall, form, readText);
    expect(asked[0]?.headers['content-type']).toContain('application/x-www-form-urlencoded');
    expect(Object.fromEntries(new URLSearchParams(asked[0]?.body))).toEqual({
      account: 'a+b@c.de',
      password: 'p&ß=%',
      id: '7',
    });
  });

  it('has a name for the log, another one each time, once it is told to', async () => {
    await http.call(call('/a'), {}, readText);
    expect(asked[0]?.headers['x-request-id']).toBeUndefined();
    let made = 0;
    http.nameRequests(() => `${++made}`);
    await http.call(call('/a'), {}, readText);
    await http.call(call('/a'), {}, readText);
    expect(asked.map(({ headers }) => headers['x-request-id'])).toEqual([undefined, '1', '2']);
  });

  it('has the idempotency key', async () => {
    await http.send({ ...call('/a'), effect: 'once' }, {}, readText, { key: 'k-1' });
    expect(asked[0]?.headers['idempotency-key']).toBe('k-1');
  });

  it('has a time limit', async () => {
    respond = () => undefined;
    expect(await connect({ timeoutMs: 200 }).call(call('/a'), {}, readText)).toMatchObject({
      ok: false,
      failure: { kind: 'transport' },
    });
    expect(events).toHaveLength(1);
  });

  it('reads an answer that is not JSON as a broken one', async () => {
    respond = () => ({ status: 200, body: '<!doctype html>' });
    expect(await http.call(call('/a'), {}, readText, { quiet: true })).toEqual({
      ok: false,
      failure: { kind: 'transport', code: 'ERR_BAD_RESPONSE' },
    });
  });

  it('distinguishes a missing server from one that refuses', async () => {
    const gone = createHttp({
      base: () => 'http://127.0.0.1:1',
      clock: new FakeClock(),
      language: () => 'en',
      token: () => '',
      emit: (event) => events.push(event),
      signedOut: () => {},
      serverFeatures: async () => success([]),
      serverTime: () => undefined,
    });
    expect(await gone.call(call('/a'), {}, readText)).toEqual({
      ok: false,
      failure: { kind: 'transport', code: 'ERR_NETWORK' },
    });
  });

  it('to the page itself is exempt from error handling (protocol.md#manifest)', async () => {
    respond = (path) =>
      path === '/manifest.json'
        ? { status: 200, body: '{"version":"2"}' }
        : { status: 500, body: '' };
    expect(await http.plain(`${origin}/manifest.json`)).toEqual({ version: '2' });
    expect(await http.plain(`${origin}/other`)).toBeUndefined();
    expect(asked[0]?.headers['authorization']).toBeUndefined();
    expect(events).toEqual([]);
  });
});
