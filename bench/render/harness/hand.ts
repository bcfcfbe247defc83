import { setTimeout as pause } from 'node:timers/promises';
import type { Workload } from '#domain/workload/workload';
import type { Target } from './cdp';

/** Where the finger flings, px. */
export interface Span {
  x: number;
  low: number;
  high: number;
}

const STEPS = 15;
const STEP_MS = 16;
/** While the list still scrolls by inertia. */
const TAP_AT_MS = 600;
/** Long enough for a chart to come. */
const SCREEN_MS = 1500;

/** Simulates a finger by touch events, so that the compositor scrolls and decides how far. */
export class Hand {
  readonly #page: Target;
  readonly #does: Workload['hand'];
  readonly #span: Span | undefined;
  #busy = false;
  #done: Promise<void> = Promise.resolve();

  constructor(page: Target, does: Workload['hand'], span: Span | undefined) {
    this.#page = page;
    this.#does = does;
    this.#span = span;
  }

  begin(): void {
    this.#busy = true;
    if (this.#does === 'typing') this.#done = this.#type();
    else if (this.#does === 'walk') this.#done = this.#walk();
    else if (this.#does !== 'still' && this.#span) this.#done = this.#move(this.#span);
  }

  /** Resolves when the current gesture has ended. */
  async rest(): Promise<void> {
    this.#busy = false;
    await this.#done;
  }

  /** Types a digit and deletes it, repeatedly, in the focused field. */
  async #type(): Promise<void> {
    for (let digit = true; this.#busy; digit = !digit) {
      const key = digit ? '7' : 'Backspace';
      const code = digit ? 55 : 8;
      const event = { key, windowsVirtualKeyCode: code };
      const text = digit ? { text: key } : {};
      await this.#page.send('Input.dispatchKeyEvent', { type: 'keyDown', ...event, ...text });
      await this.#page.send('Input.dispatchKeyEvent', { type: 'keyUp', ...event });
      await pause(250);
    }
  }

  /** Opens the chart and the list in turn, and ends on the list. */
  async #walk(): Promise<void> {
    while (this.#busy)
      for (const screen of ['/trade', '/']) {
        await this.#page.evaluate(`location.hash = '${screen}'`);
        await pause(SCREEN_MS);
      }
  }

  /** The finger follows its schedule and does not wait for the page. */
  async #move({ x, low, high }: Span): Promise<void> {
    for (let up = true; this.#busy; up = !up) {
      const begin = performance.now();
      const [from, to] = up ? [low, high] : [high, low];
      this.#touch('touchStart', x, from);
      for (let step = 1; step <= STEPS; step++) {
        await until(begin + step * STEP_MS);
        this.#touch('touchMove', x, from + ((to - from) * step) / STEPS);
      }
      this.#touch('touchEnd');
      if (this.#does === 'fling and tap') {
        await until(begin + TAP_AT_MS);
        // On the header, where a tap does nothing: only the delay is measured.
        this.#touch('touchStart', 40, 44);
        await until(begin + TAP_AT_MS + 40);
        this.#touch('touchEnd');
      }
      await until(begin + 1000);
    }
  }

  /** Not every event is acknowledged: the browser merges moves that arrive faster than it draws. */
  #touch(type: string, x?: number, y?: number): void {
    const touchPoints = x === undefined ? [] : [{ x, y }];
    this.#page.send('Input.dispatchTouchEvent', { type, touchPoints }).catch(() => {});
  }
}

async function until(time: number): Promise<void> {
  const left = time - performance.now();
  if (left > 0) await pause(left);
}
