import { expect } from '@playwright/test';
import { LANGUAGES } from '#domain/core/language';
import { sampled } from '../helpers/samples';
import { DESKTOP, languageCookie, PHONE, test } from './helpers/browser';
import { cutOff, sameNames, violations } from './helpers/looks';
import { fillLists } from './helpers/money';
import { logIn, openDemo, type Person, register } from './helpers/people';
import type { Product } from './helpers/product';
import { eachSheet, SCREENS, show, speak } from './helpers/screens';

let product: Product;
let person: Person;
test.beforeAll(async ({ shareProduct }) => {
  product = await shareProduct('--no-auto-review', '--no-draw-verify', '--show-mobile', '1');
  person = await register(product);
  await fillLists(product, person);
  await product.admin(
    ['news', 'A', 'title'],
    '<p>Bold: <b>b</b></p><table><tr><td>1</td></tr></table>',
  );
});

type Found = Record<string, string[]>;

function note(found: Found, where: string, what: readonly string[]): void {
  if (what.length > 0) found[where] = [...(found[where] ?? []), ...what];
}

for (const [turn, [size, language]] of (
  [
    [PHONE, 'en'],
    [PHONE, 'ar'],
    [DESKTOP, 'en'],
  ] as const
).entries()) {
  test.describe(() => {
    test.use(size);
    // Every test fails when the content security policy is violated; this one sees all screens.
    // The colours of the dark theme are the same in all languages.
    const inDark = language === 'en';
    const themes = inDark ? ', light and dark' : '';
    test(`accessible at ${size.viewport?.width} px in ${language}${themes} @always`, async ({
      page,
    }) => {
      test.setTimeout(600_000);
      const found: Found = {};
      let looks = 0;
      const look = async (where: string) => {
        await page.emulateMedia({ colorScheme: 'light' });
        note(found, `${where}, light`, await violations(page));
        note(found, where, await sameNames(page));
        // Only colours differ in the dark theme, and few are a screen's own: `npm test` has a third of
        // them in it.
        if (!inDark || !sampled(looks++, 3)) return;
        await page.emulateMedia({ colorScheme: 'dark' });
        note(found, `${where}, dark`, await violations(page, ['color-contrast']));
      };
      await page.context().addCookies([languageCookie('en', product.url)]);
      await logIn(page, product, person);
      await speak(page, language);
      // `npm test` sees a quarter of the screens in the first of these ways, and a tenth of them in each other.
      for (const [index, path] of SCREENS.entries()) {
        if (!sampled(index + turn, turn > 0 ? 10 : 4)) continue;
        await show(page, path);
        await look(path);
      }
      // speed.spec.ts runs it, and fails on violations as every test does.
      await show(page, '/bench');
      // A sheet is the same on a desktop, where only the policy might refuse one.
      if (sampled(turn, 3)) await eachSheet(page, size === PHONE ? look : async () => {});
      expect(found).toEqual({});
    });
  });
}

test('the content security policy refuses scripts and markup, and a violation is noticed @always', async ({
  page,
  problems,
}) => {
  await page.goto(product.url);
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

test.describe('on a phone', () => {
  test.use(PHONE);

  test('screens closed to demo users are accessible @always', async ({ page }) => {
    await page.context().addCookies([languageCookie('en', product.url)]);
    await openDemo(page, product);
    await show(page, '/mine/charge');
    expect(await violations(page)).toEqual([]);
  });

  test('nothing is cut off at 360 px in any language @always', async ({ page }) => {
    test.setTimeout(600_000);
    // All screens in all languages take minutes: twenty commits in a row see them. enlarged.spec.ts, where more may be
    // cut off, has each screen in one language and each language.
    const found: Found = {};
    await page.context().addCookies([languageCookie('en', product.url)]);
    await logIn(page, product, person);
    for (const [turn, language] of LANGUAGES.entries()) {
      if (!sampled(turn, 4)) continue;
      await speak(page, language);
      const look = async (where: string) => note(found, `${language} ${where}`, await cutOff(page));
      for (const [index, path] of SCREENS.entries()) {
        if (!sampled(index + turn, 5)) continue;
        await show(page, path);
        await look(path);
      }
      if (sampled(turn, LANGUAGES.length)) await eachSheet(page, look);
    }
    expect(found).toEqual({});
  });
});
