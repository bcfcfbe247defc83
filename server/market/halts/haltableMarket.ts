import { eq } from 'drizzle-orm';
import { earliest, secondOf, type UnixMs, type UnixSeconds } from '#domain/core/time';
import type { Instrument } from '#domain/market/instrument';
import { type Bar, barStart, foldBars } from '#domain/market/kline';
import { PERIOD_SECONDS, type Period } from '#domain/market/period';
import type { Db } from '../../db/database';
import { halts } from '../../db/schema';
import type { ClosedReason, Market, MarketListener, MarketQuote } from '../market';

/** Writes down who has asked for a halt. `result`: where it is not that the halt was made. */
type RecordHalt = (db: Db, result?: string) => Promise<void>;

interface Halted {
  quote: MarketQuote | undefined;
  bar: Bar | undefined;
  since: UnixSeconds;
}

const unrecorded: RecordHalt = async () => {};

/** A market in which the operator can halt single instruments. */
export class HaltableMarket implements Market {
  private readonly market: Market;
  private readonly db: Db;
  private readonly listeners = new Set<MarketListener>();
  private readonly halted = new Map<number, Halted>();

  constructor(market: Market, db: Db) {
    this.market = market;
    this.db = db;
  }

  get feed(): string {
    return this.market.feed;
  }

  get instruments(): readonly Instrument[] {
    return this.market.instruments;
  }

  get categories(): Market['categories'] {
    return this.market.categories;
  }

  get byMinute(): boolean {
    return this.market.byMinute === true;
  }

  get hasBook(): boolean {
    return this.market.hasBook === true;
  }

  /** Why instruments are closed, by code; those whose hours alone are the reason are not among them. */
  get closures(): ReadonlyMap<string, ClosedReason> {
    return new Map(
      this.instruments.flatMap(({ id, code }) => {
        const reason = this.halted.has(id) ? 'halted' : this.quote(id)?.closedReason;
        return reason ? [[code, reason]] : [];
      }),
    );
  }

  /**
   * Halts an instrument until `resume`. Returns false where it is halted already. `record` writes in the same transaction,
   * or afterwards where the halt is another process's.
   */
  halt({ id, code }: Instrument, record = unrecorded): Promise<boolean> {
    if (this.market.setHalted) return this.haltThere(id, true, record);
    return this.exclusively(async () => {
      if (this.halted.has(id)) return false;
      await this.db.transaction(async (tx) => {
        await tx.insert(halts).values({ code }).onConflictDoNothing();
        await record(tx);
      });
      this.freeze(id);
      this.publishStatus(id);
      return true;
    });
  }

  /** Resumes an instrument, as `halt`. Returns false where it was not halted. */
  resume({ id, code }: Instrument, record = unrecorded): Promise<boolean> {
    if (this.market.setHalted) return this.haltThere(id, false, record);
    return this.exclusively(async () => {
      if (!this.halted.has(id)) return false;
      await this.db.transaction(async (tx) => {
        await tx.delete(halts).where(eq(halts.code, code));
        await record(tx);
      });
      this.halted.delete(id);
      for (const listener of this.listeners) listener.skipped?.();
      this.publishStatus(id);
      return true;
    });
  }

  now(): UnixMs {
    return this.market.now();
  }

  quote(instrumentId: number): MarketQuote | undefined {
    const halted = this.halted.get(instrumentId);
    return halted ? halted.quote : this.market.quote(instrumentId);
  }

  currentBar(instrumentId: number): Bar | undefined {
    const halted = this.halted.get(instrumentId);
    return halted ? halted.bar && { ...halted.bar } : this.market.currentBar(instrumentId);
  }

