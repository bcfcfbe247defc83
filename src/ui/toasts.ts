import { signal } from '@preact/signals-core';
import type { Failure } from '#domain/core/result';

export interface ToastMessage {
  id: number;
  tone: 'info' | 'error';
  /** A failure is put into words where toasts appear, which the first screen does without. */
  text: string | Failure;
}

let last = 0;

/** What is yet to be shown, in order. */
export const toasts = signal<readonly ToastMessage[]>([]);

/** Tells the user something in passing (screens.md#messages). */
export function showToast(text: ToastMessage['text'], tone: ToastMessage['tone'] = 'info'): void {
  toasts.value = [...toasts.value, { id: ++last, tone, text }];
}
