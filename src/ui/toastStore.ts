import { signal } from '@preact/signals-core';
import type { Failure } from '#domain/core/result';
import { currentLocation } from './currentLocation';

export interface ToastMessage {
  id: number;
  tone: 'info' | 'error';
  /**
   * A failure is turned into text when it is shown, so that the first screen needs no failure
   * texts.
   */
  text: string | Failure;
  /** The path of the screen that it belongs to, which it ends with. */
  screen?: string;
  /** Where it leads to. */
  link?: { text: string; to: string };
  /** What can be done about it. */
  action?: { text: string; run(): void };
}

let last = 0;

/** Toasts to be shown, in order. */
export const toasts = signal<readonly ToastMessage[]>([]);

/** Shows a toast (screens.md#messages). */
export function showToast(
  text: ToastMessage['text'],
  tone: ToastMessage['tone'] = 'info',
  link?: ToastMessage['link'],
): void {
  toasts.value = [...toasts.value, { id: ++last, tone, text, ...(link && { link }) }];
}

/** Shows a toast about an action of this screen; it ends with the screen. */
export function showToastHere(
  text: ToastMessage['text'],
  tone: ToastMessage['tone'] = 'info',
): void {
  toasts.value = [...toasts.value, { id: ++last, tone, text, screen: currentLocation().pathname }];
}

/** Shows a toast with a button. */
export function showToastWith(text: string, action: NonNullable<ToastMessage['action']>): void {
  toasts.value = [...toasts.value, { id: ++last, tone: 'info', text, action }];
}
