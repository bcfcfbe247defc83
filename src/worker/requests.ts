import { signal } from '@preact/signals-core';
import type { RequestsFrame, UnansweredRequest } from '#domain/worker/requests';

/** Calls whose answer was lost or is late, whether the worker still asks or can't any more. */
export const unanswered = signal<readonly UnansweredRequest[]>([]);

export function applyRequests(frame: RequestsFrame): void {
  if (frame.unanswered !== undefined) unanswered.value = frame.unanswered;
}
