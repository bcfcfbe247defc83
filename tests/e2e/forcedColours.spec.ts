import { expect, type Locator } from '@playwright/test';
import { chromiumOnly } from './engines/engine';
import { DESKTOP, languageCookie, test } from './helpers/browser';

test.use(DESKTOP);

/** What is seen of an element itself, beside its text. */
const painted = (of: Locator) =>
  of.first().evaluate((element) => {
    const { backgroundColor, borderWidth, outlineStyle } = getComputedStyle(element);
    const canvas = getComputedStyle(document.documentElement).backgroundColor;
    const isPlain = backgroundColor === canvas || backgroundColor.endsWith(', 0)');
    return [isPlain ? 'canvas' : backgroundColor, borderWidth, outlineStyle].join();
  });

test('with forced colours, what is chosen, pressed or focused can be told apart', async ({
  page,
  shareProduct,
}) => {
  chromiumOnly('it forces colours');
  const product = await shareProduct();
  await page.context().addCookies([languageCookie('en', product.url)]);
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto(`${product.url}/#/trade?code=BTCUSD`);
  const chosen = (inside: string) =>
    page.locator(`label:has(input:checked) > [class*="${inside}"]`);
  const other = (inside: string) =>
    page.locator(`label:has(input:not(:checked)) > [class*="${inside}"]`);
  const differ = async (one: Locator, another: Locator) =>
    expect.soft(await painted(one)).not.toBe(await painted(another));

  await differ(chosen('pill'), other('pill'));
  await differ(page.locator('label[data-side=buy]'), page.locator('label[data-side=sell]'));
  expect.soft(await painted(chosen('mark'))).not.toContain('canvas');

  const sash = page.getByRole('separator');
  const still = await painted(sash);
  await sash.first().focus();
  await page.keyboard.press('ArrowRight');
  expect.soft(await painted(sash)).not.toBe(still);

  const draw = page.getByRole('button', { name: 'Draw', exact: true });
  const unpressed = await painted(draw);
  await draw.click();
  await expect(draw).toHaveAttribute('aria-pressed', 'true');
  expect.soft(await painted(draw)).not.toBe(unpressed);
  await page.getByRole('button', { name: 'Horizontal line' }).click();
  await page
    .getByRole('application')
    .first()
    .click({ position: { x: 200, y: 150 } });
  await page.getByRole('button', { name: 'Style' }).click();
  const swatches = page.getByRole('dialog').locator('[data-colour]');
  await expect(swatches.last()).toBeVisible();
  const colours = await swatches.evaluateAll((all) =>
    all.map((swatch) => getComputedStyle(swatch).backgroundColor),
  );
  expect(new Set(colours).size).toBeGreaterThan(4);
});
