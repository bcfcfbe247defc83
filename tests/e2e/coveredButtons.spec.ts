import { expect, type Locator, type Page } from '@playwright/test';
import { DESKTOP, languageCookie, PHONE, test } from './helpers/browser';
import { covered } from './helpers/looks';
import { fillLists } from './helpers/money';
import { logIn, openDemo, register } from './helpers/people';
import type { Product } from './helpers/product';
import { risingMarket } from './helpers/risingMarket';
import { eachSheet, hasComeIn, SCREENS, show } from './helpers/screens';

let product: Product;
test.beforeAll(async ({ shareProduct }) => {
  product = await shareProduct('--replay', risingMarket(), '--speed', '30');
});

/** What a toast lies over, of all that can be read or used. */
function underToast(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const toast = document.querySelector('[class*="toast"][role$="dialog"]');
    if (!toast) return ['there is no toast'];
    const over = toast.getBoundingClientRect();
    const found: string[] = [];
    for (const element of document.querySelectorAll('body *')) {
      if (toast.contains(element) || element.contains(toast)) continue;
      const control = element.matches('button, a[href], input, select, textarea, [tabindex="0"]');
      const text = [...element.childNodes].some(
        ({ nodeType, textContent }) => nodeType === Node.TEXT_NODE && textContent?.trim(),
      );
      // The strip makes way for the toast: its texts come back, its buttons are hidden.
      if (!control && (!text || element.closest('header[class*="strip"]'))) continue;
      if (!element.checkVisibility({ visibilityProperty: true })) continue;
      // Hidden from the eye, or scrolled out of sight.
      const { left, right, top, bottom, width, height } = element.getBoundingClientRect();
      if (width <= 1 || height <= 1 || left >= over.right || right <= over.left) continue;
      if (top >= over.bottom || bottom <= over.top) continue;
      const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      if (hit && !toast.contains(hit) && !element.contains(hit)) continue;
      found.push(`${element.tagName} "${(element.textContent ?? '').slice(0, 40)}"`);
    }
    return found;
  });
}

for (const size of [PHONE, DESKTOP]) {
  test.describe(() => {
    test.use(size);
    test(`on every screen each control is hit at its own middle, at ${size.viewport?.width} px`, async ({
      page,
      shareProduct,
    }) => {
      test.setTimeout(600_000);
      const filled = await shareProduct(
        '--no-auto-review',
        '--no-draw-verify',
        '--show-mobile',
        '1',
      );
      const person = await register(filled);
      await fillLists(filled, person);
      await page.context().addCookies([languageCookie('en', filled.url)]);
      await logIn(page, filled, person);
      const found: Record<string, string[]> = {};
      const look = async (where: string) => {
        const here = await covered(page);
        if (here.length > 0) found[where] = here;
      };
      // A phone is led from it to its trade screen.
      for (const path of size === DESKTOP ? [...SCREENS, '/workspace'] : SCREENS) {
        await show(page, path);
        await look(path);
      }
      await eachSheet(page, look);
      expect(found).toEqual({});
    });
  });
}

