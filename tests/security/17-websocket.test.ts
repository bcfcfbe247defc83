import { once } from 'node:events';
import { connect as tcp } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { send } from '../server/http/testHttp';
import { startSockets, type TestClient, type TestSockets } from '../server/socket/testSockets';

let now: TestSockets;
let client: TestClient;
beforeEach(async () => {
  now = await startSockets();
  client = await now.connect();
});
afterEach(() => now.close());

describe('an invalid message', () => {
  it.each([
    '',
    ' ',
    'ping',
    '{',
    '{"type":"ping"',
    'null',
    'true',
    '1',
    '"ping"',
    '[]',
    '[{"type":"ping"}]',
    '{}',
    '{"type":null}',
    '{"type":1}',
    '{"type":["ping"]}',
    '{"type":"PING"}',
    '{"type":"nonsense"}',
    '{"__proto__":{"type":"ping"}}',
    '{"type":"sub"}',
    '{"type":"sub","topic":5}',
    '{"type":"sub","topic":""}',
    '{"type":"sub","topic":"day_market"}',
    '{"type":"sub","topic":"KLINE."}',
    '{"type":"sub","topic":"KLINE.NOPE"}',
    '{"type":"sub","topic":"KLINE.eurusd"}',
    '{"type":"sub","topic":"KLINE.__proto__"}',
    '{"type":"sub","topic":"constructor"}',
    `{"type":"sub","topic":"${'x'.repeat(1000)}"}`,
    '{"type":"sub","topic":"DAY_MARKET","codes":"EURUSD"}',
    '{"type":"sub","topic":"DAY_MARKET","codes":[1]}',
    '{"type":"sub","topic":"DAY_MARKET","codes":{}}',
    '{"type":"sub","topic":"DAY_MARKET","codes":null}',
    '{"type":"sub","topic":"DAY_MARKET","interval":-1}',
    '{"type":"sub","topic":"DAY_MARKET","interval":"soon"}',
    '{"type":"sub","topic":"DAY_MARKET","interval":1e9}',
    '{"type":"unsub"}',
    '{"type":"unsub","topic":"KLINE.NOPE"}',
    '{"type":"login","token":{}}',
    `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  ])('%.60s is answered with an error; the connection stays', async (text) => {
    await client.ask(text);
    expect(client.received.map(({ type }) => type)).toEqual(['error', 'pong']);
    expect(client.received[0]?.msg).toBeTruthy();
  });

  it('in binary is answered with an error', async () => {
    client.socket.send(Buffer.from('{"type":"ping"}'));
    await client.settled();
    expect(client.received.map(({ type }) => type)).toEqual(['error', 'pong']);
  });

  it('has its error in the language of the handshake', async () => {
    const english = await now.connect({ lang: 'en' });
    await english.ask('nonsense');
    expect(english.of('error')).toEqual([
      { type: 'error', msg: 'This message was not understood' },
    ]);
  });
});

it.each([
  { type: 'ping', extra: 1 },
  { type: 'sub', topic: 'DAY_MARKET', more: [] },
])('unknown fields are ignored', async (message) => {
  await client.ask(message);
  expect(client.of('error')).toEqual([]);
});

it('a frame that is too large closes the connection', async () => {
  client.send(JSON.stringify({ type: 'ping', padding: 'x'.repeat(200_000) }));
  expect(await client.closed()).toBe(1009);
});

it('text that is no UTF-8 closes the connection', async () => {
  client.socket.send(Buffer.from([0xff, 0xfe]), { binary: false });
  expect(await client.closed()).toBe(1007);
});

it('a flood closes the connection of its sender only', async () => {
  const other = await now.connect();
  for (let i = 0; i < 1_000; i++) client.send({ type: 'ping' });
  expect(await client.closed()).toBe(1008);
  await other.settled();
});

describe('an origin', () => {
  const shakeHands = (headers: Record<string, string>, path = '/v1/ws') =>
    new Promise<number>((resolve, reject) => {
      const socket = new WebSocket(now.url.replace('http', 'ws') + path, { headers });
      socket.on('open', () => {
        socket.terminate();
        resolve(101);
      });
      socket.on('unexpected-response', (_request, response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      socket.on('error', reject);
    });

  it.each([
    ['none at all', () => ({}), 101],
    ['a configured one', () => ({ origin: 'https://m.example.com' }), 101],
    ["the server's own", () => ({ origin: now.url }), 101],
    ["the server's own behind TLS", () => ({ origin: now.url.replace('http', 'https') }), 101],
    ['another site', () => ({ origin: 'https://evil.example' }), 403],
    ['another port', () => ({ origin: 'http://127.0.0.1:1' }), 403],
    ['a look-alike', () => ({ origin: 'https://m.example.com.evil.example' }), 403],
    ['none of its own', () => ({ origin: 'null' }), 403],
    ['nonsense', () => ({ origin: 'x' }), 403],
  ])('%s', async (_name, headers, status) => {
    expect(await shakeHands(headers())).toBe(status);
  });

  it.each(['/v1/ws/', '/v1', '/', '/v1/wsx', '/v1/api/forex/trade_list'])(
    'there is no websocket at %s',
    async (path) => {
      expect(await shakeHands({}, path)).toBe(404);
    },
  );

  it('parameters of the address are ignored', async () => {
    expect(await shakeHands({}, '/v1/ws?token=x')).toBe(101);
  });
});

it('a plain request to the path is a 404', async () => {
  expect((await fetch(`${now.url}/v1/ws`)).status).toBe(404);
});

it.each(['h2c', 'TLS/1.0'])(
  'a request that offers an upgrade to %s is answered without it',
  async (upgrade) => {
    const headers = { connection: 'upgrade', upgrade };
    const { status, text } = await send(`${now.url}/nothing`, { headers });
    expect(status).toBe(404);
    expect(JSON.parse(text).code).toBe(404);
    await client.settled();
  },
);

it('invalid HTTP is answered with an envelope', async () => {
  const text = await new Promise<string>((resolve, reject) => {
    const { port, hostname } = new URL(now.url);
    const socket = tcp(Number(port), hostname, () => socket.write('nonsense\r\n\r\n'));
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.on('end', () => resolve(received));
    socket.on('error', reject);
  });
  expect(text).toMatch(/^HTTP\/1\.1 400 /);
  expect(JSON.parse(text.split('\r\n\r\n')[1] ?? '')).toMatchObject({ code: 400, data: null });
});

it.each([{}, { token: '' }, { token: 'x'.repeat(2_000) }])(
  'a login without a valid token is answered 999',
  async (login) => {
    await client.ask({ type: 'login', ...login });
    expect(client.received.slice(0, -1)).toEqual([{ type: 'login', code: 999 }]);
  },
);

it('a peer that is silent for a minute is disconnected; one that pings, or only reads, is not', async () => {
  const dead = await now.connect({}, { autoPong: false });
  const listener = await now.connect();
  for (let round = 0; round < 3; round++) {
    // After half a minute of silence the server pings, and the websocket answers by itself.
    const asked = once(listener.socket, 'ping');
    for (let i = 0; i < 7; i++) {
      now.clock.pass(5_000);
      await client.settled();
    }
    await asked;
    await client.settled();
  }
  expect(await dead.closed()).toBe(1006);
  await listener.settled();
});
