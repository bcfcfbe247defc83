import { createStore, get, set } from 'idb-keyval';
import { NetworkFirst } from 'workbox-strategies';
import { readPushMessage } from '#domain/api/pushMessage';
import { type FailedElsewhere, failedElsewhere, isExpected } from '#domain/worker/failed';
import {
  ANOTHER_VERSION,
  type Notice,
  type OpenScreen,
  type Pushed,
  REVOKED,
  type ServiceWorkerMessage,
} from '#domain/worker/serviceWorker';
import { createPushRenewal } from './alerts/pushRenewal';
import { DATABASE, STORE } from './core/storage';
import { createFileCache, sameNames } from './offline/fileCache';
import { isAnswer } from './offline/isAnswer';
import { createShownNotifications } from './offline/shownNotifications';

declare const self: ServiceWorkerGlobalScope;

/** Filled in by scripts/build.mjs: the version, and the names of the page's files, with spaces between them. */
declare const BUILD: {
  readonly version: string;
  /** The script that only the page of this version loads. */
  readonly entry: string;
  /** What every visit needs. */
  readonly shell: string;
  readonly screens: string;
  /** The strings of each language. */
  readonly strings: string;
};
const pathsOf = (names: string) => names.split(' ').map((name) => `/assets/${name}`);
const { version, entry, ...names } = BUILD;
const shell = pathsOf(names.shell);
const screens = pathsOf(names.screens);
const strings = pathsOf(names.strings);

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const files = createFileCache(caches, fetch);

const PAGE = 'page';
const OWN_PAGE = `${PAGE} ${version}`;
/** Show the kept page if the network has not answered by then, s. */
const PATIENCE = 3;

const page = new NetworkFirst({
  cacheName: OWN_PAGE,
  networkTimeoutSeconds: PATIENCE,
  plugins: [
    {
      cacheKeyWillBeUsed: async () => '/',
      cacheWillUpdate: async ({ response }) => ((await isOurs(response)) ? response : null),
    },
  ],
});

/** A page of another version needs files that may not be kept; one that was redirected to can't be the answer to a navigation. */
async function isOurs(response: Response): Promise<boolean> {
  const { ok, redirected, headers } = response;
  // A header of our own: portals forbid to keep their page, too.
  if (headers.get('x-kept-page') === 'none') await caches.delete(OWN_PAGE);
  else if (ok && !redirected) return (await response.clone().text()).includes(entry);
  return false;
}

const keptPage = () => caches.match('/', { cacheName: OWN_PAGE });

/** A visit gets the page that the last one has kept, and the network's is kept for the next (D167). Whoever loads it again waits for the network. */
async function answerPage(event: FetchEvent): Promise<Response> {
  const [answer, done] = page.handleAll(event);
  event.waitUntil(done);
  const kept = event.request.cache === 'default' && (await keptPage());
  if (kept) {
    // Nobody waits for the other one.
    answer.catch(() => {});
    event.waitUntil(done.then(() => tellIfRevoked(event.resultingClientId)));
    return kept;
  }
  const response = await answer;
  return isAnswer(response) ? response : ((await keptPage()) ?? response);
}

/** The server has revoked the page that this window began with: all are told, and the next visit gets what the network has. */
async function tellIfRevoked(window: string): Promise<void> {
  if (await keptPage()) return;
  // Until it can be told, too. In WebKit clients.get() does not wait for that, and knows a window that does not hear yet.
  const isIt = ({ id }: Client) => id === window;
  for (let n = 0; n < 50 && !(await allWindows()).some(isIt); n++) await sleep(100);
  for (const each of await allWindows()) each.postMessage(REVOKED);
}

self.addEventListener('fetch', (event) => {
  const { mode, url } = event.request;
  const { origin, pathname } = new URL(url);
  if (origin !== self.location.origin) return;
  if (mode === 'navigate' && /^\/(index\.html)?$/.test(pathname))
    event.respondWith(answerPage(event));
  else if (pathname.startsWith('/assets/')) event.respondWith(files.answer(pathname, event));
});

/** Fetches the page and, with its shell, what the user has used of the version before. */
async function install(): Promise<void> {
  const response = await fetch('/', { cache: 'no-cache' });
  // The server changed between the two requests. The browser installs again later.
  if (!(await isOurs(response))) throw new Error('not installed: the page is of another version');
  // Without one of these it would not start.
  if ((await files.add(shell)).length > 0) throw new Error('not installed: a file is missing');
  await files.add(sameNames(await files.paths(), [...screens, ...strings]));
  await (await caches.open(OWN_PAGE)).put('/', response);
}

/** Forgets other versions; their files only where no window but `own`, which runs this one, is open. */
async function forgetOthers(own?: Client): Promise<void> {
  // The next one has its files already.
  if (self.registration.installing || self.registration.waiting) return;
  for (const name of await caches.keys()) {
    if (name.startsWith(PAGE) && name !== OWN_PAGE) await caches.delete(name);
  }
  if ((await allWindows()).some(({ id }) => id !== own?.id)) return;
  const needed = new Set([...shell, ...screens, ...strings]);
  for (const path of await files.paths()) if (!needed.has(path)) await files.forget(path);
}

/** Chromium's static routes: requests that are not for this worker do not start it. */
interface RoutedInstall {
  addRoutes?(rules: readonly object[]): Promise<void>;
}
const PAST_US = ['/v1/*', '/api/*', '/logos/*'];

