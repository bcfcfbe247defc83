import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimal, toNumber, toText } from '#domain/core/decimal';
import {
  cancelProblem,
  closeProblem,
  type OrderContext,
  type OrderRequest,
  orderProblem,
  partProblem,
  partsOf,
  setExitsProblem,
} from '#domain/trading/rules';
import english from '#locales/en';
import { instrument, lots, price, times, usd } from '../support/instruments';

const inLots = (hundredths: number) => lots(toText(decimal(hundredths, 2)));

const market: OrderRequest = {
  side: 'buy',
  type: 'market',
  lots: lots('1'),
  leverage: times(100),
  targetPrice: price('1.1'),
  stopLoss: undefined,
  takeProfit: undefined,
  trailing: undefined,
  deviation: undefined,
};
const pending: OrderRequest = { ...market, type: 'pending', targetPrice: price('1.05') };
const context: OrderContext = {
  instrument: instrument({ minLots: '0.1', lotStep: '0.05' }),
  feeType: 'per-lot',
  marketOpen: true,
  openOrders: 0,
  price: price('1.1'),
  available: usd('10000'),
};
const fixed = instrument({ marginMode: 'fixed', unitsPerLot: '100' });

type Row = [
  what: string,
  request: Partial<OrderRequest>,
  context: Partial<OrderContext>,
  key: string | undefined,
  field?: string,
];

