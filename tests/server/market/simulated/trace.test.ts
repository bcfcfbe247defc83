import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawKey, KeyedDraws } from '../../../../server/market/simulated/random';
import {
  CLOSE,
  CORNERS,
  HIGH,
  LOW,
  OPEN,
  type Parts,
  type Stretch,
  trace,
} from '../../../../server/market/simulated/trace';
import { inTurn } from '../../../helpers/samples';

/** The least number of ticks that a stretch needs. */
function needed({ open, high, low, close }: Stretch): number {
  const wicks = Number(high > Math.max(open, close)) + Number(low < Math.min(open, close));
  return wicks > 0 || open !== close ? 2 + wicks : 1;
}

const price = fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 9_000_000 }));

/** A stretch and parts that together have its number of ticks. */
const cut = fc
  .record({
    prices: fc.tuple(price, price, price, price),
    ticks: fc.array(fc.oneof(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 500 })), {
      minLength: 1,
      maxLength: 30,
    }),
    spread: fc.double({ min: 1e-9, max: 1e9, noNaN: true }),
    seed: fc.integer(),
  })
  .map(({ prices, ticks, spread, seed }) => {
    const [open, , , close] = prices;
    const parent: Stretch = {
      open,
      close,
      high: Math.max(...prices),
      low: Math.min(...prices),
      ticks: ticks.reduce((sum, count) => sum + count, 0),
    };
    const extra = needed(parent) - parent.ticks;
    if (extra > 0) {
      ticks.push(...Array<number>(extra).fill(1));
      parent.ticks += extra;
    }
    const draws = new KeyedDraws();
    draws.begin(drawKey(String(seed)), 0, 0);
    const parts: Parts = {
      ticks,
      variances: ticks.map(() => spread * (0.1 + draws.next())),
      moves: ticks.map(() => draws.normal()),
    };
    return { parent, parts, seed };
  });

function traced(parent: Stretch, parts: Parts, seed: number): Stretch[] {
  const draws = new KeyedDraws();
  draws.begin(drawKey(String(seed)), 1, 1);
  const corners = trace(parent, parts, draws);
  return parts.ticks.map((ticks, i) => ({
    open: corners[i * CORNERS + OPEN] as number,
    high: corners[i * CORNERS + HIGH] as number,
    low: corners[i * CORNERS + LOW] as number,
    close: corners[i * CORNERS + CLOSE] as number,
    ticks,
  }));
}

describe('tracing an interval with its parts', () => {
  inTurn(it)('folds exactly into the interval, and into parts that ticks can trace', () => {
    fc.assert(
      fc.property(cut, ({ parent, parts, seed }) => {
        const children = traced(parent, parts, seed);
        expect(children[0]?.open).toBe(parent.open);
        expect(children.at(-1)?.close).toBe(parent.close);
        expect(Math.max(...children.map(({ high }) => high))).toBe(parent.high);
        expect(Math.min(...children.map(({ low }) => low))).toBe(parent.low);
        for (const child of children) {
          expect(Object.values(child).every(Number.isSafeInteger)).toBe(true);
          expect(child.high).toBeGreaterThanOrEqual(Math.max(child.open, child.close));
          expect(child.low).toBeLessThanOrEqual(Math.min(child.open, child.close));
          expect(child.ticks).toBeGreaterThanOrEqual(needed(child));
        }
      }),
      { numRuns: 2000 },
    );
  });

  inTurn(it)(
    'is continuous: no step between parts is large compared with the move of the interval',
    () => {
      const parent: Stretch = {
        open: 10_000,
        high: 10_400,
        low: 9_700,
        close: 10_250,
        ticks: 2400,
      };
      for (let seed = 0; seed < 300; seed++) {
        const draws = new KeyedDraws();
        draws.begin(drawKey(String(seed)), 0, 0);
        const ticks = Array<number>(24).fill(100);
        const parts: Parts = {
          ticks,
          variances: ticks.map(() => 250 ** 2 / 24),
          moves: ticks.map(() => draws.normal()),
        };
        const children = traced(parent, parts, seed);
        for (let i = 1; i < children.length; i++) {
          const step = Math.abs((children[i]?.open ?? 0) - (children[i - 1]?.close ?? 0));
          expect(step).toBeLessThan(70);
        }
      }
    },
  );
});
