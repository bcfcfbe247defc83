import fc from 'fast-check';
import { expect, it } from 'vitest';
import { add, decimal, negate, sign, subtract, toText, ZERO } from '#domain/core/decimal';
import { type Price, toPrice, toUnits, toUnitsPerLot, toUsd } from '#domain/core/units';
import { isStoppedOut } from '#domain/trading/accountSummary';
import { valueAt } from '#domain/trading/notional';
import { type AccountSnapshot, heldUnits, stopOutPrice } from '#domain/trading/stopOut';
import { lots, price, usd } from '../support/instruments';

const PRECISION = 5;
const point = toPrice(decimal(1n, PRECISION));
const cents = (most: bigint) =>
  fc.bigInt({ min: -most, max: most }).map((units) => toUsd(decimal(units, 2)));

it('is the first price at which the account is stopped out, whatever else it holds', () => {
  let found = 0;
  fc.assert(
    fc.property(
      cents(10n ** 8n),
      fc.bigInt({ min: 1n, max: 10n ** 7n }).map((units) => toUsd(decimal(units, 2))),
      cents(10n ** 7n),
      fc.bigInt({ min: -(10n ** 6n), max: 10n ** 6n }).map((units) => toUnits(decimal(units, 1))),
      fc.bigInt({ min: 1n, max: 10n ** 6n }).map((units) => toPrice(decimal(units, PRECISION))),
      (balance, marginInUse, profit, exposure, now) => {
        const account: AccountSnapshot = { balance, marginInUse, profit, exposure };
        const stopOut = stopOutPrice(account, now, PRECISION);
        // What was stopped out at once has none before it.
        if (!stopOut || isStoppedOut(account)) return;
        found += 1;
        const at = (to: Price) => ({
          ...account,
          profit: add(profit, valueAt(exposure, subtract(to, now))),
        });
        const towards = sign(exposure) > 0 ? point : negate(point);
        expect(isStoppedOut(at(stopOut)), toText(stopOut)).toBe(true);
        expect(isStoppedOut(at(add(stopOut, towards))), toText(stopOut)).toBe(false);
      },
    ),
    { numRuns: 500 },
  );
  expect(found).toBeGreaterThan(50);
});

it('is none without exposure, without margin in use, and where no price above 0 does it', () => {
  const account = { balance: usd('900'), marginInUse: usd('100'), profit: usd('0') };
  const of = (change: Partial<AccountSnapshot>) =>
    stopOutPrice({ ...account, exposure: toUnits('1000'), ...change }, price('1.1'), PRECISION);
  expect(toText(of({}) ?? ZERO)).toBe('0.12');
  expect(of({ exposure: ZERO })).toBeUndefined();
  expect(of({ marginInUse: usd('0') })).toBeUndefined();
  expect(of({ balance: usd('9000') })).toBeUndefined();
  // A short has one at any balance.
  expect(toText(of({ balance: usd('9000'), exposure: toUnits('-1000') }) ?? ZERO)).toBe('10.18');
});

it('counts the units of positions together, sells negative', () => {
  const of = (side: 'buy' | 'sell', size: string, status: 'holding' | 'pending' = 'holding') => ({
    ...{ side, status },
    lots: lots(size),
  });
  const held = (...orders: ReturnType<typeof of>[]) =>
    toText(heldUnits(orders, toUnitsPerLot(100_000)));
  expect(held(of('buy', '0.1'), of('sell', '0.3'), of('buy', '5', 'pending'))).toBe('-20000');
  expect(held(of('buy', '0.1'))).toBe('10000');
  expect(held()).toBe('0');
});
