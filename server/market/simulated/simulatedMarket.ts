import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  latest,
  longest,
  shortest,
  startOfStep,
  timeAfter,
  toDurationMs,
  toUnixMs,
  toUnixSeconds,
  type UnixMs,
  type UnixSeconds,
} from '#domain/core/time';
import type { Instrument } from '#domain/market/instrument';
import type { Bar } from '#domain/market/kline';
import type { Period } from '#domain/market/period';
import type { FeeType } from '#domain/trading/margin';
import type { Clock } from '../../core/clock';
import type { Log } from '../../core/log';
import { SerialQueue } from '../../core/serialQueue';
import { catalogue } from '../catalogue/catalogue';
import { categoriesOf, toInstrument } from '../catalogue/instrumentTerms';
import type { Market, MarketListener, MarketQuote, PriceRange, Tick } from '../market';
import { MarketListeners } from '../marketListeners';
import { MINUTE } from './barNode';
import { nodeAt, toBar } from './history';
import { LiveInstrument } from './liveInstrument';
import { MarketClock } from './marketClock';
import { HOURS, isOpen, nextOpen, type Session } from './sessions';
import { simulatedInstruments } from './simulatedInstrument';
import { TickRates } from './tickRates';

export interface SimulatedOptions {
  feeType: FeeType;
  seed: string;
  instruments: number;
  /** Over all instruments. */
  ticksPerSecond: number;
  /** Quotes have a bid and an ask. */
  hasBook?: boolean;
}

const MINUTE_MS = toDurationMs(60_000);
/** Shortest time between two batches, ms: users do not notice more. */
const MIN_WAIT_MS = toDurationMs(25);
const MAX_WAIT_MS = toDurationMs(1000);
/** The ticks of the next minute are drawn in steps during this part of the current one, ms. */
const PREPARE_WITHIN_MS = toDurationMs(50_000);
/**
 * After a gap longer than this, ms, the process was suspended: it continues at the present, as
 * after a restart.
 */
const SUSPENDED_MS = toDurationMs(2 * MINUTE_MS);
/** Instruments processed before the event loop may run. */
const INSTRUMENTS_AT_ONCE = 200;

/**
 * A market computed from seed and clock. The past is computed on demand, the present follows the
 * clock; nothing is stored, so a restart makes no difference.
 */
export class SimulatedMarket implements Market {
  readonly feed: string;
  readonly hasBook: boolean;
  readonly instruments: readonly Instrument[];
  readonly categories: Market['categories'];
  readonly savePosition = undefined;
  private readonly clock: Clock;
  private readonly time: MarketClock;
  private readonly log: Log;
  private readonly listeners: MarketListeners;
  private readonly queue = new SerialQueue();
  private readonly live: readonly LiveInstrument[];
  private readonly byId: ReadonlyMap<number, LiveInstrument>;
  private readonly due: Float64Array;
  private minute = toUnixMs(0);
  private reached = toUnixMs(0);
  private prepared = 0;
  private cancelWake = () => {};
  private running = false;
  /** Whether the listeners know that the clock has stopped. */
  private isStopped = false;

  /** `tradedUntil`: orders have traded at prices up to this time. */
  constructor(options: SimulatedOptions, clock: Clock, log: Log, tradedUntil?: UnixMs) {
    const allTerms = catalogue(options.instruments);
    this.feed = simulatedSource(options.seed);
    this.hasBook = options.hasBook === true;
    this.instruments = allTerms.map((terms) => ({
      ...toInstrument(terms.id, terms.code, terms.name, terms, options.feeType),
      hours: HOURS[terms.session],
    }));
    this.categories = categoriesOf(this.instruments);
    this.clock = clock;
    this.time = new MarketClock(clock, tradedUntil);
    this.log = log;
    this.listeners = new MarketListeners(log);
    const pace = new TickRates(allTerms, options.ticksPerSecond);
    this.live = [...simulatedInstruments(options.seed, allTerms, pace).values()].map(
      (subject) => new LiveInstrument(subject, this.hasBook),
    );
    this.byId = new Map(this.live.map((live) => [live.instrument.terms.id, live]));
    this.due = new Float64Array(this.live.length);
  }

  now(): UnixMs {
    return latest(this.reached, this.time.now());
  }

  quote(instrumentId: number): MarketQuote | undefined {
    const live = this.byId.get(instrumentId);
    if (!live?.last) return undefined;
    const { session } = live.instrument.terms;
    const { price, time, bid, ask } = live.last;
    const now = this.now();
    const inHours = isOpen(session, now);
    const quote = {
      ...{ price, open: live.open, time },
      ...(bid !== undefined && ask !== undefined && { bid, ask }),
    };
    const { resumesAt } = this.time;
    if (inHours && resumesAt !== undefined) {
      return { ...quote, marketOpen: false, nextOpen: resumesAt, closedReason: 'clock' };
    }
    const opens = inHours ? undefined : nextOpen(session, now);
    return { ...quote, marketOpen: inHours, nextOpen: opens };
  }

  currentBar(instrumentId: number): Bar | undefined {
    const bar = this.byId.get(instrumentId)?.bar;
    return bar && { ...bar };
  }

  async bars(
    instrumentId: number,
    period: Period,
    limit: number,
    before: UnixSeconds = toUnixSeconds(Number.POSITIVE_INFINITY),
  ): Promise<Bar[]> {
    return this.byId.get(instrumentId)?.bars(period, limit, before) ?? [];
  }

