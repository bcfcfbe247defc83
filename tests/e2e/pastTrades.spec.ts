import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { DESKTOP, languageCookie, PHONE, test } from './browser';
import { CODE, choosePeriod } from './chart';
import { kept, openDemo } from './people';
import type { Product } from './product';

let product: Product;
test.beforeAll(async ({ shareProduct }) => {
  product = await shareProduct();
});

interface Order {
  Id: number;
  UpdatePrice: string;
  FactProfits: string;
}

/** Calls the server as the demo user of a page. */
async function caller(page: Page) {
  const token = String(await kept(page, 'token'));
  return async <T>(path: string): Promise<T> => {
    const headers = { lang: 'en', authorization: token, 'idempotency-key': randomUUID() };
    const answer = await fetch(product.url + path, { headers });
    const { code, msg, data } = (await answer.json()) as { code: number; msg: string; data: T };
    if (code !== 1) throw new Error(`${path}: ${msg}`);
    return data;
  };
}

/** Logs a demo user in who has bought and sold, and opens the chart. */
async function traded(page: Page): Promise<() => Promise<Order>> {
  await page.context().addCookies([languageCookie('en', product.url)]);
  await openDemo(page, product);
  const call = await caller(page);
  const instruments = await call<{ Id: number; Code: string }[]>('/v1/api/forex/trade_list');
  const id = instruments.find(({ Code }) => Code === CODE)?.Id;
  const trade = async () => {
    const { Id } = await call<Order>(
      `/v1/api/forex/submit?type=1&cont=0.01&forex_id=${id}&status=1&target_price=0&stop_loss_price=0&target_profit_price=0&multiple=10`,
    );
    return await call<Order>(`/v1/api/forex/close?id=${Id}`);
  };
  await trade();
  await page.goto(`${product.url}/?inspect#/trade?code=${CODE}`);
  await choosePeriod(page, '1D');
  return trade;
}

/** Where the newest bar has a price, on the screen. */
const place = (page: Page, price: number) =>
  page.evaluate((value) => {
    const box = document.querySelector('[role="application"]')?.getBoundingClientRect();
    const bar = globalThis.fulcrumChart?.bars().at(-1);
    const x = bar && globalThis.fulcrumChart?.xOf(bar.time);
    const y = globalThis.fulcrumChart?.heightOf(value);
    if (!box || x === undefined || y === undefined) throw new Error('no chart');
    return { x: box.left + x, y: box.top + y };
  }, price);
const legend = (page: Page) =>
  page
    .locator('figure')
    .getByText(/closed at/)
    .first();

test.describe('by finger', () => {
  test.use(PHONE);

  test('a past trade is marked in the chart, and a tap tells of it', async ({ page }) => {
    const trade = await traded(page);
    await expect(legend(page)).toContainText(/Buy 0.01: opened at .*Buy 0.01: closed at .* USD/);
    const { Id, UpdatePrice } = await trade();
    // The one that has just ended joins it.
    await expect(legend(page)).toContainText(/closed at.*closed at/);
    const mark = await place(page, Number(UpdatePrice));
    await page.touchscreen.tap(mark.x, mark.y);
    const list = page.getByRole('dialog', { name: 'Past trades' });
    await list.getByRole('button').filter({ hasText: 'USD' }).first().tap();
    const sheet = page.getByRole('dialog', { name: `order ${Id}` });
    await expect(sheet).toContainText(/Net result/);
    await page.keyboard.press('Escape');
    await expect(sheet).toBeHidden();

    await page.getByRole('button', { name: 'Chart settings' }).tap();
    await page.getByRole('checkbox', { name: 'Past trades' }).uncheck();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).tap();
    await expect(legend(page)).toBeHidden();
  });
});

test.describe('by mouse and keyboard', () => {
  test.use(DESKTOP);

  test('arrow keys speak a past trade, Enter opens it, and the table of bars has it', async ({
    page,
  }) => {
    await traded(page);
    await expect(legend(page)).toBeVisible();
    const chart = page.getByRole('application');
    await chart.focus();
    await page.keyboard.press('ArrowRight');
    await expect(page.getByText(/Past trades Buy 0.01: opened at/)).toHaveCount(1);
    await page.keyboard.press('Enter');
    const sheet = page.getByRole('dialog', { name: /, order \d+/ });
    await expect(sheet).toContainText('Closed by you');
    await page.keyboard.press('Escape');
    await expect(sheet).toBeHidden();

    await page.getByRole('button', { name: 'Chart settings' }).click();
    await page.getByRole('button', { name: 'Table of the bars in sight' }).click();
    const rows = page.getByRole('dialog').getByRole('row');
    await expect(rows.first()).toContainText('Past trades');
    await expect(rows.nth(1)).toContainText(/Buy 0.01: closed at/);
  });
});
