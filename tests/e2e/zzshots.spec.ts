import { expect } from '@playwright/test';
import { languageCookie, test } from './helpers/browser';

const SIZES = [
  { name: 'phone', width: 360, height: 740 },
  { name: 'desk', width: 1440, height: 900 },
];
for (const size of SIZES)
  for (const scheme of ['light', 'dark'] as const)
    test(`shots ${size.name} ${scheme}`, async ({ browser, shareProduct }) => {
      const product = await shareProduct();
      const lang = size.name === 'phone' && scheme === 'dark' ? 'ar' : 'en';
      const context = await browser.newContext({
        viewport: { width: size.width, height: size.height },
        colorScheme: scheme,
        hasTouch: size.name === 'phone',
        isMobile: size.name === 'phone',
      });
      await context.addCookies([languageCookie(lang, product.url)]);
      const page = await context.newPage();
      const shot = (name: string) =>
        page.screenshot({ path: `/tmp/h/practice-shots/${size.name}-${scheme}-${name}.png` });
      await page.goto(`${product.url}/#/trade?code=BTCUSD`);
      await expect(page.locator('main')).toBeVisible();
      await page.goto(`${product.url}/#/practice`);
      await expect(page.locator('form button[type=submit]')).toBeEnabled();
      await shot('1start');
      await page.locator('form button[type=submit]').click();
      await expect(page.getByText(/1 \/ 1.?440|١/)).toBeVisible();
      const controls = page.locator('section fieldset > button');
      await controls.first().click();
      await controls.first().click();
      await expect(page.locator('canvas').first()).toBeVisible();
      await page.waitForTimeout(800);
      await shot('2session');
      const bar = page.locator('main section > div').last().locator('button');
      await bar.first().click();
      await page.waitForTimeout(1200);
      await shot('3form');
      const dialog = page.getByRole('dialog');
      await dialog.locator('button').last().click();
      await page.waitForTimeout(900);
      await shot('4confirm');
      await dialog.locator('button').last().click();
      await page.waitForTimeout(900);
      await controls.first().click();
      await page.waitForTimeout(500);
      await shot('5position');
      await page.locator('main section ul button').first().click();
      await page.waitForTimeout(1000);
      await shot('6order');
      await page.keyboard.press('Escape');
      await page.waitForTimeout(500);
      await page.locator('main header button').last().click();
      await page.waitForTimeout(800);
      await page.getByRole('dialog').locator('button').last().click();
      await page.waitForTimeout(800);
      await shot('7result');
      await context.close();
    });
