/** The ranking of traders (protocol.md#ranking-calls). */
import * as v from 'valibot';
import { readLeverage, readPercent, readUsd } from '../core/readAmounts';
import { call } from './call';
import { amountOrZero, id, neededText, page, picture, rows, text, wholeOrZero } from './fields';
import * as params from './params';
import type { Read, Sent } from './schema';

const percent = amountOrZero(readPercent);

const trader = v.pipe(
  v.object({
    id,
    user: v.object({
      name: neededText,
      avatar: picture,
      followers: wholeOrZero,
    }),
    /** The leverage that the trader uses. */
    multiple: amountOrZero(readLeverage),
    /** The instrument's. */
    code: text,
    /** Percent of the capital; so is `total_rate`. */
    three_week_rate: percent,
    /** Profitable orders, percent of all. */
    three_week_win: percent,
    three_week_profit: amountOrZero(readUsd),
    total_rate: percent,
    /** Orders. */
    total_trade_num: wholeOrZero,
    /** How many of these are computed, because the account did not exist yet; may be missing. */
    past_trade_num: wholeOrZero,
  }),
  v.title('Trader'),
  v.transform(({ user, id, multiple, code, ...row }) => ({
    ...{ id, ...user, multiple, code },
    threeWeekRate: row.three_week_rate,
    threeWeekWin: row.three_week_win,
    threeWeekProfit: row.three_week_profit,
    totalRate: row.total_rate,
    orders: row.total_trade_num,
    computedOrders: row.past_trade_num,
  })),
);

/** A row of the ranking, as it is sent. */
export type TraderRow = Sent<typeof trader>;

/** A row of the ranking (protocol.md#trader). */
export type Trader = Read<typeof trader>;

const popular = v.pipe(
  v.object({ Code: neededText, Name: neededText }),
  v.title('Popular'),
  v.transform(({ Code: code, Name: name }) => ({ code, name })),
);

/** An instrument that many trade, as it is sent. */
export type PopularRow = Sent<typeof popular>;

/** The instruments that most users have traded lately, most first (protocol.md#popular). */
export const popularList = call({
  method: 'GET',
  path: '/api/follow/popular',
  access: 'public',
  effect: 'reads',
  feature: 'popular',
  params: {},
  answer: rows(popular),
});

export const traderList = call({
  method: 'GET',
  path: '/api/follow/list',
  access: 'public',
  effect: 'reads',
  params: { page: params.page },
  answer: page(trader),
});
