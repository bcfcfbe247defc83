import { timeAfter, timeBefore, toDurationMs, type UnixMs } from '#domain/core/time';
import type { Bar } from '#domain/market/kline';
import type { Period } from '#domain/market/period';
import type { Clock } from '../../core/clock';
import { getOrInsert } from '../../core/getOrInsert';
import type { Log } from '../../core/log';
import { isCode } from '../code';
import { addressAt } from './address';
import type { Codec, ListedPair, LiveEvent } from './codec';
import { chunks } from './codecs/reading';
import { LiveConnection } from './connection';
import { RestClient } from './restClient';

export interface SourceOptions {
  codec: Codec;
  /** Instead of the exchange's own addresses; empty: its own. */
  websocket: string;
  rest: string;
  clock: Clock;
  log: Log;
  random?: () => number;
  raw?: (exchange: string, text: string) => void;
}

/** What a source tells of a code. */
export interface SourceListener {
  event(code: string, event: LiveEvent): void;
  ready(code: string): void;
  /** The exchange refuses it: it is left out until `ask`. */
  refused(code: string, reason: string): void;
  lost(codes: readonly string[]): void;
}

/** One exchange with its connections, by our codes. */
export class Source {
  readonly codec: Codec;
  readonly time: ExchangeClock;
  private readonly options: SourceOptions;
  private readonly rest: RestClient;
  private readonly pairs = new Map<string, ListedPair>();
  /** By code. */
  private readonly connections = new Map<string, LiveConnection>();
  /** By the exchange's name; two pairs may share one book. */
  private readonly codes = new Map<string, string[]>();

  constructor(options: SourceOptions) {
    this.options = options;
    this.codec = options.codec;
    this.time = new ExchangeClock(options.clock);
    this.rest = new RestClient(options.codec, options.rest, options.clock);
  }

  /** Pairs that the exchange lists, by our code. Throws where it can't be reached. */
  async list(): Promise<ReadonlyMap<string, ListedPair>> {
    const listed = await this.codec.pairs(this.rest.get);
    return new Map(
      listed.map((pair) => [codeOf(pair), pair] as const).filter(([code]) => isCode(code)),
    );
  }

  /** Connects for these pairs. */
  connect(pairs: ReadonlyMap<string, ListedPair>, listener: SourceListener): void {
    const { codec, clock, log, random = Math.random, websocket, raw } = this.options;
    for (const [code, pair] of pairs) {
      this.pairs.set(code, pair);
      getOrInsert(this.codes, pair.symbol, () => []).push(code);
    }
    const symbols = [...this.codes.keys()];
    const codesOf = (symbol: string) => this.codes.get(symbol) ?? [];
    for (const part of chunks(symbols, codec.limits.symbolsPerConnection)) {
      const connection = new LiveConnection(
        {
          codec,
          url: addressAt(codec.websocket, websocket),
          symbols: part,
          clock,
          log,
          random,
          raw: raw && ((text) => raw(codec.key, text)),
        },
        {
          event: (event) => {
            if (event.kind === 'alive' && event.time !== undefined) this.time.received(event.time);
            if (event.kind === 'trade' && !event.past) this.time.received(event.time);
            if (!('symbol' in event) || !event.symbol) return;
            for (const code of codesOf(event.symbol)) listener.event(code, event);
          },
          ready: (symbol) => {
            for (const code of codesOf(symbol)) listener.ready(code);
          },
          refused: (symbol, reason) => {
            for (const code of codesOf(symbol)) listener.refused(code, reason);
          },
          lost: () => listener.lost(part.flatMap(codesOf)),
        },
      );
      for (const code of part.flatMap(codesOf)) this.connections.set(code, connection);
      connection.start();
    }
  }

  /** Asks again for a code that was refused. */
  ask(code: string): void {
    const pair = this.pairs.get(code);
    if (pair) this.connections.get(code)?.ask(pair.symbol);
  }

  stop(): void {
    for (const connection of new Set(this.connections.values())) connection.stop();
    this.connections.clear();
  }

  /**
   * The exchange's time until which all that it has said of a code has come: a connection that is dead and
   * was not missed yet tells no trades.
   */
  receivedUntil(code: string): UnixMs {
    const connection = this.connections.get(code);
    return connection ? timeBefore(this.time.now(), connection.quiet) : this.time.now();
  }

  async klines(code: string, period: Period, since: UnixMs): Promise<Bar[]> {
    const pair = this.pairs.get(code);
    if (!pair) throw new Error(`${this.codec.name} does not list ${code}`);
    return this.codec.klines(this.rest.get, pair, period, since, this.time.now());
  }
}

/** How a pair is called here, on every exchange alike. */
function codeOf({ base, quote }: Pick<ListedPair, 'base' | 'quote'>): string {
  return `${base}/${quote}`;
}

const SAMPLES = 15;
/** Fewer say nothing: one message may be wrong. */
const LEAST_SAMPLES = 3;

/** The clock of an exchange, estimated from the times that its messages carry. */
class ExchangeClock {
  private readonly clock: Clock;
  private readonly samples: number[] = [];
  private offset = 0;
  private next = 0;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** The exchange's time; the local one until enough messages have come. It is late by their latency. */
  now(): UnixMs {
    return timeAfter(this.clock.now(), toDurationMs(this.offset));
  }

  /** Whether enough messages have come to know it. */
  get isKnown(): boolean {
    return this.samples.length >= LEAST_SAMPLES;
  }

  /** A message that was sent at `time` has come. */
  received(time: UnixMs): void {
    this.samples[this.next] = time - this.clock.now();
    this.next = (this.next + 1) % SAMPLES;
    if (!this.isKnown) return;
    // The median: neither a late message nor a wrong one moves it.
    const sorted = [...this.samples].sort((a, b) => a - b);
    this.offset = Math.round(sorted[sorted.length >> 1] as number);
  }
}
