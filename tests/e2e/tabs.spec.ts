import { expect, type Page } from '@playwright/test';
import { languageCookie, PHONE, test } from './helpers/browser';
import type { Product } from './helpers/product';

test.use(PHONE);

let product: Product;
test.beforeAll(async ({ shareProduct }) => {
  product = await shareProduct();
});

const heading = (page: Page) => page.getByRole('heading', { level: 1 });

test('each tab has its own instrument, in its address and its title', async ({ page, context }) => {
  await context.addCookies([languageCookie('en', product.url)]);
  await page.goto(`${product.url}/#/trade?code=ETHUSD`);
  await expect(page).toHaveTitle(/^[\d,.]+ Ether · /);
  await page.getByRole('button', { name: 'Buy', exact: true }).tap();
  const ticket = page.getByRole('dialog', { name: 'Ether', exact: true });
  await expect(ticket).toBeVisible();

  // A new tab starts with what was chosen last, and chooses another one.
  const other = await context.newPage();
  await other.goto(`${product.url}/#/trade`);
  await expect(other).toHaveURL(/code=ETHUSD$/);
  await other.getByRole('button', { name: /choose another/ }).tap();
  const list = other.getByRole('dialog', { name: 'Instruments' });
  await list.getByRole('searchbox').fill('bitcoin');
  await list.getByRole('button', { name: 'Bitcoin', exact: true }).tap();
  await expect(other).toHaveURL(/#\/trade\?code=BTCUSD$/);
  await expect(heading(other)).toContainText('Bitcoin');

  await page.bringToFront();
  await expect(ticket).toBeVisible();
  await expect(page).toHaveURL(/code=ETHUSD$/);
  await page.reload();
  await expect(heading(page)).toContainText('Ether');
  await page.goto(`${product.url}/#/`);
  await page.getByRole('link', { name: 'Trading', exact: true }).tap();
  await expect(heading(page)).toContainText('Ether');
});

test('an unknown code shows a message and the instrument chosen last', async ({
  page,
  context,
}) => {
  await context.addCookies([languageCookie('en', product.url)]);
  await page.goto(`${product.url}/#/trade?code=ETHUSD`);
  await expect(heading(page)).toContainText('Ether');
  // The page's first script has painted the name; the app knows the instrument before its bars are there.
  await expect(page.locator('figure b').first()).toHaveText(/\d/);
  await page.goto(`${product.url}/#/trade?code=NONSENSE`);
  await expect(page.getByRole('alert')).toContainText('no instrument with the code NONSENSE');
  await expect(page).toHaveURL(/#\/trade\?code=ETHUSD$/);
  await expect(heading(page)).toContainText('Ether');
});
