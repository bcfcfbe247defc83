import { describe, expect, it } from 'vitest';
import { toText } from '#domain/core/decimal';
import {
  approach,
  byLiquidationOrder,
  exitHit,
  followedStop,
  isReached,
  isUnfunded,
  pendingKind,
} from '#domain/trading/triggers';
import { price, usd } from '../support/instruments';

describe('pending orders (domain.md#pending-orders)', () => {
  it('fill when the price reaches or crosses the target from its first side', () => {
    expect(approach(price('1.2'), price('1.1'))).toBe('rise');
    expect(approach(price('1.0'), price('1.1'))).toBe('fall');
    expect(isReached(price('1.2'), 'rise', price('1.19999'))).toBe(false);
    expect(isReached(price('1.2'), 'rise', price('1.2'))).toBe(true);
    expect(isReached(price('1.2'), 'rise', price('1.3'))).toBe(true);
    expect(isReached(price('1.0'), 'fall', price('1.00001'))).toBe(false);
    expect(isReached(price('1.0'), 'fall', price('1.0'))).toBe(true);
    expect(isReached(price('1.0'), 'fall', price('0.5'))).toBe(true);
  });

  it('wait for a better price as a limit, for a worse one as a stop', () => {
    expect([pendingKind('buy', 'fall'), pendingKind('sell', 'rise')]).toEqual(['limit', 'limit']);
    expect([pendingKind('buy', 'rise'), pendingKind('sell', 'fall')]).toEqual(['stop', 'stop']);
  });

  it('fill immediately at their target', () => {
    expect(approach(price('1.10'), price('1.1'))).toBeUndefined();
  });

  it.each([
    ['1.2', '1.1', '1.2', true],
    ['1.2', '1.1', '1.19999', false],
    ['1.0', '1.1', '0.9', true],
    ['1.0', '1.1', '1.3', false],
    // Without one of the prices nobody can tell.
    ['1.2', '0', '1.3', false],
    ['1.2', '1.3', '0', false],
  ])(
    'to %s, cancelled after %s at %s: because of too little balance is %s',
    (target, seen, at, unfunded) => {
      const before = { originPrice: price(target), updatePrice: price(seen) };
      const ended = { closeReason: 'cancelled', updatePrice: price(at) } as const;
      expect(isUnfunded({ ...before, status: 'pending' }, ended)).toBe(unfunded);
      expect(isUnfunded({ ...before, status: 'holding' }, ended)).toBe(false);
      expect(isUnfunded({ ...before, status: 'pending' }, { ...ended, closeReason: 'reset' })).toBe(
        false,
      );
    },
  );
});

describe('exits (domain.md#exits)', () => {
  const exits = (side: 'buy' | 'sell', stopLoss: string, takeProfit: string) => ({
    side,
    stopLoss: price(stopLoss),
    takeProfit: price(takeProfit),
  });

  it.each([
    ['buy', '1.0', '1.2', '1.1', undefined],
    ['buy', '1.0', '1.2', '1.0', 'stop_loss'],
    ['buy', '1.0', '1.2', '0.9', 'stop_loss'],
    ['buy', '1.0', '1.2', '1.2', 'take_profit'],
    ['buy', '1.0', '1.2', '1.3', 'take_profit'],
    ['sell', '1.2', '1.0', '1.1', undefined],
    ['sell', '1.2', '1.0', '1.2', 'stop_loss'],
    ['sell', '1.2', '1.0', '1.3', 'stop_loss'],
    ['sell', '1.2', '1.0', '1.0', 'take_profit'],
    ['sell', '1.2', '1.0', '0.9', 'take_profit'],
    ['buy', '0', '0', '0.5', undefined],
    ['sell', '0', '0', '5', undefined],
  ] as const)('%s with stop-loss %s and take-profit %s at %s: %s', (side, loss, gain, at, hit) => {
    expect(exitHit(exits(side, loss, gain), price(at))).toBe(hit);
  });

  it('hits the stop-loss first where both are hit', () => {
    expect(exitHit(exits('buy', '1.2', '1.1'), price('1.15'))).toBe('stop_loss');
  });
});

describe('a trailing stop (domain.md#trailing-stop)', () => {
  it.each([
    ['buy', '0', '1.1', '1.09'],
    ['buy', '1.095', '1.1', '1.095'],
    ['buy', '1.085', '1.1', '1.09'],
    ['buy', '0', '0.005', '0'],
    ['sell', '0', '1.1', '1.11'],
    ['sell', '1.105', '1.1', '1.105'],
    ['sell', '1.115', '1.1', '1.11'],
  ] as const)('%s with stop-loss %s at %s: %s', (side, stopLoss, at, stop) => {
    const order = { side, stopLoss: price(stopLoss), trailing: price('0.01') };
    const followed = followedStop(order, price(at));
    expect(toText(followed)).toBe(stop);
    // Once there, it stays there.
    expect(followedStop({ ...order, stopLoss: followed }, price(at))).toBe(followed);
    expect(followedStop({ ...order, trailing: price('0') }, price(at))).toBe(order.stopLoss);
  });
});

describe('stop-out (domain.md#stop-out)', () => {
  it('closes the lowest profit first, then the lowest id', () => {
    const order = (id: number, profit: string) => ({ id, profit: usd(profit) });
    const orders = [order(5, '1'), order(3, '-5'), order(2, '-5.000000'), order(1, '-4.999999')];
    expect(orders.sort(byLiquidationOrder).map(({ id }) => id)).toEqual([2, 3, 1, 5]);
  });
});
