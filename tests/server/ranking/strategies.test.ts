import { describe, expect, it } from 'vitest';
import { toText } from '#domain/core/decimal';
import { toUnixSeconds } from '#domain/core/time';
import type { Bar } from '#domain/market/kline';
import { sizedOrder, usualLeverage } from '../../../server/ranking/orderSizing';
import { breakout, meanReversion, momentum, usualRange } from '../../../server/ranking/strategies';
import { usd } from '../../domain/support/instruments';
import { instrument } from '../support/scriptedMarket';

const bars = (...closes: number[]): Bar[] =>
  closes.map((close, index) => ({
    time: toUnixSeconds(index * 60),
    open: closes[index - 1] ?? close,
    high: Math.max(close, closes[index - 1] ?? close) + 0.1,
    low: Math.min(close, closes[index - 1] ?? close) - 0.1,
    close,
    volume: 1,
  }));

describe('momentum', () => {
  const strategy = momentum(2, 4);
  it.each([
    [[1, 2, 3, 4], 'buy'],
    [[4, 3, 2, 1], 'sell'],
    [[3, 3, 3, 3], undefined],
    [[1, 2, 3], undefined],
  ])('after %j: %s', (closes, wish) => {
    expect(strategy(bars(...closes))).toBe(wish);
  });
});

describe('mean reversion', () => {
  const strategy = meanReversion(6, 1.5);
  it.each([
    [[10, 10.1, 9.9, 10, 10.1, 8], 'buy'],
    [[10, 10.1, 9.9, 10, 10.1, 12], 'sell'],
    [[10, 10.2, 10.2, 10.2, 9.9, 10.2], 'flat'],
    [[10, 10, 10, 10, 10, 10], undefined],
    [[10, 8], undefined],
  ])('after %j: %s', (closes, wish) => {
    expect(strategy(bars(...closes))).toBe(wish);
  });
});

describe('breakout', () => {
  const strategy = breakout(3);
  it.each([
    [[10, 11, 10, 12], 'buy'],
    [[10, 11, 10, 9], 'sell'],
    [[10, 12, 11, 11], 'flat'],
    [[10, 14, 13.9, 13.8], undefined],
    [[10, 11, 12], undefined],
  ])('after %j: %s', (closes, wish) => {
    expect(strategy(bars(...closes))).toBe(wish);
  });
});

describe('the size of an order', () => {
  const euro = instrument(1, 'EURUSD');

  it('freezes a small share of the free balance, with both stops', () => {
    const order = sizedOrder(euro, 'buy', 1.1, 0.001, usd('100000'));
    expect(usualLeverage(euro) && toText(usualLeverage(euro) as never)).toBe('50');
    // 3 % of 100,000 covers 1.36 lots at 2,200 USD.
    expect(
      order && [order.lots, order.stopLoss, order.takeProfit].map((each) => each && toText(each)),
    ).toEqual(['1.36', '1.094', '1.109']);
    const short = sizedOrder(euro, 'sell', 1.1, 0.001, usd('100000'));
    expect([short?.stopLoss, short?.takeProfit].map((each) => each && toText(each))).toEqual([
      '1.106',
      '1.091',
    ]);
  });

  it('is zero if the balance is too small or no multiplier is offered', () => {
    expect(sizedOrder(euro, 'buy', 1.1, 0.001, usd('700'))).toBeUndefined();
    expect(sizedOrder(euro, 'buy', 1.1, 0.001, usd('-5'))).toBeUndefined();
    const none = { ...euro, leverages: [] };
    expect(sizedOrder(none, 'buy', 1.1, 0.001, usd('100000'))).toBeUndefined();
  });

  it('keeps its stops apart if the price has not moved', () => {
    const order = sizedOrder(euro, 'buy', 1.1, 0, usd('100000'));
    expect(order?.stopLoss && toText(order.stopLoss)).toBe('1.09998');
    expect(usualRange([])).toBe(0);
  });
});
