import { expect } from '@playwright/test';
import { expectScreen, languageCookie, PHONE, test } from './helpers/browser';
import { fillLists } from './helpers/money';
import { logIn, register } from './helpers/people';
import { SCREENS, show } from './helpers/screens';

test.use({ ...PHONE, deviceScaleFactor: 1 });

/** A finger does not miss a control that has moved so far, px: the names of tabs grow bold. */
const UNFELT = 12;

declare global {
  interface Window {
    /** Where the controls in sight were. */
    controls?: Map<Element, DOMRect>;
  }
}

test('no control moves when the answers of its screen come', async ({ page, startProduct }) => {
  test.setTimeout(300_000);
  const product = await startProduct('--no-auto-review', '--no-draw-verify', '--show-mobile', '1');
  const person = await register(product);
  await fillLists(product, person);
  await page.context().addCookies([languageCookie('en', product.url)]);
  await logIn(page, product, person);

  let answers = Promise.resolve();
  await page.context().route('**/api/**', async (route) => {
    await answers;
    await route.continue();
  });
  const found: Record<string, string[]> = {};
  for (const path of SCREENS) {
    let release = () => {};
    answers = new Promise((resolve) => {
      release = resolve;
    });
    await page.evaluate((to) => {
      location.hash = to;
    }, path);
    await expectScreen(page, path);
    await page.evaluate(async () => {
      for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
      const controls = [...document.querySelectorAll('button, a[href], input, select, textarea')];
      window.controls = new Map(
        controls
          .filter((control) => control.checkVisibility({ visibilityProperty: true }))
          .map((control) => [control, control.getBoundingClientRect()]),
      );
    });
    release();
    await show(page, path);
    const moved = await page.evaluate((unfelt) => {
      const texts: string[] = [];
      for (const [control, was] of window.controls ?? []) {
        if (!control.checkVisibility({ visibilityProperty: true })) continue;
        const is = control.getBoundingClientRect();
        const [x, y] = [is.left - was.left, is.top - was.top];
        if (is.width <= 1 || Math.hypot(x, y) <= unfelt) continue;
        const name = control.getAttribute('aria-label') ?? control.textContent ?? '';
        texts.push(`${name.slice(0, 40)}: ${Math.round(x)}, ${Math.round(y)}`);
      }
      return texts;
    }, UNFELT);
    if (moved.length > 0) found[path] = moved;
  }
  expect(found).toEqual({});
});
