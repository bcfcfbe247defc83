import { type BrowserContext, expect, type Page } from '@playwright/test';
import { chromiumOnly } from './engines/engine';
import { languageCookie, PHONE, test } from './helpers/browser';
import { openDemo } from './helpers/people';
import type { Product } from './helpers/product';

test.use(PHONE);

let product: Product;
test.beforeAll(async ({ shareProduct }) => {
  product = await shareProduct();
});

const ownId = async (page: Page) =>
  (await page.getByText(/^UID/).locator('bdi').textContent()) ?? '';

async function user(page: Page, context: BrowserContext): Promise<string> {
  await context.addCookies([languageCookie('en', product.url)]);
  await openDemo(page, product, '/user');
  const uid = await ownId(page);
  expect(uid).not.toBe('');
  return uid;
}

/** Opens the user center as the next visit does. */
async function expectUser(page: Page, uid: string): Promise<void> {
  await page.goto(`${product.url}/#/user`);
  await expect(page.getByText(/^UID/).locator('bdi')).toHaveText(uid);
}

test('a page that is left within its first second locks nobody out, and comes back live', async ({
  page,
  context,
}) => {
  const uid = await user(page, context);
  for (const path of ['/', '/trade']) {
    await page.goto(`${product.url}/#${path}`);
    await page.reload();
    await page.goto('about:blank');
    await expectUser(page, uid);
    await page.goto('about:blank');
    await page.goBack();
    await expect(page.getByText('Live', { exact: true })).toBeVisible();
  }
});

test('a frozen page locks no other tab out, and is live again when it thaws', async ({
  page,
  context,
}) => {
  chromiumOnly('it freezes a page');
  const uid = await user(page, context);
  const session = await context.newCDPSession(page);
  await page.goto(`${product.url}/#/`);
  await session.send('Page.setWebLifecycleState', { state: 'frozen' });
  const other = await context.newPage();
  await expectUser(other, uid);
  await other.close();
  await session.send('Page.setWebLifecycleState', { state: 'active' });
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
});

test('a page that dies loses neither the login nor the database', async ({ page, context }) => {
  chromiumOnly('it crashes a page');
  const uid = await user(page, context);
  const session = await context.newCDPSession(page);
  const died = page.waitForEvent('crash');
  // It never answers.
  void session.send('Page.crash').catch(() => {});
  await died;
  await expectUser(await context.newPage(), uid);
});
