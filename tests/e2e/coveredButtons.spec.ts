import { expect } from '@playwright/test';
import { languageCookie, PHONE, test } from './browser';
import type { Product } from './product';
import { risingMarket } from './risingMarket';

test.use(PHONE);

let product: Product;
test.beforeAll(async ({ shareProduct }) => {
  product = await shareProduct('--replay', risingMarket(), '--speed', '30');
});

test('however high the banners are, the chart lies over no button', async ({ context, page }) => {
  await context.addCookies([languageCookie('en', product.url)]);
  await page.goto(product.url);
  await page.getByRole('button', { name: 'EUR/USD', exact: true }).tap();
  const buy = page.getByRole('button', { name: /^Buy/ });
  await expect(buy).toBeVisible();
  for (const height of [0, 150, 300, 450]) {
    await page.evaluate((blockSize) => {
      const banner = document.querySelector('#tall') ?? document.createElement('div');
      Object.assign(banner, { id: 'tall' });
      (banner as HTMLElement).style.cssText = `flex: none; block-size: ${blockSize}px`;
      document.querySelector('main')?.before(banner);
    }, height);
    await buy.scrollIntoViewIfNeeded();
    const hit = await buy.evaluate((button) => {
      const { x, y, width, height } = button.getBoundingClientRect();
      return button.contains(document.elementFromPoint(x + width / 2, y + height / 2));
    });
    expect([height, hit]).toEqual([height, true]);
  }
});
