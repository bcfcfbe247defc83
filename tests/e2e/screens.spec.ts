import { expect, type Page } from '@playwright/test';
import type { Language } from '#domain/core/language';
import { languageCookie, test } from './browser';
import { Product } from './product';

let product: Product;
test.beforeAll(async () => {
  product = await Product.start();
});
test.afterAll(() => product.stop());

async function open(page: Page, path: string, language: Language): Promise<void> {
  await page.context().addCookies([languageCookie(language, product.url)]);
  await page.goto(`${product.url}/#${path}`);
}

test('the language, the direction and the title follow the choice', async ({ page }) => {
  await open(page, '/language', 'en');
  await page.getByRole('button', { name: 'العربية' }).click();
  await expect(page).toHaveURL(/#\/$/);
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
  await expect(page.locator('html')).toHaveAttribute('lang', 'ar');
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
});

test('an unknown path leads home', async ({ page }) => {
  await open(page, '/', 'en');
  await page.goto(`${product.url}/#/nowhere`);
  await expect(page).toHaveURL(/#\/$/);
});
