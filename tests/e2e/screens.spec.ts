import { expect, type Page } from '@playwright/test';
import { LANGUAGES, type Language } from '#domain/language';
import { DESKTOP, languageCookie, PHONE, test } from './browser';
import { cutOff, violations } from './looks';
import { Product } from './product';

/** Every public screen, and what stands on it once it is ready. */
const SCREENS: Record<string, (page: Page) => Promise<void>> = {
  '/': (page) => expect(page.getByRole('row').nth(3)).toBeVisible(),
  '/trade': (page) => expect(page.locator('canvas').first()).toBeVisible(),
  '/product': (page) => expect(page.getByRole('searchbox')).toBeVisible(),
  '/language': (page) => expect(page.getByText('Tiếng Việt')).toBeVisible(),
  '/about': (page) => expect(page.getByRole('heading', { level: 1 })).toBeVisible(),
};

let product: Product;
test.beforeAll(async () => {
  product = await Product.start();
});
test.afterAll(() => product.stop());

async function open(page: Page, path: string, language: Language): Promise<void> {
  await page.context().addCookies([languageCookie(language, product.url)]);
  await page.goto(`${product.url}/#${path}`);
  await SCREENS[path]?.(page);
}

for (const [name, size] of Object.entries({ phone: PHONE, desktop: DESKTOP })) {
  test.describe(`accessible on a ${name}`, () => {
    test.use(size);
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const language of ['en', 'ar'] as const) {
        test(`${colorScheme}, ${language}`, async ({ page }) => {
          await page.emulateMedia({ colorScheme });
          const found: Record<string, string[]> = {};
          for (const path of Object.keys(SCREENS)) {
            await open(page, path, language);
            const broken = await violations(page);
            if (broken.length > 0) found[path] = broken;
          }
          expect(found).toEqual({});
        });
      }
    }
  });
}

test.describe('nothing is cut off at 360 px', () => {
  test.use(PHONE);
  for (const language of LANGUAGES) {
    test(language, async ({ page }) => {
      const found: Record<string, string[]> = {};
      for (const path of Object.keys(SCREENS)) {
        await open(page, path, language);
        const cut = await cutOff(page);
        if (cut.length > 0) found[path] = cut;
      }
      expect(found).toEqual({});
    });
  }
});

test('the language, the direction and the title follow the choice', async ({ page }) => {
  await open(page, '/language', 'en');
  await page.getByRole('button', { name: 'العربية' }).click();
  await expect(page).toHaveURL(/#\/$/);
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
  await expect(page.locator('html')).toHaveAttribute('lang', 'ar');
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
});

test('an unknown path leads home', async ({ page }) => {
  await open(page, '/', 'en');
  await page.goto(`${product.url}/#/nowhere`);
  await expect(page).toHaveURL(/#\/$/);
});
