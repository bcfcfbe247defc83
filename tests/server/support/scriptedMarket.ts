import { toDecimal } from '#domain/core/decimal';
import {
  latest,
  secondOf,
  timeAfter,
  toDurationMs,
  toUnixMs,
  type UnixMs,
  type UnixSeconds,
} from '#domain/core/time';
import { toFeeRate, toUnitsPerLot } from '#domain/core/units';
import { AROUND_THE_CLOCK } from '#domain/market/hours';
import type { Instrument } from '#domain/market/instrument';
import { type Bar, barFromTick, barStart, foldBars, foldTick } from '#domain/market/kline';
import type { Period } from '#domain/market/period';
import type {
  ClosedReason,
  Market,
  MarketListener,
  MarketQuote,
  PriceRange,
  Tick,
} from '../../../server/market/market';
import { MarketListeners } from '../../../server/market/marketListeners';

/** An instrument with defaults; tests override what they need. */
export function instrument(
  id: number,
  code: string,
  changes: Partial<Instrument> = {},
): Instrument {
  return {
    id,
    code,
    name: `${code.slice(0, 3)}/${code.slice(3)}`,
    logo: '',
    categoryId: 1,
    precision: 5,
    lotStep: toDecimal('0.01') as Instrument['lotStep'],
    minLots: toDecimal('0.01') as Instrument['minLots'],
    unitsPerLot: toUnitsPerLot('100000'),
    marginMode: 'leveraged',
    leverages: ['50', '100'].map((value) => toDecimal(value) as Instrument['leverages'][number]),
    feeRate: toFeeRate('3') as Instrument['feeRate'],
    hours: AROUND_THE_CLOCK,
    ...changes,
  };
}

/** An error of a listener fails the test. */
const FAILING = {
  info() {},
  warn() {},
  error(text: string): never {
    throw new Error(text);
  },
};

/** Ticks that are kept: more than a test looks back at, fewer than a test of memory delivers. */
const KEPT = 10_000;

/** `book`: as it is from then on; the present one where none is given. */
export type ScriptedTick = [
  instrumentId: number,
  price: number,
  volume?: number,
  book?: { bid: number; ask: number },
];

/** A market that is controlled by the test. */
export class ScriptedMarket implements Market {
  readonly feed: string = 'script';
  readonly instruments: Instrument[];
  readonly categories = [{ id: 1, key: 'forex' as const }];
  time: UnixMs;
  /** Until this resolves it waits for all listeners, as a replay at `--speed max` does. */
  stopWaiting: Promise<void> | undefined;
  releases = 0;
  started = false;
  private readonly listeners = new MarketListeners(FAILING);
  private readonly quotes = new Map<number, MarketQuote>();
  /** Bid and ask of instruments that have them. */
  readonly books = new Map<number, { bid: number; ask: number }>();
  private readonly minutes = new Map<number, Bar[]>();
  /** The latest ticks, for `priceRange`. */
  private delivered: Tick[] = [];
  /** Of the delivered ticks. */
  private newest = toUnixMs(0);

  constructor(instruments: Instrument[], time = toUnixMs(Date.UTC(2026, 0, 31, 8))) {
    this.instruments = instruments;
    this.time = time;
  }

  /**
   * Delivers ticks as one batch at the market's present time, those of one instrument a millisecond
   * apart. Resolves when those listeners are done for which it waits.
   */
  async tick(...ticks: ScriptedTick[]): Promise<void> {
    const counts = new Map<number, number>();
    await this.turn(
      ticks.map(([instrumentId, price, volume = 1, book = this.books.get(instrumentId)]) => {
        const earlier = counts.get(instrumentId) ?? 0;
        counts.set(instrumentId, earlier + 1);
        const time = timeAfter(this.time, toDurationMs(earlier));
        return { instrumentId, price, volume, time, ...book };
      }),
    );
  }

  /** Listeners miss a tick: they are told that there was something. */
  skip(instrumentId: number, price: number): void {
    this.note([{ instrumentId, price, volume: 1, time: this.time }]);
    this.listeners.skipped();
  }

  async turn(ticks: readonly Tick[]): Promise<void> {
    this.note(ticks);
    await this.listeners.ticks(ticks, this.stopWaiting);
  }

