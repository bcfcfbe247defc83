import { type DurationMs, toDurationMs } from '#domain/core/time';
import { type AccountTotals, marginLevel } from '#domain/trading/accountSummary';
import { type MarginState, warnedState } from '#domain/trading/marginWarning';
import type { WorkerEvent } from '#domain/worker/workerApi';
import type { Clock } from '../core/ports';

/** Prices move far more often than anybody can be warned. */
const EVERY_MS: DurationMs = toDurationMs(1000);

/** Warns once when the margin level falls below a limit, until it has recovered (domain.md#margin-level). */
export function createMarginWatch(
  clock: Clock,
  follow: (moved: () => void) => () => AccountTotals | undefined,
  emit: (event: WorkerEvent) => void,
): void {
  let resting = false;
  /** While it rested: the last move is judged, too. */
  let movedSince = false;
  let warned: MarginState;

  const judge = () => {
    resting = true;
    movedSince = false;
    clock.after(EVERY_MS, () => {
      resting = false;
      if (movedSince) judge();
    });
    const totals = account();
    const state = warnedState(warned, totals && marginLevel(totals));
    const isNew = state !== undefined && state !== warned;
    warned = state;
    if (isNew) emit({ type: 'margin-warning', state });
  };
  const account = follow(() => {
    if (resting) movedSince = true;
    else judge();
  });
}
