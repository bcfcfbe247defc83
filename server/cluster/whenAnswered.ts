import { toDurationMs } from '#domain/core/time';
import type { Clock } from '../core/clock';
import { FailureLog } from '../core/failureLog';
import type { Log } from '../core/log';

const RETRY_MS = toDurationMs(500);

/** Tries until the other process answers: the processes of a cluster start in any order. */
export async function whenAnswered<T>(
  who: string,
  { clock, log }: { clock: Clock; log: Log },
  action: () => Promise<T>,
): Promise<T> {
  const failures = new FailureLog(clock, (reason) => log.info(`Waiting for ${who}: ${reason}`));
  for (;;) {
    try {
      return await action();
    } catch (error) {
      failures.failed((error as Error).message);
      await new Promise<void>((resolve) => void clock.after(RETRY_MS, resolve));
    }
  }
}
