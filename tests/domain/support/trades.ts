import fc from 'fast-check';
import { add, decimal, ZERO } from '#domain/core/decimal';
import { toUnixMs } from '#domain/core/time';
import { toUsd, type Usd } from '#domain/core/units';
import type { Trade } from '#domain/trading/results';
import { lots, price, times } from './instruments';

export const START = Date.UTC(2026, 0, 1);
const DAY = 86_400_000;
export const SPAN = 120 * DAY;

/** A closed order that has brought nothing. */
export function trade(id: number, over: Partial<Trade> = {}): Trade {
  return {
    id,
    instrumentId: 1,
    code: 'EURUSD',
    name: 'EUR/USD',
    precision: 5,
    side: 'buy',
    lots: lots('0.1'),
    leverage: times(100),
    originPrice: price('1.1'),
    price: price('1.1'),
    updatePrice: price('1.2'),
    profit: ZERO,
    margin: toUsd(110),
    fee: ZERO,
    swap: ZERO,
    stopLoss: ZERO,
    takeProfit: ZERO,
    trailing: ZERO,
    until: undefined,
    status: 'closed',
    createdAt: toUnixMs(START),
    completedAt: toUnixMs(START),
    closeReason: 'user',
    ...over,
  };
}

export const amounts = fc
  .bigInt({ min: -(10n ** 12n), max: 10n ** 12n })
  .map((digits) => toUsd(decimal(digits, 6)));
const fees = fc.nat(10_000).map((cents) => toUsd(decimal(cents, 2)));
const swaps = fc.integer({ min: -9_999, max: 999 }).map((cents) => toUsd(decimal(cents, 2)));
export const moments = fc.nat(SPAN).map((ms) => toUnixMs(START + ms));
export const trades = fc
  .array(fc.tuple(amounts, fees, swaps, moments, fc.constantFrom('EURUSD', 'BTCUSD', 'XAUUSD')), {
    maxLength: 60,
  })
  .map((drawn) =>
    drawn
      .map(([profit, fee, swap, completedAt, code], id) =>
        trade(id + 1, { profit, fee, swap, completedAt, code, name: code }),
      )
      .sort((a, b) => b.completedAt - a.completedAt),
  );
export const sum = (values: readonly Usd[]) =>
  values.reduce<Usd>((total, value) => add(total, value), ZERO);
