// The feed: a separate process that serves pages, answers the calls of the first screen and plays a
// recording.
import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { performance } from 'node:perf_hooks';
import { type WebSocket, WebSocketServer } from 'ws';
import type { KlineRow } from '#domain/api/market';
import type { ClientMessage } from '#domain/api/socket';
import { BEGIN, priceText, type Recording, record } from './stream';
import type { Workload } from './workload';

/** Messages of the driver: this one at the start, and `stop` at the end of the measurement. */
export interface FeedOrder {
  workload: Workload;
  seconds: number;
  /** Served folders by the first part of the path; `''` is the root. */
  folders: Record<string, string>;
  /** Scripts and styles of the pages' manifest, by contender page. */
  pages: Record<string, { script: string; styles: string[] }>;
}

/** Messages of the feed to the driver. */
export type FeedReport =
  | { type: 'listening'; port: number }
  /** The first subscription has arrived and quotes start; unix ms. */
  | { type: 'begun'; at: number }
  /** Stopped: when each message was sent, unix ms, and the largest delay. */
  | { type: 'ended'; sentAt: number[]; late: number };

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

process.on('message', (order: FeedOrder | 'stop') => {
  if (order === 'stop') stop();
  else serve(order);
});

// The driver has ended.
process.once('disconnect', () => process.exit());

function send(report: FeedReport): void {
  process.send?.(report);
}

function serve(order: FeedOrder): void {
  const recording = record(order.workload, order.seconds);
  const calls = answers(recording);
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://feed');
    if (/^\/(api|v1)\//.test(url.pathname)) answer(calls, url, response);
    else sendFile(order, url.pathname, response);
  });
  const sockets = new WebSocketServer({ server, path: '/v1/ws', perMessageDeflate: false });
  let begun = false;
  sockets.on('connection', (socket) => {
    let subscribed = false;
    socket.on('message', (data) => {
      const message = JSON.parse(String(data)) as ClientMessage;
      if (message.type === 'ping') {
        socket.send(JSON.stringify({ type: 'pong', now: BEGIN + elapsed() }));
      }
      if (message.type === 'sub' && message.topic === 'DAY_MARKET') {
        // Every client gets everything: a server that does not know `codes` ignores it
        // (protocol.md#narrowing).
        if (!subscribed) socket.send(recording.snapshot);
        subscribed = true;
        if (!begun) play(recording, socket);
        begun = true;
      }
      const charted = message.type === 'sub' && /^KLINE\.(.+)$/.exec(message.topic)?.[1];
      const index = recording.instruments.findIndex(({ Code }) => Code === charted);
      if (index >= 0) charts.set(index, openBar(recording, index));
    });
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    if (address && typeof address !== 'string') send({ type: 'listening', port: address.port });
  });
}

let beganAt = Number.NaN;
let stopped = false;
let late = 0;
const sentAt: number[] = [];

function unixNow(): number {
  return performance.timeOrigin + performance.now();
}

function elapsed(): number {
  return Number.isNaN(beganAt) ? 0 : Math.round(unixNow() - beganAt);
}

/** Open one-minute bars of charts on screen, by instrument. */
const charts = new Map<number, { open: number; high: number; low: number; volume: number }>();

function openBar({ instruments }: Recording, index: number) {
  const price = Math.round(Number(instruments[index]?.ForexQuotations.Close) * 1000);
  return { open: price, high: price, low: price, volume: 0 };
}

/** Updates the bar for a quote of an instrument whose chart is open. */
function moveBar({ instruments }: Recording, index: number, close: number): string | undefined {
  const bar = charts.get(index);
  if (!bar) return undefined;
  bar.high = Math.max(bar.high, close);
  bar.low = Math.min(bar.low, close);
  bar.volume += 1;
  const data: KlineRow = {
    Time: BEGIN / 1000,
    Open: priceText(bar.open),
    High: priceText(bar.high),
    Low: priceText(bar.low),
    Close: priceText(close),
    Volume: `${bar.volume}`,
  };
  return JSON.stringify({ type: `KLINE.${instruments[index]?.Code}`, data });
}

