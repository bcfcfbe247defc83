import { toDurationMs } from '#domain/core/time';
import type { Clock } from '../../../../server/core/clock';

const NOW = toDurationMs(0);

/** Lets actions through in their order. While it is closed they wait. */
export class Gate {
  private closed = false;
  private readonly waiting: (() => void)[] = [];
  private readonly clock: Clock;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  get isClosed(): boolean {
    return this.closed;
  }

  pass(action: () => void): void {
    if (this.closed || this.waiting.length > 0) this.waiting.push(action);
    else action();
  }

  close(): void {
    this.closed = true;
  }

  open(): void {
    if (!this.closed) return;
    this.closed = false;
    this.drain();
  }

  /** One by one, each in a turn of its own. */
  private drain(): void {
    this.clock.after(NOW, () => {
      if (this.closed) return;
      this.waiting.shift()?.();
      if (this.waiting.length > 0) this.drain();
    });
  }
}
