import { type BrowserContext, expect, type Page } from '@playwright/test';
import { languageCookie, PHONE, test } from './helpers/browser';
import { logIn, type Person, register } from './helpers/people';
import type { Product } from './helpers/product';

test.use(PHONE);

let product: Product;
let ann: Person;
test.beforeAll(async ({ shareProduct }) => {
  product = await shareProduct();
});
test.beforeEach(async () => {
  ann = await register(product);
});

const chip = (page: Page, name: string) => page.getByRole('radio', { name, exact: true });
const star = (page: Page, name: string) =>
  page.getByRole('button', { name: `Favourite: ${name}`, exact: true });
const syncRow = (page: Page) => page.getByRole('button', { name: /^Same on all my devices/ });

/** A device of its own. */
async function device(page: Page): Promise<Page> {
  const context = await (
    page.context().browser() as NonNullable<ReturnType<BrowserContext['browser']>>
  ).newContext({ ...PHONE });
  await context.addCookies([languageCookie('en', product.url)]);
  const other = await context.newPage();
  return other;
}

async function market(page: Page): Promise<void> {
  await page.goto(`${product.url}/#/`);
  await chip(page, 'Crypto').check();
}

/** The settings were read: what is changed from now on is a change. */
const met = (page: Page) =>
  page.waitForFunction(() => localStorage.getItem('fulcrum.settings-owner') !== null);

test('a change of one device comes to the other, and a visitor takes along what is there', async ({
  page,
}) => {
  await page.context().addCookies([languageCookie('en', product.url)]);
  // As a visitor.
  await market(page);
  await star(page, 'Solana').tap();
  await logIn(page, product, ann);
  await met(page);

  const other = await device(page);
  await logIn(other, product, ann);
  await market(other);
  await expect(star(other, 'Solana')).toHaveAttribute('aria-pressed', 'true');

  await market(page);
  await star(page, 'Ether').tap();
  await expect(star(other, 'Ether')).toHaveAttribute('aria-pressed', 'true');
  await star(other, 'Solana').tap();
  await expect(star(page, 'Solana')).toHaveAttribute('aria-pressed', 'false');
  await other.context().close();
});

test('edits without a network converge; what was replaced unseen is offered; a device may keep its own', async ({
  page,
}) => {
  await page.context().addCookies([languageCookie('en', product.url)]);
  const other = await device(page);
  for (const one of [page, other]) {
    await logIn(one, product, ann);
    await met(one);
    await market(one);
  }
  const theme = (of: Page) => of.evaluate(() => document.documentElement.dataset['theme']);
  const choose = async (of: Page, name?: string) => {
    await of.getByRole('button', { name: 'Appearance' }).tap();
    const choice = of.getByRole('dialog').getByRole('radio', { name: name ?? 'Dark', exact: true });
    await expect(choice).toBeVisible();
    if (name) await choice.check();
    await of.goBack();
    await expect(of.getByRole('dialog')).toHaveCount(0);
  };
  // Without a network its code can't be loaded.
  await choose(other);
  await other.context().setOffline(true);
  await star(page, 'Solana').tap();
  await choose(page, 'Dark');
  await star(other, 'Ether').tap();
  await choose(other, 'Light');
  await expect(star(other, 'Solana')).toHaveAttribute('aria-pressed', 'false');
  await other.context().setOffline(false);
  for (const one of [page, other]) {
    for (const name of ['Solana', 'Ether']) {
      await expect(star(one, name)).toHaveAttribute('aria-pressed', 'true');
    }
    await expect.poll(() => theme(one)).toBe('light');
  }

  // The later one had not seen the other value.
  await other.goto(`${product.url}/#/user`);
  await syncRow(other).tap();
  const dialog = other.getByRole('dialog', { name: 'Same on all my devices' });
  await expect(dialog).toContainText('Appearance');
  await dialog.getByRole('button', { name: 'Use the other' }).tap();
  await expect(dialog.getByRole('button', { name: 'Use the other' })).toHaveCount(0);
  for (const one of [page, other]) await expect.poll(() => theme(one)).toBe('dark');

  await dialog.getByRole('checkbox').uncheck();
  await expect(dialog).toContainText('This device keeps its own.');
  await market(other);
  await star(other, 'Solana').tap();
  await star(page, 'Ether').tap();
  await expect(star(page, 'Ether')).toHaveAttribute('aria-pressed', 'false');
  await page.reload();
  await chip(page, 'Crypto').check();
  await expect(star(page, 'Solana')).toHaveAttribute('aria-pressed', 'true');
  await expect(star(other, 'Ether')).toHaveAttribute('aria-pressed', 'true');
  await other.context().close();
});
