import { signal } from '@preact/signals-core';

type Permission = NotificationPermission | 'unsupported';

/** Safari on a phone has no notifications unless the app is installed. */
const supported = typeof Notification !== 'undefined' && 'serviceWorker' in navigator;

/** Whether the browser shows notifications of this site. */
export const permission = signal<Permission>(supported ? Notification.permission : 'unsupported');

/** Asks the user, once; called by a tap. What is allowed reaches the closed app too from then on. */
export async function askPermission(): Promise<void> {
  if (permission.peek() !== 'default') return;
  permission.value = await Notification.requestPermission();
  if (permission.peek() === 'granted') await (await import('./push')).syncPush();
}
