import type { Target } from './cdp';
import type { Workload } from './workload';

/** What a finger does meanwhile, by the browser's own synthetic gestures: scrolls are the compositor's. */
export class Hand {
  readonly #page: Target;
  readonly #does: Workload['hand'];
  readonly #list: { x: number; y: number } | undefined;
  #busy = false;
  #done: Promise<void> = Promise.resolve();

  constructor(page: Target, does: Workload['hand'], list: { x: number; y: number } | undefined) {
    this.#page = page;
    this.#does = does;
    this.#list = list;
  }

  begin(): void {
    this.#busy = true;
    if (this.#does === 'typing') this.#done = this.#type();
    else if (this.#does !== 'still' && this.#list) this.#done = this.#move(this.#list);
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

  async #move({ x, y }: { x: number; y: number }): Promise<void> {
    for (let down = true; this.#busy; down = !down) {
      const begin = Date.now();
      await this.#page.send('Input.synthesizeScrollGesture', {
        x,
        y,
        yDistance: down ? -1600 : 1600,
        speed: 2400,
        gestureSourceType: 'touch',
        preventFling: false,
      });
      // On the head, where nothing is to be set off: the delay is what is looked at.
      if (this.#does === 'fling and tap')
        await this.#page.send('Input.synthesizeTapGesture', { x: 40, y: 44, duration: 40 });
      const left = 1000 - (Date.now() - begin);
      if (left > 0) await new Promise((resolve) => setTimeout(resolve, left));
    }
  }
}
