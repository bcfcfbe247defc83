import type { UnixMs } from '#domain/core/time';
import type { Bar } from '#domain/market/kline';
import type { RemoteMarket } from '../../../../server/cluster/remoteMarket';
import type {
  MarketListener,
  MarketQuote,
  PriceRange,
  Tick,
} from '../../../../server/market/market';
import { barText } from './feedMarket';
import type { SimulatedBus } from './simulatedNats';
import { AHEAD_MS } from './simulatedProcess';
import type { World } from './world';

/** After this silence a reader shows the market as closed, ms: the fifth second, the check that follows, and a turn. */
const CLOSED_AFTER_MS = 5_000 + 1_000 + 50;
/** For how long at least nothing was heard when a reader says since when, ms: clocks of machines are wrong. */
const SILENT_MS = 5_000 - 500;
/** How old an open price can be, ms. */
const OPEN_WITHIN_MS = CLOSED_AFTER_MS + 2_000;
/** What waited for a process that was paused comes one by one, ms. */
const RESUMED_MS = 50;
/** By how much two feeds are apart: the clocks of their machines, and the wait for the next tick, ms. */
const BEHIND_MS = 2 * AHEAD_MS + 100;
/**
 * A feed that was paused speaks until its successor is heard. What it has said comes again, as far as the successor is behind,
 * and what both say is under way, ms.
 */
const OVERLAP_MS = BEHIND_MS + 3_000;
/** After this silence no order fills, ms (D129); that a message was on its way for as long as all others is not known. */
export const FILLED_WITHIN_MS = 2_500 + 50;

/**
 * Watches a process that reads the market. Every true tick reaches it once and in order, but for those that it is told to have
 * skipped. What it shows has been published by the feed of the highest epoch that it knows.
 */
export class Reader implements MarketListener {
  private readonly name: string;
  private readonly market: RemoteMarket;
  private readonly bus: SimulatedBus;
  private readonly world: World;
  private readonly reached = new Map<number, number>();
  /** Bars that were closed, with the epoch that was known then. */
  private readonly bars = new Map<string, number>();
  private epoch = 0;

  constructor(name: string, market: RemoteMarket, bus: SimulatedBus, world: World) {
    this.name = name;
    this.market = market;
    this.bus = bus;
    this.world = world;
    market.listen(this);
  }

  ticks(ticks: readonly Tick[]): void {
    for (const tick of ticks) {
      const { instrumentId: id, time, price } = tick;
      const next = this.reachedIndex(id) + 1;
      this.reached.set(id, next);
      const expected = this.world.truth.ticksOf(id)[next];
      if (expected?.time !== time || expected.price !== price) {
        this.fail(`tick ${JSON.stringify(tick)} instead of ${JSON.stringify(expected)}`);
      }
    }
  }

  skipped(): void {
    for (const id of this.world.truth.ids) {
      const quote = this.market.quote(id);
      const reached = quote ? this.world.truth.lastIndex(id, quote.time) : -1;
      if (reached < this.reachedIndex(id)) {
        const isOther = (quote?.bid ?? 0) > this.epoch;
        const ticks = this.world.truth.ticksOf(id);
        // Not its age: an engine that waits for a call lets a snapshot wait too.
        const back = (ticks[this.reachedIndex(id)]?.time ?? 0) - (ticks[reached + 1]?.time ?? 0);
        if (!isOther || back > OVERLAP_MS) this.fail(`instrument ${id} went back by ${back} ms`);
      }
      this.reached.set(id, reached);
    }
  }

  /** The last true tick that it knows or was told to have skipped, by index. */
  reachedIndex(id: number): number {
    return this.reached.get(id) ?? -1;
  }

  status(): void {}

  barClosed(id: number, bar: Bar): void {
    const key = `${id} ${bar.time}`;
    if (this.bars.has(key)) this.fail(`bar ${key} closed twice`);
    this.bars.set(key, this.epoch);
    const reached = this.world.truth.ticksOf(id)[this.reachedIndex(id)];
    if (reached && reached.time >= (bar.time + 60) * 1000) {
      this.fail(`bar ${key} closed after a tick of the next one`);
    }
    const expected = this.world.truth.bar(id, bar.time);
    if (!expected || barText(bar) !== barText(expected))
      this.fail(`bar ${key} is not the true one`);
  }

  /** Fails on what must never be shown. */
  check(): void {
    const { process } = this.bus;
    if (process.isPaused) return;
    const now = process.time.elapsed();
    if (now - process.resumedAt < RESUMED_MS) return;
    const silence = now - this.bus.lastSentAt;
    for (const id of this.world.truth.ids) {
      const quote = this.market.quote(id);
      if (!quote) continue;
      this.checkPrice(id, quote);
      const open = this.market.currentBar(id);
      // A feed that takes over may be behind, and has not closed it yet.
      if (open && this.bars.get(`${id} ${open.time}`) === this.epoch) {
        this.fail(`bar ${id} ${open.time} is open, though it was closed`);
      }
      if (quote.marketOpen) this.checkOpen(id, quote, silence);
      else this.checkClosed(id, quote);
    }
  }

  /** Fails on a price that the feed of its epoch has not published. */
  checkPrice(id: number, { time, price, bid = 0 }: MarketQuote): void {
    const { truth, epochs } = this.world;
    if (!truth.was(id, time, price))
      this.fail(`instrument ${id} never stood at ${price} at ${time}`);
    if (bid < this.epoch) this.fail(`epoch ${bid} after ${this.epoch}`);
    if (!epochs.has(bid)) this.fail(`nobody has had epoch ${bid}`);
    this.epoch = bid;
  }

  /**
   * Fails on a range that is not the one of the ticks after `since` that have arrived here. The newest ones may be missing: a
   * successor whose clock is behind answers too.
   */
  checkRange(id: number, since: UnixMs, range: PriceRange | undefined): void {
    const { truth, time } = this.world;
    const ticks = truth.ticksOf(id);
    const from = truth.lastIndex(id, since) + 1;
    const last = this.reachedIndex(id);
    const oldest = Math.min(last, truth.lastIndex(id, time.now() - BEHIND_MS));
    for (let until = last; until >= oldest; until--) {
      const prices = ticks.slice(from, until + 1).map(({ price }) => price);
      const expected =
        prices.length > 0 ? { low: Math.min(...prices), high: Math.max(...prices) } : undefined;
      if (range?.low === expected?.low && range?.high === expected?.high) return;
    }
    const known = ticks.slice(from, last + 1);
    this.fail(`range ${JSON.stringify(range)} of ${JSON.stringify(known)} since ${since}`);
  }

  private checkOpen(id: number, { time }: MarketQuote, silence: number): void {
    if (silence > CLOSED_AFTER_MS) this.fail(`open after a silence of ${silence} ms`);
    const { truth, time: clock } = this.world;
    const missed = truth.ticksOf(id)[truth.lastIndex(id, time) + 1];
    const age = clock.now() - (missed?.time ?? clock.now());
    if (age > OPEN_WITHIN_MS) this.fail(`instrument ${id} is open with a price of ${age} ms ago`);
  }

  private checkClosed(id: number, { closedReason }: MarketQuote): void {
    if (typeof closedReason !== 'object') return;
    const age = this.world.time.now() - closedReason.since;
    if (closedReason.feed !== this.world.feedName)
      this.fail(`instrument ${id} is closed otherwise`);
    if (age < SILENT_MS) this.fail(`instrument ${id} is closed since ${age} ms ago`);
  }

  private fail(text: string): void {
    this.world.fail(`${this.name}: ${text}`);
  }
}
