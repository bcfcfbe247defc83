import type { Clock } from '../../server/market/clock';

/** Time that passes when a test says so. */
export class FakeClock implements Clock {
  private time: number;
  private readonly timers = new Set<{ at: number; action: () => void }>();

  constructor(time = Date.UTC(2026, 0, 31, 8)) {
    this.time = time;
  }

  now(): number {
    return this.time;
  }

  after(delay: number, action: () => void): () => void {
    const timer = { at: this.time + delay, action };
    this.timers.add(timer);
    return () => this.timers.delete(timer);
  }

  /** Runs what falls due within `ms`, in order. */
  pass(ms: number): void {
    const end = this.time + ms;
    for (;;) {
      const next = [...this.timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.timers.delete(next);
      this.time = next.at;
      next.action();
    }
    this.time = end;
  }
}
