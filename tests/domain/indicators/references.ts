/** Each indicator once more, from all bars at once. Nothing here is shared with the code that it checks. */

import type { IndicatorKind } from '#domain/indicators/catalogue';
import type { Bar } from '#domain/market/kline';

type Column = number[];

const none = (count: number): Column => Array(Math.max(0, count)).fill(Number.NaN);
const closes = (bars: readonly Bar[]) => bars.map(({ close }) => close);
const typical = (bars: readonly Bar[]) => bars.map((bar) => (bar.high + bar.low + bar.close) / 3);
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const mean = (values: readonly number[]) => sum(values) / values.length;

/** What `of` makes of the last `length` values, at each of them. */
function over<T>(values: readonly T[], length: number, of: (window: T[]) => number): Column {
  return values.map((_, at) =>
    at + 1 < length ? Number.NaN : of(values.slice(at + 1 - length, at + 1)),
  );
}

const sma = (values: Column, length: number) => over(values, length, mean);

function ema(values: Column, length: number): Column {
  let last = values[0] ?? Number.NaN;
  return values.map((value, at) => {
    last += (2 / (length + 1)) * (value - last);
    return at + 1 < length ? Number.NaN : last;
  });
}

/** Wilder's mean of what comes after the leading NaN. */
function wilder(values: Column, length: number): Column {
  const from = values.findIndex((value) => !Number.isNaN(value));
  if (from < 0) return none(values.length);
  let last = Number.NaN;
  return values.map((value, at) => {
    if (at < from + length - 1) return Number.NaN;
    last =
      at === from + length - 1
        ? mean(values.slice(from, at + 1))
        : (last * (length - 1) + value) / length;
    return last;
  });
}

const ranges = (bars: readonly Bar[]) =>
  bars.map(({ high, low }, at) => {
    const before = bars[at - 1]?.close ?? high;
    return Math.max(high - low, Math.abs(high - before), at === 0 ? 0 : Math.abs(low - before));
  });

const highest = (bars: readonly Bar[]) => Math.max(...bars.map(({ high }) => high));
const lowest = (bars: readonly Bar[]) => Math.min(...bars.map(({ low }) => low));
const middle = (bars: readonly Bar[], length: number) =>
  over([...bars], length, (window) => (highest(window) + lowest(window)) / 2);

function bollinger(bars: readonly Bar[], length: number, deviations: number): Column[] {
  const centre = sma(closes(bars), length);
  const deviation = over(closes(bars), length, (window) =>
    Math.sqrt(mean(window.map((value) => (value - mean(window)) ** 2))),
  );
  const band = (sign: number) =>
    centre.map((at, i) => at + sign * deviations * (deviation[i] ?? 0));
  return [band(1), centre, band(-1)];
}

function keltner(bars: readonly Bar[], length: number, atrLength: number, multiplier: number) {
  const width = wilder(ranges(bars), atrLength);
  const centre = ema(closes(bars), length).map((at, i) =>
    Number.isNaN(width[i]) ? Number.NaN : at,
  );
  const band = (sign: number) => centre.map((at, i) => at + sign * multiplier * (width[i] ?? 0));
  return [band(1), centre, band(-1)];
}

function ichimoku(bars: readonly Bar[], conversion: number, base: number, spanB: number) {
  const [one, two] = [middle(bars, conversion), middle(bars, base)];
  return [
    one,
    two,
    one.map((at, i) => (at + (two[i] ?? 0)) / 2),
    middle(bars, spanB),
    closes(bars),
  ];
}

function supertrend(bars: readonly Bar[], length: number, multiplier: number): Column[] {
  const atr = wilder(ranges(bars), length);
  const rising: Column = [];
  const falling: Column = [];
  let [upper, lower, up] = [Number.NaN, Number.NaN, false];
  bars.forEach((bar, at) => {
    const band = multiplier * (atr[at] ?? 0);
    const centre = (bar.high + bar.low) / 2;
    const before = bars[at - 1]?.close ?? Number.NaN;
    const begins = Number.isNaN(upper);
    if (begins || centre + band < upper || before > upper) upper = centre + band;
    if (begins || centre - band > lower || before < lower) lower = centre - band;
    up = up && !begins ? bar.close >= lower : bar.close > upper;
    rising.push(up ? lower : Number.NaN);
    falling.push(up ? Number.NaN : upper);
  });
  return [rising, falling];
}

