import type { Confirmed, Failure, Result } from '#domain/core/result';
import type { WorkerEvent } from '#domain/worker/workerApi';

type Emit = (event: WorkerEvent) => void;

/** Shows a failed call (screens.md#messages); nothing where it was cancelled or ended the session. */
export function showFailure(emit: Emit, failure: Failure): void {
  if (failure.kind === 'refused' && failure.text)
    emit({ type: 'notice', tone: 'error', text: failure.text });
  else if (['refused', 'transport', 'invalid'].includes(failure.kind))
    emit({ type: 'failure', failure });
}

/** Shows the server's text for a success, once `sent` has succeeded (screens.md#messages). */
export async function showSuccess<T>(
  emit: Emit,
  sent: Promise<Result<Confirmed<T>>>,
): Promise<Result<Confirmed<T>>> {
  const result = await sent;
  if (result.ok && result.data.text) emit({ type: 'notice', tone: 'info', text: result.data.text });
  return result;
}