  private note(ticks: readonly Tick[]): void {
    for (const tick of ticks) this.apply(tick);
    this.delivered.push(...ticks);
    for (const { time } of ticks) this.newest = latest(this.newest, time);
    if (this.delivered.length > 2 * KEPT) this.delivered = this.delivered.slice(-KEPT);
  }

  /** Moves the clock; bars that end meanwhile are closed. */
  pass(ms: number): void {
    const before = barStart('1min', secondOf(this.time));
    this.time = timeAfter(this.time, toDurationMs(ms));
    if (barStart('1min', secondOf(this.time)) === before) return;
    for (const [instrumentId, bars] of this.minutes) {
      const last = bars.at(-1);
      if (last?.time !== before) continue;
      this.listeners.barClosed(instrumentId, last);
    }
  }

  setOpen(
    instrumentId: number,
    marketOpen: boolean,
    nextOpen?: UnixMs,
    closedReason?: ClosedReason,
  ): void {
    const quote = this.quotes.get(instrumentId);
    if (!quote) throw new Error('never traded');
    const reason = closedReason && { closedReason };
    this.quotes.set(instrumentId, { ...quote, marketOpen, nextOpen, ...reason });
    this.listeners.status([instrumentId]);
  }

  private apply({ instrumentId, price, volume, time, bid, ask }: Tick): void {
    if (bid !== undefined && ask !== undefined) this.books.set(instrumentId, { bid, ask });
    const open = this.quotes.get(instrumentId)?.open ?? price;
    this.quotes.set(instrumentId, { price, open, time, marketOpen: true, nextOpen: undefined });
    const bars = this.minutes.get(instrumentId) ?? [];
    this.minutes.set(instrumentId, bars);
    const minute = barStart('1min', secondOf(time));
    const last = bars.at(-1);
    if (last?.time === minute) foldTick(last, price, volume);
    else bars.push(barFromTick(minute, price, volume));
  }

  now(): UnixMs {
    return latest(this.time, this.newest);
  }

  /** Changes bid and ask without a tick; undefined: there are none any more. */
  topOfBook(instrumentId: number, topOfBook: { bid: number; ask: number } | undefined): void {
    if (topOfBook) this.books.set(instrumentId, topOfBook);
    else this.books.delete(instrumentId);
    this.listeners.topOfBook([instrumentId]);
  }

  quote(instrumentId: number): MarketQuote | undefined {
    const quote = this.quotes.get(instrumentId);
    const topOfBook = this.books.get(instrumentId);
    return quote && topOfBook ? { ...quote, ...topOfBook } : quote;
  }

  currentBar(instrumentId: number): Bar | undefined {
    const last = this.minutes.get(instrumentId)?.at(-1);
    return last?.time === barStart('1min', secondOf(this.time)) ? last : undefined;
  }

  async bars(
    instrumentId: number,
    period: Period,
    limit: number,
    before = Number.POSITIVE_INFINITY,
  ): Promise<Bar[]> {
    const all = foldBars(this.minutes.get(instrumentId) ?? [], period);
    return all.filter(({ time }: { time: UnixSeconds }) => time < before).slice(-limit);
  }

  priceRange(
    instrumentId: number,
    since: UnixMs,
    until = Number.POSITIVE_INFINITY,
  ): PriceRange | undefined {
    const ticks = this.delivered
      .filter((tick) => tick.instrumentId === instrumentId)
      .filter(({ time }) => time > since && time < until);
    if (ticks.length === 0) return undefined;
    const prices = ticks.map(({ price }) => price);
    return {
      low: Math.min(...prices),
      high: Math.max(...prices),
      bidHigh: Math.max(...ticks.map(({ price, bid = price }) => bid)),
      askLow: Math.min(...ticks.map(({ price, ask = price }) => ask)),
    };
  }

  listen(listener: MarketListener): () => void {
    return this.listeners.add(listener);
  }

  onFirstSubscriber(): void {
    this.releases++;
  }

  async exclusively<T>(work: () => T | Promise<T>): Promise<T> {
    return work();
  }

  async savePosition(): Promise<void> {}

  async start(): Promise<void> {
    this.started = true;
  }

  async stop(): Promise<void> {
    this.started = false;
  }
}
