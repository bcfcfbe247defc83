import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { toUsd } from '#domain/core/units';
import { drawn } from '../helpers/samples';
import { type Result, runChecks } from '../programs/conformance/check';
import { checks } from '../programs/conformance/checks/all';
import { Target } from '../programs/conformance/target';
import { emptyDatabase } from './support/database';
import { instrument } from './support/scriptedMarket';
import { PASSWORD, TestServer } from './support/testServer';

const REAL = 'conformance@example.com';

let server: TestServer;
let close: () => Promise<void>;

beforeAll(async () => {
  const database = await emptyDatabase();
  const swap = { long: toUsd('-7.51'), short: toUsd('2.89'), triple: 4 };
  server = await TestServer.open(database.db, {
    args: [
      ...['--requests-per-minute', '100000', '--fill-at-quote', '2'],
      ...['--public-url', 'https://m.example.com'],
    ],
    instruments: [instrument(1, 'EURUSD', { swap }), instrument(2, 'GBPUSD', { swap })],
  });
  close = async () => {
    await server.close();
    await database.close();
  };
  for (const price of [1.0842, 1.0851, 1.0847]) {
    const book = { bid: price - 0.0001, ask: price + 0.0002 };
    await server.market.tick([1, price, 1, book], [2, price, 1, book]);
  }
  await server.realUser(REAL);
});
afterAll(() => close());

/** With the proxy that breaks nothing: what the tests below see is the breakage. */
it.each(drawn(['directly', 'behind a proxy'], 2))(
  'finds nothing wrong and nothing missing in this server, %s',
  async (way) => {
    const proxy = await brokenServer(server.url, {});
    const target = new Target(way === 'directly' ? server.url : proxy.url, {
      credentials: { account: REAL, password: PASSWORD },
    });
    const results = await runChecks(checks, target);
    target.close();
    await proxy.close();
    expect(results.filter(({ verdict }) => verdict === 'wrong')).toEqual([]);
    expect(new Set(notTried(results))).toEqual(
      new Set(['klines: bars of five minutes are the fold of their minutes']),
    );
  },
);

function notTried(results: readonly Result[]): string[] {
  return results
    .filter(({ verdict }) => verdict !== 'right')
    .map(({ section, name }) => `${section}: ${name}`);
}

interface Breakage {
  /** Changes the path of a request, its query included. */
  path?: (path: string) => string;
  /** Changes the text of an answer. */
  answer?: (path: string, text: string) => string;
  /** Changes a message to the client; undefined: it is lost. */
  message?: (text: string) => string | undefined;
  /** Changes the headers of a request. */
  headers?: (headers: Record<string, string>) => Record<string, string>;
  /** Changes the body of a request. */
  body?: (text: string) => string;
  status?: (path: string, status: number) => number;
}

const replaced = (path: string, from: RegExp, to: string) => (asked: string, text: string) =>
  asked.startsWith(path) ? text.replaceAll(from, to) : text;

