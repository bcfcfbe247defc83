import { hash } from 'node:crypto';
import { timeAfter, toDurationMs } from '#domain/core/time';
import type { Clock } from '../../../../server/core/clock';
import type { SeededRandom } from '../../../workers/simulation/seededRandom';
import type { FakeClock } from '../../support/fakeClock';
import { Gate } from './gate';

/** By how much clocks of machines are wrong at most, ms: less than it takes to start a program. */
export const AHEAD_MS = 100;
/** How long a program takes before it serves, ms. */
const START_MS = [200, 1_500] as const;

/**
 * A process on a machine of its own. What reaches it waits while it is paused, its timers too, and never comes once it has
 * ended. Its clocks go on meanwhile.
 */
export class SimulatedProcess {
  readonly name: string;
  readonly clock: Clock;
  /** The time of all machines. */
  readonly time: FakeClock;
  hasEnded = false;
  /** When it last went on after a pause. */
  resumedAt = 0;
  private readonly gate: Gate;
  private readonly endings: (() => void)[] = [];

  /** `aheadMs`: by how much the wall clock of its machine is wrong. */
  constructor(name: string, time: FakeClock, aheadMs: number) {
    this.name = name;
    this.time = time;
    this.gate = new Gate(time);
    // Two machines count from different moments.
    const since = Number.parseInt(hash('sha256', name).slice(0, 6), 16);
    this.clock = {
      now: () => timeAfter(time.now(), toDurationMs(aheadMs)),
      elapsed: () => toDurationMs(time.elapsed() + since),
      after: (delay, action) => {
        let cancelled = false;
        const cancel = time.after(delay, () => this.reach(() => cancelled || action()));
        return () => {
          cancelled = true;
          cancel();
        };
      },
    };
  }

  get isPaused(): boolean {
    return this.gate.isClosed;
  }

  reach(action: () => void): void {
    if (this.hasEnded) return;
    this.gate.pass(() => {
      if (!this.hasEnded) action();
    });
  }

  /** Loads modules, checks its database, and whatever else it does before it serves. */
  startUp(random: SeededRandom): Promise<void> {
    const wait = toDurationMs(random.between(...START_MS));
    return new Promise((resolve) => void this.clock.after(wait, resolve));
  }

  pause(): void {
    this.gate.close();
  }

  resume(): void {
    this.resumedAt = this.time.elapsed();
    this.gate.open();
  }

  /** As by `kill -9`. */
  kill(): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    for (const listener of this.endings) listener();
  }

  onEnd(listener: () => void): void {
    this.endings.push(listener);
  }
}
