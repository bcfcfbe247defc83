import { signal } from '@preact/signals-core';
import type { RequestsFrame, UnansweredRequest } from '#domain/gateway/requests';
import { useValue } from '../signals';

/** Calls whose answer was lost or is late, and that are being found out about, or can't be any more. */
export const unanswered = signal<readonly UnansweredRequest[]>([]);

export function applyRequests(frame: RequestsFrame): void {
  if (frame.unanswered !== undefined) unanswered.value = frame.unanswered;
}

/** Whether the answer to the call with this key was lost. */
export function useLost(key: string | undefined): boolean {
  return useValue(unanswered).some((request) => request.key === key);
}
