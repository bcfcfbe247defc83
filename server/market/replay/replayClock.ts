import {
  type DurationMs,
  timeAfter,
  timeBetween,
  toDurationMs,
  toUnixMs,
  type UnixMs,
} from '#domain/core/time';
import type { Clock } from '../../core/clock';

/** Factor between the data's clock and the wall clock; `max`: as fast as the listeners allow. */
export type Speed = number | 'max';

/** The data's clock, derived from the wall clock. */
export class ReplayClock {
  private readonly clock: Clock;
  private readonly speed: Speed;
  private anchor: { wall: UnixMs; data: UnixMs } | undefined;
  private wake = () => {};
  private halted = false;

  constructor(clock: Clock, speed: Speed) {
    this.clock = clock;
    this.speed = speed;
  }

  /** Starts the clock at `data`. */
  begin(data: UnixMs): void {
    this.anchor ??= { wall: this.clock.now(), data };
  }

  /** The time of the data's clock, whether or not ticks have arrived. */
  get now(): UnixMs {
    if (this.speed === 'max') return toUnixMs(Number.POSITIVE_INFINITY);
    if (!this.anchor) return toUnixMs(Number.NEGATIVE_INFINITY);
    const { wall, data } = this.anchor;
    const passed = timeBetween(wall, this.clock.now()) * this.speed;
    return timeAfter(data, toDurationMs(passed));
  }

  /** Wall-clock milliseconds until then. */
  until(data: UnixMs): DurationMs {
    return toDurationMs(this.speed === 'max' ? 0 : timeBetween(this.now, data) / this.speed);
  }

  /** Waits; `halt` ends this and all later waits. */
  async sleep(wait: DurationMs): Promise<void> {
    if (this.halted) return;
    await new Promise<void>((resolve) => {
      const cancel = this.clock.after(wait, resolve);
      this.wake = () => {
        cancel();
        resolve();
      };
    });
  }

  halt(): void {
    this.halted = true;
    this.wake();
  }
}
