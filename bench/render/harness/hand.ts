import type { Target } from './cdp';
import type { Workload } from './workload';

/** Where a finger flings, px. */
export interface Span {
  x: number;
  low: number;
  high: number;
}

const STEPS = 15;
const STEP_MS = 16;
/** While what was flung still rolls. */
const TAP_AT_MS = 600;

/** What a finger does meanwhile, by touches of the screen: what they scroll, and how far it rolls, is the compositor's. */
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
    else if (this.#does !== 'still' && this.#span) this.#done = this.#move(this.#span);
  }

  /** Once the gesture that is under way has ended. */
  async rest(): Promise<void> {
    this.#busy = false;
    await this.#done;
  }

  /** A digit and its deletion, again and again, into what has the focus. */
  async #type(): Promise<void> {
    for (let digit = true; this.#busy; digit = !digit) {
      const key = digit ? '7' : 'Backspace';
      const code = digit ? 55 : 8;
      const event = { key, windowsVirtualKeyCode: code };
      const text = digit ? { text: key } : {};
      await this.#page.send('Input.dispatchKeyEvent', { type: 'keyDown', ...event, ...text });
      await this.#page.send('Input.dispatchKeyEvent', { type: 'keyUp', ...event });
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }

  /** The finger does not wait for the page: what it does is due at its time. */
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
        // On the head, where nothing is to be set off: the delay is what is looked at.
        this.#touch('touchStart', 40, 44);
        await until(begin + TAP_AT_MS + 40);
        this.#touch('touchEnd');
      }
      await until(begin + 1000);
    }
  }

  /** Not all are answered: the browser joins moves that come faster than it draws. */
  #touch(type: string, x?: number, y?: number): void {
    const touchPoints = x === undefined ? [] : [{ x, y }];
    this.#page.send('Input.dispatchTouchEvent', { type, touchPoints }).catch(() => {});
  }
}

async function until(time: number): Promise<void> {
  const left = time - performance.now();
  if (left > 0) await new Promise((resolve) => setTimeout(resolve, left));
}
