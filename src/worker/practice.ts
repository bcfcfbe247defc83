import { signal } from '@preact/signals-core';
import type { Result } from '#domain/core/result';
import type { PracticeRequest, PracticeState } from '#domain/worker/practice';
import { showToast } from '../ui/toastStore';
import { observeFrames } from './frameReceiver';
import { workerApi } from './workerApi';

/** The practice session of this device; null: there is none, undefined: it is not read yet. `elsewhere`: another tab plays it. */
export const practiceState = signal<PracticeState | 'elsewhere' | null | undefined>(undefined);

observeFrames(({ practice }) => {
  if (practice !== undefined) practiceState.value = practice;
});

/** Does something in the practice session, and says why where that is not possible. */
export async function practise(request: PracticeRequest): Promise<Result<void>> {
  const result = await workerApi.practice(request);
  if (!result.ok) showToast(result.failure, 'error');
  return result;
}
