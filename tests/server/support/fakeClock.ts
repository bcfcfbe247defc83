import { setImmediate as turn } from 'node:timers/promises';
import {
  type DurationMs,
  timeAfter,
  timeBefore,
  timeBetween,
  toDurationMs,
  toUnixMs,
  type UnixMs,
} from '#domain/core/time';
import type { Clock } from '../../../server/core/clock';

interface Timer {
  at: UnixMs;
  action: () => void;
}

/** A clock that only the test moves. */
export class FakeClock implements Clock {
  private time: UnixMs;
  private start: UnixMs;
  private readonly timers = new Set<Timer>();

  constructor(time = toUnixMs(Date.UTC(2026, 0, 31, 8))) {
    this.time = time;
    this.start = time;
  }

  now(): UnixMs {
    return this.time;
  }

  elapsed(): DurationMs {
    return timeBetween(this.start, this.time);
  }

  /** Sets the wall clock back. Timers are not affected. */
  setBack(ms: number): void {
    const by = toDurationMs(ms);
    this.time = timeBefore(this.time, by);
    this.start = timeBefore(this.start, by);
    for (const timer of this.timers) timer.at = timeBefore(timer.at, by);
  }

  after(delay: number, action: () => void): () => void {
    const timer = { at: timeAfter(this.time, toDurationMs(Math.max(0, delay))), action };
    this.timers.add(timer);
    return () => this.timers.delete(timer);
  }

  /** Whether a timer is set. */
  get awaited(): boolean {
    return this.timers.size > 0;
  }

  /**
   * Moves the clock by `ms`. Due timers run in order without waiting for their asynchronous
   * effects.
   */
  pass(ms: number): void {
    const until = timeAfter(this.time, toDurationMs(ms));
    for (let timer = this.next(); timer && timer.at <= until; timer = this.next()) this.run(timer);
    this.time = until;
  }

  /**
   * Moves the clock by `ms`. Due timers run at their times and in order; after each it waits until
   * `idle` returns true.
   */
  async advance(ms: number, idle = () => true): Promise<void> {
    const settle = async () => {
      do await turn();
      while (!idle());
    };
    await settle();
    const until = timeAfter(this.time, toDurationMs(ms));
    for (;;) {
      const timer = this.next();
      if (!timer || timer.at > until) break;
      this.run(timer);
      await settle();
    }
    this.time = until;
    await settle();
  }

  /** Moves the clock without running timers, as when the machine was suspended. */
  jump(ms: number): void {
    this.time = timeAfter(this.time, toDurationMs(ms));
  }

  /** Moves the clock until `done`, waiting for real files and databases. */
  async until(done: () => boolean): Promise<void> {
    while (!done()) {
      const timer = this.next();
      if (timer) await this.advance(Math.max(0, timer.at - this.time));
      else await turn();
    }
  }

  private run(timer: Timer): void {
    this.time = toUnixMs(Math.max(this.time, timer.at));
    this.timers.delete(timer);
    timer.action();
  }

  private next(): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.timers) if (!first || timer.at < first.at) first = timer;
    return first;
  }
}