/** What a server may do wrong, and the section that has to say so. */
const BREAKAGES: readonly [what: string, section: string, breakage: Breakage][] = [
  ['has no envelope', 'envelope', { answer: (_path, text) => `[${text}]` }],
  [
    'sends amounts as numbers',
    'balance',
    { answer: replaced('/v1/api/main/wallet', /"balance":"([\d.]+)"/g, '"balance":$1') },
  ],
  [
    'counts a change wrongly',
    'instrument',
    { answer: replaced('/v1/api/forex/trade_list', /"Change":"[^"]*"/g, '"Change":"7.77"') },
  ],
  [
    'closes before it opens',
    'hours',
    { answer: replaced('/v1/api/forex/trade_list', /"Close":"24:00"/g, '"Close":"00:00"') },
  ],
  [
    'has a triple night on no weekday',
    'overnight-financing',
    { answer: replaced('/v1/api/forex/trade_list', /"SwapTriple":\d/g, '"SwapTriple":7') },
  ],
  [
    'charges nights that have not been',
    'overnight-financing',
    { answer: replaced('/v1/api/forex/', /"Swap":"0/g, '"Swap":"1') },
  ],
  [
    'books another margin',
    'submit',
    { answer: replaced('/v1/api/forex/submit', /"CautionMoney":"/g, '"CautionMoney":"1') },
  ],
  [
    'values an order at the side that it opened at',
    'basic-settings',
    { answer: replaced('/v1/api/forex/submit', /"UpdatePrice":"/g, '"UpdatePrice":"1') },
  ],
  [
    'counts the fees of a list wrongly',
    'order-list',
    { answer: replaced('/v1/api/forex/my_deal', /"all_trade_fee":"/g, '"all_trade_fee":"1') },
  ],
  [
    'forgets the Idempotency-Key',
    'idempotency',
    { headers: ({ 'idempotency-key': _key, ...others }) => others },
  ],
  [
    'closes what the user did not see',
    'seen-quantity',
    { path: (path) => path.replace(/&seen_quantity=[^&]*/, '') },
  ],
  [
    'keeps the margin of an amended order',
    'amend',
    { answer: replaced('/v1/api/forex/amend', /"CautionMoney":"/g, '"CautionMoney":"1') },
  ],
  ['forgets when an order expires', 'expiry', { path: (path) => path.replace(/&until=[^&]*/, '') }],
  [
    'lists what is popular without its code',
    'popular',
    { answer: replaced('/api/follow/popular', /"data":\[/g, '"data":[{"Name":"Bitcoin"}') },
  ],
  [
    'has bars that are not aligned',
    'klines',
    { answer: replaced('/v1/api/forex/kline', /"Time":(\d+)0,/g, '"Time":$17,') },
  ],
  [
    'answers 200 for an unknown path',
    'errors',
    { status: (_path, status) => (status === 404 ? 200 : status) },
  ],
  [
    'lets visitors read',
    'public-calls',
    { answer: (_path, text) => text.replace('"code":999', '"code":1') },
  ],
  [
    'never answers a ping',
    'heartbeat',
    { message: (text) => (text.includes('"pong"') ? undefined : text) },
  ],
  [
    'sends the quotes of others to a filtered reader',
    'quote-filters',
    { message: (text) => text.replaceAll('"EURUSD"', '"GBPUSD"') },
  ],
  [
    'pushes no end of an order',
    'closed-push',
    { message: (text) => (text.includes('FOREX_CLOSED') ? undefined : text) },
  ],
  [
    'takes any token on the websocket',
    'socket-login',
    { message: (text) => text.replace('"code":999', '"code":1') },
  ],
  [
    'logs a socket out for good with the end of its session',
    'socket-login',
    { message: thirdLoginLost() },
  ],
  [
    'lets a passkey of nobody in',
    'passkeys',
    {
      answer: (path, text) =>
        path.endsWith('/passkey_login') ? text.replace('"code":2', '"code":1') : text,
    },
  ],
  [
    'asks for passkeys without verification',
    'passkeys',
    {
      answer: replaced(
        '/api/user/passkey_',
        /"userVerification":"required"/g,
        '"userVerification":"preferred"',
      ),
    },
  ],
  [
    'triggers no alert',
    'alert-push',
    { message: (text) => (text.includes('FOREX_ALERT') ? undefined : text) },
  ],
  [
    'answers nothing that a write of settings has replaced',
    'synced-settings',
    { answer: replaced('/api/user/settings', /"replaced":\[.*?\]/g, '"replaced":[]') },
  ],
  [
    'writes repeated settings again',
    'synced-settings',
    { body: (text) => text.replace(/,"id":\{[^}]*\}/, '') },
  ],
  [
    'tells no deletions of settings',
    'synced-settings',
    { answer: replaced('/api/user/settings', /"gone":\[.*?\]/g, '"gone":[]') },
  ],
  [
    'tells no other device of settings',
    'settings-push',
    { message: (text) => (text.includes('"SETTINGS"') ? undefined : text) },
  ],
  [
    'forgets what an alert is on',
    'conditions',
    { path: (path) => path.replace(/&kind=[^&]*/, '&kind=percent') },
  ],
  ['has no side of a line', 'conditions', { path: (path) => path.replace(/&quote=[^&]*/, '') }],
  [
    'ignores unknown topics',
    'topics',
    { message: (text) => (text.includes('"error"') ? undefined : text) },
  ],
];

it.each(BREAKAGES)('sees that a server %s', async (_what, section, breakage) => {
  const broken = await brokenServer(server.url, breakage);
  const target = new Target(broken.url, { patienceMs: 300 });
  try {
    const results = await runChecks(
      checks.filter((check) => check.section === section),
      target,
    );
    expect(results.some(({ verdict }) => verdict === 'wrong')).toBe(true);
  } finally {
    target.close();
    await broken.close();
  }
});

it('says what a server does not have', async () => {
  const broken = await brokenServer(server.url, {
    answer: replaced('/api/basicSet', /"alerts",/g, ''),
    status: (path, status) => (path.startsWith('/api/follow/') ? 404 : status),
  });
  const target = new Target(broken.url);
  const sections = ['alerts', 'alert-push', 'ranking-calls'];
  const results = await runChecks(
    checks.filter(({ section }) => sections.includes(section)),
    target,
  );
  target.close();
  await broken.close();
  expect(new Set(results.map(({ verdict }) => verdict))).toEqual(new Set(['missing']));
});

/** Loses the third good answer to a login: that after the end of a session. */
function thirdLoginLost(): (text: string) => string | undefined {
  let logins = 0;
  return (text) => (text.includes('"login","code":1') && ++logins === 3 ? undefined : text);
}

/** A proxy that makes a good server a bad one. */
async function brokenServer(
  url: string,
  {
    path: pathOf = (same) => same,
    answer,
    message,
    headers = (same) => same,
    body: bodyOf = (same) => same,
    status = (_path, same) => same,
  }: Breakage,
): Promise<{ url: string; close(): Promise<void> }> {
  const proxy = createServer(async (request, response) => {
    const { method = 'GET', url: path = '' } = request;
    const {
      host: _host,
      connection: _connection,
      'content-length': _length,
      ...sent
    } = request.headers as Record<string, string>;
    const body = bodyOf(await textOf(request));
    const got = await fetch(url + pathOf(path), {
      method,
      headers: headers(sent),
      ...(method === 'POST' ? { body } : {}),
    });
    const text = await got.text();
    response.writeHead(status(path, got.status), {
      'content-type': got.headers.get('content-type') ?? 'application/json',
      'cache-control': got.headers.get('cache-control') ?? '',
    });
    response.end(answer ? answer(path, text) : text);
  });
  const sockets = new WebSocketServer({ server: proxy });
  sockets.on('connection', (client, { url: address }) => {
    const behind = new WebSocket(url.replace('http', 'ws') + address);
    const waiting: string[] = [];
    client.on('message', (data) => {
      if (behind.readyState === WebSocket.OPEN) behind.send(String(data));
      else waiting.push(String(data));
    });
    behind.on('open', () => {
      for (const text of waiting) behind.send(text);
    });
    behind.on('message', (data) => {
      const text = message ? message(String(data)) : String(data);
      if (text !== undefined) client.send(text);
    });
    client.on('close', () => behind.terminate());
    behind.on('close', () => client.terminate());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    close: async () => {
      for (const socket of sockets.clients) socket.terminate();
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request) text += String(part);
  return text;
}