self.addEventListener('install', (event) => {
  const rules = PAST_US.map((pathname) => ({
    condition: { urlPattern: { pathname } },
    source: 'network',
  }));
  // They only save time.
  (event as RoutedInstall).addRoutes?.(rules).catch(() => {});
  event.waitUntil(install());
});

self.addEventListener('activate', (event) => {
  const { navigationPreload } = self.registration;
  event.waitUntil(Promise.all([navigationPreload?.enable(), self.clients.claim(), forgetOthers()]));
});

self.addEventListener('message', (event) => {
  const message = event.data as ServiceWorkerMessage;
  if (message.type === 'keep') {
    if (message.version !== version) return;
    const paths = message.all ? [...message.used, ...screens] : message.used;
    event.waitUntil(forgetOthers(event.source as Client).then(() => files.add(paths)));
    event.waitUntil(renewal.tell());
    event.waitUntil(reportKept(event.source));
  } else if (message.type === 'notify') {
    event.waitUntil(inTurn(() => notify(message)));
  } else if (message.version === undefined || message.version === version) {
    void self.skipWaiting();
  } else {
    event.source?.postMessage(ANOTHER_VERSION);
  }
});

const allWindows = () => self.clients.matchAll({ type: 'window', includeUncontrolled: true });

const onScreen = async () =>
  (await allWindows()).filter(({ visibilityState }) => visibilityState === 'visible');

const shownNotifications = createShownNotifications(caches, Date.now);
let last: Promise<void> = Promise.resolve();

/** One after the other: page and server may report the same at the same time. */
function inTurn(job: () => Promise<void>): Promise<void> {
  last = last.then(job).catch(failed);
  return last;
}

/** Nobody is notified of what an open window shows, and of nothing twice. */
async function notify(notice: Notice): Promise<void> {
  const isNew = await shownNotifications.add(notice.id);
  if (isNew && (await onScreen()).length === 0) await show(notice);
}

async function show({ title, body, tag, path }: Notice): Promise<void> {
  const icon = '/icon-192.png';
  const options = { body, tag, icon, data: path, renotify: true };
  await self.registration.showNotification(title, options);
}

/** A message of the server: an open window shows it, if it does not know it yet. */
async function pushed(text: string): Promise<void> {
  const message = readPushMessage(text);
  const [window] = await onScreen();
  if (message && !(await shownNotifications.add(message.id))) return;
  if (message && window) window.postMessage({ pushed: message } satisfies Pushed);
  // Browsers want a notification for each message, even for one that says nothing.
  else if (!window) await show(message ?? { ...UNREADABLE, title: self.location.host });
}
const UNREADABLE = { body: '', tag: 'unreadable', id: '', path: '/' };

self.addEventListener('push', (event) => {
  const text = event.data?.text() ?? '';
  event.waitUntil(inTurn(() => pushed(text)));
});

/** An error that no window was there to report. */
const FAILED = 'failed';

/** A window reports the error, or else the next one that asks to keep files. */
async function failed(error: unknown): Promise<void> {
  const message = failedElsewhere(error, version);
  // Chromium calls it unhandled where the browser gets what an event was answered with.
  if (isExpected(message.failed)) return;
  const [window] = await allWindows();
  if (window) window.postMessage(message);
  else await set(FAILED, message, database()).catch(() => {});
}

async function reportKept(page: ExtendableMessageEvent['source']): Promise<void> {
  const kept = await get<FailedElsewhere>(FAILED, database()).catch(() => undefined);
  if (!kept) return;
  await set(FAILED, undefined, database());
  page?.postMessage(kept);
}

self.addEventListener('error', (event) => void failed(event.error));
self.addEventListener('unhandledrejection', (event) => void failed(event.reason));

/** What the browser has put in the place of its subscription, where it says so. */
let given: PushSubscription | null | undefined;

/** Opened anew each time: an open connection may be closed without an event (D140). */
const database = () => createStore(DATABASE, STORE);

const renewal = createPushRenewal(
  {
    get: (key) => get<unknown>(key, database()).catch(() => undefined),
    set: (key, value) => set(key, value, database()).catch(() => {}),
  },
  sleep,
  async (applicationServerKey) => {
    const { pushManager } = self.registration;
    const known = given ?? (await pushManager.getSubscription());
    const options = { userVisibleOnly: true, applicationServerKey };
    return (known ?? (await pushManager.subscribe(options))).toJSON();
  },
  fetch,
);

interface SubscriptionChange extends ExtendableEvent {
  newSubscription?: PushSubscription | null;
}

/** Chromium's background sync: it wakes this worker when there is a network again. */
interface Synced {
  readonly sync?: { register(tag: string): Promise<void> };
}

self.addEventListener('pushsubscriptionchange', (event) => {
  const change = event as SubscriptionChange;
  given = change.newSubscription;
  const { sync } = self.registration as ServiceWorkerRegistration & Synced;
  change.waitUntil(renewal.renew().catch(() => sync?.register('push')));
});

// The browser repeats what fails.
self.addEventListener('sync', (event) => (event as ExtendableEvent).waitUntil(renewal.tell()));

/** Brings the app to the screen that a notification is about. */
async function open(path: string): Promise<void> {
  // A window of a workspace shows its panels only.
  const window = (await allWindows()).find(({ url }) => !url.includes('#/panel'));
  if (!window) {
    await self.clients.openWindow(`/#${path}`);
    return;
  }
  const message: OpenScreen = { open: path };
  window.postMessage(message);
  await window.focus();
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(String(event.notification.data ?? '/')).catch(failed));
});
