import type { UnixMs } from '#domain/core/units';
import type { Clock } from '../../core/clock';

/** How much faster than the wall clock the data's clock runs; `max`: as fast as listeners take it. */
export type Speed = number | 'max';

/** The data's clock, run from the wall's. */
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

  /** It is `data` now, and time begins to pass. */
  begin(data: UnixMs): void {
    this.anchor ??= { wall: this.clock.now(), data };
  }

  /** What the data's clock would show, had it no ticks to wait for. */
  get now(): UnixMs {
    if (this.speed === 'max') return Number.POSITIVE_INFINITY;
    if (!this.anchor) return Number.NEGATIVE_INFINITY;
    return this.anchor.data + (this.clock.now() - this.anchor.wall) * this.speed;
  }

  /** How long until then, in ms of the wall clock. */
  until(data: UnixMs): number {
    return this.speed === 'max' ? 0 : (data - this.now) / this.speed;
  }

  /** Sleeps; `halt` wakes it for good. */
  async sleep(ms: number): Promise<void> {
    if (this.halted) return;
    await new Promise<void>((resolve) => {
      const cancel = this.clock.after(ms, resolve);
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
