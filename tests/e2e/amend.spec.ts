import { expect, type Page } from '@playwright/test';
import { DESKTOP, languageCookie, PHONE, test } from './helpers/browser';
import { openChart, placeOf } from './helpers/chart';
import { line, swipe } from './helpers/finger';
import { violations } from './helpers/looks';
import { openDemo } from './helpers/people';
import type { Product } from './helpers/product';
import { show } from './helpers/screens';

let product: Product;
test.beforeAll(async ({ shareProduct }) => {
  product = await shareProduct();
});

/** Opens a demo account, and places a pending buy of 0.1 lots at this share of the price. Returns its price. */
async function place(
  page: Page,
  share: number,
  { expiry, oneTap }: { expiry?: string; oneTap?: boolean } = {},
): Promise<number> {
  await page.context().addCookies([languageCookie('en', product.url)]);
  await page.goto(`${product.url}/?inspect`);
  await openDemo(page, product);
  await openChart(page, product.url);
  const close = await page.evaluate(() => globalThis.fulcrumChart?.bars().at(-1)?.close ?? 0);
  const price = Math.round(close * share);
  const side = page.getByRole('button', { name: 'Buy', exact: true });
  if (await side.isVisible()) await side.click();
  await page.getByRole('radio', { name: 'Pending', exact: true }).check();
  await page.getByRole('textbox', { name: /^(Limit|Stop) price$/ }).fill(String(price));
  await page.getByRole('textbox', { name: 'Lots' }).fill('0.1');
  if (expiry) await page.getByRole('combobox', { name: 'Expires' }).selectOption(expiry);
  await page.getByRole('button', { name: 'Buy 0.1 lots', exact: true }).click();
  if (oneTap) await page.getByRole('checkbox', { name: 'One-tap trading' }).check();
  await page.getByRole('button', { name: 'Confirm', exact: true }).click();
  const placed = page.getByRole('dialog', { name: 'Order placed' });
  const toast = page.getByRole('status').getByText(/^Order placed/);
  await expect(placed.or(toast).first()).toBeVisible();
  if (await placed.isVisible()) await page.keyboard.press('Escape');
  await expect(placed).toBeHidden();
  return price;
}

/** Not the message that something was done, which is a dialog too. */
const sheet = (page: Page) => page.locator('[role=dialog]:not([data-type])');
const target = (page: Page) => sheet(page).getByRole('textbox', { name: 'Limit price' });
const typed = async (page: Page) => Number((await target(page).inputValue()).replaceAll(',', ''));
const save = (page: Page) => sheet(page).getByRole('button', { name: 'Save changes' });

test.describe('by finger', () => {
  test.use(PHONE);

  test('all terms of a pending order are changed in its sheet, and given back', async ({
    page,
  }) => {
    const price = await place(page, 0.96, { expiry: 'Today' });
    await show(page, '/order?type=0');
    const row = page.getByRole('button', { name: 'Buy limit' });
    await expect(row).toContainText(/-[34]\.\d\d%/);
    await expect(row).toContainText('until');
    await row.tap();
    await expect(sheet(page)).toContainText('Expires');
    await sheet(page).getByRole('button', { name: 'Edit order' }).tap();
    await target(page).fill(String(price - 100));
    await sheet(page).getByRole('textbox', { name: 'Lots' }).fill('0.2');
    await sheet(page).getByRole('combobox', { name: 'Expires' }).selectOption('Until cancelled');
    await sheet(page).getByRole('checkbox', { name: 'Stop-loss' }).check();
    const stop = sheet(page).getByRole('textbox', { name: 'Price', exact: true });
    await stop.fill(String(price));
    await save(page).tap();
    // A stop-loss above the target is named, and nothing is sent.
    await expect(sheet(page).getByText(/Stop-loss must be below/)).toBeVisible();
    await stop.fill(String(price - 2000));
    await expect(sheet(page).getByText(/Stop-loss must be below/)).toBeHidden();
    await save(page).tap();
    await expect(page.getByText(/Order changed/)).toBeVisible();
    await expect(sheet(page)).not.toContainText('Expires');
    await expect(sheet(page)).toContainText('0.2');
    await page.getByRole('button', { name: 'Undo' }).tap();
    await expect(sheet(page)).toContainText('Expires');
    await page.keyboard.press('Escape');
    await expect(row).toContainText('0.1 lots');
  });

  test('its line in the chart is moved', async ({ page }) => {
    const price = await place(page, 0.97);
    const from = await placeOf(page, price);
    await swipe(page, line(from, { x: from.x, y: from.y + 30 }, 6));
    await expect(sheet(page)).toContainText(/Edit Buy 0.1 lots/);
    expect(await typed(page)).toBeLessThan(price);
    await save(page).tap();
    await expect(page.getByText(/Order changed/)).toBeVisible();
  });
});

