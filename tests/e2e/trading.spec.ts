import { expect, type Page } from '@playwright/test';
// For its declaration of the global.
import type {} from '../../src/features/trade/inspect';
import { languageCookie, PHONE, test } from './browser';
import { hasRecordedDay, Product, recordedTicks } from './product';

test.use(PHONE);
test.setTimeout(180_000);
test.skip(!hasRecordedDay, 'the recorded day (../shared/data) is not here');

let product: Product;
test.beforeEach(async ({ context, page }) => {
  product = await Product.start('--replay', recordedTicks, '--speed', '30', '--replay-wait');
  await context.addCookies([languageCookie('en', product.url)]);
  await page.goto(`${product.url}/?inspect#/`);
  await page.getByRole('button', { name: 'EUR/USD', exact: true }).tap();
  await expect
    .poll(() => page.evaluate(() => globalThis.fulcrumChart?.bars().length ?? 0))
    .toBeGreaterThan(0);
});
test.afterEach(() => product.stop());

/** A demo account and a buy of 1 lot, where a move of 0.00001 is 1 USD. Returns the fill. */
async function buyOneLot(page: Page): Promise<number> {
  await page.getByRole('button', { name: 'Buy', exact: true }).tap();
  await page.getByRole('textbox', { name: 'Lots' }).fill('1');
  await page.getByRole('radio', { name: '100×' }).check();
  await stop(page, 'Stop-loss', 'USD', '900');
  await stop(page, 'Take-profit', 'USD', '25');
  await page.getByRole('button', { name: 'Open demo account and buy 1 EUR/USD' }).tap();
  const popup = page.getByRole('dialog', { name: 'Order placed' });
  await expect(popup).toContainText('Buy 1 EUR/USD at 1.39');
  const fill = Number(/at (1\.\d+)/.exec(await popup.innerText())?.[1]);
  await popup.getByRole('button', { name: 'Done' }).tap();
  return fill;
}

async function stop(page: Page, name: string, unit: string, value: string): Promise<void> {
  await page.getByRole('checkbox', { name }).check();
  await page.getByRole('combobox', { name: `${name} given as` }).selectOption(unit);
  await page.getByRole('textbox', { name: unit, exact: true }).last().fill(value);
}

/** What stands beside a name in a list of figures or fields. */
function figure(page: Page, name: string) {
  return page
    .locator('dl > div')
    .filter({ has: page.getByText(name, { exact: true }) })
    .locator('dd');
}

const cents = (text: string) => Math.round(Number(text.replace(/[^\d.+-]/g, '')) * 100);

test('an order with stops, its take-profit dragged, closed by the market, right to the cent', async ({
  page,
}) => {
  const fill = await buyOneLot(page);

  // The take-profit is dragged down to a hair above the price, once it is in sight.
  const box = await page.getByRole('application').boundingBox();
  if (!box) throw new Error('no chart');
  const sheet = page.getByRole('dialog', { name: 'Stops of Buy 1 EUR/USD' });
  // The chart rescales with the market: a grip may miss.
  await expect(async () => {
    const [from, to] = await page.evaluate((takeProfit) => {
      const chart = globalThis.fulcrumChart;
      const price = chart?.bars().at(-1)?.close ?? 0;
      return [chart?.heightOf(takeProfit) ?? -1, chart?.heightOf(price + 0.00008) ?? -1];
    }, fill + 0.00025);
    expect(from).toBeGreaterThan(10);
    await drag(page, box.x + 80, box.y + from, box.y + to);
    await expect(sheet).toBeVisible({ timeout: 1000 });
  }).toPass({ timeout: 60_000 });
  await sheet.getByRole('button', { name: 'Save stops' }).tap();
  await expect(sheet).toBeHidden();

  // Its profit moves with the market, until the market takes it.
  await page.getByRole('link', { name: 'Orders' }).tap();
  const row = page.getByRole('listitem').filter({ hasText: 'EUR/USD' });
  await expect(row).toContainText('USD');
  const before = await row.innerText();
  await expect.poll(() => row.innerText()).not.toBe(before);
  await row.tap();
  const details = page.getByRole('dialog', { name: /EUR\/USD, order/ });
  await expect(details).toBeVisible();
  await expect(details).toBeHidden({ timeout: 60_000 });

  // It is in the history, and the balance is what began, its fee and its profit.
  await page.getByRole('radio', { name: 'History' }).check();
  await page.getByRole('listitem').filter({ hasText: 'Take-profit' }).tap();
  const profit = cents(await figure(page, 'Profit').innerText());
  const fee = cents(await figure(page, 'Handling fee').innerText());
  expect(profit).toBeGreaterThan(0);
  await page.keyboard.press('Escape');
  await expect
    .poll(async () => cents(await figure(page, 'Balance').innerText()))
    .toBe(cents('100000') + profit - fee);
});

async function drag(page: Page, x: number, from: number, to: number): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', y?: number) =>
    cdp.send('Input.dispatchTouchEvent', { type, touchPoints: y === undefined ? [] : [{ x, y }] });
  await touch('touchStart', from);
  for (let step = 1; step <= 8; step++) await touch('touchMove', from + ((to - from) * step) / 8);
  await touch('touchEnd');
}
