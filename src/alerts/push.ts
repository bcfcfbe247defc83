import { effect } from '@preact/signals-core';
import { NOTICE_KINDS } from '#domain/account/notices';
import type { BrowserSubscription, PushChoice } from '#domain/worker/push';
import { SERVICE_WORKER } from '#domain/worker/serviceWorker';
import { language } from '../i18n/i18n';
import { registerServiceWorker } from '../trustedTypes';
import { user } from '../worker/trading';
import { workerApi } from '../worker/workerApi';
import { noticeDetails, silenced } from './alertSettings';
import { pushState } from './pushState';

let running: Promise<void> = Promise.resolve();
let following = false;

/**
 * Has the server send messages to this browser as the user wants them, or no more (protocol.md#web-push). From then on it follows the
 * settings and the language.
 */
export function syncPush(): Promise<void> {
  const former = running;
  running = former.then(sync).catch(() => {
    pushState.value = 'noService';
  });
  if (!following) {
    following = true;
    let first = true;
    effect(() => {
      // Named, so that each of them counts.
      void [silenced.value, noticeDetails.value, language.value];
      if (!first) void syncPush();
      first = false;
    });
  }
  return running;
}

async function sync(): Promise<void> {
  const allowed = typeof Notification !== 'undefined' && Notification.permission === 'granted';
  if (!allowed || user.peek() === undefined) return;
  const registration = await registered();
  if (!registration?.pushManager) {
    pushState.value = 'noBrowser';
    return;
  }
  if (!user.peek()) return unsubscribe(registration);
  const key = await workerApi.pushKey();
  if (!key.ok) throw new Error('no key');
  if (!key.data) {
    pushState.value = 'noServer';
    return unsubscribe(registration);
  }
  const kinds = NOTICE_KINDS.filter((kind) => !silenced.peek().includes(kind));
  if (kinds.length === 0) {
    pushState.value = undefined;
    const known = await registration.pushManager.getSubscription();
    if (known) await workerApi.deletePush(known.endpoint);
    return unsubscribe(registration);
  }
  const subscription = await subscribed(registration, key.data);
  const { endpoint = '', keys } = subscription.toJSON();
  const { p256dh = '', auth = '' } = keys ?? {};
  const browser: BrowserSubscription = { endpoint, keys: { p256dh, auth } };
  const choice: PushChoice = { kinds, details: noticeDetails.peek() };
  const added = await workerApi.addPush(browser, choice, key.data);
  pushState.value = added.ok ? 'closed' : 'noService';
}

/** The service worker's registration; it is registered here where a young visit has none yet. */
async function registered(): Promise<ServiceWorkerRegistration | undefined> {
  const container = (navigator as { serviceWorker?: ServiceWorkerContainer }).serviceWorker;
  if (!container || !import.meta.env.VITE_VERSION) return undefined;
  await registerServiceWorker(container, SERVICE_WORKER);
  return container.ready;
}

async function subscribed(
  { pushManager }: ServiceWorkerRegistration,
  key: string,
): Promise<PushSubscription> {
  const known = await pushManager.getSubscription();
  if (known && isFor(known, key)) return known;
  // Another server, or one that has lost its keys.
  await known?.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

function isFor({ options }: PushSubscription, key: string): boolean {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer());
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '') === key;
}

/** Nobody is logged in, or nobody sends: what may still be on its way reaches nobody. */
async function unsubscribe({ pushManager }: ServiceWorkerRegistration): Promise<void> {
  const known = await pushManager.getSubscription();
  await known?.unsubscribe();
}
