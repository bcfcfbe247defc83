import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isMultiple, product, sign, toNumber, toText } from '#domain/core/decimal';
import type { FeeType } from '#domain/trading/margin';
import { catalogue } from '../../../../server/market/catalogue/catalogue';
import { CATEGORIES, toInstrument } from '../../../../server/market/catalogue/instrumentTerms';
import { liveInstrument } from '../../../../server/market/live/liveInstrument';
import { recordedInstrument } from '../../../../server/market/replay/recordedInstrument';
import { inTurn } from '../../../helpers/samples';

const { drawLogos } = await import('../../../../scripts/lib/drawLogos.mjs' as string);

const instruments = (count: number) =>
  catalogue(count).map((terms) => toInstrument(terms.id, terms.code, terms.name, terms, 'per-lot'));

/** EUR/USD and Bitcoin as each market lists them. */
const MARKETS = {
  simulated: (feeType: FeeType) =>
    catalogue(40)
      .filter(({ code }) => ['EURUSD', 'BTCUSD'].includes(code))
      .map((terms) => toInstrument(terms.id, terms.code, terms.name, terms, feeType)),
  recorded: (feeType: FeeType) =>
    ['EURUSD', 'BTCUSD'].map((code) =>
      recordedInstrument(1, { code, decimals: 5, price: 1 }, feeType),
    ),
  live: (feeType: FeeType) => [
    liveInstrument(1, { code: 'BTC/USD', decimals: 1, price: 60_000 }, undefined, feeType),
  ],
};

describe('the fee of an instrument', () => {
  it.each([
    ['simulated', 'per-lot', ['5', '20']],
    ['simulated', 'rate', ['0.005', '0.005']],
    ['recorded', 'per-lot', ['5', '20']],
    ['recorded', 'rate', ['0.005', '0.005']],
    ['live', 'per-lot', ['20']],
    ['live', 'rate', ['0.005']],
  ] as const)('of a %s market is as the server charges it: %s', (kind, feeType, rates) => {
    expect(MARKETS[kind](feeType).map(({ feeRate }) => toText(feeRate))).toEqual(rates);
  });
});

describe('the catalogue', () => {
  it('has 40 instruments in six categories, grouped in display order', () => {
    const listed = instruments(40);
    expect(listed).toHaveLength(40);
    const order = listed.map(({ categoryId }) => categoryId);
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(new Set(order).size).toBe(CATEGORIES.length);
    expect(listed.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['EURUSD', 'XAUUSD', 'BTCUSD', 'US500', 'WTI']),
    );
  });

  it('has a logo, drawn by the build, for all that are no invented companies', () => {
    const drawn = mkdtempSync(join(tmpdir(), 'fulcrum-logos-'));
    drawLogos(drawn);
    const listed = instruments(40);
    const logos = listed.flatMap(({ logo }) => (logo ? [logo.replace('/logos/', '')] : []));
    expect(readdirSync(drawn).sort()).toEqual([...logos].sort());
    expect(new Set(logos).size).toBe(logos.length);
    const stocks = CATEGORIES.find(({ key }) => key === 'stocks')?.id;
    const without = listed.filter(({ logo }) => !logo).map(({ categoryId }) => categoryId);
    expect(new Set(without)).toEqual(new Set([stocks]));
    for (const logo of logos) {
      const svg = readFileSync(join(drawn, logo), 'utf8');
      const ids = [...svg.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
      expect(new Set(ids).size).toBe(ids.length);
      for (const [, id] of svg.matchAll(/url\(#([^)]+)\)/g)) expect(ids).toContain(id);
      expect(svg).not.toMatch(/<script|<foreignObject| on\w+=/i);
    }
  });

  it('takes a few instruments from every category, so that some market is always open', () => {
    expect(new Set(instruments(6).map(({ categoryId }) => categoryId)).size).toBe(6);
  });

  inTurn(it)('makes thousands on demand with unique codes, the first ones always the same', () => {
    const many = instruments(10_000);
    expect(new Set(many.map(({ code }) => code)).size).toBe(10_000);
    expect(new Set(many.map(({ id }) => id)).size).toBe(10_000);
    const byId = new Map(many.map((listed) => [listed.id, listed]));
    for (const listed of instruments(500)) expect(byId.get(listed.id)).toEqual(listed);
    for (const { code } of many) expect(code).toMatch(/^[A-Z0-9]{2,16}$/);
  });

  inTurn(it)('has tradable steps, multipliers and margins', () => {
    const bases = new Map(catalogue(3000).map((terms) => [terms.id, terms]));
    for (const listed of instruments(3000)) {
      expect(sign(listed.lotStep)).toBe(1);
      expect(isMultiple(listed.minLots, listed.lotStep)).toBe(true);
      expect(listed.leverages.length).toBeGreaterThan(0);
      expect(listed.precision).toBeGreaterThanOrEqual(0);
      const base = bases.get(listed.id)?.base ?? 0;
      // At least 3 digits of the price change, and it fits into a double.
      expect(base * 10 ** listed.precision).toBeGreaterThan(100);
      expect(base * 10 ** listed.precision).toBeLessThan(1e9);
      // A demo account can afford the margin of the smallest order.
      const highest = listed.leverages.at(-1);
      const margin =
        (toNumber(product(listed.minLots, listed.unitsPerLot)) *
          (listed.marginMode === 'fixed' ? 1 : base)) /
        toNumber(highest ?? listed.minLots);
      expect(margin).toBeGreaterThan(0.01);
      expect(margin).toBeLessThan(1000);
      expect(sign(listed.feeRate)).toBe(1);
    }
  });
});
