import { signal } from '@preact/signals-core';
import { pushState } from './pushState';

type Permission = NotificationPermission | 'unsupported';

/** Safari on a phone has no notifications unless the app is installed. */
const supported = typeof Notification !== 'undefined' && 'serviceWorker' in navigator;

/** Whether the browser shows notifications of this site. */
export const permission = signal<Permission>(supported ? Notification.permission : 'unsupported');

/** Asks the user, once; called by a tap. What is allowed reaches the closed app too from then on. */
export async function askPermission(): Promise<void> {
  if (permission.peek() !== 'default') return;
  permission.value = await Notification.requestPermission();
  if (permission.peek() === 'granted') await syncPush();
}

/** Has the server send messages to this browser as the user wants them. Filters block that code for its name. */
export async function syncPush(): Promise<void> {
  const code = await import('./push').catch(() => undefined);
  if (code) await code.syncPush();
  else pushState.value = 'noService';
}
