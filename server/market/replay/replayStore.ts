import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { and, desc, eq, lt, lte, or, sql } from 'drizzle-orm';
import { secondOf, toUnixMs, type UnixMs, type UnixSeconds } from '#domain/core/time';
import { type Bar, barStart } from '#domain/market/kline';
import { PERIODS, type Period } from '#domain/market/period';
import type { Log } from '../../core/log';
import type { Db, Tx } from '../../db/database';
import { bars, feedFiles, feeds, type RecordedCode } from '../../db/schema/market';
import { minutesOf, readBars, type StoredBar, toStoredBar, writeBars } from '../storedBars';
import type { TextPosition } from './csvRows';
import { HEADER, readRows } from './csvRows';
import { readAndHash } from './file';

/** How far a feed has been replayed. */
export interface Position extends TextPosition {
  clock: UnixMs;
  ended: boolean;
}

/**
 * The stored state of one recorded feed: its bars and the position, always of the same
 * moment.
 */
export class ReplayStore {
  readonly hash: string;
  readonly codes: readonly RecordedCode[];
  readonly position: Position;
  private readonly db: Db;
  private readonly id: number;
  /** Some code had a price of 0 or less since the start; others need no write. */
  private hasPriceless: boolean;

  private constructor(db: Db, feed: typeof feeds.$inferSelect) {
    this.db = db;
    this.id = feed.id;
    this.hash = feed.hash;
    this.codes = feed.codes;
    this.hasPriceless = feed.codes.some(({ withoutPrice }) => withoutPrice);
    const { line, byte, clock, ended } = feed;
    this.position = { line, byte, clock: toUnixMs(clock), ended };
  }

  /**
   * Finds the feed of a file. The file is read completely once, and again only after a change.
   * Throws an error for the operator.
   */
  static async open(db: Db, file: string, log: Log): Promise<ReplayStore> {
    const path = resolve(file);
    try {
      const { size, mtimeMs: modified } = await stat(path);
      const [known] = await db
        .select({ feed: feeds })
        .from(feedFiles)
        .innerJoin(feeds, eq(feeds.id, feedFiles.feedId))
        .where(
          and(eq(feedFiles.path, path), eq(feedFiles.size, size), eq(feedFiles.modified, modified)),
        );
      if (known) return new ReplayStore(db, known.feed);
      log.info(`Reading ${path} for the first time …`);
      const { hash, codes, begins } = await scan(path);
      return await db.transaction(async (tx) => {
        await tx.insert(feeds).values({ hash, codes, clock: begins }).onConflictDoNothing();
        const [feed] = await tx.select().from(feeds).where(eq(feeds.hash, hash));
        if (!feed) throw new Error('the feed was not kept');
        const read = { size, modified, feedId: feed.id };
        await tx
          .insert(feedFiles)
          .values({ path, ...read })
          .onConflictDoUpdate({ target: feedFiles.path, set: read });
        return new ReplayStore(db, feed);
      });
    } catch (error) {
      const reason = error instanceof Error ? error.message : error;
      throw new Error(`The replay file ${path} can't be used: ${reason}`, { cause: error });
    }
  }

  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.db.transaction(work);
  }

  /** Writes bars and position. Newer stored values are kept, so that an older writer does no harm. */
  async commit(
    entries: readonly StoredBar[],
    position: Position,
    withoutPrice: ReadonlySet<number>,
    tx: Tx,
  ): Promise<void> {
    await writeBars(tx, this.id, entries, sql`excluded.volume > ${bars.volume}`);
    this.hasPriceless ||= withoutPrice.size > 0;
    await tx
      .update(feeds)
      .set({ ...position, ...(this.hasPriceless && { codes: this.codesNow(withoutPrice) }) })
      .where(
        and(
          eq(feeds.id, this.id),
          // Compare times first: a repeated feed starts again at its first line.
          or(
            lt(feeds.clock, position.clock),
            and(eq(feeds.clock, position.clock), lte(feeds.line, position.line)),
          ),
        ),
      );
  }

  /** The newest bar of each instrument and period that later ticks may still change. */
  async openBars(): Promise<StoredBar[]> {
    const days = await this.db
      .selectDistinctOn([bars.instrumentId])
      .from(bars)
      .where(and(eq(bars.feedId, this.id), eq(bars.period, minutesOf('1day'))))
      .orderBy(bars.instrumentId, desc(bars.time));
    const clock = secondOf(this.position.clock);
    const shorter = await this.db
      .select()
      .from(bars)
      .where(
        and(
          eq(bars.feedId, this.id),
          or(
            ...PERIODS.filter((period) => period !== '1day').map((period) =>
              and(eq(bars.period, minutesOf(period)), eq(bars.time, barStart(period, clock))),
            ),
          ),
        ),
      );
    return [...days, ...shorter].map(toStoredBar);
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

  private codesNow(withoutPrice: ReadonlySet<number>): RecordedCode[] {
    return this.codes.map(({ withoutPrice: _, ...code }, index) =>
      withoutPrice.has(index + 1) ? { ...code, withoutPrice: true } : code,
    );
  }
}

interface Scan {
  hash: string;
  codes: RecordedCode[];
  begins: UnixMs;
}

/**
 * Reads a file completely, for what must be known before its first tick. Throws where it contains
 * no tick.
 */
async function scan(file: string): Promise<Scan> {
  const { text, hash } = await readAndHash(file);
  const codes = new Map<string, RecordedCode>();
  let begins: UnixMs | undefined;
  let wrong = '';
  const report = (line: number, reason: string) => {
    wrong ||= `line ${line}: ${reason}`;
  };
  for await (const rows of readRows(text, { line: 0, byte: 0 }, report)) {
    for (const { time, code, price, decimals } of rows) {
      if (price <= 0) {
        wrong ||= 'its prices are 0 or less';
        continue;
      }
      begins ??= time;
      const known = codes.get(code);
      if (!known) codes.set(code, { code, decimals, price });
      else if (decimals > known.decimals) known.decimals = decimals;
    }
  }
  if (begins === undefined)
    throw new Error(`it has no line of the form ${HEADER} (${wrong || 'it is empty'})`);
  return { hash: hash(), codes: [...codes.values()], begins };
}
