import { sql } from 'drizzle-orm';
import type { TraderRow } from '#domain/api/ranking';
import {
  add,
  compare,
  type Decimal,
  decimal,
  isZero,
  multiply,
  quotient,
  sign,
  toDecimal,
  toFixed,
  toNumber,
  toText,
} from '#domain/core/decimal';
import { DAY_MS, timeBefore, toDurationMs, type UnixMs } from '#domain/core/time';
import { toUsd, type Usd } from '#domain/core/units';
import { PROFIT_SCALE } from '#domain/trading/profit';
import type { Db } from '../db/database';
import type { PastTrade } from './pastTrades';
import type { TraderProfile } from './traderProfiles';

const THREE_WEEKS_MS = toDurationMs(21 * DAY_MS);
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
 * Strategy accounts on one feed, best profit rate first, by the net result of their orders and of what their
 * strategies would have made before (protocol.md#trader). `now` is the market's clock, `pasts` are by user id.
 */
export async function rankedTraders(
  db: Db,
  feed: string,
  now: UnixMs,
  profiles: readonly TraderProfile[],
  pasts: ReadonlyMap<number, readonly PastTrade[]>,
): Promise<TraderRow[]> {
  const since = timeBefore(now, THREE_WEEKS_MS);
  // Closed orders as `isTrade`.
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
      select user_id, profit - fee + swap as net, completed_at >= ${new Date(since).toISOString()}::timestamptz as recent
      from orders where status = 'closed' and price > 0 and close_reason <> 'busted' and feed = ${feed}
    ) o on o.user_id = t.user_id
    where t.feed = ${feed}
    group by t.user_id
    order by t.user_id`);
  const ranked = rows.map((row) => {
    const past = pasts.get(row.user_id) ?? [];
    const recent = past.filter(({ endedAt }) => endedAt >= since);
    const capital = toUsd(row.capital);
    const profit = netOf(recent, toUsd(row.recent_profit));
    const rate = quotient(multiply(profit, decimal(100n)), capital, PERCENT_SCALE);
    const wins = recent.filter(({ net }) => sign(net) > 0).length + row.recent_wins;
    return {
      profit,
      row: {
        id: row.user_id,
        user: {
          name: profiles.find(({ key }) => key === row.key)?.name ?? row.key,
          avatar: '',
          followers: simulatedFollowers(rate),
        },
        multiple: toText(toDecimal(row.multiple)),
        code: row.code,
        three_week_rate: toFixed(rate, PERCENT_SCALE),
        three_week_win: percent(count(wins), count(recent.length + row.recent_orders)),
        three_week_profit: toFixed(profit, PROFIT_SCALE),
        total_rate: percent(netOf(past, toUsd(row.profit)), capital),
        total_trade_num: row.orders + past.length,
        past_trade_num: past.length,
      },
    };
  });
  // Equal ones stay in the order of their accounts.
  return ranked.sort((one, other) => compare(other.profit, one.profit)).map(({ row }) => row);
}

function netOf(trades: readonly PastTrade[], first: Usd): Usd {
  return trades.reduce((sum, { net }) => add(sum, net), first);
}

/** One for each tenth of a percent of three weeks; nobody follows a loss (domain.md#ranking). */
function simulatedFollowers(rate: Decimal): number {
  return Math.max(0, Math.floor(toNumber(rate) * 10));
}

const count = (number: number): Decimal => decimal(BigInt(number));

/** 0 where `whole` is 0. */
function percent(part: Decimal, whole: Decimal): string {
  if (isZero(whole)) return toFixed(whole, PERCENT_SCALE);
  const hundredfold = multiply(part, decimal(100n));
  return toFixed(quotient(hundredfold, whole, PERCENT_SCALE), PERCENT_SCALE);
}
