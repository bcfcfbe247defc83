/** Reader of follow/list (protocol.md#trader): undefined for a row that can't be trusted. */
import { ZERO } from '../core/decimal';
import { readFields, readInteger, readPicture, readText } from '../core/read';
import { readMultiplier, readPercent, readUsd } from '../core/readAmounts';
import type { Trader } from '../ranking/trader';

export function readTrader(row: unknown): Trader | undefined {
  const fields = readFields(row);
  const user = readFields(fields?.['user']);
  const id = readInteger(fields?.['id']);
  const name = readText(user?.['name']);
  if (!fields || id === undefined || id <= 0 || !name) return undefined;
  const percent = (name: string) => readPercent(fields[name]) ?? ZERO;
  return {
    id,
    name,
    avatar: readPicture(user?.['avatar']),
    followers: readInteger(user?.['followers']) ?? 0,
    multiple: readMultiplier(fields['multiple']) ?? ZERO,
    code: readText(fields['code']) ?? '',
    threeWeekRate: percent('three_week_rate'),
    totalRate: percent('total_rate'),
    threeWeekWin: percent('three_week_win'),
    threeWeekProfit: readUsd(fields['three_week_profit']) ?? ZERO,
    orders: readInteger(fields['total_trade_num']) ?? 0,
    computedOrders: readInteger(fields['past_trade_num']) ?? 0,
  };
}
