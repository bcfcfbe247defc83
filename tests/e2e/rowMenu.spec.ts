import { expect, type Page } from '@playwright/test';
import { DESKTOP, expectScreen, languageCookie, PHONE, test } from './helpers/browser';
import type { Product } from './helpers/product';

let product: Product;
test.beforeAll(async ({ shareProduct }) => {
  product = await shareProduct();
});

test.beforeEach(async ({ page, context }) => {
  await context.addCookies([languageCookie('en', product.url)]);
  await page.goto(`${product.url}/#/`);
});

const names = (page: Page) => page.locator('[data-act=pick] > :not(:empty)');

async function expectOrderOf(page: Page, instrument: string, side: 'Buy' | 'Sell') {
  const form = page.getByRole('dialog', { name: instrument });
  await expect(form.getByRole('radio', { name: side })).toBeChecked();
}

test.describe('on a phone', () => {
  test.use(PHONE);

  test('a finger held on a row opens its order form', async ({ page }) => {
    await page.getByRole('radio', { name: 'Crypto' }).check();
    const row = page.getByRole('button', { name: /^Bitcoin/ });
    await expect(row).toBeVisible();
    const menu = page.getByRole('menu', { name: 'Bitcoin' });
    const touch = { pointerType: 'touch', isPrimary: true, bubbles: true, cancelable: true };
    // Rows are painted before the menu listens.
    await expect(async () => {
      await row.dispatchEvent('pointerdown', touch);
      await expect(menu).toBeVisible({ timeout: 5000 });
    }).toPass();
    await row.dispatchEvent('pointerup', touch);
    await menu.getByRole('menuitem', { name: 'Sell' }).tap();
    await expectScreen(page, '/trade');
    await expectOrderOf(page, 'Bitcoin', 'Sell');
    await page.goBack();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await page.goBack();
    await expect(names(page)).not.toHaveCount(0);
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });

  test('Enter opens the only instrument that a search finds', async ({ page }) => {
    await page.goto(`${product.url}/#/product`);
    const search = page.getByRole('searchbox', { name: 'Search' });
    await search.fill('usd');
    await search.press('Enter');
    await search.fill('bitc');
    await search.press('Enter');
    await expectScreen(page, '/trade');
    await page.getByRole('button', { name: /choose another/ }).tap();
    const list = page.getByRole('dialog', { name: 'Instruments' });
    await list.getByRole('searchbox').fill('solana');
    await list.getByRole('searchbox').press('Enter');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page.getByRole('button', { name: /^Solana.*choose another/ })).toBeVisible();
  });
});

test.describe('on a desktop', () => {
  test.use(DESKTOP);

  test('the other button on a row opens its order form, which the layout may not have', async ({
    page,
  }) => {
    const row = page.getByRole('row', { name: /Ether/ }).locator('[data-act=pick]');
    const menu = page.getByRole('menu', { name: 'Ether' });
    const form = page.getByRole('tabpanel', { name: 'Order form · Ether' });
    await expect(async () => {
      await row.click({ button: 'right' });
      await expect(menu).toBeVisible({ timeout: 5000 });
    }).toPass();
    await page.keyboard.press('Escape');
    await expect(menu).toBeHidden();
    await expect(row).toBeFocused();
    // A menu that opens while the former one gives the focus back closes again.
    await expect(async () => {
      await row.press('Shift+F10');
      await menu.getByRole('menuitem', { name: 'Sell' }).click({ timeout: 5000 });
    }).toPass();
    await expect(form.getByRole('radio', { name: 'Sell' })).toBeChecked();
    await expect(page).toHaveTitle(/Ether/);

    await page.getByRole('button', { name: /^Close panel: Order form/ }).click();
    await expect(form).toHaveCount(0);
    await row.click({ button: 'right' });
    await menu.getByRole('menuitem', { name: 'Sell' }).click();
    await expect(form.getByRole('radio', { name: 'Sell' })).toBeChecked();
  });
});