function play(recording: Recording, socket: WebSocket): void {
  const { messages, due, messageOf, instrumentOf, priceOf } = recording;
  let quote = 0;
  beganAt = unixNow();
  send({ type: 'begun', at: beganAt });
  let next = 0;
  function pass(): void {
    while (!stopped) {
      const now = unixNow();
      const at = due[next];
      if (at === undefined) return;
      const wait = beganAt + at - now;
      if (wait > 0) {
        setTimeout(pass, wait);
        return;
      }
      late = Math.max(late, -wait);
      sentAt.push(now);
      socket.send(messages[next] ?? '');
      for (; messageOf[quote] === next; quote++) {
        const bar =
          charts.size > 0 && moveBar(recording, instrumentOf[quote] ?? 0, priceOf[quote] ?? 0);
        if (bar) socket.send(bar);
      }
      next += 1;
    }
  }
  pass();
}

function stop(): void {
  stopped = true;
  send({ type: 'ended', sentAt, late });
}

type Answers = Record<string, (url: URL) => unknown>;

/** The calls of the first screens, in the form of protocol.md#market-calls. */
function answers({ instruments }: Recording): Answers {
  return {
    '/v1/api/forex/trade_list': () => instruments,
    '/v1/api/forex/getCategories': () =>
      [1, 2, 3, 4].map((Id) => ({ Id, NameShowTrans: `Part ${Id}` })),
    '/v1/api/forex/abbreviated_cache_kline': (url) =>
      Object.fromEntries(
        (url.searchParams.get('forex_id') ?? '')
          .split(',')
          .map((id) => [id, closes(Number(id)).map(priceText)]),
      ),
    '/v1/api/forex/kline': (url) => bars(Number(url.searchParams.get('forex_id'))),
    '/api/company/getCompanyStatus': () => ({ status: 0, type: '', loss_url: '' }),
    '/api/basicSet/getBasicInfo': () => ({
      service_link: '',
      service_link_type: 0,
      verify_reg_type: 1,
      trade_fee_type: 1,
    }),
  };
}

function closes(id: number): number[] {
  return Array.from({ length: 60 }, (_, i) =>
    Math.round(400_000 + 9000 * Math.sin(i / 7 + id) + 3000 * Math.sin(i * id)),
  );
}

function bars(id: number): unknown[] {
  const end = BEGIN / 1000;
  const line = closes(id);
  return Array.from({ length: 500 }, (_, i) => {
    const close = line[i % 60] ?? 0;
    const open = line[(i + 59) % 60] ?? 0;
    return {
      Time: end - (499 - i) * 60,
      Open: priceText(open),
      High: priceText(Math.max(open, close) + 500),
      Low: priceText(Math.min(open, close) - 500),
      Close: priceText(close),
      Volume: '60',
    };
  });
}

function answer(calls: Answers, url: URL, response: ServerResponse<IncomingMessage>): void {
  const call = calls[url.pathname];
  const body = call
    ? { code: 1, msg: '', data: call(url) }
    : { code: 999, msg: 'not logged in', data: null };
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}

function page(title: string, { script, styles }: { script: string; styles: string[] }): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${title}</title>
${styles.map((file) => `<link rel="stylesheet" href="/bench/${file}">`).join('\n')}
${script && `<script type="module" src="/bench/${script}"></script>`}
</head><body><div id="root"></div></body></html>`;
}

function sendFile(order: FeedOrder, path: string, response: ServerResponse): void {
  const named = /^\/page\/([\w-]+)$/.exec(path)?.[1];
  if (named !== undefined) {
    response.writeHead(200, { 'content-type': TYPES['.html'] });
    response.end(page(named, order.pages[named] ?? { script: '', styles: [] }));
    return;
  }
  const [first = ''] = path.slice(1).split('/');
  const folder = order.folders[first] === undefined ? '' : first;
  const inside = normalize(path.slice(folder ? folder.length + 1 : 0));
  const file = join(order.folders[folder] ?? '', inside === '/' ? 'index.html' : inside);
  if (!existsSync(file) || !statSync(file).isFile()) {
    response.writeHead(404).end();
    return;
  }
  const type = TYPES[extname(file)] ?? 'application/octet-stream';
  // Send the compressed file of the build, as the real server does.
  if (existsSync(`${file}.gz`)) {
    response.writeHead(200, { 'content-type': type, 'content-encoding': 'gzip' });
    response.end(readFileSync(`${file}.gz`));
    return;
  }
  response.writeHead(200, { 'content-type': type });
  createReadStream(file).pipe(response);
}
