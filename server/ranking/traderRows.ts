import { sql } from 'drizzle-orm';
import type { TraderRow } from '#domain/api/ranking';
import {
  type Decimal,
  decimal,
  isZero,
  multiply,
  quotient,
  toDecimal,
  toFixed,
  toText,
} from '#domain/core/decimal';
import { toDurationMs, type UnixMs } from '#domain/core/time';
import { PROFIT_SCALE } from '#domain/trading/profit';
import type { Db } from '../db/database';
import type { TraderProfile } from './traderProfiles';

const THREE_WEEKS_MS = toDurationMs(21 * 86_400_000);
const PERCENT_SCALE = 2;

interface TraderFigures extends Record<string, unknown> {
  user_id: number;
  key: string;
  code: string;
  multiple: string;
  capital: string;
  recent_profit: string;
  recent_wins: number;
  recent_orders: number;
  profit: string;
  orders: number;
}

/**
 * Strategy accounts on one feed, best profit rate first, by the result of their orders after fees
 * (protocol.md#trader, D57). `now` is the market's clock.
 */
export async function rankedTraders(
  db: Db,
  feed: string,
  now: UnixMs,
  profiles: readonly TraderProfile[],
): Promise<TraderRow[]> {
  const since = new Date(now - THREE_WEEKS_MS).toISOString();
  const { rows } = await db.execute<TraderFigures>(sql`
    select t.user_id, t.key, t.code, t.multiple::text, t.capital::text,
      coalesce(sum(o.net) filter (where o.recent), 0)::text as recent_profit,
      (count(*) filter (where o.recent and o.net > 0))::int as recent_wins,
      (count(*) filter (where o.recent))::int as recent_orders,
      coalesce(sum(o.net), 0)::text as profit,
      (count(o.net) + (select count(*) from orders h
        where h.status <> 'closed' and h.price > 0 and h.user_id = t.user_id))::int as orders
    from traders t
    left join (
      select user_id, profit - fee as net, completed_at >= ${since}::timestamptz as recent
      from orders where status = 'closed' and price > 0 and feed = ${feed}
    ) o on o.user_id = t.user_id
    where t.feed = ${feed}
    group by t.user_id
    order by coalesce(sum(o.net) filter (where o.recent), 0) / t.capital desc, t.user_id`);
  return rows.map((row) => traderRow(row, profiles));
}

function traderRow(row: TraderFigures, profiles: readonly TraderProfile[]): TraderRow {
  const capital = toDecimal(row.capital);
  const recent = toDecimal(row.recent_profit);
  return {
    id: row.user_id,
    user: {
      name: profiles.find(({ key }) => key === row.key)?.name ?? row.key,
      avatar: '',
      // Copy trading does not exist yet.
      followers: 0,
    },
    multiple: toText(toDecimal(row.multiple)),
    code: row.code,
    three_week_rate: percent(recent, capital),
    three_week_win: percent(count(row.recent_wins), count(row.recent_orders)),
    three_week_profit: toFixed(recent, PROFIT_SCALE),
    total_rate: percent(toDecimal(row.profit), capital),
    total_trade_num: row.orders,
  };
}

const count = (number: number): Decimal => decimal(BigInt(number));

/** 0 where `whole` is 0. */
function percent(part: Decimal, whole: Decimal): string {
  if (isZero(whole)) return toFixed(whole, PERCENT_SCALE);
  const hundredfold = multiply(part, decimal(100n));
  return toFixed(quotient(hundredfold, whole, PERCENT_SCALE), PERCENT_SCALE);
}
