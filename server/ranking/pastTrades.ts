import { setImmediate } from 'node:timers/promises';
import { add, toNumber, ZERO } from '#domain/core/decimal';
import {
  millisecondOf,
  secondOf,
  timeAfter,
  timeBefore,
  toSeconds,
  type UnixMs,
  type UnixSeconds,
} from '#domain/core/time';
import { type Price, toPrice, type Usd } from '#domain/core/units';
import { type Bar, barStart } from '#domain/market/kline';
import { PERIOD_SECONDS, type Period } from '#domain/market/period';
import { type FeeType, fee } from '#domain/trading/margin';
import { netResult, type Position, profit } from '#domain/trading/profit';
import type { Market } from '../market/market';
import { sizedOrder } from './orderSizing';
import { BAR_COUNT, usualRange } from './strategies';
import { CAPITAL, type StrategyTrader } from './strategyAccounts';

/** Whose past is computed. */
type PastTrader = Pick<StrategyTrader, 'instrument' | 'period' | 'strategy' | 'opened'>;

/** A trade that a strategy would have made. */
export interface PastTrade {
  endedAt: UnixMs;
  /** After its fee. */
  net: Usd;
}

/** How long before its account a trader's past begins: what the figures of three weeks need. */
const PAST_DAYS = 21;
const DAY_SECONDS = 86_400;

interface Held extends Position {
  stopLoss: Price | undefined;
  takeProfit: Price | undefined;
  fee: Usd;
}

/**
 * What the trader's strategy would have made in the three weeks before its account was opened: the
 * same rule, sizes, exits and fees, at the closes of the market's own bars. The same at every start,
 * because the simulated past is. An exit ends a trade at its level, or at the open beyond it; where a bar
 * reaches both, the stop-loss comes first.
 */
export async function pastTrades(
  market: Pick<Market, 'bars'>,
  { instrument, period, strategy, opened }: PastTrader,
  feeType: FeeType,
): Promise<PastTrade[]> {
  const length = PERIOD_SECONDS[period];
  const end = barStart(period, secondOf(opened));
  const begin = timeBefore(end, toSeconds(PAST_DAYS * DAY_SECONDS));
  const bars = await barsUntil(market, instrument.id, period, end);
  const trades: PastTrade[] = [];
  let balance = CAPITAL;
  let held: Held | undefined;
  const close = (bar: Bar, price: Price) => {
    if (!held) return;
    const net = netResult({ ...held, swap: ZERO, profit: profit(held, price) });
    balance = add(balance, net);
    trades.push({
      endedAt: millisecondOf(timeAfter(bar.time, toSeconds(length))),
      net,
    });
    held = undefined;
  };
  for (const [index, bar] of bars.entries()) {
    if (index % 1000 === 999) await setImmediate();
    if (bar.time < begin) continue;
    const stop = held && stoppedAt(held, bar);
    if (stop) close(bar, stop);
    const window = bars.slice(Math.max(0, index + 1 - BAR_COUNT), index + 1);
    const target = strategy(window);
    if (target === undefined || held?.side === target) continue;
    close(bar, priceOf(bar.close, instrument.precision));
    if (target === 'flat') continue;
    const order = sizedOrder(instrument, target, bar.close, usualRange(window), balance);
    if (!order?.lots || !order.targetPrice || !order.leverage) continue;
    const { side, lots, leverage, targetPrice: price, stopLoss, takeProfit } = order;
    held = {
      side,
      lots,
      unitsPerLot: instrument.unitsPerLot,
      price,
      stopLoss,
      takeProfit,
      fee: fee(instrument, feeType, lots, price, leverage),
    };
  }
  return trades;
}

/** The bars of the past and those that a strategy needs before; a day at a time, so that ticks and calls don't wait. */
async function barsUntil(
  market: Pick<Market, 'bars'>,
  instrumentId: number,
  period: Period,
  end: UnixSeconds,
): Promise<Bar[]> {
  const perDay = DAY_SECONDS / PERIOD_SECONDS[period];
  const days: Bar[][] = [];
  for (let day = 0; day < PAST_DAYS; day++) {
    const until = timeBefore(end, toSeconds(day * DAY_SECONDS));
    const since = timeBefore(until, toSeconds(DAY_SECONDS));
    const bars = await market.bars(instrumentId, period, perDay, until);
    days.unshift(bars.filter(({ time }) => time >= since));
    await setImmediate();
  }
  const begin = timeBefore(end, toSeconds(PAST_DAYS * DAY_SECONDS));
  return [...(await market.bars(instrumentId, period, BAR_COUNT, begin)), ...days.flat()];
}

const priceOf = (price: number, precision: number) => toPrice(price.toFixed(precision));

/** Where a bar ends a position: at a stop, or at its open beyond it; undefined where at none. */
function stoppedAt({ side, stopLoss, takeProfit }: Held, bar: Bar): Price | undefined {
  const up = side === 'buy';
  const open = bar.open;
  const fall = up ? bar.low : bar.high;
  const rise = up ? bar.high : bar.low;
  const worse = (price: number, than: number) => (up ? price <= than : price >= than);
  if (stopLoss && worse(fall, toNumber(stopLoss))) {
    return worse(open, toNumber(stopLoss)) ? toPrice(open) : stopLoss;
  }
  if (takeProfit && worse(toNumber(takeProfit), rise)) {
    return worse(toNumber(takeProfit), open) ? toPrice(open) : takeProfit;
  }
  return undefined;
}
