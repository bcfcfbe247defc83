import { describe, expect, it } from 'vitest';
import { toUnixSeconds } from '#domain/core/time';
import { nodesBefore } from '../../../../server/market/simulated/history';
import { FRIDAY, instrumentOf, testInstruments } from './testInstruments';

const all = testInstruments('statistics');

/** Log returns of the last bars of a level, by start of the bar. */
function returns(code: string, level: number, count: number): Map<number, number> {
  const nodes = nodesBefore(
    instrumentOf(all, code),
    level,
    toUnixSeconds(FRIDAY / 1000),
    count,
  ).reverse();
  return new Map(
    nodes.slice(1).map((node, i) => [node.time, Math.log(node.close / (nodes[i]?.close ?? 1))]),
  );
}

const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

function correlation(a: readonly number[], b: readonly number[]): number {
  const [ma, mb] = [mean(a), mean(b)];
  const covariance = mean(a.map((value, i) => (value - ma) * ((b[i] as number) - mb)));
  const deviation = (values: readonly number[], m: number) =>
    Math.sqrt(mean(values.map((value) => (value - m) ** 2)));
  return covariance / deviation(a, ma) / deviation(b, mb);
}

function correlate(one: string, other: string, level: number, count: number): number {
  const a = returns(one, level, count);
  const b = returns(other, level, count);
  const times = [...a.keys()].filter((time) => b.has(time));
  return correlation(
    times.map((time) => a.get(time) as number),
    times.map((time) => b.get(time) as number),
  );
}

// Every figure follows from the seed, so these tests can't fail by chance.
describe('the simulated prices', () => {
  it.each([
    ['days', 0, 1200, 0.35],
    ['hours', 1, 2000, 0.25],
    // Correlation decreases with shorter periods, as in real markets (Epps effect).
    ['minutes', 5, 4000, 0.15],
  ])('move together as their categories do, over %s', (_, level, count, least) => {
    expect(correlate('EURUSD', 'GBPUSD', level, count)).toBeGreaterThan(least);
    expect(correlate('BTCUSD', 'ETHUSD', level, count)).toBeGreaterThan(least);
    expect(correlate('EURUSD', 'USDCHF', level, count)).toBeLessThan(-least);
    expect(Math.abs(correlate('EURUSD', 'NGAS', level, count))).toBeLessThan(0.2);
  });

  it.each([
    ['days', 0, 8000],
    ['hours', 1, 3000],
    ['minutes', 5, 6000],
  ])('have clustered volatility: large moves follow large moves, over %s', (_, level, count) => {
    for (const code of ['BTCUSD', 'ETHUSD', 'SOLUSD']) {
      const moves = [...returns(code, level, count).values()];
      const sizes = moves.map(Math.abs);
      expect(correlation(sizes.slice(0, -1), sizes.slice(1))).toBeGreaterThan(0.04);
      expect(Math.abs(correlation(moves.slice(0, -1), moves.slice(1)))).toBeLessThan(0.12);
    }
  });

  it('have the volatility of their instrument', () => {
    for (const code of ['EURUSD', 'XAUUSD', 'BTCUSD', 'US500', 'AURL', 'WTI']) {
      const moves = [...returns(code, 0, 1500).values()];
      const deviation = Math.sqrt(mean(moves.map((move) => move * move)));
      const planned = instrumentOf(all, code).terms.volatility;
      expect(deviation / planned).toBeGreaterThan(0.7);
      expect(deviation / planned).toBeLessThan(1.3);
    }
  });

  it('have about the same variance by the hour as by the day', () => {
    for (const code of ['EURUSD', 'BTCUSD']) {
      const days = mean([...returns(code, 0, 300).values()].map((move) => move ** 2));
      const hours = mean([...returns(code, 1, 7200).values()].map((move) => move ** 2)) * 24;
      expect(hours / days).toBeGreaterThan(0.5);
      expect(hours / days).toBeLessThan(2);
    }
  });
});
