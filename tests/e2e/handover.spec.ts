import { expect } from '@playwright/test';
import { DESKTOP, expectScreen, languageCookie, PHONE, test } from './helpers/browser';
import type { Product } from './helpers/product';

// The list is painted before the app has come, which takes it over (D95).

let product: Product;
test.beforeAll(async ({ shareProduct }) => {
  product = await shareProduct();
});

for (const [name, device] of [
  ['phone', PHONE],
  ['desktop', DESKTOP],
] as const) {
  test.describe(`on a ${name}`, () => {
    test.use(device);

    test('a click that begins on the painted list and ends on the app chooses its row', async ({
      page,
    }) => {
      await page.context().addCookies([languageCookie('en', product.url)]);
      let give = (): void => undefined;
      const given = new Promise<void>((resolve) => {
        give = resolve;
      });
      await page.route(/assets\/mount-/, async (route) => {
        await given;
        await route.continue();
      });
      await page.goto(product.url, { waitUntil: 'commit' });
      const box = await page.locator('.boot').getByText('EUR/USD', { exact: true }).boundingBox();
      if (!box) throw new Error('no row');
      await page.mouse.move(box.x + 10, box.y + 10);
      await page.mouse.down();
      give();
      await expect(page.locator('main')).toBeVisible();
      await expect(page.locator('.boot')).toHaveCount(0);
      await page.mouse.up();
      await expectScreen(page, '/trade');
      await expect(page).toHaveURL(/code=EURUSD/);
    });
  });
}
