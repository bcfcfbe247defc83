import { askedWait, type Failure } from '../core/result';
import { type DurationMs, longest, toDurationMs } from '../core/time';

/** The least wait. */
const RETRY_MS = toDurationMs(3000);

/** How long to wait before older bars that could not be loaded are asked for again. */
export function olderBarsRetry(failure: Failure): DurationMs {
  return longest(RETRY_MS, askedWait(failure));
}
