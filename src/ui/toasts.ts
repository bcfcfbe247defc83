import { signal } from '@preact/signals-core';

export interface ToastMessage {
  id: number;
  tone: 'info' | 'error';
  text: string;
}

let last = 0;

/** What is yet to be shown, in order. */
export const toasts = signal<readonly ToastMessage[]>([]);

/** Tells the user something in passing (§8). */
export function showToast(text: string, tone: ToastMessage['tone'] = 'info'): void {
  toasts.value = [...toasts.value, { id: ++last, tone, text }];
}
