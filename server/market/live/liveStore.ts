import { desc, eq } from 'drizzle-orm';
import { toUnixMs, type UnixMs, type UnixSeconds } from '#domain/core/time';
import { type Bar, barEnd } from '#domain/market/kline';
import type { Period } from '#domain/market/period';
import type { Db, Tx } from '../../db/database';
import { bars, feeds, type RecordedCode, type ToldBy } from '../../db/schema/market';
import { type PeriodBar, readBars, type StoredBar, toStoredBar, writeBars } from '../storedBars';

/** What is kept of a live feed: its codes, whose order gives the ids of instruments, and its bars. */
export class LiveStore {
  /** In order of appearance; the position, from 1, is the instrument's id. */
  readonly codes: RecordedCode[];
  /** Until when an earlier run has told prices, by its clock. */
  readonly toldUntil: UnixMs;
  private readonly db: Db;
  private readonly id: number;
  private hasNewExchange = false;

  private constructor(db: Db, { id, codes, clock }: typeof feeds.$inferSelect) {
    this.db = db;
    this.id = id;
    this.codes = codes;
    this.toldUntil = toUnixMs(clock);
  }

  static async open(db: Db, feed: string, now: UnixMs): Promise<LiveStore> {
    await db.insert(feeds).values({ hash: feed, codes: [], clock: now }).onConflictDoNothing();
    const [row] = await db.select().from(feeds).where(eq(feeds.hash, feed));
    if (!row) throw new Error(`the feed ${feed} was not kept`);
    return new LiveStore(db, row);
  }

  /** Whose prices of this code are told from now on; kept with the position. */
  setTold(recorded: RecordedCode, told: ToldBy): void {
    const { exchange, shared } = recorded.told ?? {};
    if (exchange === told.exchange && shared === told.shared) return;
    recorded.told = told;
    this.hasNewExchange = true;
  }

  /** Until when prices were told, and whose. */
  async savePosition(clock: UnixMs): Promise<void> {
    const { codes, hasNewExchange } = this;
    this.hasNewExchange = false;
    await this.db
      .update(feeds)
      .set(hasNewExchange ? { clock, codes } : { clock })
      .where(eq(feeds.id, this.id));
  }

  /** Adds codes that are new. */
  async add(codes: readonly RecordedCode[]): Promise<void> {
    const known = new Set(this.codes.map(({ code }) => code));
    const added = codes.filter(({ code }) => !known.has(code));
    if (added.length === 0) return;
    this.codes.push(...added);
    await this.db.update(feeds).set({ codes: this.codes }).where(eq(feeds.id, this.id));
  }

  transaction(work: (tx: Tx) => Promise<void>): Promise<void> {
    return this.db.transaction(work);
  }

  /** Writes bars; what was known of the same time is replaced. */
  save(entries: readonly PeriodBar[]): Promise<void> {
    const ended = entries.map((entry) => {
      const { period, bar } = entry;
      return { ...entry, ticked: toUnixMs(barEnd(period, bar.time) * 1000 - 1) };
    });
    return writeBars(this.db, this.id, ended);
  }

  /** The newest bar of each instrument and period. */
  async newest(): Promise<StoredBar[]> {
    const rows = await this.db
      .selectDistinctOn([bars.instrumentId, bars.period])
      .from(bars)
      .where(eq(bars.feedId, this.id))
      .orderBy(bars.instrumentId, bars.period, desc(bars.time));
    return rows.map(toStoredBar);
  }

  /** At most `limit` bars that start before `before`, newest first. */
  bars(
    instrumentId: number,
    period: Period,
    limit: number,
    before: UnixSeconds | undefined,
  ): Promise<Bar[]> {
    return readBars(this.db, this.id, instrumentId, period, limit, before);
  }
}
