import type { Failure } from '#domain/core/result';
import { showToastHere } from '../ui/toastStore';
import { connectionState } from '../worker/frameReceiver';

/**
 * Shows a failure of a call as a message. Not that there is no network while the device is offline:
 * the status strip says so, and everything would fail with the same message.
 */
export function showFailure(failure: Failure): void {
  if (failure.kind === 'transport' && connectionState.peek().state === 'offline') return;
  showToastHere(failure, 'error');
}
