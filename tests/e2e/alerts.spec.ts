import { expect, type Page, type Worker } from '@playwright/test';
import { languageCookie, PHONE, test, toastText } from './helpers/browser';
import { openDemo } from './helpers/people';
import type { Product } from './helpers/product';
import { risingMarket } from './helpers/risingMarket';
import { serviceWorkerOf } from './helpers/serviceWorker';

test.use({ ...PHONE, serviceWorkers: 'allow' });

let product: Product;
test.beforeEach(async ({ context, page, startProduct }) => {
  await context.addInitScript(() => {
    Object.defineProperty(Notification, 'permission', { get: () => 'granted' });
    // The browser's push service is out of reach (push.spec.ts). WebKitGTK has no interface to one.
    if ('PushManager' in globalThis)
      PushManager.prototype.subscribe = () => Promise.reject(new Error('no push service'));
  });
  product = await startProduct('--replay', risingMarket(), '--speed', '30', '--replay-wait');
  await context.addCookies([languageCookie('en', product.url)]);
  await openDemo(page, product, '/trade?code=EURUSD');
});

/** What the page says of itself, as a browser does when it is put aside. */
async function setHidden(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate((value) => {
    Object.defineProperty(document, 'hidden', { configurable: true, value });
    document.dispatchEvent(new Event('visibilitychange'));
  }, hidden);
}

/** The market rises so many points in 15 seconds: an alert there is set before it is crossed. */
const SOON = 45;

const form = (page: Page) => page.getByRole('dialog', { name: 'New price alert: EUR/USD' });

/** Sets an alert `points` above the price that its form shows. Returns the level. */
async function setAlert(page: Page, points: number, note = ''): Promise<string> {
  await page.getByRole('button', { name: 'New price alert: EUR/USD' }).click();
  const field = form(page).getByLabel('Price', { exact: true });
  const level = Number(await field.inputValue()) + points / 100_000;
  await field.fill(level.toFixed(5));
  if (note) await form(page).getByLabel('Note (optional)').fill(note);
  await form(page).getByRole('button', { name: 'Set alert' }).click();
  await expect(form(page)).toBeHidden();
  return level.toFixed(5);
}

/**
 * The service worker, once it serves the page: as if no window were on screen, and with a list of what it shows instead of
 * the system's, which a browser without a head does not have.
 */
async function serviceWorker(page: Page): Promise<Worker> {
  await setHidden(page, true);
  await expect
    .poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state))
    .toBe('activated');
  await setHidden(page, false);
  const worker = await serviceWorkerOf(page);
  await worker.evaluate(() => {
    const scope = self as unknown as { clients: object; registration: object; shown: object[] };
    scope.shown = [];
    Object.assign(scope.clients, { matchAll: async () => [] });
    Object.assign(scope.registration, {
      showNotification: async (title: string, { body, tag }: NotificationOptions) => {
        scope.shown.push({ title, body, tag });
      },
    });
  });
  return worker;
}

const shownBy = (worker: Worker) =>
  worker.evaluate(() => (self as unknown as { shown: object[] }).shown);

test('an alert is set beside the chart, listed, and told when the price crosses it', async ({
  page,
}) => {
  const confirmed = toastText(page, /^Alert set/);
  // Not crossed during the test.
  const far = await setAlert(page, 3000, 'Far away');
  await confirmed;
  await page.getByRole('button', { name: 'New price alert: EUR/USD' }).click();
  await form(page).getByRole('link', { name: 'All alerts' }).click();
  const waiting = page.getByRole('list', { name: 'Active' }).getByRole('listitem');
  await expect(waiting).toContainText(`Rises to ${far}`);
  await expect(waiting).toContainText('Far away');

  await page.goto(`${product.url}/#/trade?code=EURUSD`);
  const level = await setAlert(page, SOON, 'Break-out');
  await page.goto(`${product.url}/#/alerts`);
  await page
    .getByRole('dialog', { name: new RegExp(`EUR/USD crossed ${level}`) })
    .filter({ hasText: 'Break-out' })
    .getByRole('link', { name: 'Show' })
    .click();
  await expect(page).toHaveURL(/#\/trade\?code=EURUSD/);
  await page.goBack();
  await expect(waiting).toHaveCount(1);
  await page.getByText('Past', { exact: true }).click();
  const past = page.getByRole('list', { name: 'Past' }).getByRole('listitem');
  await expect(past).toContainText(`Rises to ${level}`);
});

test('a hidden page notifies, and keeps the price in its title', async ({ page }) => {
  const worker = await serviceWorker(page);
  await setHidden(page, true);
  await expect.poll(() => page.title()).toMatch(/^1\.\d+ EUR\/USD/);
  const title = await page.title();
  await expect.poll(() => page.title()).not.toBe(title);
  await setHidden(page, false);
  const level = await setAlert(page, SOON, 'Break-out');
  await setHidden(page, true);
  await expect
    .poll(() => shownBy(worker))
    .toEqual([
      {
        title: expect.stringContaining(`crossed ${level}`),
        body: 'Break-out',
        tag: expect.stringMatching(/^alert-/),
      },
    ]);
});
