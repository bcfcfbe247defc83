import { latest, timeAfter, toDurationMs, toUnixMs, type UnixMs } from '#domain/core/time';
import type { Clock } from '../../../workers/core/ports';

interface Timer {
  at: UnixMs;
  order: number;
  task: () => void;
}

/** A clock that moves only when the test advances it. */
export class FakeClock implements Clock {
  #now: UnixMs;
  /** How long the machine has slept in total, ms. */
  slept = 0;
  /** How far the wall clock is off the true time, ms. */
  #wrong = 0;
  #order = 0;
  #timers = new Set<Timer>();

  constructor(now = toUnixMs(Date.UTC(2026, 0, 5, 12))) {
    this.#now = now;
  }

  readonly now = (): UnixMs => timeAfter(this.#now, toDurationMs(this.#wrong));

  /** The true time, which does not change with the wall clock. */
  get steady(): UnixMs {
    return this.#now;
  }

  readonly after = (ms: number, task: () => void): (() => void) => {
    const timer = {
      at: timeAfter(this.#now, toDurationMs(Math.max(0, ms))),
      order: this.#order++,
      task,
    };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  };

  get pending(): number {
    return this.#timers.size;
  }

  /** Advances the time, runs timers in the order in which they are due, and lets promises settle after each. */
  async advance(ms: number): Promise<void> {
    const until = timeAfter(this.#now, toDurationMs(ms));
    await settle();
    for (let next = this.#next(until); next; next = this.#next(until)) {
      this.#timers.delete(next);
      this.#now = latest(this.#now, next.at);
      next.task();
      await settle();
    }
    this.#now = until;
  }

  /** The machine sleeps: time passes, but no timer runs. */
  sleep(ms: number): void {
    this.slept += ms;
    this.#now = timeAfter(this.#now, toDurationMs(ms));
  }

  /** Sets the wall clock forward or back; timers are not affected. */
  set(by: number): void {
    this.#wrong += by;
  }

  #next(until: UnixMs): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.at > until) continue;
      if (!first || timer.at < first.at || (timer.at === first.at && timer.order < first.order))
        first = timer;
    }
    return first;
  }
}

/** Lets every promise settle that can: no scripted part waits for a real event. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
