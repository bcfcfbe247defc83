import { and, desc, eq, lt, type SQL, sql } from 'drizzle-orm';
import { toUnixMs, toUnixSeconds, type UnixMs, type UnixSeconds } from '#domain/core/time';
import type { Bar } from '#domain/market/kline';
import { PERIOD_SECONDS, PERIODS, type Period } from '#domain/market/period';
import type { Db, Tx } from '../db/database';
import { bars } from '../db/schema/market';

/** A bar of one instrument and period. */
export interface PeriodBar {
  instrumentId: number;
  period: Period;
  bar: Bar;
}

/** With the time of its last tick. */
export interface StoredBar extends PeriodBar {
  ticked: UnixMs;
}

/** Rows of one INSERT; PostgreSQL allows 65,535 parameters. */
const ROWS_AT_ONCE = 2000;

export const minutesOf = (period: Period) => PERIOD_SECONDS[period] / 60;

/** Writes bars of a feed. What is stored of the same time is replaced, `where` says whether. */
export async function writeBars(
  db: Db | Tx,
  feedId: number,
  entries: readonly StoredBar[],
  where?: SQL,
): Promise<void> {
  for (let i = 0; i < entries.length; i += ROWS_AT_ONCE) {
    const rows = entries.slice(i, i + ROWS_AT_ONCE).map(({ period, bar, ...entry }) => {
      return { feedId, period: minutesOf(period), ...entry, ...bar };
    });
    await db
      .insert(bars)
      .values(rows)
      .onConflictDoUpdate({
        target: [bars.feedId, bars.instrumentId, bars.period, bars.time],
        set: {
          open: sql`excluded.open`,
          high: sql`excluded.high`,
          low: sql`excluded.low`,
          close: sql`excluded.close`,
          volume: sql`excluded.volume`,
          ticked: sql`excluded.ticked`,
        },
        ...(where && { setWhere: where }),
      });
  }
}

/** At most `limit` bars of a feed that start before `before`, newest first. */
export async function readBars(
  db: Db,
  feedId: number,
  instrumentId: number,
  period: Period,
  limit: number,
  before: UnixSeconds | undefined,
): Promise<Bar[]> {
  const rows = await db
    .select()
    .from(bars)
    .where(
      and(
        eq(bars.feedId, feedId),
        eq(bars.instrumentId, instrumentId),
        eq(bars.period, minutesOf(period)),
        before === undefined ? undefined : lt(bars.time, before),
      ),
    )
    .orderBy(desc(bars.time))
    .limit(limit);
  return rows.map((row) => toStoredBar(row).bar);
}

export function toStoredBar(row: typeof bars.$inferSelect): StoredBar {
  const period = PERIODS.find((candidate) => minutesOf(candidate) === row.period);
  if (!period) throw new RangeError(`no period of ${row.period} minutes`);
  const { instrumentId, open, high, low, close, volume } = row;
  const bar: Bar = { time: toUnixSeconds(row.time), open, high, low, close, volume };
  return { instrumentId, period, ticked: toUnixMs(row.ticked), bar };
}
