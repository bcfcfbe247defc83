import { expect, type Page } from '@playwright/test';
import type { Language } from '#domain/language';
import { DESKTOP, languageCookie, PHONE, test } from './browser';
import { cutOff, violations } from './looks';
import { logIn, register } from './people';
import { Product } from './product';

/** Screens of this part; the user is a real one. */
const SCREENS = [
  '/login',
  '/register',
  '/forgot',
  '/user',
  '/mine/auth',
  '/mine/invite',
  '/mine/email',
  '/mine/announcement',
  '/mine/password',
  '/mine/chat',
  '/mine/system',
];

let product: Product;
test.beforeAll(async () => {
  product = await Product.start('--no-auto-review', '--show-mobile', '1');
});
test.afterAll(() => product.stop());

async function enter(page: Page): Promise<void> {
  await page.context().addCookies([languageCookie('en', product.url)]);
  await logIn(page, product, await register(product));
}

/** Looks at every screen in a language; returns what was found, by screen. */
async function lookAt(
  page: Page,
  language: Language,
  look: (page: Page) => Promise<string[]>,
): Promise<Record<string, string[]>> {
  await page.context().addCookies([languageCookie(language, product.url)]);
  // Another query loads the page anew, which reads the cookie.
  await page.goto(`${product.url}/?${language}#/about`);
  const found: Record<string, string[]> = {};
  for (const path of SCREENS) {
    await page.evaluate((to) => {
      location.hash = to;
    }, path);
    // Its own title stands on it, and nothing is on its way any more.
    await page.waitForFunction(() => {
      const title = [...document.querySelectorAll('main h1')].at(-1)?.textContent;
      const loading = document.querySelector('main [role="status"][aria-label]');
      return title && document.title.startsWith(`${title} · `) && !loading;
    });
    const problems = await look(page);
    if (problems.length > 0) found[path] = problems;
  }
  return found;
}

for (const [size, scheme, language] of [
  [PHONE, 'light', 'en'],
  [PHONE, 'dark', 'ar'],
  [DESKTOP, 'dark', 'en'],
] as const) {
  test.describe(() => {
    test.use(size);
    test(`accessible at ${size.viewport?.width} px, ${scheme}, ${language}`, async ({ page }) => {
      await page.emulateMedia({ colorScheme: scheme });
      await enter(page);
      expect(await lookAt(page, language, violations)).toEqual({});
    });
  });
}

test.describe('nothing is cut off at 360 px', () => {
  test.use(PHONE);
  test('de, ru, th, hi, ar', async ({ page }) => {
    await enter(page);
    for (const language of ['de', 'ru', 'th', 'hi', 'ar'] as const) {
      expect(await lookAt(page, language, cutOff), language).toEqual({});
    }
  });
});
