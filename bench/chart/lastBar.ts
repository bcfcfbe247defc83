import { toUnixSeconds } from '#domain/core/time';
import type { Bar } from '#domain/market/kline';
import { randomFrom } from '#domain/workload/draws';

const DECIMALS = 100_000;
const BARS = 500;
const BEGIN = 1_399_420_800;

/** Changes of the price a second. */
const RATE = 60;

/**
 * Five hundred minutes; in the last one the price moves sixty times a second. `move` is called
 * every `intervalMs` with the changes in between collected.
 */
export function movingBar(
  move: (bar: Bar) => void,
  intervalMs = 1000 / RATE,
): { bars: Bar[]; last: Bar } {
  const random = randomFrom(1);
  const step = () => (Math.floor(random() * 5) - 2) / DECIMALS;
  let close = 1.39286;
  const bars = Array.from({ length: BARS }, (_, index): Bar => {
    const open = close;
    const path = Array.from({ length: 20 }, () => (close += step()));
    const high = Math.max(open, ...path);
    const low = Math.min(open, ...path);
    return { time: toUnixSeconds(BEGIN + index * 60), open, high, low, close, volume: 20 };
  });
  const last = { ...(bars.at(-1) as Bar) };
  const steps = Math.round((intervalMs * RATE) / 1000);
  setInterval(() => {
    for (let i = 0; i < steps; i++) {
      last.close += step();
      last.high = Math.max(last.high, last.close);
      last.low = Math.min(last.low, last.close);
      last.volume += 1;
    }
    move(last);
  }, intervalMs);
  return { bars, last };
}

export function host(): HTMLElement {
  const root = document.getElementById('root') as HTMLElement;
  root.style.cssText = 'inline-size: 360px; block-size: 420px';
  return root;
}

/** Read by the driver at the end: how far the chart is behind, as a price. */
declare global {
  interface Window {
    benchGap?: () => number;
  }
}