  async bars(
    instrumentId: number,
    period: Period,
    limit: number,
    before?: UnixSeconds,
  ): Promise<Bar[]> {
    const halted = this.halted.get(instrumentId);
    if (!halted) return this.market.bars(instrumentId, period, limit, before);
    const { since, bar } = halted;
    const current = barStart(period, since);
    const bars = await this.market.bars(
      instrumentId,
      period,
      limit,
      earliest(before ?? current, current),
    );
    if (before !== undefined && before <= current) return bars;
    // The bar that was open at the halt consists of its minutes until then.
    const minute = barStart('1min', since);
    const count = (minute - current) / PERIOD_SECONDS['1min'];
    const minutes = count > 0 ? await this.market.bars(instrumentId, '1min', count, minute) : [];
    const within = minutes.filter(({ time }) => time >= current);
    return [...bars, ...foldBars(bar ? [...within, bar] : within, period)].slice(-limit);
  }

  priceRange(
    instrumentId: number,
    since: UnixMs,
    until?: UnixMs,
  ): ReturnType<Market['priceRange']> {
    if (this.halted.has(instrumentId)) return undefined;
    return this.market.priceRange(instrumentId, since, until);
  }

  listen(listener: MarketListener): () => void {
    this.listeners.add(listener);
    const isTrading = (instrumentId: number) => !this.halted.has(instrumentId);
    const stop = this.market.listen({
      ...(listener.blocksSource === undefined ? {} : { blocksSource: listener.blocksSource }),
      ticks: (ticks) => {
        if (this.halted.size === 0) return listener.ticks(ticks);
        const trading = ticks.filter(({ instrumentId }) => isTrading(instrumentId));
        return trading.length > 0 ? listener.ticks(trading) : undefined;
      },
      status: (instrumentIds) => {
        const trading = instrumentIds.filter(isTrading);
        if (trading.length > 0) listener.status(trading);
      },
      topOfBook: (instrumentIds) => {
        const trading = instrumentIds.filter(isTrading);
        if (trading.length > 0) listener.topOfBook?.(trading);
      },
      barClosed: (instrumentId, bar) => {
        if (isTrading(instrumentId)) listener.barClosed(instrumentId, bar);
      },
      skipped: () => listener.skipped?.(),
      get hasMoved() {
        return listener.hasMoved === true;
      },
      savePosition: async (tx) => listener.savePosition?.(tx),
      positionSaved: () => listener.positionSaved?.(),
    });
    return () => {
      stop();
      this.listeners.delete(listener);
    };
  }

  onFirstSubscriber(): void {
    this.market.onFirstSubscriber();
  }

  exclusively<T>(work: () => T | Promise<T>): Promise<T> {
    return this.market.exclusively(work);
  }

  get savePosition(): Market['savePosition'] {
    return this.market.savePosition?.bind(this.market);
  }

  /** Restores the halts of the last run. Where another process has them, those of this database are from before, and nobody could end them. */
  async start(): Promise<void> {
    if (this.market.setHalted) return this.market.start();
    const closed = new Set((await this.db.select().from(halts)).map(({ code }) => code));
    await this.market.start();
    for (const { id, code } of this.instruments) if (closed.has(code)) this.freeze(id);
  }

  stop(): Promise<void> {
    return this.market.stop();
  }

  private async haltThere(id: number, halted: boolean, record: RecordHalt): Promise<boolean> {
    const changed = await this.market.setHalted?.(id, halted).catch(async (error: unknown) => {
      // It may be done all the same (D155). Of two failures, this one is told.
      await record(this.db, 'no answer.').catch(() => {});
      throw error;
    });
    if (changed) await record(this.db);
    return changed ?? false;
  }

  private freeze(id: number): void {
    const quote = this.market.quote(id);
    this.halted.set(id, {
      quote: quote && {
        ...quote,
        marketOpen: false,
        nextOpen: undefined,
        closedReason: 'halted',
      },
      bar: this.market.currentBar(id),
      since: secondOf(this.now()),
    });
  }

  private publishStatus(id: number): void {
    for (const listener of this.listeners) listener.status([id]);
  }
}
