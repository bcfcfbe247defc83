import { expect, type Page } from '@playwright/test';
import { languageCookie, PHONE, test, toastText } from './helpers/browser';
import type { Product } from './helpers/product';
import { risingMarket } from './helpers/risingMarket';

test.use(PHONE);

let product: Product;
test.beforeEach(async ({ context, page, startProduct }) => {
  product = await startProduct('--replay', risingMarket(), '--speed', '30', '--replay-wait');
  await context.addCookies([languageCookie('en', product.url)]);
  await openTicket(page);
});

async function openTicket(page: Page): Promise<void> {
  await page.goto(`${product.url}/#/`);
  await page.getByRole('button', { name: 'EUR/USD', exact: true }).tap();
  await page.getByRole('button', { name: 'Buy', exact: true }).tap();
}

const banner = (page: Page) => page.getByText('1 order unanswered: Buy 0.01 lots of EUR/USD');

test('no order can be confirmed without a connection; after a reconnect it is confirmed anew', async ({
  page,
}) => {
  await page.getByRole('button', { name: 'Open demo account and buy 0.01 lots' }).tap();
  await page.getByRole('dialog', { name: 'Order placed' }).getByText('Done').tap();
  await page.getByRole('button', { name: 'Buy', exact: true }).tap();
  const order = page.getByRole('button', { name: 'Buy 0.01 lots', exact: true });
  await order.tap();
  const confirm = page.getByRole('button', { name: 'Confirm', exact: true });
  await expect(confirm).toBeEnabled();
  await product.kill();
  await expect(confirm).toHaveCount(0);
  await expect(order).toBeDisabled();
  await product.start();
  await expect(order).toBeEnabled({ timeout: 30_000 });
  await expect(confirm).toHaveCount(0);
});

test('the outcome of a request without an answer is found by the next tab, not by one that is open beside it', async ({
  page,
  context,
}) => {
  let lost = true;
  const keys = new Set<string | undefined>();
  await context.route('**/v1/api/forex/submit*', async (route) => {
    keys.add(route.request().headers()['idempotency-key']);
    if (!lost) return route.continue();
    // The server processes the call, but its answer is lost.
    await route.fetch();
    return route.abort('connectionreset');
  });
  await page.getByRole('button', { name: 'Open demo account and buy 0.01 lots' }).tap();
  await expect(banner(page)).toBeVisible();
  const beside = await context.newPage();
  await beside.goto(`${product.url}/#/order`);
  await expect(beside.getByRole('list', { name: 'Holding' }).getByRole('listitem')).toHaveCount(1);
  await expect(banner(beside)).toHaveCount(0);
  await beside.close();
  await page.close();
  lost = false;
  const next = await context.newPage();
  const told = toastText(next, /Order placed: Buy 0.01 lots of EUR\/USD/);
  await next.goto(`${product.url}/#/order`);
  await told;
  await expect(banner(next)).toHaveCount(0);
  await expect(next.getByRole('list', { name: 'Holding' }).getByRole('listitem')).toHaveCount(1);
  expect(keys.size).toBe(1);
});