/** As two lists of stops: the trend turns where a bar reaches the stop. */
function psar(bars: readonly Bar[], step: number, most: number): Column[] {
  const stops = none(1);
  let [rising, first] = [(bars[1]?.close ?? 0) > (bars[0]?.close ?? 0), 1];
  let stop = (rising ? bars[0]?.low : bars[0]?.high) ?? Number.NaN;
  let used = 1;
  for (let at = 1; at < bars.length; at++) {
    const bar = bars[at] as Bar;
    const before = bars.slice(Math.max(0, at - 2), at);
    const trend = bars.slice(first, Math.max(first + 1, at));
    const extreme = rising ? highest(trend) : lowest(trend);
    stop += Math.min(step * used, Math.max(step, most)) * (extreme - stop);
    if (rising ? bar.low < stop : bar.high > stop) {
      stop = rising ? Math.max(bar.high, extreme) : Math.min(bar.low, extreme);
      [rising, first, used] = [!rising, at, 1];
    } else if (at > first && (rising ? bar.high > extreme : bar.low < extreme)) used += 1;
    stop = rising ? Math.min(stop, lowest(before)) : Math.max(stop, highest(before));
    stops.push(stop);
  }
  return [stops.slice(0, bars.length)];
}

const day = ({ time }: Bar) => Math.floor(time / 86_400);

function vwap(bars: readonly Bar[]): Column[] {
  return [
    bars.map((bar, at) => {
      const session = bars.slice(0, at + 1).filter((other) => day(other) === day(bar));
      const volume = sum(session.map((other) => other.volume));
      if (volume === 0) return Number.NaN;
      return sum(typical(session).map((price, i) => price * (session[i]?.volume ?? 0))) / volume;
    }),
  ];
}

function pivots(bars: readonly Bar[]): Column[] {
  const rows = bars.map((bar) => {
    const earlier = bars.filter((other) => day(other) < day(bar));
    const last = earlier.at(-1);
    if (!last) return none(7);
    const session = earlier.filter((other) => day(other) === day(last));
    const [high, low] = [highest(session), lowest(session)];
    const pivot = (high + low + last.close) / 3;
    const range = high - low;
    return [pivot, 2 * pivot - low, 2 * pivot - high, pivot + range, pivot - range].concat(
      high + 2 * (pivot - low),
      low - 2 * (high - pivot),
    );
  });
  return none(7).map((_, line) => rows.map((row) => row[line] ?? Number.NaN));
}

function rsi(bars: readonly Bar[], length: number): Column[] {
  const moves = closes(bars).map((close, at) => close - (bars[at - 1]?.close ?? Number.NaN));
  const gains = wilder(
    moves.map((move) => Math.max(move, 0)),
    length,
  );
  const losses = wilder(
    moves.map((move) => Math.max(-move, 0)),
    length,
  );
  return [
    gains.map((gain, at) => {
      const loss = losses[at] ?? 0;
      return loss === 0 ? 100 : (100 * gain) / (gain + loss);
    }),
  ];
}

function macd(bars: readonly Bar[], fast: number, slow: number, signal: number): Column[] {
  const all = (length: number) => ema([...none(0), ...closes(bars)], length);
  const short = all(fast);
  // Both averages begin at the first bar, the signal where there is a MACD.
  const line = all(slow).map((at, i) => (short[i] ?? 0) - at);
  const known = line.filter((value) => !Number.isNaN(value));
  let last = known[0] ?? 0;
  const smooth = known.map((value) => {
    last += (2 / (signal + 1)) * (value - last);
    return last;
  });
  const average = [...none(line.length - smooth.length), ...smooth];
  return [line, average, line.map((at, i) => at - (average[i] ?? 0))];
}

