import { type BrowserContext, expect, type Page, type Worker } from '@playwright/test';
import type { PushMessage } from '#domain/api/pushMessage';
import { PushEndpoint } from '../server/push/pushEndpoint';
import { languageCookie, PHONE, test, toastText } from './helpers/browser';
import { openDemo } from './helpers/people';
import type { Product } from './helpers/product';
import { risingMarket } from './helpers/risingMarket';
import { serviceWorkerOf } from './helpers/serviceWorker';

test.use({ ...PHONE, serviceWorkers: 'allow' });

let product: Product;
let push: PushEndpoint;
test.afterEach(() => push.close());

type Subscription = ReturnType<PushEndpoint['subscribe']>;

/**
 * The browser's own push service is out of reach: it subscribes at the test's, and keeps the subscription over reloads as a
 * browser does.
 */
async function subscribeAt(context: BrowserContext, subscription: Subscription): Promise<void> {
  await context.addInitScript((json) => {
    // The empty page has no service workers.
    if (!('ServiceWorkerRegistration' in window)) return;
    Object.defineProperty(Notification, 'permission', { get: () => 'granted' });
    const made = (key: string) => {
      const text = atob(key.replaceAll('-', '+').replaceAll('_', '/'));
      const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
      return {
        endpoint: json.endpoint,
        options: { applicationServerKey: bytes.buffer },
        toJSON: () => json,
        unsubscribe: async () => localStorage.removeItem('test.push'),
      };
    };
    // Also in a browser that has none.
    const pushManager = {
      async getSubscription() {
        const key = localStorage.getItem('test.push');
        return key === null ? null : made(key);
      },
      async subscribe({ applicationServerKey }: { applicationServerKey: string }) {
        localStorage.setItem('test.push', applicationServerKey);
        return made(applicationServerKey);
      },
    };
    Object.defineProperty(ServiceWorkerRegistration.prototype, 'pushManager', {
      value: pushManager,
    });
  }, subscription);
}

test.beforeEach(async ({ context, page, startProduct }, { title }) => {
  push = await PushEndpoint.open();
  if (!title.includes('no push')) await subscribeAt(context, push.subscribe('phone'));
  const replay = ['--replay', risingMarket(), '--speed', '30', '--replay-wait'];
  product = await startProduct(...replay, '--push-anywhere');
  await context.addCookies([languageCookie('en', product.url)]);
  await openDemo(page, product, '/trade?code=EURUSD');
});

const form = (page: Page) => page.getByRole('dialog', { name: 'New price alert: EUR/USD' });

/** Sets an alert that the market crosses some 15 seconds after its form has shown the price. */
async function setAlert(page: Page): Promise<void> {
  await page.goto(`${product.url}/#/trade?code=EURUSD`);
  await page.getByRole('button', { name: 'New price alert: EUR/USD' }).click();
  const field = form(page).getByLabel('Price', { exact: true });
  const level = Number(await field.inputValue()) + 0.00045;
  await field.fill(level.toFixed(5));
  await form(page).getByRole('button', { name: 'Set alert' }).click();
  await expect(form(page)).toBeHidden();
}

/** Opens the settings, where the page says that the server has this browser. */
async function subscribed(page: Page): Promise<void> {
  await page.goto(`${product.url}/#/alerts`);
  await expect(page.getByText('Notifications arrive while the app is closed, too.')).toBeVisible();
}

/** The windows of the app, as a service worker finds them. */
interface Windows {
  matchAll(options: { type: 'window'; includeUncontrolled: true }): Promise<readonly object[]>;
}

/** What a browser without a head lacks: the list of what the system shows. */
async function serviceWorker(page: Page): Promise<Worker> {
  const worker = await serviceWorkerOf(page);
  await worker.evaluate(() => {
    const scope = self as unknown as { shown: object[]; registration: object };
    scope.shown ??= [];
    Object.assign(scope.registration, {
      showNotification: async (title: string, { body, tag, data }: NotificationOptions) => {
        scope.shown.push({ title, body, tag, data });
      },
    });
  });
  return worker;
}

const shownBy = (worker: Worker) =>
  worker.evaluate(() => (self as unknown as { shown: object[] }).shown);

/** Delivers messages to the service worker as the browser's push service would. */
async function deliveryTo(page: Page) {
  const session = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [first] }) => {
      if (first) resolve(first.registrationId);
    });
  });
  await session.send('ServiceWorker.enable');
  const registrationId = await registered;
  return (message: PushMessage | string) =>
    session.send('ServiceWorker.deliverPushMessage', {
      origin: product.url,
      registrationId,
      data: typeof message === 'string' ? message : JSON.stringify(message),
    });
}

