import { signal } from '@preact/signals-core';
import type { Failure } from '#domain/core/result';

export interface ToastMessage {
  id: number;
  tone: 'info' | 'error';
  /**
   * A failure is turned into text when it is shown, so that the first screen needs no failure
   * texts.
   */
  text: string | Failure;
}

let last = 0;

/** Toasts to be shown, in order. */
export const toasts = signal<readonly ToastMessage[]>([]);

/** Shows a toast (screens.md#messages). */
export function showToast(text: ToastMessage['text'], tone: ToastMessage['tone'] = 'info'): void {
  toasts.value = [...toasts.value, { id: ++last, tone, text }];
}