function stochastic(bars: readonly Bar[], length: number, smoothing: number, d: number) {
  const fast = over([...bars], length, (window) => {
    const [high, low] = [highest(window), lowest(window)];
    return high === low ? 0 : (100 * ((window.at(-1)?.close ?? 0) - low)) / (high - low);
  });
  const k = sma(fast, smoothing);
  const slow = sma(k, d);
  return [k.map((at, i) => (Number.isNaN(slow[i]) ? Number.NaN : at)), slow];
}

const atr = (bars: readonly Bar[], length: number): Column[] => [wilder(ranges(bars), length)];

function adx(bars: readonly Bar[], length: number): Column[] {
  const moves = (of: (bar: Bar, before: Bar) => number) =>
    bars.map((bar, at) => (at === 0 ? Number.NaN : of(bar, bars[at - 1] as Bar)));
  const up = moves((bar, before) => bar.high - before.high);
  const down = moves((bar, before) => before.low - bar.low);
  const larger = (one: Column, other: Column) =>
    one.map((move, at) => (move <= Math.max(0, other[at] ?? 0) ? 0 : move));
  const range = wilder(
    moves((bar, before) => Math.max(bar.high, before.close) - Math.min(bar.low, before.close)),
    length,
  );
  const di = (moved: Column) =>
    wilder(moved, length).map((at, i) => (range[i] === 0 ? 0 : (100 * at) / (range[i] ?? 0)));
  const [plus, minus] = [di(larger(up, down)), di(larger(down, up))];
  const dx = plus.map((at, i) => {
    const other = minus[i] ?? 0;
    return at + other === 0 ? 0 : (100 * Math.abs(at - other)) / (at + other);
  });
  return [wilder(dx, length), plus, minus];
}

function cci(bars: readonly Bar[], length: number): Column[] {
  return [
    over(typical(bars), length, (window) => {
      const last = window.at(-1) ?? 0;
      const deviation = mean(window.map((price) => Math.abs(price - mean(window))));
      return Math.max(...window) === Math.min(...window)
        ? 0
        : (last - mean(window)) / (0.015 * deviation);
    }),
  ];
}

function obv(bars: readonly Bar[]): Column[] {
  let total = 0;
  return [
    bars.map((bar, at) => {
      if (at === 0) return Number.NaN;
      total += Math.sign(bar.close - (bars[at - 1]?.close ?? 0)) * bar.volume;
      return total;
    }),
  ];
}

function williams(bars: readonly Bar[], length: number): Column[] {
  return [
    over([...bars], length, (window) => {
      const [high, low] = [highest(window), lowest(window)];
      return high === low ? -100 : (-100 * (high - (window.at(-1)?.close ?? 0))) / (high - low);
    }),
  ];
}

const momentum = (bars: readonly Bar[], length: number): Column[] => [
  closes(bars).map((close, at) => close - (bars[at - length]?.close ?? Number.NaN)),
];

/** Lines of values, each with one value a bar. */
export const REFERENCES: Readonly<
  Record<
    IndicatorKind,
    (bars: readonly Bar[], ...parameters: [number, number, number, number]) => Column[]
  >
> = {
  sma: (bars: readonly Bar[], length: number): Column[] => [sma(closes(bars), length)],
  ema: (bars: readonly Bar[], length: number): Column[] => [ema(closes(bars), length)],
  wma: (bars: readonly Bar[], length: number): Column[] => [
    over(closes(bars), length, (window) => {
      const weights = window.map((_, at) => at + 1);
      return sum(window.map((value, at) => value * (at + 1))) / sum(weights);
    }),
  ],
  bollinger,
  keltner,
  vwap,
  ichimoku,
  supertrend,
  psar,
  pivots,
  rsi,
  macd,
  stochastic,
  atr,
  adx,
  cci,
  obv,
  williams,
  momentum,
};
