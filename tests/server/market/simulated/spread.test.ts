import { expect, it } from 'vitest';
import { catalogue } from '../../../../server/market/catalogue/catalogue';
import { Spread } from '../../../../server/market/simulated/spread';

it('each instrument has a spread of at least a point, and of less than a hundredth of its price', () => {
  for (const terms of catalogue(200)) {
    const spread = new Spread(terms);
    const price = Math.round(terms.base * 10 ** terms.precision);
    const [bid, ask] = [spread.bid(price), spread.ask(price)];
    expect(bid).toBeLessThanOrEqual(price);
    expect(ask).toBeGreaterThan(bid);
    expect(ask).toBeGreaterThanOrEqual(price);
    expect((ask - bid) / price, terms.code).toBeLessThan(0.01);
  }
});

it('a price of a point has a bid of a point', () => {
  const spread = new Spread({ base: 1, precision: 5, spread: 0.00008 });
  expect(spread.bid(1)).toBe(1);
  expect([spread.bid(100_000), spread.ask(100_000)]).toEqual([99_996, 100_004]);
});
