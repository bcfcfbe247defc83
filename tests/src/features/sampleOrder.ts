import { toUnixMs } from '#domain/core/time';
import { toFeeRate, toLeverage, toLots, toPrice, toUnitsPerLot, toUsd } from '#domain/core/units';
import type { Instrument } from '#domain/market/instrument';
import type { Order } from '#domain/trading/order';

export const price = (text: string | number) => toPrice(text);
export const lots = (text: string | number) => toLots(text);
export const usd = (text: string | number) => toUsd(text);
const leverage = (text: string | number) => toLeverage(text);

export const EURUSD: Instrument = {
  id: 1,
  code: 'EURUSD',
  name: 'EUR/USD',
  logo: '',
  categoryId: 1,
  precision: 5,
  lotStep: lots('0.01'),
  minLots: lots('0.01'),
  unitsPerLot: toUnitsPerLot(100_000),
  marginMode: 'leveraged',
  leverages: [leverage(50), leverage(100), leverage(200)],
  feeRate: toFeeRate('2'),
};

export function order(change: Partial<Order> = {}): Order {
  return {
    id: 7,
    instrumentId: 1,
    code: 'EURUSD',
    name: 'EUR/USD',
    precision: 5,
    side: 'buy',
    lots: lots('0.1'),
    leverage: leverage(100),
    originPrice: price('1.1'),
    price: price('1.1'),
    updatePrice: price('1.1'),
    profit: usd(0),
    margin: usd(110),
    fee: usd('0.2'),
    swap: usd(0),
    stopLoss: price(0),
    takeProfit: price(0),
    trailing: price(0),
    until: undefined,
    status: 'holding',
    createdAt: toUnixMs(Date.UTC(2026, 0, 2, 3, 4, 5)),
    completedAt: undefined,
    closeReason: '',
    ...change,
  };
}
