import type { AxiosAdapter } from 'axios';
import type { ClientMessage } from '#domain/api/socket';
import { toDurationMs } from '#domain/core/time';
import { answers } from '#domain/workload/answers';
import type { SentMarket } from '#domain/workload/benchWorkerApi';
import { LastBars } from '#domain/workload/lastBars';
import { compactMessage, createStream, type StreamMessage } from '#domain/workload/stream';
import type { Workload } from '#domain/workload/workload';
import type { Clock, RawSocket } from '../core/ports';

/** The first id. No server uses such ids, so that no instrument of the app is mistaken for one of these. */
const FIRST_ID = 1_000_000_001;
const MINUTE = 60_000;
/** The thread may send for this long before it listens again, ms. */
const LONGEST_TURN = 20;

/** A simulated market for one worker, on the device itself. */
export interface Feed {
  openSocket(): RawSocket;
  adapter: AxiosAdapter;
  play(): void;
  end(): SentMarket;
}

/** The stream of `npm run bench` (stream.ts): the same workload gives the same quotes each time. */
export function createFeed(workload: Workload, clock: Clock): Feed {
  const minute = Math.floor(clock.now() / MINUTE) * MINUTE;
  const stream = createStream(workload, clock.now(), FIRST_ID);
  const { instruments } = stream;
  const calls = answers(instruments, minute);
  const bars = new LastBars(instruments, minute);
  const instrumentOf: number[] = [];
  const priceOf: number[] = [];
  const messageOf: number[] = [];
  const sentAt: number[] = [];
  let rawSocket: RawSocket | undefined;
  let late = 0;
  let began = 0;
  let next: StreamMessage | undefined;
  /** The last row of each instrument that was sent. */
  const last = new Map(stream.state(clock.now()).map((row) => [row.Code, row]));
  let cancel = () => {};

  const receive = (data: string) => rawSocket?.onmessage?.({ data });

  function sendMessage({ due, rows, instruments: moved, prices }: StreamMessage): void {
    receive(compactMessage(rows, () => true));
    for (const row of rows) last.set(row.Code, row);
    for (const [at, index] of moved.entries()) {
      const price = prices[at] ?? 0;
      instrumentOf.push(index);
      priceOf.push(price);
      messageOf.push(sentAt.length);
      const bar = bars.move(index, price);
      if (bar) receive(bar);
    }
    sentAt.push(began + due);
  }

  /** Sends what is due. */
  function pass(): void {
    const from = clock.now();
    for (let now: number = from; now - from <= LONGEST_TURN; now = clock.now()) {
      next ??= stream.next(began);
      const wait = began + next.due - now;
      if (wait > 0) {
        cancel = clock.after(toDurationMs(wait), pass);
        return;
      }
      late = Math.max(late, -wait);
      sendMessage(next);
      next = undefined;
    }
    cancel = clock.after(toDurationMs(0), pass);
  }

  function answer(message: ClientMessage): void {
    if (message.type === 'ping') receive(JSON.stringify({ type: 'pong', now: clock.now() }));
    if (message.type !== 'sub') return;
    // Like a server without a quote filter, it sends quotes out of sight too.
    if (message.topic === 'DAY_MARKET')
      receive(JSON.stringify({ type: 'DAY_MARKET', data: [...last.values()] }));
    const index = bars.indexOf(message.topic);
    if (index >= 0) bars.open(index);
  }

  return {
    openSocket() {
      const opened: RawSocket = {
        onopen: null,
        onmessage: null,
        onclose: null,
        onerror: null,
        send: (message) =>
          clock.after(toDurationMs(0), () => answer(JSON.parse(message) as ClientMessage)),
        close() {
          if (rawSocket === opened) rawSocket = undefined;
        },
      };
      rawSocket = opened;
      clock.after(toDurationMs(0), () => opened.onopen?.());
      return opened;
    },
    adapter: async (config) => {
      const url = new URL(config.url ?? '', 'http://bench');
      // Changing calls are refused: the benchmark has no accounts.
      const call = config.method === 'get' ? calls[url.pathname] : undefined;
      const params = (config.params as URLSearchParams | undefined) ?? url.searchParams;
      const body = call ? { code: 1, msg: '', data: call(params) } : { code: 0, msg: '' };
      const data = JSON.stringify(body);
      return { data, status: 200, statusText: 'OK', headers: {}, config };
    },
    play() {
      began = clock.now();
      pass();
    },
    end() {
      cancel();
      return {
        instruments: instruments.map(({ ShowCode }) => ({ ShowCode })),
        ...{ instrumentOf, priceOf, messageOf, sentAt, late },
        last: new Map(
          instruments.map(({ ShowCode, Code }) => {
            const row = last.get(Code);
            return [ShowCode, { price: row?.Close ?? '', change: row?.Change ?? '' }];
          }),
        ),
      };
    },
  };
}