const both: Row[] = [
  ['nothing wrong', {}, {}, undefined],
  ['no multipliers', {}, { instrument: instrument({ leverages: [] }) }, 'noLeverage', 'instrument'],
  [
    'no multipliers, margin fixed',
    {},
    { instrument: instrument({ leverages: [], marginMode: 'fixed' }) },
    'noLeverage',
    'instrument',
  ],
  ['a closed market', {}, { marketOpen: false }, 'marketClosed', 'instrument'],
  ['nothing traded yet', {}, { price: undefined }, 'noPrice', 'instrument'],
  ['no lots', { lots: undefined }, {}, 'lotsRequired', 'lots'],
  ['zero lots', { lots: lots('0.00') }, {}, 'lotsRequired', 'lots'],
  ['negative lots', { lots: lots('-1') }, {}, 'lotsBelowMinimum', 'lots'],
  ['lots below the minimum', { lots: lots('0.05') }, {}, 'lotsBelowMinimum', 'lots'],
  ['the minimum', { lots: lots('0.1') }, {}, undefined],
  ['lots off the step', { lots: lots('0.11') }, {}, 'lotsStep', 'lots'],
  ['lots off the step by little', { lots: lots('1.0000000001') }, {}, 'lotsStep', 'lots'],
  ['1,000 lots', { lots: lots('1000') }, { available: usd('9999999') }, undefined],
  [
    'above 1,000 lots',
    { lots: lots('1000.05') },
    { available: usd('9999999') },
    'lotsAboveMaximum',
    'lots',
  ],
  ['no multiplier', { leverage: undefined }, {}, 'leverageRequired', 'leverage'],
  ['a multiplier of 0', { leverage: times('0') }, {}, 'leverageRequired', 'leverage'],
  ['a multiplier not offered', { leverage: times('150') }, {}, 'leverageUnknown', 'leverage'],
  ['the multiplier written otherwise', { leverage: times('100.0') }, {}, undefined],
  ['any multiplier, margin fixed', { leverage: times('3') }, { instrument: fixed }, undefined],
  ['no multiplier, margin fixed', { leverage: undefined }, { instrument: fixed }, undefined],
  ['a negative stop-loss', { stopLoss: price('-1') }, {}, 'priceNotPositive', 'stopLoss'],
  ['a stop of 0', { stopLoss: price('0'), takeProfit: price('0.0') }, {}, undefined],
  ['an available balance not known yet', {}, { available: undefined }, undefined],
  ['a negative deviation', { deviation: price('-0.1') }, {}, 'deviationNegative', 'deviation'],
  ['a stop-loss too fine', { stopLoss: price('1.000001') }, {}, 'priceTooFine', 'stopLoss'],
  ['a take-profit too fine', { takeProfit: price('1.200001') }, {}, 'priceTooFine', 'takeProfit'],
  ['a trailing distance too fine', { trailing: price('0.000001') }, {}, 'priceTooFine', 'trailing'],
  ['a trailing distance of a point', { trailing: price('0.00001') }, {}, undefined],
  ['a negative distance', { trailing: price('-1') }, {}, 'distanceNotPositive', 'trailing'],
  ['zeros after the last decimal', { stopLoss: price('1.0000100') }, {}, undefined],
  // Margin 0.1 × units × 1.1 / 100, or × 1.05: half a cent rounds to one.
  [
    'a margin of less than half a cent',
    { lots: lots('0.1') },
    { instrument: instrument({ unitsPerLot: '4.5', minLots: '0.1' }) },
    'marginTooSmall',
    'lots',
  ],
  [
    'a margin of half a cent',
    { lots: lots('0.1') },
    { instrument: instrument({ unitsPerLot: '4.8', minLots: '0.1' }) },
    undefined,
  ],
  ['the 200th open order', {}, { openOrders: 199 }, undefined],
  ['the 201st open order', {}, { openOrders: 200 }, 'tooManyOrders', 'orders'],
  ['open orders not known yet', {}, { openOrders: undefined }, undefined],
];
const ofMarket: Row[] = [
  ['a bid above the ask', {}, { crossed: true }, 'bookCrossed', 'instrument'],
  ['no quote seen', { targetPrice: undefined }, {}, undefined],
  ['a negative quote seen', { targetPrice: price('-1') }, {}, 'priceNotPositive', 'targetPrice'],
  ['a distance of the price', { trailing: price('1.1') }, {}, 'distanceNotBelow', 'trailing'],
  ['stop-loss on the price', { stopLoss: price('1.1') }, {}, 'stopLossNotBelow', 'stopLoss'],
  ['stop-loss a point below', { stopLoss: price('1.09999') }, {}, undefined],
  [
    'take-profit on the price',
    { takeProfit: price('1.1') },
    {},
    'takeProfitNotAbove',
    'takeProfit',
  ],
  ['take-profit a point above', { takeProfit: price('1.10001') }, {}, undefined],
  [
    "a sell's stop-loss on the price",
    { side: 'sell', stopLoss: price('1.1') },
    {},
    'stopLossNotAbove',
    'stopLoss',
  ],
  ["a sell's stop-loss above", { side: 'sell', stopLoss: price('1.2') }, {}, undefined],
  [
    "a sell's take-profit on the price",
    { side: 'sell', takeProfit: price('1.1') },
    {},
    'takeProfitNotBelow',
    'takeProfit',
  ],
  ["a sell's take-profit below", { side: 'sell', takeProfit: price('1') }, {}, undefined],
  // Margin 1 × 100,000 × 1.1 / 100 = 1,100, fee 7.
  ['just enough', {}, { available: usd('1107') }, undefined],
  ['a millionth too little', {}, { available: usd('1106.999999') }, 'availableTooLow', 'balance'],
  [
    'a slip as large as borne',
    { targetPrice: price('1.0999'), deviation: price('0.0001') },
    {},
    undefined,
  ],
  [
    'a larger slip',
    { targetPrice: price('1.09989'), deviation: price('0.0001') },
    {},
    'priceMoved',
    'deviation',
  ],
  ['no slip borne, none made', { deviation: price('0') }, {}, undefined],
  [
    'no slip borne, one made',
    { targetPrice: price('1.09999'), deviation: price('0') },
    {},
    'priceMoved',
    'deviation',
  ],
  ['a better fill', { targetPrice: price('1.2'), deviation: price('0') }, {}, undefined],
  [
    "a sell's larger slip",
    { side: 'sell', targetPrice: price('1.2'), deviation: price('0.01') },
    {},
    'priceMoved',
    'deviation',
  ],
  [
    "a sell's better fill",
    { side: 'sell', targetPrice: price('1'), deviation: price('0') },
    {},
    undefined,
  ],
  [
    'a deviation from a quote not seen',
    { targetPrice: price('0'), deviation: price('0') },
    {},
    undefined,
  ],
  [
    'a negative deviation from a quote not seen',
    { targetPrice: undefined, deviation: price('-0.1') },
    {},
    'deviationNegative',
    'deviation',
  ],
];
const ofPending: Row[] = [
  ['a bid above the ask, while it waits', {}, { crossed: true }, undefined],
  ['no target', { targetPrice: undefined }, {}, 'priceRequired', 'targetPrice'],
  ['a target of 0', { targetPrice: price('0') }, {}, 'priceNotPositive', 'targetPrice'],
  ['a negative target', { targetPrice: price('-1') }, {}, 'priceNotPositive', 'targetPrice'],
  ['a target too fine', { targetPrice: price('1.050001') }, {}, 'priceTooFine', 'targetPrice'],
  ['stop-loss on the target', { stopLoss: price('1.05') }, {}, 'stopLossNotBelow', 'stopLoss'],
  ['stop-loss below the target', { stopLoss: price('1.04999') }, {}, undefined],
  ['take-profit between target and price', { takeProfit: price('1.07') }, {}, undefined],
  [
    "a sell's stop-loss between target and price",
    { side: 'sell', stopLoss: price('1.07') },
    {},
    undefined,
  ],
  ['just enough at the target', {}, { available: usd('1057') }, undefined],
  ['too little at the target', {}, { available: usd('1056.99') }, 'availableTooLow', 'balance'],
  ['a deviation, which means nothing here', { deviation: price('0') }, {}, undefined],
];

