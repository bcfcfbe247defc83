import { expect, type Locator } from '@playwright/test';
import { LANGUAGES } from '#domain/core/language';
import { DESKTOP, languageCookie, test } from './helpers/browser';
import type { Product } from './helpers/product';
import { focused, tabTo } from './helpers/tabKey';

test.use(DESKTOP);

let product: Product;
test.beforeAll(async ({ shareProduct }) => {
  product = await shareProduct();
});

test('opens and closes an order by the keyboard alone', async ({ page }) => {
  await page.context().addCookies([languageCookie('en', product.url)]);
  await page.goto(`${product.url}/#/`);

  // The tab key reaches one row of the list, arrow keys the others. Crypto is always open.
  const table = page.getByRole('grid', { name: 'Market' });
  await tabTo(page, table.locator('[data-act=pick]').first());
  const bitcoin = table.getByRole('button', { name: 'Bitcoin', exact: true });
  for (let row = 0; row < 40 && !(await bitcoin.isVisible()); row++) {
    await page.keyboard.press('ArrowDown');
  }
  while (!(await focused(bitcoin))) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#\/trade\?code=BTCUSD$/);

  // Type lots, choose the multiplier by arrow keys, submit with Enter: this opens a demo account at
  // once.
  await tabTo(page, page.getByRole('textbox', { name: 'Lots' }));
  await page.keyboard.press('Control+A');
  await page.keyboard.type('0.02');
  await tabTo(page, page.getByRole('radio', { name: '2×' }));
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('radio', { name: '5×' })).toBeChecked();
  await tabTo(page, page.getByRole('button', { name: 'Open demo account and buy 0.02 lots' }));
  await page.keyboard.press('Enter');
  await expect(page.getByText(/^Order placed: Buy 0.02 lots of Bitcoin at/)).toBeVisible();
  // Its button went with the visitor.
  await expect(page.getByRole('button', { name: /^Buy 0.02 lots/ })).toBeFocused();

  // The order is in the panel below the chart. After the confirmation closes, the focus returns to
  // its button.
  const panel = page.getByRole('tabpanel', { name: 'Holding' });
  const close = panel.getByRole('button', { name: 'Close: Bitcoin · Buy 0.02' });
  await tabTo(page, close);
  await page.keyboard.press('Enter');
  const asked = page.getByRole('dialog', { name: /^Bitcoin, order/ });
  await expect(asked).toContainText('Buy 0.02');
  await page.keyboard.press('Escape');
  await expect(asked).toBeHidden();
  await expect(close).toBeFocused();
  await page.keyboard.press('Enter');
  await tabTo(page, asked.getByRole('button', { name: 'Close order' }));
  await page.keyboard.press('Enter');
  await expect(panel).toContainText('No open positions');
});

test('below the chart a table of orders has the columns that fit, with a long name and both stops', async ({
  page,
}) => {
  await page.context().addCookies([languageCookie('en', product.url)]);
  // The widest prices.
  await page.goto(`${product.url}/#/trade?code=BTCUSD`);
  for (const [stop, price] of [
    ['Stop-loss', '10000'],
    ['Take-profit', '500000'],
  ] as const) {
    await page.getByRole('checkbox', { name: stop, exact: true }).check();
    // Its field has the focus.
    await page.keyboard.type(price);
  }
  await page.getByRole('button', { name: 'Open demo account and buy 0.01 lots' }).click();
  const table = page.locator('table').filter({ has: page.getByRole('columnheader') });
  await expect(table).toContainText('TP 500,000.00');
  const beyond: Record<string, number | undefined> = {};
  for (const language of LANGUAGES) {
    await page.context().addCookies([languageCookie(language, product.url)]);
    await page.reload();
    const name = table.locator('tbody button').first();
    const width = await name.evaluate((button) => {
      button.textContent = 'Valmont & Brandt Bank';
      const box = button.closest('table')?.parentElement;
      return box ? box.scrollWidth - box.clientWidth : undefined;
    });
    if (width !== 0) beyond[language] = width;
  }
  expect(beyond).toEqual({});
  // A table that has the room shows all.
  await page.goto(`${product.url}/#/order`);
  await expect(table.locator('thead button')).toHaveCount(11);
});

test('in a narrow table of orders every column comes out from under the action column', async ({
  page,
}) => {
  await page.context().addCookies([languageCookie('en', product.url)]);
  await page.goto(`${product.url}/#/trade?code=BTCUSD`);
  await page.getByRole('button', { name: 'Open demo account and buy 0.01 lots' }).click();
  const table = page.locator('table').filter({ has: page.getByRole('columnheader') });
  const heads = table.locator('thead button');
  const action = table.getByRole('columnheader').last();
  await expect(table.locator('tbody [aria-rowindex]')).toHaveCount(1);
  for (const language of ['en', 'ar'] as const) {
    await page.context().addCookies([languageCookie(language, product.url)]);
    for (const width of [1024, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await page.reload();
      await expect(table.locator('tbody [aria-rowindex]')).toHaveCount(1);
      await heads.first().focus();
      const columns = await heads.count();
      expect(columns).toBeGreaterThan(6);
      for (let column = 0; column < columns; column++) {
        await expect(heads.nth(column)).toBeFocused();
        const head = await boxOf(heads.nth(column));
        const edge = await boxOf(action);
        const uncovered = language === 'ar' ? head.x - edge.right : edge.x - head.right;
        expect(uncovered, `${language} ${width} ${column}`).toBeGreaterThanOrEqual(0);
        await page.keyboard.press('Tab');
      }
    }
  }
});

async function boxOf(target: Locator): Promise<{ x: number; right: number }> {
  return target.evaluate((element) => {
    const { x, right } = element.getBoundingClientRect();
    return { x, right };
  });
}
