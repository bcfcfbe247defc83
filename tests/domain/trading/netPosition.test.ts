import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  absolute,
  add,
  compare,
  decimal,
  isZero,
  sign,
  subtract,
  toText,
  ZERO,
} from '#domain/core/decimal';
import { toLots, toPrice, toUnitsPerLot, toUsd, type Usd } from '#domain/core/units';
import { netPosition } from '#domain/trading/netPosition';
import type { Order } from '#domain/trading/order';
import { netResult, PROFIT_SCALE, profit } from '#domain/trading/profit';
import { order } from '../../src/features/sampleOrder';

const PRECISION = 5;
const units = toUnitsPerLot(100_000);
const position = fc
  .record({
    side: fc.constantFrom('buy', 'sell'),
    lots: fc.integer({ min: 1, max: 100_000 }).map((hundredths) => toLots(decimal(hundredths, 2))),
    price: fc
      .integer({ min: 1, max: 10_000_000 })
      .map((points) => toPrice(decimal(points, PRECISION))),
    margin: fc.integer({ min: 1, max: 10_000_000 }).map((cents) => toUsd(decimal(cents, 2))),
    fee: fc.integer({ min: 0, max: 10_000 }).map((cents) => toUsd(decimal(cents, 2))),
  } as const)
  .map((change) => order(change));
const positions = fc.array(position, { minLength: 1, maxLength: 8 });

const profitAt = (orders: readonly Order[], at: Order['price']) =>
  orders.reduce<Usd>((sum, each) => add(sum, profit({ ...each, unitsPerLot: units }, at)), ZERO);

it('has an entry at which its floating profit is 0, but for the rounding of each profit', () => {
  let found = 0;
  fc.assert(
    fc.property(positions, (orders) => {
      const { entry } = netPosition(orders);
      if (!entry) return;
      found += 1;
      // At most half of the last of six decimals each, and less than another half for the entry's own rounding.
      const rounding = toUsd(decimal(5 * (orders.length + 1), PROFIT_SCALE + 1));
      expect(compare(absolute(profitAt(orders, entry)), rounding)).toBeLessThanOrEqual(0);
    }),
    { numRuns: 1000 },
  );
  expect(found).toBeGreaterThan(300);
});

it('has an entry between the lowest and the highest fill, where all are of a side', () => {
  fc.assert(
    fc.property(positions, fc.constantFrom('buy', 'sell'), (all, side) => {
      const orders = all.map((each) => ({ ...each, side }));
      const { entry } = netPosition(orders);
      const fills = orders.map(({ price }) => price).sort(compare);
      const [lowest, highest] = [fills[0] ?? toPrice(0), fills.at(-1) ?? toPrice(0)];
      expect(entry && compare(entry, lowest)).toBeGreaterThanOrEqual(0);
      expect(entry && compare(entry, highest)).toBeLessThanOrEqual(0);
    }),
  );
});

it('has no entry exactly where bought and sold lots are alike, or no price above 0 is one', () => {
  fc.assert(
    fc.property(positions, (orders) => {
      const mirrored = orders.map((each) => ({
        ...each,
        side: each.side === 'buy' ? ('sell' as const) : ('buy' as const),
      }));
      const hedged = netPosition([...orders, ...mirrored]);
      expect([sign(hedged.lots), hedged.side, hedged.entry]).toEqual([0, undefined, undefined]);
      const { lots, side, entry } = netPosition(orders);
      expect(side).toBe([undefined, 'buy', 'sell'].at(sign(lots)));
      if (entry) expect(sign(lots) !== 0 && sign(entry) > 0).toBe(true);
    }),
  );
});

it('does not depend on the order of its orders, nor on whether one was closed in parts', () => {
  fc.assert(
    fc.property(positions, (orders) => {
      const [first, ...rest] = orders as [Order, ...Order[]];
      const split = [
        { ...first, lots: toLots(decimal(1, 2)), margin: toUsd(0), fee: toUsd(0) },
        { ...first, lots: subtract(first.lots, toLots(decimal(1, 2))) },
      ].filter(({ lots }) => !isZero(lots));
      const text = ({ lots, entry }: ReturnType<typeof netPosition>) => [
        toText(lots),
        entry && toText(entry),
      ];
      expect(text(netPosition([...orders].reverse()))).toEqual(text(netPosition(orders)));
      expect(text(netPosition([...split, ...rest]))).toEqual(text(netPosition(orders)));
    }),
  );
});

it('has the sums of the margins, and a profit net of fees that is the sum of the net results', () => {
  fc.assert(
    fc.property(positions, position, (orders, { price: now }) => {
      const { margin, fees } = netPosition(orders);
      const live = orders.map((each) => ({
        ...each,
        profit: profit({ ...each, unitsPerLot: units }, now),
      }));
      const sum = live.reduce<Usd>((total, each) => add(total, netResult(each)), ZERO);
      expect(toText(subtract(profitAt(orders, now), fees))).toBe(toText(sum));
      const margins = orders.reduce<Usd>((total, each) => add(total, each.margin), ZERO);
      expect(toText(margin)).toBe(toText(margins));
    }),
  );
});

it('of one order has its own fill', () => {
  fc.assert(
    fc.property(position, (only) => {
      expect(toText(netPosition([only]).entry ?? ZERO)).toBe(toText(only.price));
    }),
  );
});

it('has no entry where that would be a price of 0', () => {
  const at = (side: 'buy' | 'sell', lots: number, price: number) =>
    order({ side, lots: toLots(lots), price: toPrice(price) });
  expect(netPosition([at('buy', 2, 1), at('sell', 1, 2)]).entry).toBeUndefined();
});
