import { expect, type Locator } from '@playwright/test';
import { languageCookie, PHONE, test } from './helpers/browser';
import type { Product } from './helpers/product';
import { risingMarket } from './helpers/risingMarket';

test.use(PHONE);

let product: Product;
test.beforeAll(async ({ shareProduct }) => {
  product = await shareProduct('--replay', risingMarket(), '--speed', '30');
});

test('a first order, its stops and its close take at most three taps each', async ({
  page,
  context,
}) => {
  let taps = 0;
  const tap = async (target: Locator) => {
    await target.tap();
    taps += 1;
  };
  const taken = () => {
    const before = taps;
    taps = 0;
    return before;
  };
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  await context.addCookies([languageCookie('en', product.url)]);
  await page.goto(product.url);

  await tap(button('EUR/USD'));
  await tap(button('Buy'));
  await tap(button('Open demo account and buy 0.01 lots'));
  const placed = page.getByRole('dialog', { name: 'Order placed' });
  await expect(placed).toBeVisible();
  expect(taken()).toBeLessThanOrEqual(3);
  await placed.getByRole('button', { name: 'Done' }).tap();
  await expect(placed).toBeHidden();

  const strip = page.getByRole('complementary', { name: 'Position' });
  await expect(strip).toContainText('Long 0.01 lots');
  await expect(strip).toContainText(/[+-]?\d+\.\d\d USD \([+-]?\d+\.\d\d%\)/);
  await expect(page.getByRole('link', { name: 'Orders', exact: true })).toContainText('1');

  await tap(strip.getByRole('button', { name: 'SL/TP' }));
  await tap(page.getByRole('checkbox', { name: 'Stop-loss' }));
  // The field has the focus.
  await page.keyboard.type('1.2');
  await tap(button('Save SL/TP'));
  // The toast of what was saved is a dialog, too.
  const sheet = page.getByRole('dialog').filter({ hasText: '1.20000' });
  await expect(sheet).toBeVisible();
  expect(taken()).toBeLessThanOrEqual(3);
  await page.keyboard.press('Escape');
  await expect(sheet).toBeHidden();

  await tap(strip.getByRole('button', { name: 'Close' }));
  await tap(button('Close order'));
  await expect(strip).toBeHidden();
  expect(taken()).toBeLessThanOrEqual(3);
});

test('a tap counts on a page that is busy for longer than a long press takes', async ({ page }) => {
  await page.setContent('<button>tap</button>');
  await page.evaluate(() => {
    const busy = () => {
      const until = performance.now() + 1000;
      while (performance.now() < until);
    };
    addEventListener('touchstart', busy, { passive: true });
    addEventListener('click', () => document.body.append('clicked'));
  });
  await page.getByRole('button').tap();
  await expect(page.locator('body')).toContainText('clicked');
});
