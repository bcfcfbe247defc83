import { beforeEach, expect, it } from 'vitest';
import { toText, ZERO } from '#domain/core/decimal';
import { toUnixMs } from '#domain/core/time';
import { toUnitsPerLot } from '#domain/core/units';
import { OpenOrders } from '#domain/trading/openOrders';
import type { OrderState } from '#domain/trading/orderState';
import { emptyAccount, putOrder } from '#domain/trading/tradingAccount';
import { lots, price, times, usd } from '../support/instruments';

let orders: OpenOrders;
beforeEach(() => {
  const quote = () => ({ price: 1.1, marketOpen: true, time: toUnixMs(1000) });
  orders = new OpenOrders({ feed: 'test', quote }, 0);
});

/** A long position of 0.1 lots from 1.1. */
const position = (id: number, over: Partial<OrderState> = {}): OrderState => ({
  ...{ id, userId: 1, feed: 'test', instrumentId: 1, code: 'EURUSD', name: 'EUR/USD' },
  ...{ precision: 5, unitsPerLot: toUnitsPerLot(100_000), side: 'buy', lots: lots('0.1') },
  ...{ leverage: times(100), originPrice: price('1.1'), approach: '', price: price('1.1') },
  ...{ margin: usd('110'), fee: ZERO, stopLoss: ZERO, takeProfit: ZERO, status: 'holding' },
  ...{ closePrice: ZERO, profit: ZERO, closeReason: '', createdAt: toUnixMs(1), until: null },
  ...{ completedAt: null, splitFrom: null, trailing: ZERO, trailingSince: null, swap: ZERO },
  ...{ chargedUntil: null, filledAt: toUnixMs(1), spread: ZERO },
  ...over,
});

/** The account of a user, with a little money. */
function hold(userId: number, ...held: OrderState[]): void {
  const account = emptyAccount(userId, usd('110'));
  for (const each of held) putOrder(account, { ...each, userId }, price('1.1'));
  orders.replace(account);
}

it('whoever a tick stops out comes by id', () => {
  for (const userId of [9, 2, 5]) hold(userId, position(10 + userId));
  expect(orders.applyTick({ instrumentId: 1, price: 1.099, time: toUnixMs(2000) })).toBe(false);
  expect(orders.stoppedOut(1)).toEqual([]);
  expect(orders.applyTick({ instrumentId: 1, price: 1.07, time: toUnixMs(3000) })).toBe(true);
  expect(orders.stoppedOut(1)).toEqual([2, 5, 9]);
});

it('knows the instruments that have prices here, and the floating profit in each', () => {
  hold(1, position(1), position(2, { side: 'sell', lots: lots('0.3') }));
  hold(2, position(3, { instrumentId: 0, feed: 'another' }));
  expect(orders.tradedIds()).toEqual([1]);
  orders.applyTick({ instrumentId: 1, price: 1.101, time: toUnixMs(2000) });
  expect(toText(orders.profit(1))).toBe('-20');
  expect(toText(orders.profit(2))).toBe('0');
});

it('records everything anew: instruments with prices, and the stops that follow them', () => {
  hold(1, position(1, { trailing: price('0.01'), stopLoss: price('1.09') }), position(2));
  hold(2, position(3, { instrumentId: 0, feed: 'another' }));
  orders.unrecorded.clear();
  orders.forgetRecorded();
  expect([...orders.unrecorded]).toEqual([1]);
  expect([...orders.unrecordedStops.keys()]).toEqual([1]);
});
