import type { Bar } from '../market/kline';
import { NO_MEAN, stepped, type WilderMean, wilderStep } from './stepped';

interface State {
  previous: Readonly<Bar> | undefined;
  range: WilderMean;
  plus: WilderMean;
  minus: WilderMean;
  adx: WilderMean;
  /** ADX, +DI, −DI; NaN where there are too few bars. */
  values: readonly [number, number, number];
}

const NONE = [Number.NaN, Number.NaN, Number.NaN] as const;

/**
 * Average Directional Index (domain.md#indicators): ADX, +DI and −DI in percent, from the second
 * bar on; +DI and −DI need `length` + 1 bars, ADX 2 × `length`.
 */
export function adx(length: number) {
  const share = (part: WilderMean, of: WilderMean) =>
    of.mean === 0 ? 0 : (100 * part.mean) / of.mean;
  const first: State = {
    previous: undefined,
    range: NO_MEAN,
    plus: NO_MEAN,
    minus: NO_MEAN,
    adx: NO_MEAN,
    values: NONE,
  };
  const next = stepped(first, (state, bar): State => {
    const { previous } = state;
    if (!previous) return { ...state, previous: bar };
    const up = bar.high - previous.high;
    const down = previous.low - bar.low;
    const high = Math.max(bar.high, previous.close);
    const low = Math.min(bar.low, previous.close);
    const range = wilderStep(state.range, high - low, length);
    const plus = wilderStep(state.plus, up > down && up > 0 ? up : 0, length);
    const minus = wilderStep(state.minus, down > up && down > 0 ? down : 0, length);
    if (range.count < length) return { ...state, previous: bar, range, plus, minus };
    const plusDi = share(plus, range);
    const minusDi = share(minus, range);
    const sum = plusDi + minusDi;
    const dx = sum === 0 ? 0 : (100 * Math.abs(plusDi - minusDi)) / sum;
    const average = wilderStep(state.adx, dx, length);
    const values = [average.count < length ? Number.NaN : average.mean, plusDi, minusDi] as const;
    return { previous: bar, range, plus, minus, adx: average, values };
  });
  return (bar: Readonly<Bar>, replace: boolean) => next(bar, replace).values;
}