test.describe('on a phone', () => {
  test.use(PHONE);

  test('however high the banners are, the chart lies over no button', async ({ context, page }) => {
    await context.addCookies([languageCookie('en', product.url)]);
    await page.goto(product.url);
    await page.getByRole('button', { name: 'EUR/USD', exact: true }).tap();
    const buy = page.getByRole('button', { name: /^Buy/ });
    await expect(buy).toBeVisible();
    for (const height of [0, 150, 300, 450]) {
      await page.evaluate((blockSize) => {
        const banner = document.querySelector('#tall') ?? document.createElement('div');
        Object.assign(banner, { id: 'tall' });
        (banner as HTMLElement).style.cssText = `flex: none; block-size: ${blockSize}px`;
        document.querySelector('main')?.before(banner);
      }, height);
      await buy.scrollIntoViewIfNeeded();
      const hit = await buy.evaluate((button) => {
        const { x, y, width, height } = button.getBoundingClientRect();
        return button.contains(document.elementFromPoint(x + width / 2, y + height / 2));
      });
      expect([height, hit]).toEqual([height, true]);
    }
  });

  test('the keyboard of a phone covers neither the field that is typed in nor the confirming button', async ({
    context,
    page,
  }) => {
    await context.addCookies([languageCookie('en', product.url)]);
    // No engine shows one here: the part of the page in sight is made as small as one leaves it.
    await page.addInitScript(() => {
      const height = () => innerHeight - Number(document.documentElement.dataset['keyboard'] ?? 0);
      Object.defineProperty(visualViewport, 'height', { get: height });
    });
    const showKeyboard = (height: number) =>
      page.evaluate((px) => {
        document.documentElement.dataset['keyboard'] = `${px}`;
        visualViewport?.dispatchEvent(new Event('resize'));
      }, height);
    await openDemo(page, product, '/trade');
    await page.getByRole('button', { name: /^Buy/ }).tap();
    const sheet = page.getByRole('dialog');
    const lots = sheet.getByRole('textbox', { name: 'Lots' });
    const confirm = sheet.getByRole('button', { name: /^Buy \d/ });
    await expect(confirm).toBeInViewport();
    await hasComeIn(page);
    await lots.focus();
    const middle = (field: Locator) =>
      field.evaluate((element) => {
        const { left, right, top, bottom } = element.getBoundingClientRect();
        const isAbove = bottom <= (visualViewport?.height ?? 0);
        return (
          isAbove &&
          element.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2))
        );
      });
    const height = async () => (await confirm.boundingBox())?.y;
    const without = await height();
    await showKeyboard(300);
    for (const each of [lots, confirm]) await expect.poll(() => middle(each)).toBe(true);
    // Little is left: the whole sheet scrolls to the field.
    await showKeyboard(420);
    await expect.poll(() => middle(lots)).toBe(true);
    await showKeyboard(0);
    await expect.poll(height).toBe(without);
  });

  test('a toast covers nothing that can be read or used, on any screen @always', async ({
    context,
    page,
  }) => {
    const person = await register(product);
    await context.addCookies([languageCookie('en', product.url)]);
    // A toast stays.
    await page.addInitScript(() => {
      const start = window.setTimeout.bind(window);
      const withoutToasts = (run: () => void, delay?: number) =>
        delay === 4000 ? 0 : start(run, delay);
      Object.assign(window, { setTimeout: withoutToasts });
    });
    await logIn(page, product, person, '/mine/password');
    for (const [label, password] of [
      ['Old password', person.password],
      ['New password', 'another long password'],
      ['Repeat password', 'another long password'],
    ] as const) {
      await page.getByLabel(label, { exact: true }).fill(password);
    }
    await page.getByRole('button', { name: 'Send code' }).tap();
    const toast = page.locator('[role$="dialog"]').filter({ hasText: /code is on its way/i });
    await expect(toast).toBeVisible();
    const found: Record<string, string[]> = {};
    const look = async (where: string) => {
      for (const [width, height] of [
        [360, 740],
        [740, 360],
        [1440, 900],
      ] as const) {
        await page.setViewportSize({ width, height });
        const under = await underToast(page);
        if (under.length > 0) found[`${where}, ${width} px`] = under;
      }
    };
    for (const path of [...SCREENS, '/workspace']) {
      await show(page, path);
      await look(path);
    }
    await page.setViewportSize({ width: 360, height: 740 });
    await show(page, '/trade');
    await page.getByRole('button', { name: /^Buy/ }).click();
    await expect(page.locator('[data-side="bottom"]')).toBeVisible();
    await look('order form');
    await page.setViewportSize({ width: 740, height: 360 });
    await look('order form');
    expect(found).toEqual({});
  });
});
