import type { Bar } from '#domain/market/kline';
import type { Log } from '../core/log';
import type { Tx } from '../db/database';
import type { MarketListener, Tick } from './market';

/** Calls all listeners. An error of one affects neither the feed nor the others. */
export class MarketListeners {
  private readonly all = new Set<MarketListener>();
  private readonly log: Log;

  constructor(log: Log) {
    this.log = log;
  }

  add(listener: MarketListener): () => void {
    this.all.add(listener);
    return () => this.all.delete(listener);
  }

  /**
   * Resolves when the listeners that block the feed are done, and all others too unless
   * `stopWaiting` resolves first.
   */
  async ticks(ticks: readonly Tick[], stopWaiting?: Promise<void>): Promise<void> {
    const holding: Promise<void>[] = [];
    const others: Promise<void>[] = [];
    for (const listener of this.all) {
      const done = this.guard(() => listener.ticks(ticks));
      if (done) (listener.blocksSource ? holding : others).push(done);
    }
    if (stopWaiting && others.length > 0) await Promise.race([Promise.all(others), stopWaiting]);
    if (holding.length > 0) await Promise.all(holding);
  }

  status(instrumentIds: readonly number[]): void {
    for (const listener of this.all) this.guard(() => listener.status(instrumentIds));
  }

  topOfBook(instrumentIds: readonly number[]): void {
    for (const listener of this.all) this.guard(() => listener.topOfBook?.(instrumentIds));
  }

  barClosed(instrumentId: number, bar: Bar): void {
    for (const listener of this.all) this.guard(() => listener.barClosed(instrumentId, bar));
  }

  skipped(): void {
    for (const listener of this.all) this.guard(() => listener.skipped?.());
  }

  /** Whether one of them waits for `savePosition`. */
  get haveMoved(): boolean {
    return [...this.all].some(({ hasMoved }) => hasMoved);
  }

  /** An error of a listener fails the transaction. */
  async savePosition(tx: Tx): Promise<void> {
    for (const listener of this.all) await listener.savePosition?.(tx);
  }

  positionSaved(): void {
    for (const listener of this.all) this.guard(() => listener.positionSaved?.());
  }

  private guard(call: () => void | Promise<void>): void | Promise<void> {
    try {
      return call()?.catch((error: unknown) => this.report(error));
    } catch (error) {
      this.report(error);
    }
  }

  private report(error: unknown): void {
    this.log.error(
      `a listener of the market failed: ${error instanceof Error ? error.stack : error}`,
    );
  }
}