test.describe('by mouse and keyboard', () => {
  test.use(DESKTOP);

  test('its line in the chart is dragged, or moved by arrows', async ({ page }) => {
    const price = await place(page, 0.97);
    const from = await placeOf(page, price);
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(from.x, from.y + 20, { steps: 4 });
    await page.mouse.up();
    await expect(target(page)).toBeVisible();
    const dropped = await typed(page);
    expect(dropped).toBeLessThan(price);
    await save(page).click();
    await expect(sheet(page)).toBeHidden();
    const slider = page.getByRole('slider', { name: /^Buy limit 0.1/ });
    await expect(slider).toHaveAttribute('aria-valuenow', String(dropped));
    await slider.focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await expect(target(page)).toBeVisible();
    expect(await typed(page)).toBeGreaterThan(dropped);
    await save(page).focus();
    await page.keyboard.press('Enter');
    await expect(sheet(page)).toBeHidden();
    await expect(slider).not.toHaveAttribute('aria-valuenow', String(dropped));
  });

  test('in its row terms are edited, and confirmed as an order is', async ({ page }) => {
    const price = await place(page, 0.97);
    await show(page, '/order?type=0');
    const cell = page.getByRole('button', { name: /^Requested price / });
    const field = page.getByRole('cell').getByRole('textbox', { name: 'Requested price' });
    // One click is not enough, and opens nothing.
    await cell.click();
    await expect(cell).toBeFocused();
    await expect(field).toBeHidden();
    // The editor's code comes with the focus: what is typed at once after a double click is not lost.
    const loaded = () => performance.getEntriesByType('resource').map(({ name }) => name);
    await expect.poll(async () => (await page.evaluate(loaded)).join()).toMatch(/\/parts-/);
    await cell.dblclick();
    await expect(field).toBeFocused();
    await field.fill('1');
    await page.keyboard.press('Escape');
    await expect(field).toBeHidden();
    await expect(cell).toBeFocused();
    await page.keyboard.press('F2');
    await field.fill(String(price - 100));
    await page.keyboard.press('Enter');
    expect(await typed(page)).toBe(price - 100);
    await save(page).click();
    await expect(sheet(page)).toBeHidden();
    await expect(cell).toContainText((price - 100).toLocaleString('en'));
    await expect(cell).toBeFocused();
  });

  test('in its row terms are saved at once where orders are not confirmed, and what is refused stays', async ({
    page,
  }) => {
    const price = await place(page, 0.97, { oneTap: true });
    await show(page, '/order?type=0');
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/forex/amend')) sent.push(request.url());
    });
    await page.getByRole('button', { name: /^Lots / }).press('Enter');
    const lots = page.getByRole('cell').getByRole('textbox', { name: 'Lots' });
    await lots.fill('0.2');
    // What leaves the field saves.
    await page.keyboard.press('Tab');
    await expect(page.getByRole('button', { name: 'Lots 0.2' })).toBeVisible();
    const stops = page.getByRole('button', { name: /^Stop-loss / });
    await stops.dblclick();
    const stop = page.getByRole('cell').getByRole('textbox', { name: 'Stop-loss' });
    await stop.fill(String(price + 10));
    await expect(page.getByText(/Stop-loss must be below/)).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(stop).toBeFocused();
    await expect(stop).toHaveValue(String(price + 10));
    expect(await violations(page)).toEqual([]);
    await stop.fill(String(price - 3000));
    await expect(page.getByText(/Stop-loss must be below/)).toBeHidden();
    await page.route('**/v1/api/forex/amend*', (route) =>
      route.fulfill({ json: { code: 2, msg: 'Not now', data: null } }),
    );
    await page.keyboard.press('Enter');
    await expect(page.getByRole('cell').getByRole('alert')).toHaveText('Not now');
    await expect(stop).toHaveValue(String(price - 3000));
    await page.unroute('**/v1/api/forex/amend*');
    await stop.press('Enter');
    await expect(stops).toContainText((price - 3000).toLocaleString('en'));
    expect(sent).toHaveLength(3);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(stops).toContainText('–');
  });
});
