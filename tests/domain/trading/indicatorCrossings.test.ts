import { expect, it } from 'vitest';
import { millisecondOf, toUnixMs, toUnixSeconds, type UnixMs } from '#domain/core/time';
import { INDICATOR_KINDS, INDICATORS, isIndicatorSpec } from '#domain/indicators/catalogue';
import { createIndicator } from '#domain/indicators/indicator';
import {
  type Bar,
  barEnd,
  CHART_PERIODS,
  type ChartPeriod,
  sourcePeriod,
} from '#domain/market/kline';
import { PERIOD_SECONDS } from '#domain/market/period';
import {
  CROSSES,
  type IndicatorCondition,
  type IndicatorOutput,
  watchableLines,
} from '#domain/trading/condition';
import { barCrossings, barsNeeded } from '#domain/trading/indicatorCrossings';
import { largeCount, samples, seed } from '../../helpers/samples';
import { SeededRandom } from '../../workers/simulation/seededRandom';

const HISTORIES = samples(150, 1_000);
const TIMEOUT = samples(30_000, 3_600_000);
const NOWHERE = toUnixMs(0);

const pick = <T>(random: SeededRandom, list: readonly T[]) =>
  list[random.between(0, list.length - 1)] as T;

function drawnOutput(random: SeededRandom): IndicatorOutput {
  const name = pick(random, INDICATOR_KINDS);
  const output = pick(random, watchableLines(name));
  for (;;) {
    const settings = INDICATORS[name].parameters.map(({ usual, least, most, decimals }) => {
      const drawn = usual * (0.2 + random.next());
      return Number(Math.min(most, Math.max(least, drawn)).toFixed(decimals));
    });
    if (isIndicatorSpec({ kind: name, parameters: settings })) return { name, settings, output };
  }
}

function drawnCondition(random: SeededRandom, price: number): IndicatorCondition {
  const own = drawnOutput(random);
  const against = random.between(0, 2);
  return {
    ...{ kind: 'indicator', ...own, period: pick(random, CHART_PERIODS) },
    level: against === 0 ? pick(random, [0, 50, price]) : undefined,
    other: against === 0 ? undefined : against === 1 ? 'price' : drawnOutput(random),
    cross: pick(random, CROSSES),
  };
}

/** A random walk of bars, some of them missing. */
function history(random: SeededRandom, period: ChartPeriod, count: number): Bar[] {
  const step = PERIOD_SECONDS[sourcePeriod(period)];
  let time = Math.floor(Date.UTC(2026, 0, 5) / 1000 / step) * step;
  let close = 100;
  return Array.from({ length: count }, () => {
    time += random.chance(0.02) ? step * random.between(2, 50) : step;
    const open = close;
    close = Math.max(1, close + random.between(-10, 10) / 10);
    const [high, low] = [Math.max(open, close) + 0.1, Math.min(open, close) - 0.1];
    return { time: toUnixSeconds(time), open, high, low, close, volume: random.between(1, 9) };
  });
}

const endOf = (period: ChartPeriod, { time }: Bar): UnixMs => millisecondOf(barEnd(period, time));

it(
  `finds the same crossings at once and bar by bar, whoever asks, in ${HISTORIES} histories`,
  () =>
    largeCount('crossings of indicators judged at once and bar by bar', HISTORIES, () => {
      const random = new SeededRandom(seed);
      let found = 0;
      for (let i = 0; i < HISTORIES; i++) {
        const condition = drawnCondition(random, 100);
        const { period } = condition;
        const bars = history(random, period, random.between(300, 2500));
        const judged = bars.slice(-60);
        const since = endOf(period, bars.at(-61) as Bar);
        const until = endOf(period, bars.at(-1) as Bar);
        const needed = (from: UnixMs, to: UnixMs) => {
          const known = bars.filter((bar) => bar.time * 1000 < to);
          return known.slice(-barsNeeded(condition, from, to));
        };
        const atOnce = barCrossings(condition, needed(since, until), since, until);
        const ends = [...new Set(judged.map((bar) => endOf(period, bar)))];
        let last = since;
        const oneByOne = ends.flatMap((end) => {
          const crossings = barCrossings(condition, needed(last, end), last, end);
          last = end;
          return crossings;
        });
        expect(oneByOne, JSON.stringify(condition)).toEqual(atOnce);
        found += atOnce.length;
      }
      expect(found).toBeGreaterThan(HISTORIES / 2);
      return `${found} crossings, each the same`;
    }),
  TIMEOUT,
);