  priceRange(instrumentId: number, since: UnixMs, until?: UnixMs): PriceRange | undefined {
    return this.byId.get(instrumentId)?.range(since, until);
  }

  listen(listener: MarketListener): () => void {
    return this.listeners.add(listener);
  }

  onFirstSubscriber(): void {
    // Only a replay can be held.
  }

  exclusively<T>(work: () => T | Promise<T>): Promise<T> {
    return this.queue.run(work);
  }

  async start(): Promise<void> {
    this.running = true;
    await this.seek(this.time.now());
    this.schedule();
  }

  async stop(): Promise<void> {
    this.running = false;
    this.cancelWake();
    await this.queue.run(() => {});
  }

  private schedule(): void {
    if (!this.running) return;
    const now = this.now();
    let next = this.minute + MINUTE_MS;
    for (const due of this.due) if (due < next) next = due;
    const wait = longest(MIN_WAIT_MS, shortest(toDurationMs(next - now), MAX_WAIT_MS));
    this.cancelWake = this.clock.after(wait, () => {
      this.queue.run(() => this.advance()).finally(() => this.schedule());
    });
  }

  /** Delivers everything that is due. */
  private async advance(): Promise<void> {
    if (!this.running) return;
    const now = this.now();
    this.updateStopped();
    if (this.isStopped) return;
    if (now - this.reached > SUSPENDED_MS) return this.resumeAfterSleep(now);
    while (now >= this.minute + MINUTE_MS) {
      await this.deliver(timeAfter(this.minute, toDurationMs(MINUTE_MS - 1)));
      this.endMinute();
    }
    await this.deliver(now);
    const target = Math.min(1, (now - this.minute) / PREPARE_WITHIN_MS) * this.live.length;
    while (this.prepared < target) this.live[this.prepared++]?.prepare();
  }

  /** The clock was set back, or has caught up: the market closes or opens. */
  private updateStopped(): void {
    const { resumesAt } = this.time;
    if ((resumesAt !== undefined) === this.isStopped) return;
    this.isStopped = resumesAt !== undefined;
    if (resumesAt === undefined)
      this.log.info('The market is open again: the clock has caught up.');
    else {
      const until = new Date(resumesAt).toISOString();
      this.log.warn(
        `The system's clock was set back. The market is closed until it shows ${until}.`,
      );
    }
    const now = this.now();
    const allTerms = this.live.map(({ instrument }) => instrument.terms);
    const ids = allTerms.filter(({ session }) => isOpen(session, now)).map(({ id }) => id);
    if (ids.length > 0) this.listeners.status(ids);
  }

  private async deliver(until: UnixMs): Promise<void> {
    const batch: Tick[] = [];
    for (let i = 0; i < this.due.length; i++) {
      if ((this.due[i] as number) > until) continue;
      const live = this.live[i] as LiveInstrument;
      while (live.due <= until) batch.push(live.deliver());
      this.due[i] = live.due;
    }
    this.reached = until;
    if (batch.length === 0) return;
    batch.sort((a, b) => a.time - b.time);
    await this.listeners.ticks(batch);
  }

  private endMinute(): void {
    const ended = this.minute;
    this.minute = timeAfter(this.minute, MINUTE_MS);
    this.reached = this.minute;
    this.prepared = 0;
    const closed: [number, Bar][] = [];
    for (const [i, live] of this.live.entries()) {
      if (live.bar) closed.push([live.instrument.terms.id, live.bar]);
      live.beginMinute(this.minute);
      this.due[i] = live.due;
    }
    for (const [id, bar] of closed) this.listeners.barClosed(id, bar);
    this.publishStatus(ended, this.minute);
  }

  private publishStatus(before: UnixMs, now: UnixMs): void {
    const turned = (session: Session) => isOpen(session, before) !== isOpen(session, now);
    const ids = this.live
      .map((live) => live.instrument.terms)
      .filter(({ session }) => turned(session))
      .map(({ id }) => id);
    if (ids.length > 0) this.listeners.status(ids);
  }

  private async seek(now: UnixMs): Promise<void> {
    this.minute = startOfStep(now, MINUTE_MS);
    this.reached = now;
    this.prepared = 0;
    for (const [i, live] of this.live.entries()) {
      live.seek(now);
      this.due[i] = live.due;
      if (i % INSTRUMENTS_AT_ONCE === INSTRUMENTS_AT_ONCE - 1) await nextTurn();
    }
  }

  /**
   * After a suspension: completes the bars that were open and brings every instrument to its
   * present price.
   */
  private async resumeAfterSleep(now: UnixMs): Promise<void> {
    const asleep = this.reached;
    const before = this.live.map((live) => ({ bar: live.bar, last: live.last }));
    await this.seek(now);
    const missed: Tick[] = [];
    for (const [i, live] of this.live.entries()) {
      const bar = before[i]?.bar;
      const node = bar && nodeAt(live.instrument, MINUTE, bar.time);
      if (node) this.listeners.barClosed(live.instrument.terms.id, toBar(live.instrument, node));
      if (live.last && live.last.time !== before[i]?.last?.time) missed.push(live.last);
    }
    this.publishStatus(asleep, now);
    this.listeners.skipped();
    missed.sort((a, b) => a.time - b.time);
    if (missed.length > 0) await this.listeners.ticks(missed);
  }
}

/** Names the feed of a seed (`Market.feed`). */
export function simulatedSource(seed: string): string {
  return `seed:${seed}`;
}
