import { signal } from '@preact/signals-core';
import {
  ANOTHER_VERSION,
  type OpenScreen,
  type Pushed,
  REVOKED,
  SERVICE_WORKER,
  type ServiceWorkerMessage,
} from '#domain/worker/serviceWorker';
import { usedFiles } from '../pageFiles';
import { dataSaverOn } from '../preferences/dataSaver';
import { registerServiceWorker } from '../trustedTypes';
import { withCode } from '../ui/lazyPart';

/** Reload after this long even if the new version has not taken over, ms. */
const PATIENCE = 2000;
/** Reload once more where this page is still there, ms. */
const RELOADED_WITHIN = 5_000;

/** Nobody uses the page if there was no input for this long, ms. */
const UNUSED = 30_000;
const INPUT = ['pointerdown', 'touchmove', 'wheel', 'keydown'] as const;

/** A version that this page does not run can be taken. */
export const newVersion = signal(false);

let registration: ServiceWorkerRegistration | undefined;

/** Undefined where the browser has none, or the page is not served securely. */
function container(): ServiceWorkerContainer | undefined {
  return (navigator as { serviceWorker?: ServiceWorkerContainer }).serviceWorker;
}

function tell(worker: ServiceWorker | null, message: ServiceWorkerMessage): void {
  worker?.postMessage(message);
}

/**
 * Does what the service worker of this or an earlier visit asks for: it asks once, and whoever wants to be told while the app is
 * closed has one before this page installs it. Returns what ends it.
 */
export function listenToServiceWorker(): () => void {
  const serviceWorker = container();
  // Since the page's first script runs (src/boot.ts).
  for (const data of globalThis.serviceWorkerSaid ?? []) received({ data });
  globalThis.serviceWorkerSaid = undefined;
  serviceWorker?.addEventListener('message', received);
  return () => serviceWorker?.removeEventListener('message', received);
}

function received({ data }: Pick<MessageEvent, 'data'>): void {
  if (data === ANOTHER_VERSION || data === REVOKED) newVersion.value = true;
  else if (isOpenScreen(data)) location.hash = data.open;
  else if (isPushed(data)) {
    withCode(
      () => import('../alerts/notifications'),
      ({ pushed }) => pushed(data.pushed),
    );
  }
}

/** Registers the service worker and lets it keep what this visit has used (D98). Not in development. */
export async function startServiceWorker(): Promise<void> {
  const version = import.meta.env.VITE_VERSION;
  const serviceWorker = container();
  if (!serviceWorker || !version) return;
  // The first installation fetches every file, which takes a weak phone seconds.
  if (!serviceWorker.controller) await unused();
  registration = await registerServiceWorker(serviceWorker, SERVICE_WORKER);
  // Nothing is to be offered where this page is of the version that waits: it came by a reload.
  const takeOwn = () => tell(registration?.waiting ?? null, { type: 'take', version });
  const watch = () => registration?.installing?.addEventListener('statechange', takeOwn);
  takeOwn();
  watch();
  registration.addEventListener('updatefound', watch);
  const cacheFiles = () => {
    const all = !dataSaverOn.peek();
    tell(serviceWorker.controller, { type: 'keep', version, used: usedFiles(), all });
  };
  cacheFiles();
  // The first one serves the page from now on; or one of another version, which ignores this.
  serviceWorker.addEventListener('controllerchange', cacheFiles);
}

function isPushed(data: unknown): data is Pushed {
  return typeof (data as Pushed | null)?.pushed === 'object';
}

function isOpenScreen(data: unknown): data is OpenScreen {
  return typeof (data as OpenScreen | null)?.open === 'string';
}

/** Resolves when the page is hidden, or had no input for `UNUSED`. */
function unused(): Promise<void> {
  return new Promise((resolve) => {
    const listening = new AbortController();
    const { signal } = listening;
    const end = () => {
      listening.abort();
      clearTimeout(timer);
      resolve();
    };
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(end, UNUSED);
    };
    let timer: ReturnType<typeof setTimeout> | undefined;
    wait();
    for (const type of INPUT)
      addEventListener(type, wait, { signal, capture: true, passive: true });
    // A phone may end a hidden page, but lets the service worker finish.
    document.addEventListener('visibilitychange', () => document.hidden && end(), { signal });
    if (document.hidden) end();
  });
}

/** The server has a new version. Gets its files, so that it can be taken without a network as well. */
export function newVersionPublished(): void {
  newVersion.value = true;
  // Offline there is nothing to get.
  registration?.update().catch(() => {});
}

/** The user takes the new version. */
export async function takeNewVersion(): Promise<void> {
  const waiting = registration?.waiting;
  const serviceWorker = container();
  if (serviceWorker && waiting) {
    const taken = new Promise((resolve) => {
      serviceWorker.addEventListener('controllerchange', resolve, { once: true });
      setTimeout(resolve, PATIENCE);
    });
    tell(waiting, { type: 'take' });
    await taken;
  }
  location.reload();
  // Chromium may end the former worker while it answers the reload, which then never ends.
  setTimeout(() => location.reload(), RELOADED_WITHIN);
}
