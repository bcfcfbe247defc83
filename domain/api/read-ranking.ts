/** Reader of follow/list (protocol.md, Trading): undefined for a row that can't be trusted. */
import { type Decimal, ZERO } from '../core/decimal';
import { readDecimal, readFields, readInteger, readText } from '../core/read';
import type { Usd } from '../core/units';
import type { Trader } from '../ranking/trader';

export function readTrader(row: unknown): Trader | undefined {
  const fields = readFields(row);
  const user = readFields(fields?.['user']);
  const id = readInteger(fields?.['id']);
  const name = readText(user?.['name']);
  if (!fields || id === undefined || id <= 0 || !name) return undefined;
  const amount = (key: string): Decimal => readDecimal(fields[key]) ?? ZERO;
  return {
    id,
    name,
    avatar: readText(user?.['avatar']) ?? '',
    followers: readInteger(user?.['followers']) ?? 0,
    multiple: amount('multiple'),
    code: readText(fields['code']) ?? '',
    threeWeekRate: amount('three_week_rate'),
    totalRate: amount('total_rate'),
    threeWeekWin: amount('three_week_win'),
    threeWeekProfit: amount('three_week_profit') as Usd,
    orders: readInteger(fields['total_trade_num']) ?? 0,
  };
}
