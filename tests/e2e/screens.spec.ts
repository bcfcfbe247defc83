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

test('an unknown path leads to /', async ({ page }) => {
  await open(page, '/', 'en');
  await page.goto(`${product.url}/#/nowhere`);
  await expect(page).toHaveURL(/#\/$/);
});

test('a path in other case or with extra slashes leads to its screen', async ({ page }) => {
  await open(page, '/', 'en');
  for (const path of ['/trade/', '/Trade', '//trade//']) {
    await page.goto(`${product.url}/#${path}`);
    await expect(page).toHaveURL(/#\/trade\?code=[A-Z0-9]+$/);
    await expect(page.getByRole('navigation', { name: 'Main sections' })).toBeVisible();
    await expect(page.getByRole('button', { name: /^Buy/ })).toBeVisible();
  }
  await page.goto(`${product.url}/#//`);
  await expect(page).toHaveURL(/#\/$/);
  await page.goto(`${product.url}/#/News/Detail/?id=1`);
  await expect(page).toHaveURL(/#\/news\/detail\?id=1$/);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
});
