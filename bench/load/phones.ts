import { setTimeout as wait } from 'node:timers/promises';
import { toDurationMs } from '#domain/core/time';
import { randomFrom } from '#domain/workload/draws';
import { createBackoff } from '../../workers/core/backoff';
import { shuffled } from '../lib/statistics';
import { Histogram, type Quantiles } from './histogram';
import { RawSocket } from './rawSocket';

export interface PhoneLoad {
  sockets: number;
  /** Instruments that each asks for, drawn by the seed. */
  codes: number;
  /** At most one row an instrument in so many ms. */
  interval: number;
  compact: boolean;
  seed: number;
}

/** What phones were sent while it was counted. */
export interface PhoneFigures {
  messages: number;
  bytes: number;
  /** Arrival minus `Time` of the newest row of a message, ms, at one phone in fifty. */
  age: Quantiles;
}

/** How phones came back. */
export interface Reconnects {
  /** Phones that lost their socket. */
  lost: number;
  /** Of these, those that have prices again. */
  back: number;
  /** From the loss to the first price, ms. */
  time: Quantiles;
}

const SAMPLED = 50;
const OPENED_AT_ONCE = 50;
/** As the app's worker: an upgrade that is not answered by then has failed. */
const CONNECT_MS = 5_000;
const PING_MS = 5_000;

/** Thousands of phones that watch a list, and connect again as the app does: with growing, random waits. */
export class Phones {
  private readonly host: string;
  private readonly port: number;
  private readonly load: PhoneLoad;
  private readonly codes: readonly string[];
  private readonly random: () => number;
  private readonly sockets = new Set<RawSocket>();
  private stopped = false;
  private messages = 0;
  private bytes = 0;
  private age = new Histogram();
  private lost = 0;
  private comeback = new Histogram();
  private pings: NodeJS.Timeout | undefined;

  private constructor(address: URL, load: PhoneLoad, codes: readonly string[]) {
    this.host = address.hostname;
    this.port = Number(address.port || 80);
    this.load = load;
    this.codes = codes;
    this.random = randomFrom(load.seed);
  }

  /** Resolves when all are connected. */
  static async open(address: URL, load: PhoneLoad): Promise<Phones> {
    const listed = await fetch(new URL('/v1/api/forex/trade_list', address));
    const { data } = (await listed.json()) as { data: { Code: string }[] };
    const phones = new Phones(
      address,
      load,
      data.map(({ Code }) => Code),
    );
    for (let from = 0; from < load.sockets; from += OPENED_AT_ONCE) {
      const count = Math.min(OPENED_AT_ONCE, load.sockets - from);
      await Promise.all(Array.from({ length: count }, (_, index) => phones.add(from + index)));
    }
    phones.ping();
    return phones;
  }

  /** How many are connected. */
  get connected(): number {
    return this.sockets.size;
  }

  /** Counts what comes in the next time. */
  async count(ms: number): Promise<PhoneFigures> {
    this.messages = 0;
    this.bytes = 0;
    this.age = new Histogram();
    await wait(ms);
    return { messages: this.messages, bytes: this.bytes, age: this.age.summary() };
  }

  /** Does something to the server, and waits until all phones have prices again, or the time is over. */
  async disturb(disturbance: () => void | Promise<void>, mostMs: number): Promise<Reconnects> {
    this.lost = 0;
    this.comeback = new Histogram();
    await disturbance();
    const until = performance.now() + mostMs;
    do await wait(100);
    while (performance.now() < until && (this.lost === 0 || this.comeback.count < this.lost));
    return this.comebacks();
  }

  /** Since the last disturbance, or since the start. */
  comebacks(): Reconnects {
    return { lost: this.lost, back: this.comeback.count, time: this.comeback.summary() };
  }

  close(): void {
    this.stopped = true;
    clearInterval(this.pings);
    for (const socket of this.sockets) socket.close();
  }

  /** Resolves with the first connection. */
  private async add(index: number): Promise<void> {
    const codes = shuffled(this.codes, this.random).slice(0, this.load.codes);
    const backoff = createBackoff({
      first: toDurationMs(200),
      cap: toDurationMs(1_600),
      random: this.random,
    });
    let lostAt: number | undefined;
    const connect = async (): Promise<void> => {
      for (;;) {
        try {
          await this.connection(index, codes, {
            priced: () => {
              if (lostAt === undefined) return;
              this.comeback.add(performance.now() - lostAt);
              lostAt = undefined;
              backoff.reset();
            },
            lost: () => {
              if (this.stopped) return;
              // One that is lost again before its first price is lost since the first time.
              if (lostAt === undefined) this.lost++;
              lostAt ??= performance.now();
              void wait(backoff.next()).then(connect);
            },
          });
          return;
        } catch {
          if (this.stopped) return;
          await wait(backoff.next());
        }
      }
    };
    await connect();
  }

  private async connection(
    index: number,
    codes: readonly string[],
    { priced, lost }: { priced(): void; lost(): void },
  ): Promise<void> {
    const { interval, compact } = this.load;
    let socket: RawSocket | undefined;
    socket = await RawSocket.open(
      this.port,
      {
        message: (size, text) => {
          this.messages++;
          this.bytes += size;
          priced();
          if (text) this.noteAge(text);
        },
        closed: () => {
          if (socket && this.sockets.delete(socket)) lost();
        },
      },
      index % SAMPLED === 0,
      { host: this.host, timeout: CONNECT_MS },
    );
    if (this.stopped) return socket.close();
    this.sockets.add(socket);
    socket.send({
      type: 'sub',
      topic: 'DAY_MARKET',
      codes,
      interval,
      ...(compact && { compact: 1 }),
    });
  }

  /** Each its ping every five seconds, at a moment of its own. */
  private ping(): void {
    let waiting: RawSocket[] = [];
    const perStep = Math.ceil(this.load.sockets / (PING_MS / 10));
    this.pings = setInterval(() => {
      if (waiting.length === 0) waiting = [...this.sockets];
      for (const socket of waiting.splice(0, perStep)) socket.send({ type: 'ping' });
    }, 10);
  }

  private noteAge(text: string): void {
    const { data } = JSON.parse(text) as { data?: ({ Time: number } | number[])[] };
    if (!Array.isArray(data) || data.length === 0) return;
    const times = data.map((row) => Number(Array.isArray(row) ? row[2] : row.Time));
    this.age.add(Date.now() - Math.max(...times));
  }
}
