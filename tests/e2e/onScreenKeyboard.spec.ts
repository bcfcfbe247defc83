import { expect, type Locator, type Page } from '@playwright/test';
import { languageCookie, PHONE, test } from './helpers/browser';
import type { Product } from './helpers/product';
import { risingMarket } from './helpers/risingMarket';

test.use(PHONE);

let product: Product;
test.beforeEach(async ({ context, page, shareProduct }) => {
  product = await shareProduct('--replay', risingMarket(), '--speed', '30');
  await context.addCookies([languageCookie('en', product.url)]);
  // No engine shows a keyboard to a program: what it leaves of the window is simulated.
  await page.addInitScript(() => {
    const seen = { height: 0, offsetTop: 0, scale: 1 };
    for (const name of ['height', 'offsetTop', 'scale'] as const) {
      const { get } = Object.getOwnPropertyDescriptor(VisualViewport.prototype, name) ?? {};
      Object.defineProperty(VisualViewport.prototype, name, {
        get(this: VisualViewport) {
          return seen.height > 0 ? seen[name] : get?.call(this);
        },
      });
    }
    addEventListener('keyboard', (event) => {
      Object.assign(seen, (event as CustomEvent).detail);
      visualViewport?.dispatchEvent(new Event('resize'));
    });
  });
});

/** Lets a keyboard leave a part of the window; a height of 0 takes it away. */
async function leave(page: Page, height: number, offsetTop = 0, scale = 1): Promise<void> {
  const detail = { height, offsetTop, scale };
  await page.evaluate((seen) => {
    dispatchEvent(new CustomEvent('keyboard', { detail: seen }));
  }, detail);
}

/** Waits until a control is in the part that is seen, and nothing lies over it. */
async function expectSeen(control: Locator, from: number, to: number): Promise<void> {
  const look = () =>
    control.evaluate(
      (element, [first, last]) => {
        const { x, y, width, height, top, bottom } = element.getBoundingClientRect();
        const hit = document.elementFromPoint(x + width / 2, y + height / 2);
        return { top, bottom, seen: top >= first && bottom <= last && element.contains(hit) };
      },
      [from, to] as const,
    );
  await expect.poll(look).toMatchObject({ seen: true });
}

for (const [name, height, offsetTop] of [
  ['', 440, 0],
  [' that has moved the window', 440, 180],
  [' of a small phone', 370, 0],
] as const) {
  test(`a keyboard${name} covers neither the field of the order form nor its button`, async ({
    page,
  }) => {
    await page.goto(`${product.url}/#/trade?code=EURUSD`);
    await page.getByRole('button', { name: /^Buy/ }).tap();
    const sheet = page.getByRole('dialog');
    await sheet.getByRole('checkbox', { name: 'Take-profit' }).check();
    const fields = sheet.getByRole('textbox');
    const button = sheet.getByRole('button', { name: /^Buy .* lots?$/ });
    for (const field of [fields.first(), fields.last()]) {
      await field.focus();
      await leave(page, height, offsetTop);
      await expectSeen(field, offsetTop, offsetTop + height);
      await expectSeen(button, offsetTop, offsetTop + height);
    }
    await leave(page, 0);
    await expectSeen(button, height, 740);
  });
}

test('a keyboard covers neither the last field of a screen nor its button', async ({ page }) => {
  await page.goto(`${product.url}/#/register`);
  const button = page.locator('main').getByRole('button', { name: 'Register', exact: true });
  const field = page.locator('main').getByRole('textbox').last();
  await field.focus();
  await leave(page, 440);
  await expectSeen(field, 0, 440);
  await button.scrollIntoViewIfNeeded();
  await expectSeen(button, 0, 440);
});

test('who zooms in sees a part of an app that stays as it is', async ({ page }) => {
  await page.goto(`${product.url}/#/register`);
  await page.locator('main').getByRole('textbox').first().focus();
  await leave(page, 440, 0, 2);
  await expect(page.locator('#root')).toHaveCSS('block-size', '740px');
});
