import { expect, type Locator } from '@playwright/test';
import { DESKTOP, languageCookie, test } from './helpers/browser';
import type { Product } from './helpers/product';

// What takes long is rendered after the control that asked for it (D168): both are read in the task of the click.

test.use(DESKTOP);

let product: Product;
test.beforeAll(async ({ shareProduct }) => {
  product = await shareProduct();
});
test.beforeEach(async ({ page }) => {
  await page.context().addCookies([languageCookie('en', product.url)]);
  await page.goto(`${product.url}/#/trade?code=BTCUSD`);
  await expect(page.getByRole('application')).toBeVisible();
});

/** Clicks a control. Returns whether it is marked, and how much there is of what it brings, before anything else runs. */
function click(control: Locator, brings: string): Promise<{ marked: boolean; brought: number }> {
  return control.evaluate(async (element, selector) => {
    (element as HTMLElement).click();
    // React renders what a click changes in a microtask.
    for (let turns = 0; turns < 10; turns++) await undefined;
    const marked = element.matches('[aria-pressed=true], :checked');
    return { marked, brought: document.querySelectorAll(selector).length };
  }, brings);
}

test('the number of charts is marked before they are made', async ({ page }) => {
  const charts = '[data-kind=chart]';
  const two = page.getByRole('radio', { name: 'Two charts' });
  expect(await click(two, charts)).toEqual({ marked: true, brought: 1 });
  await expect(page.locator(charts)).toHaveCount(2);
});

test('the button of the drawing tools is marked before they are rendered', async ({ page }) => {
  const tools = '[role=toolbar][aria-label="Drawing tools"]';
  const draw = page.getByRole('button', { name: 'Draw', exact: true });
  // Their code is there from now on.
  await draw.click();
  await expect(page.locator(tools)).toBeVisible();
  await draw.click();
  await expect(page.locator(tools)).toHaveCount(0);
  expect(await click(draw, tools)).toEqual({ marked: true, brought: 0 });
  await expect(page.locator(tools)).toBeVisible();
});

test('a period is marked before its chart is drawn', async ({ page }) => {
  await page.getByRole('radio', { name: '1D', exact: true }).check({ force: true });
  await expect(page.getByRole('application', { name: ', 1D' })).toBeVisible();
  const drawn = '[role=application][aria-label$=", 1h"]';
  const hour = page.getByRole('radio', { name: '1h', exact: true });
  expect(await click(hour, drawn)).toEqual({ marked: true, brought: 0 });
  await expect(page.locator(drawn)).toBeVisible();
});
