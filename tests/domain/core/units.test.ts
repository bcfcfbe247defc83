import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  absolute,
  add,
  compare,
  type Decimal,
  decimal,
  maximum,
  minimum,
  multiply,
  negate,
  product,
  quotient,
  round,
  subtract,
  toText,
  truncate,
  ZERO,
} from '#domain/core/decimal';
import { readPrice, readUsd } from '#domain/core/readAmounts';
import {
  type DurationMs,
  earliest,
  longest,
  type Seconds,
  scaled,
  secondOf,
  shortest,
  startOfStep,
  timeAfter,
  timeBefore,
  timeBetween,
  toDurationMs,
  toSeconds,
  toUnixMs,
  toUnixSeconds,
  type UnixMs,
  type UnixSeconds,
} from '#domain/core/time';
import {
  type Lots,
  type Price,
  toLots,
  toPrice,
  toUnitsPerLot,
  toUsd,
  type Usd,
} from '#domain/core/units';
import { notional, pointValue } from '#domain/trading/notional';

const price = toPrice('1.25');
const lots = toLots('0.5');
const usd = toUsd('10');

describe('units', () => {
  it('are kept by sums, differences and roundings', () => {
    expectTypeOf(add(price, price)).toEqualTypeOf<Price>();
    expectTypeOf(subtract(lots, lots)).toEqualTypeOf<Lots>();
    expectTypeOf(negate(usd)).toEqualTypeOf<Usd>();
    expectTypeOf(absolute(usd)).toEqualTypeOf<Usd>();
    expectTypeOf(round(usd, 2)).toEqualTypeOf<Usd>();
    expectTypeOf(truncate(usd, 2)).toEqualTypeOf<Usd>();
    expectTypeOf(minimum(usd, usd)).toEqualTypeOf<Usd>();
    expectTypeOf(maximum(usd, usd)).toEqualTypeOf<Usd>();
    expectTypeOf(multiply(lots, decimal(3))).toEqualTypeOf<Lots>();
    expectTypeOf(add(usd, ZERO)).toEqualTypeOf<Usd>();
    expectTypeOf(maximum(lots, ZERO)).toEqualTypeOf<Lots>();
    expect(toText(add(price, price))).toBe('2.5');
  });

  it('do not mix', () => {
    // @ts-expect-error a price and a quantity have no sum
    add(price, lots);
    // @ts-expect-error nor one that a cast could name
    add(price, lots) as Usd;
    // @ts-expect-error a number without a unit is no price
    add(price, decimal(1));
    // @ts-expect-error lots do not compare with a price
    compare(lots, price);
    // @ts-expect-error their product has a name
    multiply(price, lots);
    // @ts-expect-error nor is there a smaller one
    minimum(usd, price);
    // @ts-expect-error one unit does not become another
    price as Usd;
    // @ts-expect-error nor by its constructor
    toUsd(price);
    // @ts-expect-error a product has no unit until it is named
    product(price, lots) satisfies Usd;
    // @ts-expect-error nor a quotient
    quotient(usd, price, 2) satisfies Usd;
    // @ts-expect-error the first parameter is a quantity in lots
    notional(lots, price, toUnitsPerLot(1));
    expectTypeOf(product(price, lots)).toEqualTypeOf<Decimal>();
  });

  it('come from readers and named products', () => {
    expectTypeOf(readUsd('1')).toEqualTypeOf<Usd | undefined>();
    expectTypeOf(readPrice('1')).toEqualTypeOf<Price | undefined>();
    expectTypeOf(notional(price, lots, toUnitsPerLot(1))).toEqualTypeOf<Usd>();
    expect(toText(notional(price, lots, toUnitsPerLot(100)))).toBe('62.5');
    expect(toText(pointValue(lots, toUnitsPerLot(100_000), 5))).toBe('0.5');
    expect(() => toUsd('one')).toThrow(RangeError);
  });
});

describe('times', () => {
  const begin = toUnixMs(0);
  const minute = toUnixSeconds(60);

  it('keep their unit, and differ by a duration', () => {
    expectTypeOf(timeAfter(begin, toDurationMs(5))).toEqualTypeOf<UnixMs>();
    expectTypeOf(timeBefore(minute, toSeconds(5))).toEqualTypeOf<UnixSeconds>();
    expectTypeOf(timeBetween(begin, begin)).toEqualTypeOf<DurationMs>();
    expectTypeOf(timeBetween(minute, minute)).toEqualTypeOf<Seconds>();
    expectTypeOf(secondOf(begin)).toEqualTypeOf<UnixSeconds>();
    expect(timeAfter(begin, toDurationMs(5))).toBe(5);
    expect(secondOf(toUnixMs(1999))).toBe(1);
    expect(startOfStep(toUnixSeconds(119), toSeconds(60))).toBe(60);
  });

  it('have durations that can be compared and multiplied', () => {
    expectTypeOf(scaled(toDurationMs(5), 2)).toEqualTypeOf<DurationMs>();
    expectTypeOf(shortest(toSeconds(5), toSeconds(6))).toEqualTypeOf<Seconds>();
    expect(scaled(toDurationMs(5), 2)).toBe(10);
    expect(shortest(toDurationMs(5), toDurationMs(6))).toBe(5);
    expect(longest(toDurationMs(5), toDurationMs(6))).toBe(6);
  });

  it('do not mix', () => {
    // @ts-expect-error seconds are no milliseconds
    timeAfter(begin, toSeconds(5));
    // @ts-expect-error seconds are no milliseconds
    longest(toDurationMs(5), toSeconds(6));
    // @ts-expect-error two moments have no sum
    timeAfter(begin, begin);
    // @ts-expect-error a moment in seconds is none in milliseconds
    timeBetween(begin, minute);
    // @ts-expect-error a plain number is no moment
    earliest(begin, 5);
    // @ts-expect-error a moment is no duration
    begin satisfies DurationMs;
  });
});