describe.each([
  ['a market order', market, [...both, ...ofMarket]],
  ['a pending order', pending, [...both, ...ofPending]],
])('%s', (_, request, rows) => {
  it.each(rows)('%s', (_, changes, circumstances, key, field) => {
    const problem = orderProblem({ ...request, ...changes }, { ...context, ...circumstances });
    expect(problem?.message.key).toBe(key);
    expect(problem?.field).toBe(field);
    if (key !== undefined) expect(Object.keys(english.rules)).toContain(key);
  });
});

describe('existing orders (domain.md#order-states)', () => {
  it('can be closed while they are holding and the market is open', () => {
    const open = { marketOpen: true };
    expect(closeProblem('holding', open)).toBeUndefined();
    expect(closeProblem('holding', { marketOpen: false })?.key).toBe('marketClosed');
    expect(closeProblem('holding', { ...open, crossed: true })?.key).toBe('bookCrossed');
    expect(closeProblem('pending', open)?.key).toBe('orderNotHolding');
    expect(closeProblem('closed', open)?.key).toBe('orderNotHolding');
  });

  it('can be closed in parts that are valid quantities and leave a margin', () => {
    const { instrument: terms } = context;
    const part = (size: string, margin = '100') =>
      partProblem(lots(size), { lots: lots('0.5'), margin: usd(margin) }, terms);
    expect(part('0.1')).toBeUndefined();
    expect(part('0.4')).toBeUndefined();
    expect(part('0.05')?.key).toBe('lotsBelowMinimum');
    expect(part('0.45')?.key).toBe('lotsBelowMinimum');
    expect(part('0.12')?.key).toBe('lotsStep');
    expect(part('-0.1')?.key).toBe('lotsBelowMinimum');
    expect(part('0.55')).toEqual({ key: 'lotsAboveMaximum', params: { max: '0.5' } });
    // Of one cent the rest would have 0.2 or 0.8.
    expect(part('0.4', '0.01')?.key).toBe('marginTooSmall');
    expect(part('0.1', '0.01')).toBeUndefined();
  });

  it.each([
    ['1', '25 0.25, 50 0.5, 75 0.75'],
    ['0.05', '25 0.01, 50 0.02, 75 0.03'],
    ['0.03', '50 0.01, 75 0.02'],
    ['0.02', '50 0.01'],
    ['0.01', ''],
  ])('of %s lots are offered in parts without duplicates: %s', (size, parts) => {
    const offered = partsOf({ lots: lots(size), margin: usd('100') }, instrument());
    expect(offered.map((part) => `${part.percent} ${toText(part.lots)}`).join(', ')).toBe(parts);
  });

  it('are offered in parts that can be closed, none larger than its share', () => {
    const hundredths = fc.integer({ min: 1, max: 2000 });
    fc.assert(
      fc.property(hundredths, hundredths, hundredths, (size, min, step) => {
        const terms = { minLots: inLots(min), lotStep: inLots(step) };
        const order = { lots: inLots(size), margin: usd('100') };
        for (const { percent, lots: part } of partsOf(order, terms)) {
          expect(partProblem(part, order, terms)).toBeUndefined();
          // Whole numbers: 1.11 × 100 is more than 1.48 × 75 in binary.
          expect(Math.round(toNumber(part) * 100) * 100).toBeLessThanOrEqual(size * percent);
        }
      }),
    );
  });

  it('can be cancelled while they are pending', () => {
    expect(cancelProblem('pending')).toBeUndefined();
    expect(cancelProblem('holding')?.key).toBe('orderNotPending');
    expect(cancelProblem('closed')?.key).toBe('orderNotPending');
  });

  it('keep their stops on the right side of the target, or of the price', () => {
    const exits = { stopLoss: price('1.07'), takeProfit: price('0') };
    const target = price('1.05');
    const now = price('1.1');
    const change = (status: 'pending' | 'holding' | 'closed', at: typeof now | undefined) =>
      setExitsProblem({ status, side: 'buy', target, precision: 5 }, at, exits)?.key;
    expect(change('pending', now)).toBe('stopLossNotBelow');
    expect(change('holding', now)).toBeUndefined();
    expect(change('holding', undefined)).toBe('noPrice');
    expect(change('closed', now)).toBe('orderEnded');
  });

  it('keep their stops within the decimals of the instrument', () => {
    const order = { status: 'holding', side: 'buy', target: price('1.05'), precision: 2 } as const;
    const change = (stopLoss: string, takeProfit: string) =>
      setExitsProblem(order, price('1.1'), {
        stopLoss: price(stopLoss),
        takeProfit: price(takeProfit),
      })?.key;
    expect(change('1.07', '1.2')).toBeUndefined();
    expect(change('1.075', '0')).toBe('priceTooFine');
    expect(change('0', '1.201')).toBe('priceTooFine');
  });
});
