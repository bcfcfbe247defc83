import { expect, type Page } from '@playwright/test';
import { chromiumOnly } from './engines/engine';
import { DESKTOP, languageCookie, test } from './helpers/browser';
import { firstNames } from './helpers/chart';
import type { Product } from './helpers/product';

test.use(DESKTOP);

let product: Product;
test.beforeAll(async ({ shareProduct }) => {
  product = await shareProduct();
});

const chart = (page: Page) => page.locator('[data-kind=chart]');
const price = (page: Page) => chart(page).locator('figure p[data-direction]').first();

async function openMain(page: Page, path = '/workspace'): Promise<void> {
  await page.context().addCookies([languageCookie('en', product.url)]);
  await page.goto(`${product.url}/#${path}`);
  await expect(page.getByRole('tab').first()).toBeVisible();
}

/** Moves the chart into a window of its own. */
async function chartInWindow(page: Page): Promise<Page> {
  const [name] = await firstNames(page);
  await page.getByRole('button', { name: `Actions: ${name}`, exact: true }).click();
  const opening = page.waitForEvent('popup');
  await page.getByRole('menuitem', { name: 'Open in a new window' }).click();
  const opened = await opening;
  await expect(price(opened)).toBeVisible();
  await expect(chart(page)).toHaveCount(0);
  await expect(page.locator('[role=tab]:focus')).toHaveCount(1);
  return opened;
}

test('a panel in a window of its own has its own worker and keeps its link', async ({ page }) => {
  await openMain(page);
  const opened = await chartInWindow(page);
  await expect(opened).toHaveURL(/#\/panel\?desk=.*&layout=one&area=w1$/);
  expect(opened.workers()).toHaveLength(1);
  // No tabs of the app, no bar of layouts: the panel alone.
  await expect(opened.getByRole('navigation')).toHaveCount(0);
  await page.getByRole('button', { name: 'NZD/USD', exact: true }).click();
  await expect(opened.getByRole('tab', { name: 'NZD/USD' })).toBeVisible();
  // And the other way round.
  await opened.getByRole('button', { name: /choose another/ }).click();
  await opened.getByRole('searchbox').fill('gold');
  await opened.getByRole('button', { name: 'Gold', exact: true }).click();
  await expect(page.getByRole('tab', { name: 'Order form · Gold' })).toBeVisible();
});

test('a window shows its panel also where the storage of the device is slow', async ({ page }) => {
  await openMain(page);
  // Whoever reads the layouts waits for the end of this.
  await page.evaluate(() => {
    const opening = indexedDB.open('keyval-store');
    opening.onsuccess = () => {
      const store = opening.result.transaction('keyval', 'readwrite').objectStore('keyval');
      const goOn = () => {
        store.get('workspace').onsuccess = goOn;
      };
      goOn();
    };
  });
  await chartInWindow(page);
});

test('a window that loads again goes on, one that closes can be opened again', async ({ page }) => {
  await openMain(page);
  const opened = await chartInWindow(page);
  await opened.reload();
  await expect(price(opened)).toBeVisible();
  await expect(page.getByText(/window of this layout is closed/)).toHaveCount(0);
  await opened.close({ runBeforeUnload: true });
  await expect(page.getByText('1 window of this layout is closed.')).toBeVisible();
  // The rest goes on.
  await expect(page.getByRole('tab', { name: /^Order form/ })).toBeVisible();
  const opening = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'Open windows' }).click();
  const again = await opening;
  await expect(price(again)).toBeVisible();
  await expect(page.getByText(/window of this layout is closed/)).toHaveCount(0);
  await again.close({ runBeforeUnload: true });
  await page.getByRole('button', { name: 'Move panels here' }).click();
  await expect(chart(page)).toBeVisible();
});

test('windows outlive a reload of the main page, and close with it', async ({ page, context }) => {
  await openMain(page);
  const opened = await chartInWindow(page);
  await page.reload();
  await expect(page.getByRole('tab').first()).toBeVisible();
  await page.getByRole('button', { name: 'AUD/USD', exact: true }).click();
  await expect(opened.getByRole('tab', { name: 'AUD/USD' })).toBeVisible();
  await expect(page.getByText(/window of this layout is closed/)).toHaveCount(0);
  // Keeps the context alive.
  await context.newPage();
  await page.close({ runBeforeUnload: true });
  await opened.waitForEvent('close');
});

