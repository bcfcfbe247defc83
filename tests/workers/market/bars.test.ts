import fc from 'fast-check';
import { expect, it } from 'vitest';
import { emptyBar } from '#domain/api/read-market';
import { toUnixSeconds } from '#domain/core/time';
import { type Bar, barStart, CHART_PERIODS, foldBars } from '#domain/market/kline';
import { Bars } from '../../../workers/market/bars';

const minute = fc.record({
  wait: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 2000 })),
  prices: fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 4, maxLength: 4 }),
  volume: fc.integer({ min: 0, max: 3 }),
});

/** One-minute bars with gaps and placeholders. */
const minutes = fc.array(minute, { minLength: 1, maxLength: 120 }).map((steps) => {
  let time = 1_399_420_800;
  return steps.map(({ wait, prices, volume }): Bar => {
    time += wait * 60;
    const [open = 0, close = 0] = prices;
    return {
      time: toUnixSeconds(time),
      open,
      high: Math.max(...prices),
      low: Math.min(...prices),
      close,
      volume,
    };
  });
});

function packed(bars: readonly Bar[]): Bars {
  const result = new Bars();
  for (const bar of bars) result.put(bar);
  return result;
}

function unpacked(bars: Bars): Bar[] {
  return Array.from({ length: bars.length }, (_, index) => {
    const bar = emptyBar();
    bars.read(index, bar);
    return bar;
  });
}

it('fold to the result of a plain fold, completely and from the first changed minute', () => {
  fc.assert(
    fc.property(minutes, fc.nat(), fc.constantFrom(...CHART_PERIODS), (all, at, period) => {
      const changed = all[at % all.length] as Bar;
      const before = all.map((bar) => (bar === changed ? { ...bar, high: bar.high + 1 } : bar));
      const children = packed(before);
      const bars = new Bars();
      bars.fold(children, period, toUnixSeconds(Number.NEGATIVE_INFINITY));
      expect(unpacked(bars)).toEqual(foldBars(before, period));
      children.put(changed);
      const from = bars.fold(children, period, changed.time);
      expect(unpacked(bars)).toEqual(foldBars(all, period));
      expect([barStart(period, changed.time), Number.POSITIVE_INFINITY]).toContain(from);
    }),
  );
});

it('merged in front of all others are the same as put one by one', () => {
  fc.assert(
    fc.property(minutes, fc.nat(), fc.nat(), (all, at, overlap) => {
      const cut = at % (all.length + 1);
      const newer = packed(all.slice(cut));
      const older = packed(all.slice(0, Math.min(all.length, cut + (overlap % 3))));
      newer.mergeAll(older, false);
      expect(unpacked(newer)).toEqual(all);
      newer.keepLast(5);
      expect(unpacked(newer)).toEqual(all.slice(-5));
      const later = { ...(all.at(-1) as Bar), time: toUnixSeconds((all.at(-1)?.time ?? 0) + 60) };
      newer.put(later);
      expect(unpacked(newer)).toEqual([...all.slice(-5), later]);
    }),
  );
});
