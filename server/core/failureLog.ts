import { type DurationMs, toDurationMs } from '#domain/core/time';
import type { Clock } from './clock';

/** A reason that stays is logged this often. */
const AGAIN_MS = toDurationMs(3_600_000);

/** Logs why something fails that is tried again and again: each time only where the reason is another one. */
export class FailureLog {
  private readonly clock: Clock;
  private readonly write: (text: string) => void;
  private logged: { reason: string; at: DurationMs } | undefined;

  constructor(clock: Clock, write: (text: string) => void) {
    this.clock = clock;
    this.write = write;
  }

  failed(text: string): void {
    // The stack below it differs by who has called.
    const [reason = ''] = text.split('\n', 1);
    const now = this.clock.elapsed();
    if (this.logged?.reason === reason && now - this.logged.at < AGAIN_MS) return;
    this.logged = { reason, at: now };
    this.write(text);
  }

  succeeded(): void {
    this.logged = undefined;
  }
}
