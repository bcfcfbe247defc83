import { setTimeout as pause } from 'node:timers/promises';
import { medianOf, quantileOf } from '../../lib/statistics';
import type { Browser } from '../harness/browser';
import { Frames } from '../harness/trace';

/** How long the fingers move without rest, and how often they are told to. */
const SECONDS = 10;
const MOVE_MS = 16;
/** A frame that comes later than this after the one before is seen. */
const LATE_MS = 50;
/** Once there and back. */
const SWING_MS = 1000;

type Point = { x: number; y: number };

/** What fingers do on a chart, which Event Timing does not tell: their places from −1 to 1, in px from the middle. */
export const GESTURES: Readonly<Record<string, (swing: number) => readonly Point[]>> = {
  pan: (swing) => [{ x: 120 * swing, y: 0 }],
  pinch: (swing) => [-1, 1].map((side) => ({ x: side * (80 + 40 * swing), y: 0 })),
};

/** One gesture of a page. */
export interface Moved {
  /** Frames on screen later than LATE_MS, a minute. */
  late: number;
  /** Ms from a move until the page heard of it: median, and the longest of a hundred. */
  delay: number;
  longest: number;
}

/** Runs in the page: notes how old each move of a finger is when the page hears of it. */
function watchMoves(): void {
  const moves: number[] = [];
  Object.assign(window, { benchMoves: moves });
  const note = (event: Event) => moves.push(performance.now() - event.timeStamp);
  addEventListener('touchmove', note, { capture: true, passive: true });
}
export const WATCH_MOVES = `(${watchMoves})()`;

/** Moves fingers around a point, on a schedule that does not wait for the page. */
export async function move(
  browser: Browser,
  middle: Point,
  places: (swing: number) => readonly Point[],
): Promise<Moved> {
  const { page } = browser;
  const touch = (type: string, swing?: number) => {
    const at = swing === undefined ? [] : places(swing);
    const touchPoints = at.map(({ x, y }, id) => ({ x: middle.x + x, y: middle.y + y, id }));
    // Not acknowledged: the browser merges moves that arrive faster than it draws.
    page.send('Input.dispatchTouchEvent', { type, touchPoints }).catch(() => {});
  };
  await page.evaluate('benchMoves.length = 0');
  touch('touchStart', 0);
  const frames = await Frames.begin(browser.cdp, await browser.pageProcess());
  const begin = performance.now();
  for (let step = 1; step * MOVE_MS < SECONDS * 1000; step++) {
    await pause(Math.max(0, begin + step * MOVE_MS - performance.now()));
    touch('touchMove', Math.sin((2 * Math.PI * step * MOVE_MS) / SWING_MS));
  }
  const { intervals, seconds } = await frames.end();
  touch('touchEnd');
  const delays = await page.evaluate<number[]>('benchMoves');
  if (delays.length === 0) throw new Error('the page heard of no move');
  return {
    late: (60 * intervals.filter((interval) => interval > LATE_MS).length) / seconds,
    delay: medianOf(delays),
    longest: quantileOf(delays, 0.99),
  };
}
