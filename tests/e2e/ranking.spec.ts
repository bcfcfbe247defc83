import { expect } from '@playwright/test';
import { DESKTOP, languageCookie, PHONE, test } from './helpers/browser';
import type { Product } from './helpers/product';

let product: Product;
test.beforeAll(async ({ shareProduct }) => {
  product = await shareProduct();
});
test.beforeEach(({ context }) => context.addCookies([languageCookie('en', product.url)]));

for (const [name, size] of Object.entries({ phone: PHONE, desktop: DESKTOP })) {
  test.describe(`on a ${name}`, () => {
    test.use(size);

    test('lists traders by rank and for copying, which is not available yet', async ({ page }) => {
      await page.goto(product.url);
      await page.getByRole('link', { name: 'Ranking' }).click();
      const row = page.getByRole('list', { name: 'Ranking' }).getByRole('listitem').first();
      await expect(row).toContainText(/^1\D/);
      await row.getByRole('button').click();
      const dialog = page.getByRole('dialog', { name: 'Coming soon' });
      const answer = await dialog.getByText('cannot be copied yet').innerText();
      const [, trader = ''] = /^(\S.+) cannot be copied yet/.exec(answer) ?? [];
      expect(trader).not.toBe('');
      await dialog.getByRole('button', { name: 'OK' }).click();
      await expect(dialog).toHaveCount(0);
      await expect(row).toContainText(trader);

      await page.getByRole('link', { name: 'Copy trading' }).click();
      await expect(page).toHaveURL(/#\/rank\?tab=documentary/);
      await expect(page.getByText('Copy trading is coming soon')).toBeVisible();
      // Only its tab leads there.
      await expect(page.getByRole('link', { name: 'Copy trading' })).toHaveCount(1);
      await expect(page.locator('main').getByRole('radio')).toHaveCount(0);
      const card = page.getByRole('article').first();
      for (const field of ['Win rate, 3 wk', 'Return, 3 wk', 'Instrument', 'Followers', 'Orders']) {
        await expect(card).toContainText(field);
      }
      await card.getByRole('button', { name: /^Copy/ }).click();
      await expect(dialog).toBeVisible();
    });
  });
}
