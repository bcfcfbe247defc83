import { describe, expect, it } from 'vitest';
import {
  INDICATOR_KINDS,
  indicatorKey,
  indicatorProblems,
  isIndicatorSpec,
  lineShifts,
  usualIndicator,
} from '#domain/indicators/catalogue';

describe('the parameters of an indicator', () => {
  it.each(INDICATOR_KINDS)('of %s are usually right', (kind) => {
    expect(indicatorProblems(usualIndicator(kind)).filter(Boolean)).toEqual([]);
    expect(isIndicatorSpec(usualIndicator(kind))).toBe(true);
  });

  it('are whole numbers, or have few decimals', () => {
    const problems = (length: number, deviations: number) =>
      indicatorProblems({ kind: 'bollinger', parameters: [length, deviations] });
    expect(problems(20, 2.25)).toEqual([undefined, undefined]);
    expect(problems(20.5, 2.255)).toEqual([
      { kind: 'number', decimals: 0 },
      { kind: 'number', decimals: 2 },
    ]);
    expect(problems(Number.NaN, Number.POSITIVE_INFINITY)).toEqual([
      { kind: 'number', decimals: 0 },
      { kind: 'range', least: 0.1, most: 20 },
    ]);
  });

  it('are within their range', () => {
    expect(indicatorProblems({ kind: 'sma', parameters: [0] })).toEqual([
      { kind: 'range', least: 1, most: 500 },
    ]);
    expect(indicatorProblems({ kind: 'sma', parameters: [501] })).toHaveLength(1);
    expect(indicatorProblems({ kind: 'sma', parameters: [500] })).toEqual([undefined]);
  });

  it('are in order', () => {
    const below = { kind: 'order', below: 'slow' };
    expect(indicatorProblems({ kind: 'macd', parameters: [26, 26, 9] })[0]).toEqual(below);
    expect(indicatorProblems({ kind: 'psar', parameters: [0.02, 0.02] })[0]).toEqual({
      kind: 'order',
      below: 'most',
    });
    // Of a number that is none nothing more is said.
    expect(indicatorProblems({ kind: 'macd', parameters: [30, 0, 9] })[0]).toBeUndefined();
  });

  it('are all there', () => {
    expect(isIndicatorSpec({ kind: 'macd', parameters: [12, 26] })).toBe(false);
    expect(isIndicatorSpec({ kind: 'vwap', parameters: [1] })).toBe(false);
  });

  it('tell indicators apart', () => {
    expect(indicatorKey({ kind: 'macd', parameters: [12, 26, 9] })).toBe('macd 12 26 9');
    expect(indicatorKey(usualIndicator('vwap'))).toBe('vwap');
  });
});

describe('the lines of Ichimoku', () => {
  it('are moved by the displacement, which counts the bar itself', () => {
    expect(lineShifts(usualIndicator('ichimoku'))).toEqual([0, 0, 25, 25, -25]);
    expect(lineShifts(usualIndicator('macd'))).toEqual([0, 0, 0]);
  });
});
