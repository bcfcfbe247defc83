import { performance } from 'node:perf_hooks';
import type { WebSocket } from 'ws';
import type { KlineRow } from '#domain/api/market';
import type { ClientMessage } from '#domain/api/socket';
import { BEGIN, priceText, type Recording } from './stream';

/** Plays a recording to the first socket that subscribes. */
export class Player {
  /** When each message was sent, unix ms, and the largest delay. */
  readonly sentAt: number[] = [];
  late = 0;
  readonly #recording: Recording;
  readonly #begun: (at: number) => void;
  /** Open one-minute bars of charts on screen, by instrument. */
  readonly #charts = new Map<number, { open: number; high: number; low: number; volume: number }>();
  #beganAt = Number.NaN;
  #stopped = false;

  /** `begun` hears that the first subscription has arrived and quotes start; unix ms. */
  constructor(recording: Recording, begun: (at: number) => void = () => {}) {
    this.#recording = recording;
    this.#begun = begun;
  }

  connect(socket: WebSocket): void {
    let subscribed = false;
    socket.on('message', (data) => {
      const message = parsed(String(data));
      if (message?.type === 'ping') {
        socket.send(JSON.stringify({ type: 'pong', now: BEGIN + this.#elapsed() }));
      }
      if (message?.type !== 'sub') return;
      const { instruments, snapshot } = this.#recording;
      if (message.topic === 'DAY_MARKET') {
        // Every client gets everything: a server that does not know `codes` ignores it
        // (protocol.md#narrowing).
        if (!subscribed) socket.send(snapshot);
        subscribed = true;
        if (Number.isNaN(this.#beganAt)) this.#play(socket);
      }
      const charted = /^KLINE\.(.+)$/.exec(message.topic)?.[1];
      const index = instruments.findIndex(({ Code }) => Code === charted);
      if (index >= 0) this.#charts.set(index, openBar(this.#recording, index));
    });
  }

  stop(): void {
    this.#stopped = true;
  }

  #elapsed(): number {
    return Number.isNaN(this.#beganAt) ? 0 : Math.round(unixNow() - this.#beganAt);
  }

  #play(socket: WebSocket): void {
    const { messages, due, messageOf, instrumentOf, priceOf } = this.#recording;
    let quote = 0;
    this.#beganAt = unixNow();
    this.#begun(this.#beganAt);
    let next = 0;
    const pass = (): void => {
      while (!this.#stopped) {
        const now = unixNow();
        const at = due[next];
        if (at === undefined) return;
        const wait = this.#beganAt + at - now;
        if (wait > 0) {
          setTimeout(pass, wait);
          return;
        }
        this.late = Math.max(this.late, -wait);
        this.sentAt.push(now);
        socket.send(messages[next] ?? '');
        for (; messageOf[quote] === next; quote++) {
          const bar =
            this.#charts.size > 0 && this.#moveBar(instrumentOf[quote] ?? 0, priceOf[quote] ?? 0);
          if (bar) socket.send(bar);
        }
        next += 1;
      }
    };
    pass();
  }

  /** Updates the bar for a quote of an instrument whose chart is open. */
  #moveBar(index: number, close: number): string | undefined {
    const bar = this.#charts.get(index);
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
    return JSON.stringify({ type: `KLINE.${this.#recording.instruments[index]?.Code}`, data });
  }
}

export function unixNow(): number {
  return performance.timeOrigin + performance.now();
}

/** Undefined for what no client of ours sends. */
function parsed(text: string): ClientMessage | undefined {
  try {
    const message: unknown = JSON.parse(text);
    const topic = message instanceof Object && 'topic' in message ? message.topic : '';
    return message instanceof Object && typeof topic === 'string'
      ? (message as ClientMessage)
      : undefined;
  } catch {
    return undefined;
  }
}

function openBar({ instruments }: Recording, index: number) {
  const price = Math.round(Number(instruments[index]?.ForexQuotations.Close) * 1000);
  return { open: price, high: price, low: price, volume: 0 };
}
