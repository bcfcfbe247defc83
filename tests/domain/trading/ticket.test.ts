import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  add,
  compare,
  type Decimal,
  decimal,
  multiply,
  negate,
  product,
  sign,
  subtract,
  toText,
  ZERO,
} from '#domain/core/decimal';
import { toPrice, toUnits, toUsd } from '#domain/core/units';
import { available, isStoppedOut } from '#domain/trading/accountSummary';
import { isCovered } from '#domain/trading/available';
import { cost } from '#domain/trading/margin';
import { MAX_LOTS } from '#domain/trading/rules';
import type { AccountSnapshot } from '#domain/trading/stopOut';
import { type PricedTicket, previewTicket } from '#domain/trading/ticket';
import { instrument, lots, price, times, usd } from '../support/instruments';

const account: AccountSnapshot = {
  balance: usd('10000'),
  marginInUse: usd('0'),
  profit: usd('0'),
  exposure: ZERO,
};
const ticket: PricedTicket = {
  instrument: instrument(),
  feeType: 'per-lot',
  type: 'market',
  side: 'buy',
  lots: lots('1'),
  leverage: times(100),
  price: price('1.1'),
  target: price('1.05'),
};
const preview = (changes: Partial<PricedTicket> = {}, standing: Partial<AccountSnapshot> = {}) => {
  const result = previewTicket({ ...ticket, ...changes }, { ...account, ...standing });
  return Object.fromEntries(
    Object.entries(result).map(([name, value]) => [name, value && toText(value)]),
  );
};

describe('the preview of a ticket (domain.md#ticket)', () => {
  it('prices a market order at the current price', () => {
    expect(preview()).toEqual({
      price: '1.1',
      margin: '1100',
      fee: '7',
      pointValue: '1',
      availableAfter: '8893',
      maxLots: '9.03',
      // 10,000 − 7 + 100,000 × (P − 1.1) = 220
      stopOutPrice: '1.00227',
    });
  });

  it('prices a pending order at its target, without a fee yet', () => {
    expect(preview({ type: 'pending' })).toMatchObject({
      price: '1.05',
      margin: '1050',
      availableAfter: '8950',
      // 9,993 + 100,000 × (P − 1.05) = 210
      stopOutPrice: '0.95217',
    });
    expect(preview({ type: 'pending', target: price('1.1') }).availableAfter).toBe('8893');
  });

  it('moves the positions of the instrument with the price', () => {
    expect(preview({}, { exposure: toUnits('-100000') }).stopOutPrice).toBeUndefined();
    // 9,993 + 1,000 + 200,000 × (P − 1.1) = 0.2 × 2,100
    expect(
      preview({}, { exposure: toUnits('100000'), marginInUse: usd('1000') }).stopOutPrice,
    ).toBe('1.04713');
  });

  it('has the stop-out of a sell above the price', () => {
    // 9,993 − 100,000 × (P − 1.1) = 220
    expect(preview({ side: 'sell' }).stopOutPrice).toBe('1.19773');
  });

  it('has no stop-out of an order that the available balance does not cover', () => {
    expect(preview({}, { balance: usd('1107') }).stopOutPrice).toBe('1.0912');
    expect(preview({}, { balance: usd('1106.99') }).stopOutPrice).toBeUndefined();
  });

  it('has no stop-out on the wrong side of the price of the order', () => {
    // 5 lots are held: the account would be stopped out above 1.05, before the order is filled.
    const held = { exposure: toUnits('500000'), marginInUse: usd('5500'), balance: usd('9000') };
    const pending = (target: string) =>
      preview({ type: 'pending', target: price(target) }, held).stopOutPrice;
    // 14,493 + 500,000 × (P − 1.1) + 100,000 × (P − 1.09) = 0.2 × 6,590
    expect(pending('1.09')).toBe('1.07637');
    expect(pending('1.05')).toBeUndefined();
  });

  it('has no stop-out at or below zero', () => {
    expect(
      preview({ lots: lots('0.01') }, { balance: usd('1000000') }).stopOutPrice,
    ).toBeUndefined();
  });

  it('has no stop-out if the margin is less than half a cent', () => {
    const changes = { lots: lots('0.01'), price: price('0.00003') };
    expect(preview(changes)).toMatchObject({ margin: '0', stopOutPrice: undefined });
  });

  it('offers no lots if the smallest order is too expensive, and never more than 1,000', () => {
    expect(preview({}, { balance: usd('5') }).maxLots).toBe('0');
    expect(preview({}, { balance: usd('-5'), marginInUse: usd('50') }).maxLots).toBe('0');
    expect(preview({}, { balance: usd('99999999') }).maxLots).toBe('1000');
    const coarse = instrument({ minLots: '0.5', lotStep: '0.5' });
    expect(preview({ instrument: coarse }, { balance: usd('553') }).maxLots).toBe('0');
    expect(preview({ instrument: coarse }, { balance: usd('553.5') }).maxLots).toBe('0.5');
  });
});

