import { startOfStep, toSeconds, toUnixSeconds, type UnixSeconds } from '../core/time';
import { type ChartPeriod, isOfDays } from '../market/kline';

const DAY = toSeconds(86_400);

/**
 * Start of the session that holds `time`, for VWAP and pivots of bars of `period`: the day in UTC,
 * for bars of a day its month, for longer ones the year (domain.md#sessions-of-indicators).
 */
export function sessionStart(period: ChartPeriod, time: UnixSeconds): UnixSeconds {
  if (!isOfDays(period)) return startOfStep(time, DAY);
  const date = new Date(time * 1000);
  const month = period === '1day' ? date.getUTCMonth() : 0;
  return toUnixSeconds(Date.UTC(date.getUTCFullYear(), month) / 1000);
}
