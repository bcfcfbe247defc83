import { DESKTOP, languageCookie, PHONE, test } from './helpers/browser';
import { CODE, choosePeriod } from './helpers/chart';
import { openDemo } from './helpers/people';

for (const [size, options, viewport] of [
  ['phone', PHONE, { width: 360, height: 740 }],
  ['desk', DESKTOP, { width: 1440, height: 900 }],
] as const) {
  for (const [scheme, lang] of [
    ['light', 'en'],
    ['dark', 'en'],
    ['light', 'ar'],
  ] as const) {
    test.describe(`${size} ${scheme} ${lang}`, () => {
      test.use({ ...options, viewport, colorScheme: scheme });
      test(`shots ${size} ${scheme} ${lang}`, async ({ page, shareProduct }) => {
        const { url } = await shareProduct();
        const at = (name: string) => `/tmp/h/cond-tmp/shot-${size}-${scheme}-${lang}-${name}.png`;
        await page.context().addCookies([languageCookie('en', url)]);
        await openDemo(page, { url }, `/trade?code=${CODE}`);
        await page.context().addCookies([languageCookie(lang as never, url)]);
        await page.goto(`${url}/?inspect#/trade?code=${CODE}`);
        await page.evaluate((l) => localStorage.setItem('fulcrum.language', JSON.stringify(l)), lang);
        await page.reload();
        const set = async (fill: () => Promise<void>, name: string) => {
          await page.getByRole('button', { name: /Bitcoin/ }).filter({ has: page.locator('svg.lucide-bell') }).first().click();
          const sheet = page.getByRole('dialog');
          await sheet.locator('[name=kind]').waitFor();
          await fill();
          await page.waitForTimeout(600);
          await page.screenshot({ path: at(name) });
          await sheet.locator('button[type=submit]').click();
          await sheet.waitFor({ state: 'hidden' });
        };
        const kind = (value: string) => page.locator('[name=kind]').selectOption(value);
        await set(() => kind('1').then(() => {}), 'indicator');
        await set(() => kind('3').then(() => {}), 'percent');
        await set(() => kind('4').then(() => {}), 'margin');
        await set(async () => {
          const field = page.locator('[name=price]');
          const text = await field.inputValue();
          await field.fill(text.replace(/^(\d)(\d)/, (_, a, b) => `${a}${(Number(b) + 1) % 10}`));
        }, 'price');
        await page.waitForTimeout(1000);
        await page.screenshot({ path: at('chart') });
        await page.goto(`${url}/#/alerts`);
        await page.waitForTimeout(1500);
        await page.screenshot({ path: at('list') });
      });
    });
  }
}
test.describe('visitor', () => {
  test.use({ ...PHONE, viewport: { width: 360, height: 740 } });
  test('shots visitor', async ({ page, shareProduct }) => {
    const { url } = await shareProduct();
    await page.context().addCookies([languageCookie('en', url)]);
    await page.goto(`${url}/#/trade?code=${CODE}`);
    await page.getByRole('button', { name: 'New price alert: Bitcoin' }).click();
    await page.waitForTimeout(1500);
    await page.screenshot({ path: '/tmp/h/cond-tmp/shot-visitor.png' });
  });
});
