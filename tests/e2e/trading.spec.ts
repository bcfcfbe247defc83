import { expect, type Page } from '@playwright/test';
// For the declaration of the global.
import type {} from '../../src/features/trading/chart/exposeToTests';
import { languageCookie, PHONE, test, toastText } from './helpers/browser';
import { line, swipe } from './helpers/finger';
import type { Product } from './helpers/product';
import { risingMarket } from './helpers/risingMarket';

test.use(PHONE);

/** Rises by 3 points a second, so that a stop 900 USD away is not reached during the test. */
let product: Product;
test.beforeEach(async ({ context, page, startProduct }) => {
  product = await startProduct('--replay', risingMarket(), '--speed', '30', '--replay-wait');
  await context.addCookies([languageCookie('en', product.url)]);
  await page.goto(`${product.url}/?inspect#/`);
  await page.getByRole('button', { name: 'EUR/USD', exact: true }).tap();
  await page.getByRole('button', { name: 'Buy', exact: true }).tap();
});

/** 1 lot: a move of 0.00001 is 1 USD. */
async function fillIn(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Lots' }).fill('1');
  await page.getByRole('radio', { name: '100×' }).check();
  await stop(page, 'Stop-loss', 'USD', '900');
  await stop(page, 'Take-profit', 'USD', '900');
}

async function stop(page: Page, name: string, unit: string, value: string): Promise<void> {
  await page.getByRole('checkbox', { name }).check();
  await page.getByRole('combobox', { name: `${name} in` }).selectOption(unit);
  await page.getByRole('textbox', { name: unit, exact: true }).last().fill(value);
}

/** The value beside a name in a list of figures. */
function figure(page: Page, name: string) {
  return page
    .locator('dl > div')
    .filter({ has: page.getByText(name, { exact: true }) })
    .locator('dd');
}

/** The first amount in a text. */
const cents = (text: string) =>
  Math.round(Number(/[+-]?[\d,.]+/.exec(text)?.[0].replaceAll(',', '')) * 100);

test('the size is set on a slider, or typed in USD, and the button says the lots', async ({
  page,
}) => {
  await page.getByRole('button', { name: 'Buy 0.01 lots', exact: true }).tap();
  await page.getByRole('button', { name: 'Try the demo account' }).tap();
  const slider = page.getByRole('slider', { name: 'Share of the maximum size' });
  await expect(slider).toBeEnabled();
  await slider.focus();
  await page.keyboard.press('End');
  await expect(slider).toHaveAttribute('aria-valuetext', '100% of the maximum size');
  const most = await slider.inputValue();
  await page.keyboard.press('ArrowLeft');
  const lots = page.getByRole('textbox', { name: 'Lots' });
  await expect(lots).toHaveValue(((Number(most) - 1) / 100).toString());

  // 0.01 lots are 1,000 EUR, at about 1.39.
  await page.getByRole('combobox', { name: 'Unit of the size' }).selectOption('USD');
  await page.getByRole('textbox', { name: 'Size in USD' }).fill('3000');
  await expect(page.getByRole('button', { name: 'Buy 0.02 lots' })).toBeVisible();
  await page.getByRole('combobox', { name: 'Unit of the size' }).selectOption('EUR');
  await expect(page.getByRole('textbox', { name: 'Size in EUR' })).toHaveValue('2000');
});