describe('for any ticket and account', () => {
  const amounts = (max: bigint, scale: number) =>
    fc.bigInt({ min: 1n, max }).map((units) => decimal(units, scale));
  const tickets = fc.record({
    instrument: fc
      .record({
        precision: fc.integer({ min: 0, max: 6 }),
        marginMode: fc.constantFrom('fixed' as const, 'leveraged' as const),
        unitsPerLot: fc.constantFrom('1', '10', '100', '1000', '100000', '0.5'),
        feeRate: fc.constantFrom('0', '7', '0.0005', '1.25'),
        lotStep: fc.constantFrom('0.01', '0.1', '1', '0.25'),
      })
      .map((shape) => instrument({ ...shape, minLots: shape.lotStep })),
    feeType: fc.constantFrom('per-lot' as const, 'rate' as const),
    side: fc.constantFrom('buy' as const, 'sell' as const),
    type: fc.constantFrom('market' as const, 'pending' as const),
    lots: fc.bigInt({ min: 1n, max: 500n }),
    leverage: fc.constantFrom(times(1), times(20), times(500)),
    price: amounts(10n ** 6n, 0),
    target: amounts(10n ** 6n, 0),
  });
  const standings = fc.record({
    balance: amounts(10n ** 13n, 6),
    marginInUse: amounts(10n ** 8n, 2),
    profit: amounts(10n ** 12n, 6).chain((value) => fc.constantFrom(value, negate(value))),
    exposure: fc
      .bigInt({ min: -100_000n, max: 100_000n })
      .map((units) => toUnits(decimal(units, 1))),
  });
  const build = (raw: typeof tickets extends fc.Arbitrary<infer T> ? T : never): PricedTicket => {
    const { instrument: traded } = raw;
    const at = ({ digits }: Decimal) => price(toText(decimal(digits, traded.precision)));
    return {
      ...raw,
      lots: multiply(traded.lotStep, decimal(raw.lots)),
      price: at(raw.price),
      target: at(raw.target),
    };
  };

  it('the available balance is enough for the largest number of lots, and not for one step more', () => {
    fc.assert(
      fc.property(tickets, standings, (raw, standing) => {
        const built = build(raw);
        const account = standing as AccountSnapshot;
        const { maxLots, price: at } = previewTicket(built, account);
        const free = available(account);
        const needed = (quantity: typeof maxLots) =>
          cost(built.instrument, built.feeType, quantity, at, built.leverage);
        if (sign(maxLots) > 0) expect(isCovered(needed(maxLots), free)).toBe(true);
        const next = add(maxLots, built.instrument.lotStep);
        if (compare(next, MAX_LOTS) <= 0) expect(isCovered(needed(next), free)).toBe(false);
      }),
    );
  });

  it('the account is stopped out at the stop-out price, and not a point before', () => {
    fc.assert(
      fc.property(tickets, standings, (raw, standing) => {
        const built = build(raw);
        const account = standing as AccountSnapshot;
        const result = previewTicket(built, account);
        const { stopOutPrice: stop } = result;
        fc.pre(stop !== undefined);
        if (stop === undefined) return;
        const units = toUnits(product(built.lots, built.instrument.unitsPerLot));
        const own = built.side === 'buy' ? units : negate(units);
        const total = add(account.exposure, own);
        const at = (now: typeof stop) => ({
          balance: subtract(account.balance, add(result.margin, result.fee)),
          marginInUse: add(account.marginInUse, result.margin),
          profit: add(
            add(account.profit, toUsd(product(account.exposure, subtract(now, built.price)))),
            toUsd(product(own, subtract(now, result.price))),
          ),
        });
        expect(isStoppedOut(at(stop))).toBe(true);
        expect(isCovered(add(result.margin, result.fee), available(account))).toBe(true);
        expect(compare(stop, result.price)).toBe(-sign(total));
        const point = toPrice(decimal(1n, built.instrument.precision));
        const before = (sign(total) > 0 ? add : subtract)(stop, point);
        expect(isStoppedOut(at(before))).toBe(false);
      }),
    );
  });
});
