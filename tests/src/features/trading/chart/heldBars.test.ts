import fc from 'fast-check';
import { expect, test } from 'vitest';
import { barsToHold, type Stretch } from '../../../../../src/features/trading/chart/heldBars';

/** The longest fling of the library, px: its highest speed, 7 px/ms, fades by 0.997 each ms. */
const FLING = 7 / (1 - 0.997);

interface Scene {
  count: number;
  width: number;
  /** Px between two bars. */
  spacing: number;
  /** Where the view is, and which bars are held: shares of all. */
  at: number;
  held: [number, number];
}

const share = fc.double({ min: 0, max: 1, noNaN: true });
const scenes: fc.Arbitrary<Scene> = fc.record({
  count: fc.integer({ min: 1, max: 100_000 }),
  width: fc.integer({ min: 200, max: 4000 }),
  spacing: fc.double({ min: 1.5, max: 50, noNaN: true }),
  at: share,
  held: fc.tuple(share, share),
});

function place({ count, width, spacing, at, held }: Scene) {
  const size = width / spacing;
  // The library lets two bars stay in sight at either end.
  const from = at * (count + size - 4) - size + 2;
  const [one, other] = held.map((part) => Math.round(part * count)) as [number, number];
  return {
    size,
    view: { from, to: from + size },
    held: { from: Math.min(one, other), to: Math.max(one, other) },
  };
}

const holds = ({ from, to }: Stretch, index: number) => from <= index && index < to;

test('the bars that one gesture can bring into sight are held, and not many more', () => {
  fc.assert(
    fc.property(scenes, (scene) => {
      const { view, held, size } = place(scene);
      const { count, width, spacing } = scene;
      const result = barsToHold(held, view, width, count, false) ?? held;
      const reach = (FLING + width) / spacing;
      for (const index of [view.from - reach, view.from, view.to, view.to + reach]) {
        const existing = Math.min(count - 1, Math.max(0, Math.floor(index)));
        expect(holds(result, existing)).toBe(true);
      }
      expect(result.to - result.from).toBeLessThan(7 * (size + 2400 / spacing) + 12);
      expect(barsToHold(result, view, width, count, false)).toBeUndefined();
    }),
  );
});

test('during a gesture the newest one held stays, and older ones are added', () => {
  fc.assert(
    fc.property(scenes, (scene) => {
      const { view, held } = place(scene);
      const result = barsToHold(held, view, scene.width, scene.count, true);
      if (!result) return;
      expect(result.to).toBe(held.to);
      expect(result.from).toBeLessThan(held.from);
      expect(barsToHold(result, view, scene.width, scene.count, true)).toBeUndefined();
    }),
  );
});

test('a chart of two pages is held as a whole', () => {
  const all = { from: 0, to: 1000 };
  expect(barsToHold(all, { from: 956, to: 1006 }, 350, 1000, false)).toBeUndefined();
});
