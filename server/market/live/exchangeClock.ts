import { timeAfter, toDurationMs, type UnixMs } from '#domain/core/time';
import type { Clock } from '../../core/clock';

const SAMPLES = 15;
/** Fewer say nothing: one message may be wrong. */
const LEAST_SAMPLES = 3;

/** The clock of an exchange, estimated from the times that its messages carry. */
export class ExchangeClock {
  private readonly clock: Clock;
  private readonly samples: number[] = [];
  private offset = 0;
  private next = 0;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** The exchange's time; the local one until enough messages have come. It is late by their latency. */
  now(): UnixMs {
    return timeAfter(this.clock.now(), toDurationMs(this.offset));
  }

  /** Whether enough messages have come to know it. */
  get isKnown(): boolean {
    return this.samples.length >= LEAST_SAMPLES;
  }

  /** A message that was sent at `time` has come. */
  received(time: UnixMs): void {
    this.samples[this.next] = time - this.clock.now();
    this.next = (this.next + 1) % SAMPLES;
    if (!this.isKnown) return;
    // The median: neither a late message nor a wrong one moves it.
    const sorted = [...this.samples].sort((a, b) => a - b);
    this.offset = Math.round(sorted[sorted.length >> 1] as number);
  }
}