test('an order with stops is closed by the market after its take-profit is dragged, exact to the cent', async ({
  page,
}) => {
  await fillIn(page);

  // A visitor goes to the login and back to the saved form (domain.md#order-form).
  await page.getByRole('button', { name: 'Buy 1 lot', exact: true }).tap();
  await expect(page).toHaveURL(/#\/login\?from=%2Ftrade%3Fcode%3DEURUSD$/);
  await page.getByRole('button', { name: 'Try the demo account' }).tap();
  await page.getByRole('button', { name: 'Buy 1 lot', exact: true }).tap();
  await page.getByRole('button', { name: 'Confirm', exact: true }).tap();
  const popup = page.getByRole('dialog', { name: 'Order placed' });
  await expect(popup).toContainText('Buy 1 lot of EUR/USD at 1.39');
  await popup.getByRole('link', { name: 'View orders' }).tap();

  // The profit follows the market until the operator stops it.
  const row = page.getByRole('listitem').filter({ hasText: 'EUR/USD' });
  await expect(row).toContainText('→');
  const before = await row.innerText();
  await expect.poll(() => row.innerText()).not.toBe(before);
  await product.admin(['market', 'close', 'EURUSD']);
  await page.getByRole('link', { name: 'Trading', exact: true }).tap();
  await expect(page.getByRole('button', { name: 'Buy', exact: true })).toBeDisabled();
  const lastClose = () => page.evaluate(() => globalThis.fulcrumChart?.bars().at(-1)?.close ?? 0);
  await expect.poll(lastClose).toBeGreaterThan(0);
  const price = await lastClose();

  // The stops are outside the axis: markers at the edges name them and scale to them on a tap.
  const above = page.getByRole('button', {
    name: /^TP \u2068Buy 1\u2069 1\.\d{5} above the chart$/,
  });
  await expect(
    page.getByRole('button', { name: /^SL \u2068Buy 1\u2069 1\.\d{5} below the chart$/ }),
  ).toBeVisible();
  const profitAt = Number(/1\.\d{5}/.exec(await above.innerText())?.[0]);
  const heightOf = (at: number) =>
    page.evaluate((value) => globalThis.fulcrumChart?.heightOf(value) ?? -1, at);
  expect(await heightOf(profitAt)).toBeLessThan(0);
  await above.tap();
  await expect.poll(() => heightOf(profitAt)).toBeGreaterThan(0);
  await above.tap();
  await expect.poll(() => heightOf(profitAt)).toBeLessThan(0);
  await page.getByRole('link', { name: 'Orders', exact: true }).tap();

  // Move the take-profit near the market by its price, then just above it by its line.
  await row.tap();
  const details = page.getByRole('dialog', { name: /EUR\/USD, order/ });
  await details.getByRole('button', { name: 'Edit SL/TP' }).tap();
  const profit = details.getByRole('textbox', { name: 'Price', exact: true }).last();
  await profit.fill((price + 0.00025).toFixed(5));
  await details.getByRole('button', { name: 'Save SL/TP' }).tap();
  await expect(figure(page, 'Take-profit')).toHaveText((price + 0.00025).toFixed(5));
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Trading', exact: true }).tap();
  // It is now near enough for the axis to include it.
  const linePrices = () => page.evaluate(() => globalThis.fulcrumChart?.linePrices());
  await expect.poll(linePrices).toContain(Number((price + 0.00025).toFixed(5)));
  await expect.poll(() => heightOf(price + 0.00025)).toBeGreaterThan(10);
  await expect(above).toHaveCount(0);
  const sheet = page.getByRole('dialog', { name: 'SL/TP of Buy 1 lot EUR/USD', exact: true });
  await drag(page, await heightOf(price + 0.00025), await heightOf(price + 0.00008));
  await sheet.getByRole('button', { name: 'Save SL/TP' }).tap();
  await expect(sheet).toBeHidden();

  // The market reaches it: the push closes the order's sheet and shows a toast.
  await page.getByRole('link', { name: 'Orders', exact: true }).tap();
  await row.tap();
  await expect(details).toBeVisible();
  const saying = toastText(page, /^Take-profit: Buy 1 lot of EUR\/USD, /);
  await product.admin(['market', 'open', 'EURUSD']);
  await expect(details).toBeHidden({ timeout: 60_000 });
  const said = await saying;

  // The order is in the history, and the balance includes its fee and profit.
  await page.getByRole('radio', { name: 'History' }).tap();
  await page.getByRole('listitem').filter({ hasText: 'Take-profit' }).tap();
  const gained = cents(await figure(page, 'Profit').innerText());
  const fee = cents(await figure(page, 'Handling fee').innerText());
  const points = async (name: string) =>
    Math.round(Number(await figure(page, name).innerText()) * 1e5);
  expect(gained).toBe(((await points('Closing price')) - (await points('Entry price'))) * 100);
  expect(cents(said.split(', ')[1] ?? '')).toBe(gained - fee);
  await page.keyboard.press('Escape');
  await expect
    .poll(async () => cents(await figure(page, 'Balance').innerText()))
    .toBe(cents('100000') + gained - fee);
});

test('an order whose answer is lost is placed once; it takes three taps from the first screen @always', async ({
  page,
  context,
}) => {
  const keys: (string | undefined)[] = [];
  let look = () => {};
  const looked = new Promise<void>((resolve) => {
    look = resolve;
  });
  await context.route('**/v1/api/forex/submit*', async (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    if (keys.length === 1) {
      // The server processes the call, but its answer is lost.
      await route.fetch();
      return route.abort('connectionreset');
    }
    await looked;
    return route.continue();
  });
  await page.getByRole('button', { name: 'Open demo account and buy 0.01 lots' }).tap();
  const button = page.getByRole('button', { name: 'Checking whether the order went through…' });
  await expect(button).toBeDisabled();
  await expect.poll(() => keys.length).toBe(2);
  look();
  const popup = page.getByRole('dialog', { name: 'Order placed' });
  await popup.getByRole('link', { name: 'View orders' }).tap();
  await expect(page.getByText('1 order', { exact: true })).toBeVisible();
  await expect(page.getByRole('list', { name: 'Holding' }).getByRole('listitem')).toHaveCount(1);
  expect(new Set(keys).size).toBe(1);
});

/** Drags on the chart by touch. */
async function drag(page: Page, from: number, to: number): Promise<void> {
  const box = await page.getByRole('application').boundingBox();
  if (!box) throw new Error('no chart');
  const at = (y: number) => ({ x: box.x + 150, y: box.y + y });
  await swipe(page, line(at(from), at(to), 8));
}

test('a part of an order is closed, and the rest is held', async ({ page }) => {
  await fillIn(page);
  await page.getByRole('button', { name: 'Buy 1 lot', exact: true }).tap();
  await page.getByRole('button', { name: 'Try the demo account' }).tap();
  await page.getByRole('button', { name: 'Buy 1 lot', exact: true }).tap();
  await page.getByRole('button', { name: 'Confirm', exact: true }).tap();
  const placed = page.getByRole('dialog', { name: 'Order placed' });
  await placed.getByRole('button', { name: 'Done' }).tap();

  const strip = page.getByRole('complementary', { name: 'Position' });
  await strip.getByRole('button', { name: 'Close' }).tap();
  await page.getByRole('radio', { name: '25%' }).check();
  const sheet = page.getByRole('dialog', { name: /EUR\/USD, order/ });
  await expect(sheet).toContainText('Close Buy 0.25 lots of EUR/USD at the market price?');
  await sheet.getByRole('button', { name: 'Close 0.25 lots' }).tap();
  await expect(sheet).toBeHidden();
  // A profit of zero has no sign.
  const closed = /^Part of the order closed: Buy 0.25 lots of EUR\/USD, [+-]?\d+\.\d\d USD/;
  await expect(page.getByText(closed)).toBeVisible();
  await expect(strip).toContainText('Long 0.75 lots');

  await page.getByRole('link', { name: 'Orders', exact: true }).tap();
  const row = page.getByRole('listitem').filter({ hasText: 'EUR/USD' });
  await expect(row).toContainText('0.75 lots');
  await page.getByRole('radio', { name: 'History' }).tap();
  await expect(row).toContainText('0.25 lots');
});
