import { expect, type Page } from '@playwright/test';
import { DESKTOP, languageCookie, PHONE, test } from './helpers/browser';
import { openChart, placeOf } from './helpers/chart';
import { fingerOn } from './helpers/finger';
import { openDemo } from './helpers/people';
import type { Product } from './helpers/product';
import { show } from './helpers/screens';

let product: Product;
test.beforeAll(async ({ shareProduct }) => {
  product = await shareProduct();
});

const close = (page: Page) =>
  page.evaluate(() => {
    return globalThis.fulcrumChart?.bars().at(-1)?.close ?? 0;
  });
const typed = async (page: Page) =>
  Number(
    (await page.getByRole('textbox', { name: /^(Limit|Stop) price$/ }).inputValue()).replaceAll(
      ',',
      '',
    ),
  );

test.describe('by mouse', () => {
  test.use(DESKTOP);

  test('the other button proposes a pending order at its price, and a press of the axis too', async ({
    page,
  }) => {
    await openChart(page, product.url);
    const below = (await close(page)) * 0.96;
    const at = await placeOf(page, below);
    const menu = page.getByRole('dialog');
    // Bars are painted before the menu of prices listens.
    await expect(async () => {
      await page.mouse.click(at.left + 300, at.y, { button: 'right' });
      await expect(menu.getByRole('button', { name: 'Sell stop' })).toBeVisible({ timeout: 5000 });
    }).toPass();
    await menu.getByRole('button', { name: 'Buy limit' }).click();
    await expect(page.getByRole('radio', { name: 'Pending' })).toBeChecked();
    // A pixel is less than a thousandth of the price.
    expect(Math.abs((await typed(page)) / below - 1)).toBeLessThan(0.002);

    await page.mouse.click(at.left + 300, at.y, { button: 'right' });
    await menu.getByRole('button', { name: 'Set alert' }).click();
    const alert = page.getByRole('dialog', { name: 'New price alert: Bitcoin' });
    await expect(alert).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(alert).toBeHidden();

    const above = (await close(page)) * 1.01;
    const axis = await placeOf(page, above);
    await page.mouse.click(axis.right - 20, axis.y);
    await menu.getByRole('button', { name: 'Sell limit' }).click();
    await expect.poll(async () => Math.abs((await typed(page)) / above - 1)).toBeLessThan(0.002);
  });
});

test.describe('held sideways', () => {
  test.use({ ...PHONE, viewport: { width: 740, height: 360 } });

  test('the marker of a line above the view is below the tools', async ({ page }) => {
    await page.context().addCookies([languageCookie('en', product.url)]);
    await openDemo(page, product);
    await show(page, '/trade?code=BTCUSD');
    await page.getByRole('button', { name: 'Buy', exact: true }).tap();
    await page.getByRole('textbox', { name: 'Lots' }).fill('0.1');
    await page.getByRole('checkbox', { name: 'Take-profit' }).check();
    await page.getByRole('combobox', { name: 'Take-profit in' }).selectOption('USD');
    await page.getByRole('textbox', { name: 'USD', exact: true }).fill('2000');
    await page.getByRole('button', { name: 'Buy 0.1 lots', exact: true }).tap();
    await page.getByRole('button', { name: 'Confirm', exact: true }).tap();
    await expect(page.getByRole('dialog', { name: 'Order placed' })).toBeVisible();
    await page.keyboard.press('Escape');
    const marker = page.getByRole('button', { name: 'above the chart' });
    await expect(marker).toBeVisible();
    const tools = await page.getByRole('button', { name: 'Full screen' }).boundingBox();
    const pill = await marker.boundingBox();
    if (!tools || !pill) throw new Error('they are not shown');
    expect(pill.y).toBeGreaterThanOrEqual(tools.y + tools.height);
  });
});

test.describe('by finger', () => {
  test.use(PHONE);

  test('a finger held on the chart proposes an order, which opens in the form', async ({
    page,
  }) => {
    await openChart(page, product.url);
    const below = (await close(page)) * 0.96;
    const at = await placeOf(page, below);
    const finger = await fingerOn(page);
    await finger.press({ x: at.left + 120, y: at.y });
    const limit = page.getByRole('dialog').getByRole('button', { name: 'Buy limit' });
    await expect(limit).toBeVisible();
    await finger.lift();
    await limit.tap();
    await expect(page.getByRole('radio', { name: 'Pending' })).toBeChecked();
    expect(Math.abs((await typed(page)) / below - 1)).toBeLessThan(0.002);
  });
});
