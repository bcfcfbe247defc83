import type { AxiosAdapter } from 'axios';
import { toDurationMs } from '#domain/core/time';
import type { Clock } from '../../../workers/core/ports';
import type { SeededRandom } from './seededRandom';

/** What reaches a worker: of one source in order, of different ones in any. */
type Source = 'timer' | 'socket' | 'answer' | 'storage' | 'page';

/** A page and its worker, as the browser lets them live: what comes while they are frozen waits, and what comes later is lost. */
export class PageLife {
  /** Resolves when the browser discards the page. */
  readonly gone: Promise<void>;
  #end = () => {};
  #isGone = false;
  #isFrozen = false;
  readonly #waiting = new Map<Source, (() => void)[]>();
  readonly #clock: Clock;
  readonly #random: SeededRandom;

  constructor(clock: Clock, random: SeededRandom) {
    this.#clock = clock;
    this.#random = random;
    this.gone = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  /** Whether it is there, and runs. */
  get runs(): boolean {
    return !this.#isGone && !this.#isFrozen;
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  /** Runs what the outside does to it. */
  enter(source: Source, task: () => void): void {
    if (this.#isGone) return;
    if (!this.#isFrozen && this.#waiting.size === 0) task();
    else this.#waiting.set(source, [...(this.#waiting.get(source) ?? []), task]);
  }

  freeze(): void {
    this.#isFrozen = true;
  }

  thaw(): void {
    this.#isFrozen = false;
    this.#drain();
  }

  discard(): void {
    this.#isGone = true;
    this.#waiting.clear();
    this.#end();
  }

  /** One task after the other, each with all that it causes. */
  #drain(): void {
    if (!this.runs || this.#waiting.size === 0) return;
    const source = this.#random.pick([...this.#waiting.keys()]);
    const [task, ...others] = this.#waiting.get(source) ?? [];
    if (others.length > 0) this.#waiting.set(source, others);
    else this.#waiting.delete(source);
    task?.();
    this.#clock.after(toDurationMs(0), () => this.#drain());
  }

  /** Its own clock, whose timers wait with it. */
  clock(): Clock {
    return {
      now: () => this.#clock.now(),
      after: (wait, task) => {
        let isCancelled = false;
        const cancel = this.#clock.after(wait, () =>
          this.enter('timer', () => !isCancelled && task()),
        );
        return () => {
          isCancelled = true;
          cancel();
        };
      },
    };
  }

  /** Its requests. */
  adapter(network: AxiosAdapter): AxiosAdapter {
    return (config) =>
      new Promise((resolve, reject) => {
        network(config).then(
          (answer) => this.enter('answer', () => resolve(answer)),
          (error) => this.enter('answer', () => reject(error)),
        );
      });
  }
}
