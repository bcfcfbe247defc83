// The feed: a separate process that serves pages, answers the calls of the first screen and plays a
// recording.
import { createServer } from 'node:http';
import { WebSocketServer } from 'ws';
import { answers } from '#domain/workload/answers';
import type { Workload } from '#domain/workload/workload';
import { Player } from './player';
import { answer, appPage, type Site, sendFile } from './site';
import { BEGIN, record } from './stream';

/** Messages of the driver: this one at the start, `count`, and `stop` at the end of the measurement. */
export interface FeedOrder extends Site {
  workload: Workload;
  seconds: number;
  /** Sockets get the instruments that they ask for; otherwise everything. */
  narrowed?: boolean;
  /** Where it listens; by default on a free port of this machine. */
  at?: { host: string; port: number };
}

/** Messages of the feed to the driver. */
export type FeedReport =
  | { type: 'listening'; port: number }
  /** The first subscription has arrived and quotes start; unix ms. */
  | { type: 'begun'; at: number }
  /** Stopped: when each message was sent, unix ms, and the largest delay. */
  | { type: 'ended'; sentAt: number[]; late: number }
  /** Bytes of messages to all sockets so far. */
  | { type: 'counted'; bytes: number };

let player: Player | undefined;

process.on('message', (order: FeedOrder | 'stop' | 'count') => {
  if (order === 'stop') stop();
  else if (order === 'count') send({ type: 'counted', bytes: player?.bytes ?? 0 });
  else serve(order);
});

// The driver has ended.
process.once('disconnect', () => process.exit());

function send(report: FeedReport): void {
  process.send?.(report);
}

function serve(order: FeedOrder): void {
  const recording = record(order.workload, order.seconds);
  const calls = answers(recording.instruments, BEGIN);
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://feed');
    if (/^\/(api|v1)\//.test(url.pathname)) answer(calls, url, response);
    else if (url.pathname === '/') {
      response.writeHead(200, {
        'content-type': 'text/html; charset=utf-8',
        'content-encoding': 'gzip',
      });
      response.end(appPage(order, recording));
    } else sendFile(order, url.pathname, response);
  });
  const sockets = new WebSocketServer({ server, path: '/v1/ws', perMessageDeflate: false });
  const playing = new Player(recording, order.narrowed === true, (at) =>
    send({ type: 'begun', at }),
  );
  player = playing;
  sockets.on('connection', (socket, { url }) => playing.connect(socket, url ?? ''));
  const { host, port } = order.at ?? { host: '127.0.0.1', port: 0 };
  server.listen(port, host, () => {
    const address = server.address();
    if (address && typeof address !== 'string') send({ type: 'listening', port: address.port });
  });
}

function stop(): void {
  player?.stop();
  if (player) send({ type: 'ended', sentAt: player.sentAt, late: player.late });
}