test('a closed app is told once what the server has sent, and a tap opens it', async ({ page }) => {
  await subscribed(page);
  const worker = await serviceWorker(page);
  const deliver = await deliveryTo(page);
  await setAlert(page);
  const [sent] = await push.has(1);
  if (!sent) throw new Error('nothing was sent');
  // The app is closed; the browser still has its service worker.
  await page.goto('about:blank');
  const message = { ...sent.message, id: 'alert-99-1', tag: 'alert-99' };
  await deliver(message);
  await deliver(message);
  await deliver('nonsense');
  // The page, which is hidden before it ends, may tell of its own alert.
  const toldByMessages = async () =>
    (await shownBy(worker)).filter((told) => !('tag' in told && told.tag === 'alert-1'));
  await expect.poll(toldByMessages).toEqual([
    { title: 'A price alert has triggered', body: '', tag: message.tag, data: '/alerts' },
    { title: new URL(product.url).host, body: '', tag: 'unreadable', data: '/' },
  ]);

  // A window that has not ended yet would be shown instead.
  await expect
    .poll(() =>
      worker.evaluate(async () => {
        const { clients } = self as unknown as { clients: Windows };
        return (await clients.matchAll({ type: 'window', includeUncontrolled: true })).length;
      }),
    )
    .toBe(0);
  await worker.evaluate(() => {
    const scope = self as unknown as { clients: object; opened: string[] };
    scope.opened = [];
    Object.assign(scope.clients, {
      openWindow: async (path: string) => void scope.opened.push(path),
    });
    const tap = Object.assign(new Event('notificationclick'), {
      notification: { close() {}, data: '/trade?code=EURUSD' },
      waitUntil() {},
    });
    self.dispatchEvent(tap);
  });
  await expect
    .poll(() => worker.evaluate(() => (self as unknown as { opened: string[] }).opened))
    .toEqual(['/#/trade?code=EURUSD']);
});

test('an app on screen shows the message itself, and nothing twice', async ({ page }) => {
  await subscribed(page);
  const worker = await serviceWorker(page);
  const deliver = await deliveryTo(page);
  const told = toastText(page, /EUR\/USD crossed/);
  await setAlert(page);
  await told;
  const [sent] = await push.has(1);
  if (!sent) throw new Error('nothing was sent');
  await deliver(sent.message);
  const missed = { ...sent.message, id: 'alert-99-1', tag: 'alert-99', title: 'Missed' };
  await deliver(missed);
  await expect(page.getByRole('dialog', { name: 'Missed' })).toBeVisible();
  await expect(page.getByText('A price alert has triggered')).toHaveCount(0);
  expect(await shownBy(worker)).toEqual([]);
});

test('messages say more, and kinds are left out, as the user wants', async ({ page }) => {
  await subscribed(page);
  await page.getByLabel('Include names, prices and results').check();
  await page.getByLabel('Margin warnings').uncheck();
  // The page tells the server of the change in its own time.
  for (let alerts = 1; push.received.at(-1)?.message.path !== '/trade?code=EURUSD'; alerts++) {
    await setAlert(page);
    await push.has(alerts);
  }
  expect(push.received.at(-1)?.message).toMatchObject({
    kind: 'alerts',
    title: expect.stringMatching(/^EUR\/USD crossed 1\.\d+, now 1\.\d+$/),
  });
});

test('a subscription that the browser replaces is told to the server while no page is open', async ({
  page,
}) => {
  await subscribed(page);
  const worker = await serviceWorker(page);
  await page.goto('about:blank');
  await worker.evaluate(async (json) => {
    let done: Promise<unknown> = Promise.resolve();
    const change = Object.assign(new Event('pushsubscriptionchange'), {
      newSubscription: { toJSON: () => json },
      waitUntil: (work: Promise<unknown>) => {
        done = work;
      },
    });
    self.dispatchEvent(change);
    await done;
  }, push.subscribe('replaced'));
  // The page tells the server of its own again: the two are told one after the other.
  for (let alerts = 1; push.toldTo('replaced').length === 0; alerts++) {
    await setAlert(page);
    await push.has(alerts);
  }
});

test('who logs out is not told any more', async ({ page }) => {
  await subscribed(page);
  await page.goto(`${product.url}/#/mine/system`);
  await page.getByRole('button', { name: 'Log out' }).click();
  await page
    .getByRole('dialog', { name: 'Log out?' })
    .getByRole('button', { name: 'Log out' })
    .click();
  await expect.poll(() => page.evaluate(() => localStorage.getItem('test.push'))).toBeNull();
});

test('a browser with no push messages says so, and alerts work', async ({ context, page }) => {
  await context.addInitScript(() => {
    Object.defineProperty(Notification, 'permission', { get: () => 'granted' });
    Reflect.deleteProperty(ServiceWorkerRegistration.prototype, 'pushManager');
  });
  await page.reload();
  const told = toastText(page, /EUR\/USD crossed/);
  await setAlert(page);
  await page.goto(`${product.url}/#/alerts`);
  await expect(page.getByText('this browser takes no push messages')).toBeVisible();
  await told;
});
