import { earliest, LATEST_MS, timeAfter, toDurationMs, type UnixMs } from '#domain/core/time';
import { RepeatedTask } from '../core/repeatedTask';
import { SerialQueue } from '../core/serialQueue';
import type { Db } from '../db/database';
import type { Market, MarketQuote, PriceRange } from '../market/market';
import { SUBJECTS } from './bus';
import { askDescription, type MarketDescription } from './description';
import type { HaltQuestion, RangeQuestion } from './marketServer';
import { RemoteMarket, type RemoteMarketOptions } from './remoteMarket';

/** A feed says something every second. After this silence, ms, no order fills at its last price (D129). */
const DOUBTED_MS = 2_500;
const SAVE_EVERY = toDurationMs(1_000);

export interface BusMarketOptions extends RemoteMarketOptions {
  /** Of the engine. */
  db: Db;
}

/**
 * The market of a feed, in an engine: what happens on it takes turns with the engine's own work, and waits for matching
 * (architecture.md#feed). After a gap, ticks are missing that matching has not seen, as after a restart.
 */
export class BusMarket extends RemoteMarket implements Market {
  /** The feed keeps its own. */
  readonly savePosition = undefined;
  private readonly queue: SerialQueue;
  private readonly db: Db;
  private readonly saving: RepeatedTask;

  private constructor(
    description: MarketDescription,
    options: BusMarketOptions,
    queue: SerialQueue,
  ) {
    super(description, { ...options, queue });
    this.queue = queue;
    this.db = options.db;
    this.saving = new RepeatedTask({
      name: 'What has followed the prices could not be kept',
      every: SAVE_EVERY,
      clock: options.clock,
      log: options.log,
      run: () => this.saveFollowed(),
    });
  }

  /** Rejects while no feed answers. */
  static override async open(options: BusMarketOptions): Promise<BusMarket> {
    return new BusMarket(await askDescription(options.bus), options, new SerialQueue());
  }

  override quote(instrumentId: number): MarketQuote | undefined {
    const quote = super.quote(instrumentId);
    return quote && this.silence > DOUBTED_MS ? { ...quote, stale: true } : quote;
  }

  /** The feed is ahead by what is under way: ticks that come later must not count here, and again when they come. */
  async priceRange(
    instrumentId: number,
    since: UnixMs,
    until = LATEST_MS,
  ): Promise<PriceRange | undefined> {
    const arrived = timeAfter(this.reached, toDurationMs(1));
    const question: RangeQuestion = { instrumentId, since, until: earliest(until, arrived) };
    return (await this.ask<PriceRange | null>(SUBJECTS.range, question)) ?? undefined;
  }

  setHalted(instrumentId: number, halted: boolean): Promise<boolean> {
    const question: HaltQuestion = { instrumentId, halted };
    return this.ask(SUBJECTS.halt, question);
  }

  exclusively<T>(work: () => T | Promise<T>): Promise<T> {
    return this.queue.run(work);
  }

  override start(): Promise<void> {
    if (this.byMinute) this.saving.start();
    return super.start();
  }

  /** What is under way is finished first. */
  override async stop(): Promise<void> {
    super.stop();
    await this.saving.stop();
    await this.queue.run(() => {});
    if (this.byMinute) await this.saveFollowed();
  }

  /** As a live market does in one process: after a restart the feed no longer tells all of it (D99). */
  private async saveFollowed(): Promise<void> {
    if (!this.listeners.haveMoved) return;
    await this.queue.run(async () => {
      await this.db.transaction((tx) => this.listeners.savePosition(tx));
      this.listeners.positionSaved();
    });
  }
}
