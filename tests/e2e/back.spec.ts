import { expect, type Page } from '@playwright/test';
import { expectScreen, languageCookie, PHONE, test } from './helpers/browser';
import type { Product } from './helpers/product';
import { risingMarket } from './helpers/risingMarket';

test.use(PHONE);

let product: Product;
test.beforeAll(async ({ shareProduct }) => {
  product = await shareProduct('--replay', risingMarket(), '--speed', '30');
});
test.beforeEach(async ({ context, page }) => {
  await context.addCookies([languageCookie('en', product.url)]);
  await page.goto(product.url);
  await page.getByRole('button', { name: 'EUR/USD', exact: true }).tap();
  await expectScreen(page, '/trade');
});

const instruments = (page: Page) => page.getByRole('dialog', { name: 'Instruments' });
const openInstruments = (page: Page) => page.getByRole('button', { name: /choose another/ }).tap();

declare global {
  /** CSS properties that a script has registered, and those that were registered already. */
  var registered: Record<'first' | 'again', string[]>;
}

test('what Base UI registers with the first sheet is registered with its code: otherwise all styles are computed within the tap', async ({
  page,
}) => {
  await page.addInitScript(() => {
    const { registerProperty } = CSS;
    globalThis.registered = { first: [], again: [] };
    CSS.registerProperty = (definition) => {
      try {
        registerProperty.call(CSS, definition);
        registered.first.push(definition.name);
      } catch (error) {
        registered.again.push(definition.name);
        throw error;
      }
    };
  });
  await page.reload();
  await openInstruments(page);
  await expect(instruments(page)).toBeVisible();
  const { first, again } = await page.evaluate(() => registered);
  expect(first).not.toEqual([]);
  expect(again.sort()).toEqual(first.sort());
});

test('Back closes a sheet, which is no navigation, and then leaves the screen', async ({
  page,
}) => {
  const lists: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('trade_list')) lists.push(request.url());
  });
  await openInstruments(page);
  await expect(instruments(page)).toBeVisible();
  // The page never scrolls, so nothing needs to lock it, which costs a layout. Locks come with a task of their own.
  const body = () =>
    new Promise((resolve) => setTimeout(() => resolve(document.body.style.overflow)));
  expect(await page.evaluate(body)).toBe('');
  lists.length = 0;
  await page.goBack();
  await expect(instruments(page)).toBeHidden();
  await expectScreen(page, '/trade');

  // Closed by its own button, it leaves no entry behind either.
  await openInstruments(page);
  await instruments(page).getByRole('button', { name: 'Close' }).tap();
  await expect(instruments(page)).toBeHidden();
  expect(lists).toEqual([]);
  await page.goBack();
  await expectScreen(page, '/');
});

test('Forward and a reload never reopen a sheet, and leave no history entry without effect', async ({
  page,
}) => {
  await openInstruments(page);
  await page.goBack();
  await expect(instruments(page)).toBeHidden();
  await page.goForward();
  await expect.poll(() => page.evaluate(() => history.state?.usr?.sheets)).toBeFalsy();
  await expect(instruments(page)).toBeHidden();
  await expectScreen(page, '/trade');

  await openInstruments(page);
  await expect(instruments(page)).toBeVisible();
  await page.reload();
  await expect.poll(() => page.evaluate(() => history.state?.usr?.sheets)).toBeFalsy();
  await expectScreen(page, '/trade');
  await expect(instruments(page)).toBeHidden();
  await page.goBack();
  await expectScreen(page, '/');
});

test('each of two open sheets has a history entry, and what follows a sheet takes over its entry', async ({
  page,
}) => {
  await page.getByRole('button', { name: 'Buy', exact: true }).tap();
  const ticket = page.getByRole('dialog', { name: 'EUR/USD', exact: true });
  await expect(ticket).toBeVisible();
  // A sheet over another one: its button is behind the first.
  await page
    .getByRole('button', { name: /choose another/, includeHidden: true })
    .dispatchEvent('click');
  await expect(instruments(page)).toBeVisible();
  await page.goBack();
  await expect(instruments(page)).toBeHidden();
  await expect(ticket).toBeVisible();
  await page.goBack();
  await expect(ticket).toBeHidden();
  await expectScreen(page, '/trade');

  // The popup takes over the entry of the ticket, and its link that of the popup.
  await page.getByRole('button', { name: 'Buy', exact: true }).tap();
  await page.getByRole('button', { name: /^Open demo account and buy/ }).tap();
  await page.getByRole('link', { name: 'View orders' }).tap();
  await expectScreen(page, '/order');
  await page.goBack();
  await expectScreen(page, '/trade');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.goBack();
  await expectScreen(page, '/');
});

test('a navigation just after a sheet has closed is not undone by its end', async ({ page }) => {
  await openInstruments(page);
  await expect(instruments(page)).toBeVisible();
  // The address changes while the step back to the screen's own entry is under way.
  await page.evaluate(() => {
    const go = history.go.bind(history);
    history.go = (delta) => {
      history.go = go;
      go(delta);
      location.hash = '#/about';
    };
  });
  await instruments(page).getByRole('button', { name: 'Close' }).tap();
  await expect(instruments(page)).toBeHidden();
  await expectScreen(page, '/about');
  // Nothing comes late.
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))),
  );
  await expectScreen(page, '/about');
  await page.goBack();
  await expectScreen(page, '/trade');
  await page.goBack();
  await expectScreen(page, '/');
});
