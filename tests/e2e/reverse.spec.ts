import { expect, type Page } from '@playwright/test';
import { languageCookie, PHONE, test, toastText } from './helpers/browser';
import { faults, laidOut } from './helpers/looks';
import type { Product } from './helpers/product';
import { risingMarket } from './helpers/risingMarket';

test.use(PHONE);

let product: Product;
test.beforeEach(async ({ context, page, startProduct }) => {
  product = await startProduct('--replay', risingMarket(), '--speed', '30', '--replay-wait');
  await context.addCookies([languageCookie('en', product.url)]);
  await page.goto(`${product.url}/#/`);
  await page.getByRole('button', { name: 'EUR/USD', exact: true }).tap();
  await page.getByRole('button', { name: 'Buy', exact: true }).tap();
  await page.getByRole('button', { name: 'Open demo account and buy 0.01 lots' }).tap();
  await page.getByRole('dialog', { name: 'Order placed' }).getByText('Done').tap();
});

const strip = (page: Page) => page.getByRole('complementary', { name: 'Position' });
const sheet = (page: Page) => page.getByRole('dialog', { name: /EUR\/USD, order/ });
const reverse = (page: Page) => sheet(page).getByRole('button', { name: 'Reverse' });

test('a position is reversed in two taps, and from the list of orders in three', async ({
  page,
}) => {
  await strip(page).getByRole('button', { name: 'Reverse' }).tap();
  await expect(sheet(page)).toContainText('Sell 0.01 lots of EUR/USD');
  await expect(sheet(page)).toContainText(/Estimated result.*USD/);
  await expect(sheet(page)).toContainText(/Margin\d/);
  const sold = toastText(page, /Closed by you: Buy 0.01 lots.*Order placed: Sell/);
  await reverse(page).tap();
  await expect(sheet(page)).toBeHidden();
  await sold;
  await expect(strip(page)).toContainText('Short 0.01 lots');

  await page.getByRole('link', { name: 'Orders', exact: true }).tap();
  await page.getByRole('list', { name: 'Holding' }).getByRole('listitem').tap();
  await reverse(page).tap();
  await expect(sheet(page)).toContainText('Buy 0.01 lots of EUR/USD');
  const bought = toastText(page, /Closed by you: Sell 0.01 lots.*Order placed: Buy/);
  await reverse(page).tap();
  await bought;
  await expect(page.getByRole('list', { name: 'Holding' }).getByRole('listitem')).toHaveCount(1);
});

test('held sideways, the position and both order buttons are in sight', async ({ page }) => {
  for (const [width, height] of [
    [740, 360],
    [568, 320],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const language of ['en', 'ar'] as const) {
      await page.context().addCookies([languageCookie(language, product.url)]);
      await page.reload();
      // In the order of the page: three of the position, then buy and sell.
      const buttons = page.locator('main aside button, main aside ~ div button');
      await expect(buttons).toHaveCount(5);
      for (const button of await buttons.all()) {
        await expect(button, `${language} ${width} × ${height}`).toBeInViewport({ ratio: 1 });
      }
    }
  }
});

test('where the second order is refused, a banner says what holds now, also after a reload', async ({
  page,
}) => {
  await page.route('**/v1/api/forex/submit*', (route) =>
    route.fulfill({ json: { code: 2, msg: 'Not at this price', data: null } }),
  );
  await strip(page).getByRole('button', { name: 'Reverse' }).tap();
  await reverse(page).tap();
  const half = page.getByText(
    /Closed by you: Buy 0.01 lots of EUR\/USD, .* The opposite order was not placed: Not at this price/,
  );
  await expect(half).toBeVisible();
  await expect(sheet(page)).toBeHidden();
  await expect(strip(page)).toHaveCount(0);
  await page.reload();
  await expect(half).toBeVisible();

  // Beside the next position, every control is in reach: held sideways, and with large text. Notes
  // in the chart move with it.
  const outOfReach = async () => {
    await laidOut(page);
    return (await faults(page)).filter((text) => !/^cut off/.test(text));
  };
  await page.unroute('**/v1/api/forex/submit*');
  await page.getByRole('button', { name: 'Buy', exact: true }).tap();
  await page.getByRole('button', { name: 'Buy 0.01 lots', exact: true }).tap();
  await page.getByRole('button', { name: 'Confirm', exact: true }).tap();
  await page.getByRole('dialog', { name: 'Order placed' }).getByText('Done').tap();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(strip(page)).toBeVisible();
  await page.setViewportSize({ width: 740, height: 360 });
  await expect.poll(outOfReach).toEqual([]);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
  await expect.poll(outOfReach).toEqual([]);
  await page.evaluate(() => document.documentElement.style.removeProperty('font-size'));

  await page.getByText('Dismiss', { exact: true }).tap();
  await expect(half).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Buy', exact: true })).toBeEnabled();
  await expect(half).toHaveCount(0);
});