it(
  `crosses where the chart draws it, in ${HISTORIES} histories`,
  () =>
    largeCount('crossings of indicators where the chart draws them', HISTORIES, () => {
      const random = new SeededRandom(seed + 1);
      let crossed = 0;
      for (let i = 0; i < HISTORIES; i++) {
        const drawn = drawnCondition(random, 100);
        // Their lines are drawn elsewhere, or need whole sessions.
        if (['ichimoku', 'vwap', 'pivots'].includes(drawn.name)) continue;
        const condition = {
          ...drawn,
          other: 'price' as const,
          level: undefined,
          cross: 'any' as const,
        };
        const period = '1min';
        const bars = history(random, period, 180);
        const spec = { kind: drawn.name, parameters: drawn.settings };
        const next = createIndicator(spec, { period, whole: false });
        const line = INDICATORS[drawn.name].lines.indexOf(drawn.output);
        const sides = bars.map((bar) =>
          Math.sign(bar.close - (next(bar, false)[line] ?? Number.NaN)),
        );
        const expected = bars.flatMap((bar, at) => {
          const [before = Number.NaN, now = Number.NaN] = [sides[at - 1], sides[at]];
          const crosses = Math.abs(before) === 1 && !Number.isNaN(now) && now !== before;
          return crosses
            ? [{ time: endOf(period, bar), price: bar.close, from: before < 0 ? 'rise' : 'fall' }]
            : [];
        });
        const until = endOf(period, bars.at(-1) as Bar);
        const found = barCrossings({ ...condition, period }, bars, NOWHERE, until);
        expect(found, JSON.stringify(condition)).toEqual(expected);
        crossed += found.length;
      }
      expect(crossed).toBeGreaterThan(HISTORIES);
      return `${crossed} crossings, each where it is drawn`;
    }),
  TIMEOUT,
);

it('judges no bar that is open', () => {
  const condition: IndicatorCondition = {
    ...{ kind: 'indicator', name: 'sma', settings: [1], output: 'average', period: '5min' },
    ...{ level: 1.5, other: undefined, cross: 'up' },
  };
  const bar = (minute: number, close: number) => ({
    time: toUnixSeconds(minute * 60),
    ...{ open: close, high: close, low: close, close, volume: 1 },
  });
  const bars = [bar(0, 1), bar(5, 2), bar(10, 1)];
  expect(barCrossings(condition, bars, NOWHERE, toUnixMs(599_999))).toEqual([]);
  const closed = barCrossings(condition, bars, NOWHERE, toUnixMs(600_000));
  expect(closed).toEqual([{ time: 600_000, price: 2, from: 'rise' }]);
  expect(barCrossings(condition, bars, toUnixMs(600_000), toUnixMs(900_000))).toEqual([]);
});

const MINUTE_MS = 60_000;
it.each([
  // 250 bars before a block of 200, those of the time, and one on each side of either.
  ['sma', [10], '1min', MINUTE_MS, 250 + 200 + 2 + 2],
  ['sma', [10], '1min', 60 * MINUTE_MS, 250 + 200 + 61 + 2],
  // Six times as many as it counts, each of four hours.
  ['sma', [100], '240min', MINUTE_MS, 4 * (600 + 200 + 2 + 2)],
  // Two sessions: of a day each, and of a month.
  ['vwap', [], '1min', MINUTE_MS, 2880 + 200 + 2 + 2],
  ['pivots', [], '1day', MINUTE_MS, 62 + 200 + 2 + 2],
] as const)(
  'of %s %j in bars of %s, %d ms after it was judged, needs %d bars',
  (name, settings, period, after, expected) => {
    const condition: IndicatorCondition = {
      ...{ kind: 'indicator', name, settings, output: 'average', period },
      ...{ level: 1, other: undefined, cross: 'up' },
    };
    expect(barsNeeded(condition, NOWHERE, toUnixMs(after))).toBe(expected);
  },
);
