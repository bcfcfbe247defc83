/** The arithmetic of all indicators. The worker loads it with the first one: the page never does. */

import {
  ATR,
  BollingerBands,
  EMA,
  IchimokuCloud,
  KeltnerChannels,
  MACD,
  MOM,
  OBV,
  RSI,
  SMA,
  StochasticOscillator,
  SuperTrend,
  WilliamsR,
  WMA,
} from 'trading-signals';
import type { Bar } from '../market/kline';
import { adx } from './adx';
import type { IndicatorSpec } from './catalogue';
import { psar } from './psar';
import { pivots, type SessionBars, vwap } from './sessions';

/**
 * Takes the bars of a chart one after the other, oldest first, and returns the values of the
 * definition's lines at each; NaN: none. `replace`: `bar` is the last one as it is now, else it is
 * the next one. Bars are kept: pass another object each time. Values are doubles (D1): they are
 * drawn, and no money is computed of them.
 */
export type Indicator = (bar: Readonly<Bar>, replace: boolean) => readonly number[];

const NONE = Number.NaN;

/** What an indicator of the library has in common with the others. */
interface Streaming<Input, Result> {
  update(input: Input, replace: boolean): Result | null;
  readonly isStable: boolean;
}

/** One value of the closes. */
function ofCloses(indicator: Streaming<number, number>): Indicator {
  return (bar, replace) => {
    const value = indicator.update(bar.close, replace);
    return [indicator.isStable ? (value ?? NONE) : NONE];
  };
}

/** One value of the bars. */
function ofBars(indicator: Streaming<Bar, number>): Indicator {
  return (bar, replace) => [indicator.update(bar, replace) ?? NONE];
}

const one =
  (value: (bar: Readonly<Bar>, replace: boolean) => number): Indicator =>
  (bar, replace) => [value(bar, replace)];

/** The calculation of an indicator from its first bar on (domain.md#indicators). The spec has no problems. */
export function createIndicator({ kind, parameters }: IndicatorSpec, bars: SessionBars): Indicator {
  const [a = NONE, b = NONE, c = NONE] = parameters;
  switch (kind) {
    case 'sma':
      return ofCloses(new SMA(a));
    case 'ema':
      return ofCloses(new EMA(a));
    case 'wma':
      return ofCloses(new WMA(a));
    case 'bollinger': {
      const bands = new BollingerBands(a, b);
      return (bar, replace) => bandValues(bands.update(bar.close, replace));
    }
    case 'keltner': {
      const channels = new KeltnerChannels({ emaInterval: a, atrInterval: b, multiplier: c });
      return (bar, replace) => bandValues(channels.update(bar, replace));
    }
    case 'vwap':
      return one(vwap(bars));
    case 'ichimoku':
      return ichimoku(a, b, c);
    case 'supertrend': {
      const trend = new SuperTrend({ interval: a, multiplier: b });
      return (bar, replace) => {
        const result = trend.update(bar, replace);
        if (!result) return [NONE, NONE];
        const { supertrend } = result;
        return result.trend === 'BULLISH' ? [supertrend, NONE] : [NONE, supertrend];
      };
    }
    case 'psar':
      return one(psar(a, b));
    case 'pivots':
      return pivots(bars);
    case 'rsi':
      return ofCloses(new RSI(a));
    case 'macd': {
      const macd = new MACD(new EMA(a), new EMA(b), new EMA(c));
      return (bar, replace) => {
        const result = macd.update(bar.close, replace);
        return result ? [result.macd, result.signal, result.histogram] : [NONE, NONE, NONE];
      };
    }
    case 'stochastic': {
      const oscillator = new StochasticOscillator({ kPeriod: a, kSlowingPeriod: b, dPeriod: c });
      return (bar, replace) => {
        const result = oscillator.update(bar, replace);
        return result ? [result.stochK, result.stochD] : [NONE, NONE];
      };
    }
    case 'atr':
      return ofBars(new ATR(a));
    case 'adx':
      return adx(a);
    case 'cci':
      return one(cci(a));
    case 'obv':
      return ofBars(new OBV(2));
    case 'williams':
      return ofBars(new WilliamsR(a));
    case 'momentum':
      return ofCloses(new MOM(a));
  }
}

function bandValues(
  bands: { upper: number; middle: number; lower: number } | null,
): readonly number[] {
  return bands ? [bands.upper, bands.middle, bands.lower] : [NONE, NONE, NONE];
}

/** Each line begins as soon as its own bars are there; the library waits for the longest one. */
function ichimoku(conversion: number, base: number, spanB: number): Indicator {
  const middle = (length: number) =>
    new IchimokuCloud({ conversionInterval: length, baseInterval: length, spanBInterval: length });
  const lines = [middle(conversion), middle(base), middle(spanB)];
  return (bar, replace) => {
    const [short = NONE, long = NONE, longest = NONE] = lines.map(
      (line) => line.update(bar, replace)?.base ?? NONE,
    );
    return [short, long, (short + long) / 2, longest, bar.close];
  };
}

/**
 * Commodity Channel Index (domain.md#indicators) of (high + low + close) / 3, from bar `length` on;
 * 0 where none of these prices differs.
 */
function cci(length: number) {
  const prices: number[] = [];
  return (bar: Readonly<Bar>, replace: boolean): number => {
    const typical = (bar.high + bar.low + bar.close) / 3;
    if (replace) prices.pop();
    prices.push(typical);
    if (prices.length > length) prices.shift();
    if (prices.length < length) return Number.NaN;
    // Their mean may differ from all of them by its rounding.
    if (prices.every((price) => price === typical)) return 0;
    const mean = prices.reduce((sum, price) => sum + price, 0) / length;
    const deviation = prices.reduce((sum, price) => sum + Math.abs(price - mean), 0) / length;
    return (typical - mean) / (0.015 * deviation);
  };
}
