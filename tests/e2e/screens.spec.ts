import { expect, type Page } from '@playwright/test';
import type { Language } from '#domain/core/language';
import { DESKTOP, languageCookie, PHONE, test } from './helpers/browser';
import type { Product } from './helpers/product';

let product: Product;
test.beforeAll(async ({ shareProduct }) => {
  product = await shareProduct();
});

async function open(page: Page, path: string, language: Language): Promise<void> {
  await page.context().addCookies([languageCookie(language, product.url)]);
  await page.goto(`${product.url}/#${path}`);
}

test('the language, the direction and the title follow the choice', async ({ page }) => {
  await open(page, '/language', 'en');
  await page.getByRole('button', { name: 'العربية' }).click();
  await expect(page).toHaveURL(/#\/$/);
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
  await expect(page.locator('html')).toHaveAttribute('lang', 'ar');
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
});

test.describe('on a phone', () => {
  test.use(PHONE);

  test('a first visit has live prices before the list has come @always', async ({ page }) => {
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/v1/api/forex/trade_list*', async (route) => {
      await answered;
      await route.continue();
    });
    await open(page, '/', 'en');
    // Open markets come first, and are stale until a price has come.
    const rows = page.getByRole('rowgroup').getByRole('row');
    await expect(rows.first()).toHaveAttribute('data-stale', 'false');
    const before = await rows.count();
    const heard = page.waitForResponse('**/v1/api/forex/trade_list*');
    answer();
    await heard;
    await expect(rows.first()).toHaveAttribute('data-stale', 'false');
    await expect.poll(() => rows.count()).toBeGreaterThanOrEqual(before);
  });
});

const SCREENS = {
  phone: PHONE,
  desktop: DESKTOP,
  'desktop with a touch screen': { ...DESKTOP, hasTouch: true },
};

for (const [screen, options] of Object.entries(SCREENS)) {
  test.describe(`on a ${screen}`, () => {
    test.use(options);

    test('the app has its rows where the page has painted them @always', async ({ page }) => {
      let load = () => {};
      const loading = new Promise<void>((resolve) => {
        load = resolve;
      });
      await page.route(/\/assets\/mount-/, async (route) => {
        await loading;
        await route.continue();
      });
      await open(page, '/', 'en');
      // Which is the first depends on the markets that are open.
      const row = page
        .getByRole('row')
        .filter({ hasText: /\d\.\d/ })
        .first();
      const painted = await row.boundingBox();
      expect(painted).not.toBeNull();
      const table = page.getByRole(screen === 'phone' ? 'table' : 'grid', { name: 'Market' });
      await expect(table).toHaveCount(0);
      load();
      await expect(table).toBeVisible();
      await expect.poll(async () => (await row.boundingBox())?.y).toBe(painted?.y);
    });
  });
}

test('an unknown path leads to / @always', async ({ page }) => {
  await open(page, '/', 'en');
  await page.goto(`${product.url}/#/nowhere`);
  await expect(page).toHaveURL(/#\/$/);
});

test('a path in other case or with extra slashes leads to its screen', async ({ page }) => {
  await open(page, '/', 'en');
  for (const path of ['/trade/', '/Trade', '//trade//']) {
    await page.goto(`${product.url}/#${path}`);
    await expect(page).toHaveURL(/#\/trade\?code=[A-Z0-9]+$/);
    await expect(page.getByRole('navigation', { name: 'Main sections' })).toBeVisible();
    await expect(page.getByRole('button', { name: /^Buy/ })).toBeVisible();
  }
  await page.goto(`${product.url}/#//`);
  await expect(page).toHaveURL(/#\/$/);
  await page.goto(`${product.url}/#/News/Detail/?id=1`);
  await expect(page).toHaveURL(/#\/news\/detail\?id=1$/);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
});

test('a long name in the list leaves its code in sight', async ({ page }) => {
  await open(page, '/', 'en');
  await page.getByRole('radio', { name: 'Stocks' }).check();
  const row = page.getByRole('row').filter({ hasText: 'Valmont & Brandt Bank' });
  const code = row.getByText('VALB');
  for (const [width, height] of [
    [320, 740],
    [360, 740],
    [1440, 900],
  ] as const) {
    await page.setViewportSize({ width, height });
    // What clips it is not above it, and the name ends where it begins.
    const inSight = async () => {
      const [name, own, whole] = await Promise.all([
        row.getByRole('button', { name: 'Valmont & Brandt Bank', exact: true }).boundingBox(),
        code.boundingBox(),
        row.boundingBox(),
      ]);
      if (!name || !own || !whole) return false;
      return own.y >= name.y + name.height - 1 && own.y + own.height <= whole.y + whole.height;
    };
    await expect.poll(inSight).toBe(true);
  }
});
