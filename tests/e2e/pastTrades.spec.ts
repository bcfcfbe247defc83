import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { DESKTOP, languageCookie, PHONE, test } from './helpers/browser';
import { CODE, choosePeriod } from './helpers/chart';
import { openDemo, tokenOf } from './helpers/people';
import type { Product } from './helpers/product';

let product: Product;
test.beforeAll(async ({ shareProduct }) => {
  product = await shareProduct();
});

interface Order {
  Id: number;
  Price: string;
  UpdatePrice: string;
  FactProfits: string;
}

/** Calls the server as the demo user of a page. */
async function caller(page: Page) {
  const token = await tokenOf(page);
  return async <T>(path: string): Promise<T> => {
    const headers = { lang: 'en', authorization: token, 'idempotency-key': randomUUID() };
    const answer = await fetch(product.url + path, { headers });
    const { code, msg, data } = (await answer.json()) as { code: number; msg: string; data: T };
    if (code !== 1) throw new Error(`${path}: ${msg}`);
    return data;
  };
}

/** Opens a demo account, which can buy, and close what it has bought. */
async function trader(page: Page) {
  await page.context().addCookies([languageCookie('en', product.url)]);
  await openDemo(page, product);
  const call = await caller(page);
  const instruments = await call<{ Id: number; Code: string }[]>('/v1/api/forex/trade_list');
  const id = instruments.find(({ Code }) => Code === CODE)?.Id;
  return {
    buy: (loss = 0, profit = 0) =>
      call<Order>(
        `/v1/api/forex/submit?type=1&cont=0.01&forex_id=${id}&status=1&target_price=0&stop_loss_price=${loss.toFixed(2)}&target_profit_price=${profit.toFixed(2)}&multiple=10`,
      ),
    close: ({ Id }: Order) => call<Order>(`/v1/api/forex/close?id=${Id}`),
  };
}

async function openChart(page: Page): Promise<void> {
  await page.goto(`${product.url}/?inspect#/trade?code=${CODE}`);
  await choosePeriod(page, '1D');
}

/** Logs a demo user in who has bought and sold, and opens the chart. */
async function traded(page: Page): Promise<() => Promise<Order>> {
  const { buy, close } = await trader(page);
  const trade = async () => close(await buy());
  await trade();
  await openChart(page);
  return trade;
}

/** What lies over the newest bar, and tags that lie over each other: by their places. */
const covering = (page: Page) =>
  page.evaluate(() => {
    const chart = globalThis.fulcrumChart;
    const host = document.querySelector('[role="application"]')?.getBoundingClientRect();
    const [before, bar] = chart?.bars().slice(-2) ?? [];
    const x = bar && chart?.xOf(bar.time);
    const top = bar && chart?.heightOf(bar.high);
    const bottom = bar && chart?.heightOf(bar.low);
    if (!chart || !host || !before || !x || !top || !bottom) throw new Error('no chart');
    const half = (x - (chart.xOf(before.time) ?? 0)) / 2;
    const newest = { left: x - half, right: x + half, top, bottom };
    const over = (one: typeof newest, other: typeof newest) =>
      one.left < other.right - 0.5 &&
      one.right > other.left + 0.5 &&
      one.top < other.bottom &&
      one.bottom > other.top;
    const tags = chart.tagBoxes();
    const parts = [
      ...document.querySelectorAll('figure p > *, button, [role="radio"], [data-indicator]'),
    ]
      .filter((part) => part.checkVisibility() && !part.closest('.visually-hidden'))
      .map((part) => {
        const { left, right, top, bottom } = part.getBoundingClientRect();
        const [x, y] = [host.left, host.top];
        return { left: left - x, right: right - x, top: top - y, bottom: bottom - y };
      });
    return {
      newest: [...tags, ...parts].filter((box) => over(box, newest)),
      tags: tags.filter((tag, at) => tags.slice(at + 1).some((other) => over(tag, other))),
      shown: tags.length,
    };
  });

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
    .getByText(/^Past trades: \d/)
    .first();

