import { expect, type Page } from '@playwright/test';
import { languageCookie, PHONE, test } from './helpers/browser';
import type { Product } from './helpers/product';

test.use(PHONE);

let product: Product;
test.beforeAll(async ({ shareProduct }) => {
  product = await shareProduct();
});

const chip = (page: Page, name: string) => page.getByRole('radio', { name, exact: true });
/** Names of the rows of the market list, from above. */
const names = (page: Page) =>
  page.getByRole('table', { name: 'Market' }).locator('[data-act=pick] > :not(:empty)');

test('a list is made, filled, put in order and renamed; reloads and other tabs show it until it is deleted', async ({
  page,
  context,
}) => {
  await context.addCookies([languageCookie('en', product.url)]);
  await page.goto(`${product.url}/#/`);
  // Among all instruments it is in sight only while the others do not trade.
  await chip(page, 'Crypto').check();
  await page.getByRole('button', { name: 'Favourite: Solana', exact: true }).tap();

  const tap = (name: string) => page.getByRole('dialog').getByRole('button', { name }).tap();
  await page.getByRole('button', { name: 'Watchlists' }).tap();
  await tap('New list');
  await page.getByRole('textbox', { name: 'List name' }).fill('Coins');
  await tap('Create list');
  const search = page.getByRole('searchbox');
  for (const coin of ['Ether', 'Bitcoin']) {
    await search.fill(coin);
    await page.getByRole('checkbox', { name: new RegExp(`^${coin} [A-Z]+$`) }).check();
  }
  await tap('Done');

  await page.getByRole('button', { name: 'Move Bitcoin' }).press('ArrowUp');
  await expect(page.getByRole('button', { name: 'Move Bitcoin' })).toBeFocused();
  await tap('Rename list');
  await page.getByRole('textbox', { name: 'List name' }).fill('Tech');
  await tap('Save');
  await expect(page.getByRole('dialog', { name: 'Tech' })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(names(page)).toHaveText(['Bitcoin', 'Ether']);

  // Its chip is the second, and the rows are there again before the app.
  await page.route('**/mount-*.js', () => {});
  await page.reload();
  await expect(page.locator('[data-act=pick] > :not(:empty)')).toHaveText(['Bitcoin', 'Ether']);
  await page.unroute('**/mount-*.js');
  await page.reload();
  await expect(page.getByRole('radio').nth(1)).toBeChecked();
  await expect(names(page)).toHaveText(['Bitcoin', 'Ether']);
  await expect(page.getByRole('radio').nth(0)).not.toBeChecked();

  // Another tab drags a row in the drawer of its trade screen.
  const other = await context.newPage();
  await other.goto(`${product.url}/#/trade?code=BTCUSD`);
  await other.getByRole('button', { name: /choose another/ }).tap();
  const drawer = other.getByRole('dialog', { name: 'Instruments' });
  await drawer.locator('fieldset label').nth(1).tap();
  await expect(drawer.locator('[data-act=pick] > :not(:empty)')).toHaveText(['Bitcoin', 'Ether']);
  await drawer.getByRole('button', { name: 'Watchlists' }).tap();
  const sheet = other.getByRole('dialog', { name: 'Watchlists' });
  await sheet.getByRole('button', { name: /^Tech/ }).tap();
  const grip = await other.getByRole('button', { name: 'Move Ether' }).boundingBox();
  const above = await other.getByRole('button', { name: 'Move Bitcoin' }).boundingBox();
  if (!grip || !above) throw new Error('no grips');
  const x = grip.x + grip.width / 2;
  await other.mouse.move(x, grip.y + grip.height / 2);
  await other.mouse.down();
  await other.mouse.move(x, above.y + above.height / 2);
  await other.mouse.up();
  await other.getByRole('button', { name: 'Remove: Bitcoin' }).tap();
  await expect(names(page)).toHaveText(['Ether']);
  await other.goBack();
  await expect(other.getByRole('dialog', { name: 'Tech' })).toBeHidden();
  await expect(drawer).toBeVisible();
  await expect(drawer.locator('[data-act=pick] > :not(:empty)')).toHaveText(['Ether']);
  await other.goBack();
  await expect(drawer).toBeHidden();

  // The details of an instrument put it into lists.
  await other.getByRole('button', { name: 'Bitcoin contract terms' }).tap();
  await expect(other.getByText('Around the clock')).toBeVisible();
  await other.getByRole('checkbox', { name: 'Tech' }).check();
  await expect(names(page)).toHaveText(['Ether', 'Bitcoin']);

  await page.bringToFront();
  await page.getByRole('button', { name: 'Edit list: Tech' }).tap();
  await tap('Delete list');
  await expect(page.getByRole('dialog')).toContainText('Delete the list “Tech”?');
  await tap('Delete');
  await expect(page.getByRole('dialog', { name: 'Watchlists' })).not.toContainText('Tech');
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).tap();
  await expect(chip(page, 'Favourites')).toBeChecked();
  await expect(names(page)).toHaveText(['Solana']);
  await expect(other.getByRole('checkbox', { name: 'Tech' })).toBeHidden();
});
