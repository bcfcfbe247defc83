import type { Bar } from '../market/kline';
import { stepped } from './stepped';

interface State {
  /** The two bars before the next one. */
  previous: Readonly<Bar> | undefined;
  older: Readonly<Bar> | undefined;
  rising: boolean;
  /** The highest high of a rising trend, the lowest low of a falling one. */
  extreme: number;
  acceleration: number;
  /** NaN at the first bar. */
  sar: number;
}

/**
 * Parabolic stop and reverse (domain.md#indicators): the stop of the present trend, from the second
 * bar on. `step` and `most` are its acceleration.
 */
export function psar(step: number, most: number) {
  const first: State = {
    previous: undefined,
    older: undefined,
    rising: false,
    extreme: Number.NaN,
    acceleration: step,
    sar: Number.NaN,
  };
  const next = stepped(first, (state, bar): State => {
    const { previous, older } = state;
    if (!previous) return { ...first, previous: bar };
    const begins = Number.isNaN(state.sar);
    let { rising, extreme, acceleration, sar } = state;
    if (begins) {
      rising = bar.close > previous.close;
      extreme = rising ? bar.high : bar.low;
      sar = rising ? previous.low : previous.high;
    }
    sar += acceleration * (extreme - sar);
    const crossed = rising ? sar > bar.low : sar < bar.high;
    if (crossed) {
      sar = rising ? Math.max(bar.high, extreme) : Math.min(bar.low, extreme);
      rising = !rising;
      extreme = rising ? bar.high : bar.low;
      acceleration = step;
    } else if (!begins && (rising ? bar.high > extreme : bar.low < extreme)) {
      extreme = rising ? bar.high : bar.low;
      acceleration = Math.min(acceleration + step, most);
    }
    // Never inside the range of the two bars before.
    sar = rising
      ? Math.min(sar, previous.low, older?.low ?? previous.low)
      : Math.max(sar, previous.high, older?.high ?? previous.high);
    return { previous: bar, older: previous, rising, extreme, acceleration, sar };
  });
  return (bar: Readonly<Bar>, replace: boolean) => next(bar, replace).sar;
}