test.describe('by finger', () => {
  test.use(PHONE);

  test('a past trade is marked in the chart, and a tap tells of it', async ({ page }) => {
    const trade = await traded(page);
    await expect(legend(page)).toHaveText(/^Past trades: 1 · [-+]?[\d.]+ USD$/);
    const { UpdatePrice } = await trade();
    // The one that has just ended joins it.
    await expect(legend(page)).toHaveText(/^Past trades: 2 · [-+]?[\d.]+ USD$/);
    expect((await legend(page).boundingBox())?.height).toBeLessThan(20);
    const mark = await place(page, Number(UpdatePrice));
    await page.touchscreen.tap(mark.x, mark.y);
    const list = page.getByRole('dialog', { name: 'Past trades' });
    await list.getByRole('button').filter({ hasText: 'USD' }).first().tap();
    // The other trade may have been made so soon before that its mark is at the same place.
    const sheet = page.getByRole('dialog', { name: /order \d+$/ });
    await expect(sheet).toContainText(/Net result/);
    await page.keyboard.press('Escape');
    await expect(sheet).toBeHidden();

    await page.getByRole('button', { name: 'Chart settings' }).tap();
    await page.getByRole('checkbox', { name: 'Past trades' }).uncheck();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).tap();
    await expect(legend(page)).toBeHidden();
  });
});

for (const [screen, options] of Object.entries({ phone: PHONE, desktop: DESKTOP })) {
  test.describe(`the newest bar on a ${screen}`, () => {
    test.use(options);

    test('neither past trades nor orders cover it, and orders have tags beside each other', async ({
      page,
    }) => {
      const { buy, close } = await trader(page);
      const first = await buy();
      const at = Number(first.Price);
      for (let count = 0; count < 3; count++) await close(await buy());
      await buy(at * 0.999, at * 1.001);
      await buy(at * 0.97, at * 1.03);
      await openChart(page);
      await expect(legend(page)).toHaveText(/^Past trades: 3/);
      await expect.poll(async () => (await covering(page)).shown).toBeGreaterThan(2);
      await expect.poll(() => covering(page)).toMatchObject({ newest: [], tags: [] });

      // Three orders have one line. What tells of it lists them.
      const line = await place(page, at);
      const edge = await page.getByRole('application').boundingBox();
      await page.mouse.click((edge?.x ?? 0) + (edge?.width ?? 0) - 20, line.y);
      const orders = page.getByRole('dialog', { name: 'Bitcoin' }).getByRole('button', {
        name: /Buy/,
      });
      await expect(orders).toHaveCount(3);
      await orders.first().click();
      await expect(page.getByRole('dialog', { name: /, order \d+/ })).toContainText('Entry price');
    });
  });
}

test.describe('held sideways', () => {
  test.use({ ...PHONE, viewport: { width: 740, height: 360 } });

  test('neither price nor periods nor figures cover the newest bar', async ({ page }) => {
    await traded(page);
    await expect(page.locator('figure p').first()).toBeVisible();
    await expect.poll(async () => (await covering(page)).newest).toEqual([]);
  });
});

test.describe('at twice the text size', () => {
  test.use(PHONE);

  test('the newest bar is in the first screen of a position, above the buttons that trade', async ({
    page,
  }) => {
    const { buy } = await trader(page);
    const { Price } = await buy();
    await openChart(page);
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '200%';
    });
    await expect(page.getByRole('button', { name: 'Buy', exact: true })).toBeInViewport({
      ratio: 1,
    });
    const isSeen = async () => {
      const { x, y } = await place(page, Number(Price));
      return await page.evaluate(
        ([left, top]) => Boolean(document.elementFromPoint(left, top)?.closest('figure')),
        [x, y] as const,
      );
    };
    await expect.poll(isSeen).toBe(true);
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
    await page.getByRole('button', { name: 'Data table' }).click();
    const rows = page.getByRole('dialog').getByRole('row');
    await expect(rows.first()).toContainText('Past trades');
    await expect(rows.nth(1)).toContainText(/Buy 0.01: closed at/);
  });
});