test('another layout closes the windows of this one, which are there again with it', async ({
  page,
}) => {
  await openMain(page);
  const opened = await chartInWindow(page);
  const closed = opened.waitForEvent('close');
  await page.getByRole('button', { name: /^Layout:/ }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Scanning' }).click();
  await closed;
  await page.getByRole('button', { name: /^Layout:/ }).click();
  await page.getByRole('menuitemcheckbox', { name: 'One chart' }).click();
  await expect(page.getByText('1 window of this layout is closed.')).toBeVisible();
});

test('a login and a logout in one window are seen in all', async ({ page }) => {
  // Crypto trades on any day.
  await openMain(page, '/trade?code=BTCUSD');
  await page.getByRole('button', { name: /^Actions: Order form/ }).click();
  const opening = page.waitForEvent('popup');
  await page.getByRole('menuitem', { name: 'Open in a new window' }).click();
  const opened = await opening;
  await opened.getByRole('button', { name: 'Open demo account and buy 0.01 lots' }).click();
  const orders = page.getByRole('tabpanel', { name: 'Holding' });
  await expect(orders.getByRole('button', { name: 'Close: Bitcoin · Buy 0.01' })).toBeVisible();
  await page.evaluate(() => {
    location.hash = '#/mine/system';
  });
  await page.getByRole('button', { name: 'Log out' }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Log out' }).click();
  await expect(opened.getByText(/^You are not logged in/)).toBeVisible();
});

test('messages of another version are ignored', async ({ page }) => {
  await openMain(page);
  const opened = await chartInWindow(page);
  await page.evaluate(() => {
    const channel = new BroadcastChannel('fulcrum-workspace');
    const desk = sessionStorage.getItem('fulcrum.desk');
    channel.postMessage({ v: 2, desk, kind: 'layout', id: 'one', layout: { areas: [] } });
    channel.postMessage({ v: 1, desk, kind: 'layout', id: 'one', layout: { areas: [] } });
    channel.postMessage({ v: 1, desk, kind: 'selfDestruct' });
    channel.postMessage('nonsense');
  });
  await page.getByRole('button', { name: 'USD/CAD', exact: true }).click();
  await expect(opened.getByRole('tab', { name: 'USD/CAD' })).toBeVisible();
});

/** Ends the process that runs a page, as a crash does. */
async function crash(page: Page): Promise<void> {
  chromiumOnly('it crashes a page');
  const session = await page.context().newCDPSession(page);
  const crashed = page.waitForEvent('crash');
  // It never answers.
  session.send('Page.crash').catch(() => undefined);
  await crashed;
}

test('a window that crashes takes only itself away', async ({ page }) => {
  await openMain(page);
  const opened = await chartInWindow(page);
  await crash(opened);
  await expect(page.getByText('1 window of this layout is closed.')).toBeVisible();
  await page.getByRole('button', { name: 'Move panels here' }).click();
  await expect(price(page)).toBeVisible();
});

test('windows outlive a crash of the main page, and go on with the next one', async ({ page }) => {
  await openMain(page);
  const opened = await chartInWindow(page);
  await crash(page);
  await expect(opened.getByText('The workspace of this window was closed.')).toBeVisible();
  const shown = await price(opened).innerText();
  await expect.poll(() => price(opened).innerText()).not.toBe(shown);
  const opening = opened.context().waitForEvent('page');
  await opened.getByRole('button', { name: 'Open the workspace' }).click();
  const next = await opening;
  await expect(opened.getByText('The workspace of this window was closed.')).toHaveCount(0);
  await next.getByRole('button', { name: 'AUD/USD', exact: true }).click();
  await expect(opened.getByRole('tab', { name: 'AUD/USD' })).toBeVisible();
  await expect(chart(next)).toHaveCount(0);
  await expect(next.getByText(/window of this layout is closed/)).toHaveCount(0);
});

test('a window that slept shows what has changed meanwhile', async ({ page }) => {
  chromiumOnly('it freezes a page');
  await openMain(page);
  const opened = await chartInWindow(page);
  const session = await opened.context().newCDPSession(opened);
  await session.send('Page.setWebLifecycleState', { state: 'frozen' });
  await page.getByRole('button', { name: 'USD/CHF', exact: true }).click();
  await expect(page.getByRole('tab', { name: 'Order form · USD/CHF' })).toBeVisible();
  await session.send('Page.setWebLifecycleState', { state: 'active' });
  await expect(opened.getByRole('tab', { name: 'USD/CHF' })).toBeVisible();
  await expect(page.getByText(/window of this layout is closed/)).toHaveCount(0);
});
