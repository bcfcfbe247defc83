import { performance } from 'node:perf_hooks';
import type { WebSocket } from 'ws';
import type { ClientMessage, TickRow } from '#domain/api/socket';
import { LastBars } from '#domain/workload/lastBars';
import { compactMessage } from '#domain/workload/stream';
import { BEGIN, type Recording } from './stream';

/** What one socket has asked for. */
interface Reader {
  socket: WebSocket;
  /** Its instruments; undefined: all. */
  codes: ReadonlySet<string> | undefined;
  quotes: boolean;
  /** It asked for compact rows, and was told all of these instruments. */
  compact: boolean;
  told: Set<number>;
  /** It gets the last quote of each instrument once in this time, ms; 0: each quote. */
  interval: number;
  /** What it gets when the interval ends, by code. */
  held: Map<string, TickRow>;
  /** Instruments whose bars it gets. */
  charts: Set<number>;
}

/** Plays a recording to the sockets that subscribe. */
export class Player {
  /** When each message was sent, unix ms, and the largest delay. */
  readonly sentAt: number[] = [];
  late = 0;
  /** Of messages to all sockets. */
  bytes = 0;
  readonly #recording: Recording;
  readonly #narrowed: boolean;
  readonly #begun: (at: number) => void;
  readonly #readers = new Set<Reader>();
  readonly #bars: LastBars;
  /** The present rows by code, of what a narrowed socket has not heard. */
  readonly #present = new Map<string, TickRow>();
  #beganAt = Number.NaN;
  #stopped = false;

  /** `begun` hears that the first subscription has arrived and quotes start; unix ms. */
  constructor(recording: Recording, narrowed = false, begun: (at: number) => void = () => {}) {
    this.#recording = recording;
    this.#bars = new LastBars(recording.instruments, BEGIN);
    this.#narrowed = narrowed;
    this.#begun = begun;
    if (narrowed) this.#note(recording.snapshot);
  }

  /** The address may subscribe, as at the server (protocol.md#subscriptions-in-the-address). */
  connect(socket: WebSocket, url: string): void {
    const reader: Reader = {
      socket,
      codes: undefined,
      quotes: false,
      compact: false,
      told: new Set(),
      interval: 0,
      held: new Map(),
      charts: new Set(),
    };
    this.#readers.add(reader);
    socket.on('close', () => this.#readers.delete(reader));
    const ahead = new URLSearchParams(url.split('?')[1]).get('sub') ?? '[]';
    for (const message of JSON.parse(ahead)) this.#take(reader, message);
    socket.on('message', (data) => this.#take(reader, parsed(String(data))));
  }

  #take(reader: Reader, message: ClientMessage | undefined): void {
    const { socket } = reader;
    if (message?.type === 'ping') {
      socket.send(JSON.stringify({ type: 'pong', now: BEGIN + this.#elapsed() }));
    }
    if (message?.type === 'unsub') reader.charts.delete(this.#bars.indexOf(message.topic));
    if (message?.type !== 'sub') return;
    if (message.topic === 'DAY_MARKET') {
      reader.compact = message.compact === 1;
      reader.interval = (this.#narrowed && message.interval) || 0;
      this.#subscribe(reader, this.#narrowed ? message.codes : undefined);
    }
    const index = this.#bars.indexOf(message.topic);
    if (index < 0) return;
    reader.charts.add(index);
    this.#bars.open(index);
  }

  stop(): void {
    this.#stopped = true;
  }

  /** Without a quote filter every client gets everything: a server that does not know `codes` ignores it. */
  #subscribe(reader: Reader, codes: readonly string[] | undefined): void {
    const former = reader.codes;
    const isFirst = !reader.quotes;
    reader.codes = codes && new Set(codes);
    reader.quotes = true;
    if (codes) {
      const rows = codes.flatMap((code) => {
        const row = this.#present.get(code);
        return row && !former?.has(code) ? [row] : [];
      });
      this.#sendRows(reader, rows);
    } else if (isFirst) this.#sendRows(reader, rowsOf(this.#recording.snapshot));
    if (Number.isNaN(this.#beganAt)) this.#play();
  }

  #send({ socket }: Reader, text: string): void {
    // Texts are ASCII.
    this.bytes += text.length;
    socket.send(text);
  }

  #elapsed(): number {
    return Number.isNaN(this.#beganAt) ? 0 : Math.round(unixNow() - this.#beganAt);
  }

  #play(): void {
    const { messages, compact, due, messageOf, instrumentOf, priceOf } = this.#recording;
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
        this.#sendQuotes(messages[next] ?? '', compact[next] ?? '');
        for (; messageOf[quote] === next; quote++) {
          const index = instrumentOf[quote] ?? 0;
          const bar = this.#bars.move(index, priceOf[quote] ?? 0);
          if (!bar) continue;
          for (const reader of this.#readers) if (reader.charts.has(index)) this.#send(reader, bar);
        }
        next += 1;
      }
    };
    pass();
  }

  #sendQuotes(text: string, compactText: string): void {
    const rows = this.#narrowed ? this.#note(text) : [];
    for (const reader of this.#readers) {
      const { quotes, codes } = reader;
      if (!quotes) continue;
      if (!codes) {
        this.#send(reader, reader.compact ? compactText : text);
        continue;
      }
      const data = rows.filter(({ Code }) => codes.has(Code));
      if (reader.interval > 0) this.#hold(reader, data);
      else this.#sendRows(reader, data);
    }
  }

  #sendRows(reader: Reader, data: readonly TickRow[]): void {
    if (data.length === 0) return;
    const { compact, told } = reader;
    this.#send(
      reader,
      compact
        ? compactMessage(data, (id) => told.has(id))
        : JSON.stringify({ type: 'DAY_MARKET', data }),
    );
    for (const { Id } of data) told.add(Id);
  }

  /** As the server does: the last price of each, and the sum of the volumes. */
  #hold(reader: Reader, rows: readonly TickRow[]): void {
    const { held, interval } = reader;
    if (rows.length > 0 && held.size === 0) {
      setTimeout(() => {
        this.#sendRows(reader, [...held.values()]);
        held.clear();
      }, interval);
    }
    for (const row of rows) {
      const volume = Number(held.get(row.Code)?.Volume ?? 0) + Number(row.Volume ?? 0);
      held.set(row.Code, { ...row, Volume: `${volume}` });
    }
  }

  #note(text: string): TickRow[] {
    const data = rowsOf(text);
    for (const row of data) this.#present.set(row.Code, row);
    return data;
  }
}

function rowsOf(text: string): TickRow[] {
  return (JSON.parse(text) as { data: TickRow[] }).data;
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
