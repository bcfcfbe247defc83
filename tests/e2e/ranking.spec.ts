import { readFileSync } from 'node:fs';
import { expect } from '@playwright/test';
import { DESKTOP, languageCookie, PHONE, test } from './browser';
import { Product } from './product';

let product: Product;
test.beforeAll(async () => {
  product = await Product.start();
});
test.afterAll(() => product.stop());
test.beforeEach(({ context }) => context.addCookies([languageCookie('en', product.url)]));

for (const [name, size] of Object.entries({ phone: PHONE, desktop: DESKTOP })) {
  test.describe(`on a ${name}`, () => {
    test.use(size);

    test('traders by rank, and as people to copy; neither can be done yet', async ({ page }) => {
      await page.goto(product.url);
      await page.getByRole('link', { name: 'Ranking' }).click();
      const row = page.getByRole('list', { name: 'Ranking' }).getByRole('listitem').first();
      await expect(row).toContainText(/^1\D/);
      const trader = /[A-Z][\w ]+?(?=[A-Z]{5,}|WTI|US500)/.exec((await row.textContent()) ?? '');
      await row.getByRole('button').click();
      const dialog = page.getByRole('dialog', { name: 'Coming soon' });
      await expect(dialog).toContainText(`${trader?.[0]} cannot be copied yet`);
      await dialog.getByRole('button', { name: 'OK' }).click();
      await expect(dialog).toHaveCount(0);

      await page.getByRole('link', { name: 'Copy trading' }).click();
      await expect(page).toHaveURL(/#\/rank\?tab=documentary/);
      const card = page.getByRole('article').first();
      for (const field of ['Won, 3 weeks', 'Rate, 3 weeks', 'Variety', 'Followers', 'Orders']) {
        await expect(card).toContainText(field);
      }
      await card.getByRole('button', { name: /^Copy/ }).click();
      await expect(dialog).toBeVisible();
    });
  });
}

test.describe('the main site', () => {
  test.use(PHONE);

  test('searches service providers, and keeps the one that is chosen for three years', async ({
    page,
    context,
  }) => {
    await page.route(`${product.url}/`, async (route) => {
      const response = await route.fetch();
      const html = (await response.text()).replace(
        'name="variant" content=""',
        'name="variant" content="main-site"',
      );
      await route.fulfill({ response, body: html });
    });
    await page.goto(`${product.url}/#/product`);
    const providers = page.getByRole('list', { name: 'Service providers found' });
    const all = providers.getByRole('listitem');
    await expect(all.first()).toBeVisible();
    const name = (await all.first().locator('span > span').first().textContent()) ?? '';
    await page.getByRole('searchbox').fill('zzz');
    await expect(page.getByText('Nothing found for “zzz”')).toBeVisible();
    await page.getByRole('searchbox').fill(name.slice(0, 5).toLowerCase());
    await expect(all.first()).toContainText(name);
    await all.first().getByRole('button').click();
    const dialog = page.getByRole('dialog', { name });
    await expect(dialog).toContainText('Registered address');
    for (const link of await dialog.getByRole('link', { name: /\./ }).all()) {
      const href = (await link.getAttribute('href')) ?? '';
      expect(href).toMatch(/^(https|mailto):/);
    }
    await dialog.getByRole('button', { name: 'Choose' }).click();
    await expect(all.first().getByRole('img', { name: 'Chosen' })).toBeVisible();
    const cookie = (await context.cookies()).find((each) => each.name === 'company_id');
    expect(Number(cookie?.value)).toBeGreaterThan(0);
    // A browser may cap it, at 400 days (RFC 6265bis).
    expect((cookie?.expires ?? 0) - Date.now() / 1000).toBeGreaterThan(399 * 86_400);
    await page.reload();
    await expect(all.first().getByRole('img', { name: 'Chosen' })).toBeVisible();
  });
});

test('a page that says nothing searches instruments', async ({ page }) => {
  expect(readFileSync('index.html', 'utf8')).toContain('name="variant" content=""');
  await page.goto(`${product.url}/#/product`);
  await expect(page.getByRole('searchbox', { name: 'Search' })).toBeVisible();
  await expect(page.getByText('EUR/USD')).toBeVisible();
});
