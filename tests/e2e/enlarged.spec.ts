import { expect, type Page } from '@playwright/test';
import { LANGUAGES, type Language } from '#domain/core/language';
import { recordedCodes, recordedTicks } from '../helpers/recordedDay';
import { commit, largeCountInPieces, sampled, samples } from '../helpers/samples';
import { languageCookie, PHONE, test } from './helpers/browser';
import { faults, laidOut } from './helpers/looks';
import { fillLists } from './helpers/money';
import { logIn, type Person, register } from './helpers/people';
import type { Product } from './helpers/product';
import { eachSheet, SCREENS, show, speak } from './helpers/screens';

/** Windows that a trader meets, and the two ways in which all of their content is enlarged. */
const WINDOWS = [
  { width: 360, height: 740 },
  { width: 320, height: 568 },
  { width: 740, height: 360 },
  { width: 1024, height: 768 },
  { width: 1440, height: 900 },
];
const ENLARGED = [
  { how: 'text 200 %', text: 2, zoom: 1 },
  { how: 'zoom 200 %', text: 1, zoom: 2 },
];
const VIEWS = WINDOWS.flatMap(({ width, height }) =>
  ENLARGED.map(({ how, text, zoom }) => ({
    name: `${width}×${height} ${how}`,
    size: { width: width / zoom, height: height / zoom },
    text,
  })),
);

let product: Product;
let person: Person;
test.beforeAll(async ({ shareProduct }) => {
  product = await shareProduct('--no-auto-review', '--no-draw-verify', '--show-mobile', '1');
  person = await register(product);
  await fillLists(product, person);
});

test.describe('on a phone', () => {
  test.use({ ...PHONE, deviceScaleFactor: 1 });

  test('every screen fits at twice the text size, in every language, in portrait and landscape @always', async ({
    page,
  }) => {
    test.setTimeout(samples(600_000, 24 * 3_600_000));
    await page.context().addCookies([languageCookie('en', product.url)]);
    await logIn(page, product, person);

    // A round visits each screen in one language, and each language for as many screens; all
    // rounds visit each screen in each language. Sheets take turns as languages do. `npm test` runs one round with a few of
    // the languages, half of the screens, and one view for each of these: twenty commits in a row see each screen in each
    // view. looks.spec.ts sees each screen in each language.
    const perScreen = samples(1, VIEWS.length);
    const languages = samples(4, LANGUAGES.length);
    const viewsOf = (nth: number) =>
      VIEWS.filter((_, view) => perScreen > 1 || view === (nth + (commit >> 1)) % VIEWS.length);
    const round = SCREENS.length * perScreen;
    await largeCountInPieces(
      'screens at twice the size',
      round * samples(1, LANGUAGES.length),
      round,
      async ({ from }) => {
        const found: Found = {};
        let sheets = 0;
        for (let turn = 0; turn < languages; turn++) {
          const apart = Math.floor(LANGUAGES.length / languages);
          const language = LANGUAGES[(turn * apart + commit) % LANGUAGES.length] as Language;
          const index = turn + from / round;
          await speak(page, language);
          for (const [nth, path] of SCREENS.entries()) {
            if ((nth + index) % languages > 0 || !sampled(nth >> 2, 2)) continue;
            await show(page, path);
            await look(page, `${language} ${path}`, found, viewsOf(nth));
          }
          if (index % languages > 0 || !sampled(from / round, 3)) continue;
          await eachSheet(page, async (name) => {
            await look(page, `${language} ${name}`, found, viewsOf(sheets));
            sheets += perScreen;
          });
        }
        expect(found).toEqual({});
        return sheets;
      },
      (sheets) => `nothing cut off, covered or out of reach; sheets ${sum(sheets)}`,
    );
  });

  test('a practice session fits, at twice the text size too, with buy and sell in sight where it is held sideways', async ({
    page,
  }) => {
    await page.context().addCookies([languageCookie('en', product.url)]);
    await page.goto(`${product.url}/#/trade?code=BTCUSD`);
    await page.getByRole('button', { name: 'Chart settings' }).click();
    await page.getByRole('button', { name: 'Practice' }).click();
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await expect(page.getByText('1 / 1,440')).toBeVisible();
    const found: Found = {};
    const asUsual = WINDOWS.map((size) => ({
      name: `${size.width}×${size.height}`,
      size,
      text: 1,
    }));
    await look(page, 'practice', found, [...VIEWS, ...asUsual]);
    expect(found).toEqual({});
    await page.setViewportSize({ width: 740, height: 360 });
    for (const name of ['Buy', 'Sell', 'Play'])
      await expect(page.getByRole('button', { name, exact: true })).toBeInViewport({ ratio: 1 });
  });

  test('the safe area at the bottom is kept, held sideways too', async ({ page, shareProduct }) => {
    const { url } = await shareProduct('--service-link', 'https://help.example/chat');
    await page.context().addCookies([languageCookie('en', url)]);
    await page.goto(`${url}/#/about`);
    await page.evaluate(() => document.documentElement.style.setProperty('--safe-bottom', '34px'));
    /** How far above the bottom of the window the last such element ends. */
    const above = (selector: string) =>
      page.evaluate((selected) => {
        const all = document.querySelectorAll(selected);
        return innerHeight - (all[all.length - 1]?.getBoundingClientRect().bottom ?? innerHeight);
      }, selector);
    await show(page, '/mine/chat');
    await expect.poll(() => above('main iframe')).toBe(34);
    await show(page, '/practice');
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByRole('button', { name: 'Sell', exact: true }).waitFor();
    expect(await above('main button')).toBe(34 + 8);
    await page.setViewportSize({ width: 740, height: 360 });
    await expect.poll(() => above('main button')).toBe(34 + 8);
    for (const path of ['/', '/trade', '/mine/chat']) {
      await show(page, path);
      await expect.poll(() => above('main'), path).toBeGreaterThanOrEqual(34);
    }
  });

  test('the list of a visitor fits at twice the text size, also where all markets are closed @always', async ({
    page,
    startProduct,
  }) => {
    test.setTimeout(samples(180_000, 600_000));
    // A replay closes at the end of its file, on each day of the week.
    const closed = await startProduct('--replay', recordedTicks, '--speed', 'max');
    await page.context().addCookies([languageCookie('en', closed.url)]);
    await page.goto(closed.url);
    const found: Found = {};
    for (const [nth, language] of LANGUAGES.entries()) {
      if (!sampled(nth, 6)) continue;
      await speak(page, language);
      const rows = page.getByRole('row').and(page.locator('[data-direction="closed"]'));
      await expect(rows).toHaveCount(recordedCodes.length);
      await look(page, language, found, VIEWS);
    }
    expect(found).toEqual({});
  });
});

async function look(page: Page, where: string, found: Found, views: typeof VIEWS): Promise<void> {
  for (const { name, size, text } of views) {
    await page.setViewportSize(size);
    await page.evaluate((scale) => {
      document.documentElement.style.fontSize = `${scale * 100}%`;
    }, text);
    await laidOut(page);
    const wrong = await faults(page);
    if (wrong.length > 0) found[`${where}, ${name}`] = wrong;
  }
  await page.evaluate(() => document.documentElement.style.removeProperty('font-size'));
  await page.setViewportSize({ width: 360, height: 740 });
}

type Found = Record<string, string[]>;

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, next) => total + next, 0);
}
