import { expect, type Page } from '@playwright/test';
import { LANGUAGES, type Language } from '#domain/core/language';
import { samples } from '../samples';
import { DESKTOP, languageCookie, PHONE, test } from './browser';
import { cutOff, violations } from './looks';
import { fillLists } from './money';
import { logIn, openDemo, type Person, register } from './people';
import { Product } from './product';
import { eachSheet, SCREENS, show } from './screens';

let product: Product;
let person: Person;
test.beforeAll(async () => {
  product = await Product.start('--no-auto-review', '--no-draw-verify', '--show-mobile', '1');
  person = await register(product);
  await fillLists(product, person);
});
test.afterAll(() => product.stop());

/** Loads the app in a language and keeps the login. */
async function load(page: Page, language: Language): Promise<void> {
  await page.context().addCookies([languageCookie(language, product.url)]);
  // A different query reloads the page, which reads the cookie.
  await page.goto(`${product.url}/?${language}#/about`);
  await page.locator('main h1').waitFor();
}

type Found = Record<string, string[]>;

function note(found: Found, where: string, what: readonly string[]): void {
  if (what.length > 0) found[where] = [...(found[where] ?? []), ...what];
}

for (const size of [PHONE, DESKTOP]) {
  test.describe(() => {
    test.use(size);
    test(`nothing at ${size.viewport?.width} px violates the content security policy`, async ({
      page,
      problems,
    }) => {
      await product.desk(
        ['news', 'A', 'title'],
        '<p>Bold: <b>b</b></p><table><tr><td>1</td></tr></table>',
      );
      await load(page, 'en');
      await logIn(page, product, person);
      for (const path of SCREENS) await show(page, path);
      await eachSheet(page, async () => {});
      // speed.spec.ts runs it, and fails on violations as every test does.
      await show(page, '/bench');
      expect(problems).toEqual([]);

      // The policy is there, and this would have noticed a violation.
      const attempts = await page.evaluate(() =>
        [
          () => new Worker('/assets/x.js'),
          () => Object.assign(document.createElement('div'), { innerHTML: '<b>x</b>' }),
          () => Object.assign(document.createElement('script'), { src: '/assets/x.js' }),
          () => document.createElement('iframe').setAttribute('srcdoc', '<b>x</b>'),
        ].map((attempt) => {
          try {
            attempt();
            return 'allowed';
          } catch {
            return 'refused';
          }
        }),
      );
      expect(attempts).toEqual(Array(4).fill('refused'));
      await expect.poll(() => problems.filter((text) => /policy: /.test(text)).length).toBe(4);
      problems.length = 0;
    });
  });
}

for (const [size, language] of [
  [PHONE, 'en'],
  [PHONE, 'ar'],
  [DESKTOP, 'en'],
] as const) {
  test.describe(() => {
    test.use(size);
    test(`accessible at ${size.viewport?.width} px in ${language}, light and dark`, async ({
      page,
    }) => {
      const found: Found = {};
      const look = async (where: string) => {
        await page.emulateMedia({ colorScheme: 'light' });
        note(found, `${where}, light`, await violations(page));
        // Only colours differ in the dark theme.
        await page.emulateMedia({ colorScheme: 'dark' });
        note(found, `${where}, dark`, await violations(page, ['color-contrast']));
      };
      await page.context().addCookies([languageCookie('en', product.url)]);
      await logIn(page, product, person);
      await load(page, language);
      for (const path of SCREENS) {
        await show(page, path);
        await look(path);
      }
      if (size === PHONE) await eachSheet(page, look);
      expect(found).toEqual({});
    });
  });
}

test.describe('on a phone', () => {
  test.use(PHONE);

  test('screens closed to demo users are accessible', async ({ page }) => {
    await page.context().addCookies([languageCookie('en', product.url)]);
    await openDemo(page, product);
    await show(page, '/mine/charge');
    expect(await violations(page)).toEqual([]);
  });

  test('nothing is cut off at 360 px in any language', async ({ page }) => {
    test.setTimeout(600_000);
    // All screens in all languages take minutes: test a sample.
    const stride = samples(4, 1);
    const found: Found = {};
    await page.context().addCookies([languageCookie('en', product.url)]);
    await logIn(page, product, person);
    for (const [turn, language] of LANGUAGES.entries()) {
      await load(page, language);
      const look = async (where: string) => note(found, `${language} ${where}`, await cutOff(page));
      for (const [index, path] of SCREENS.entries()) {
        if ((index + turn) % stride > 0) continue;
        await show(page, path);
        await look(path);
      }
      if (turn % stride === 0) await eachSheet(page, look);
    }
    expect(found).toEqual({});
  });
});
