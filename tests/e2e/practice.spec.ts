import { expect, type Page, type Request } from '@playwright/test';
// For the declaration of the global.
import type {} from '../../src/features/trading/chart/exposeToTests';
import { atRest, DESKTOP, languageCookie, PHONE, test } from './helpers/browser';
import { kept } from './helpers/people';
import type { Product } from './helpers/product';

const BADGE = 'Practice: virtual money, no real orders';

let product: Product;
test.beforeEach(async ({ context, shareProduct }) => {
  product = await shareProduct();
  await context.addCookies([languageCookie('en', product.url)]);
});

/** Opens the trade screen of an instrument that never closes, and from its settings a session of a day. */
async function begin(page: Page): Promise<void> {
  await page.goto(`${product.url}/?inspect#/trade?code=BTCUSD`);
  await page.getByRole('button', { name: 'Chart settings' }).click();
  await page.getByRole('button', { name: 'Practice' }).click();
  await expect(page).toHaveURL(/#\/practice$/);
  await expect(
    page.getByRole('button', { name: 'Bitcoin: choose another instrument' }),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(page.getByText(BADGE)).toBeVisible();
  await expect(page.getByText('1 / 1,440')).toBeVisible();
}

const position = (page: Page) => page.getByRole('list', { name: 'Orders' }).getByRole('button');

/** The quarters of bars that were played, as they are stored. */
const playedOf = async (page: Page) =>
  ((await kept(page, 'practice log')) as { played: number }).played;

/** The times of the bars that the chart has. */
async function times(page: Page): Promise<number[]> {
  await expect
    .poll(() => page.evaluate(() => window.fulcrumChart?.bars().length ?? 0))
    .toBeGreaterThan(100);
  return page.evaluate(() => window.fulcrumChart?.bars().map(({ time }) => time) ?? []);
}

test.describe('on a phone', () => {
  test.use(PHONE);

  test('a visitor replays a past day, trades it, closes the app and goes on', async ({ page }) => {
    const changing: string[] = [];
    page.on('request', (request: Request) => {
      if (/submit|close|cancel|set_stop|demo/i.test(new URL(request.url()).pathname))
        changing.push(request.url());
    });
    await begin(page);
    const before = (await times(page)).at(-1) ?? 0;
    await page.getByRole('button', { name: 'Next bar' }).tap();
    await page.getByRole('button', { name: 'Next bar' }).tap();
    await expect(page.getByText('2 / 1,440')).toBeVisible();
    // Nothing of the day is there before it is played.
    expect((await times(page)).at(-1)).toBe(before + 60);

    await page.getByRole('button', { name: 'Buy', exact: true }).tap();
    const form = page.getByRole('dialog', { name: 'Practice' });
    await expect(form.getByText(BADGE)).toBeVisible();
    await form.getByRole('checkbox', { name: 'Stop-loss' }).check();
    await form.getByRole('group', { name: 'Stop-loss' }).getByRole('textbox').fill('1');
    await form.getByRole('button', { name: /^Buy [\d.]+ lots?$/ }).tap();
    await form.getByRole('button', { name: 'Confirm' }).tap();
    await expect(form).toBeHidden();
    await expect(position(page)).toContainText('Buy');
    await expect(position(page)).toContainText('SL');

    await page.getByRole('button', { name: 'Play' }).tap();
    await expect(page.getByText(/^([5-9]|\d\d) \/ 1,440$/)).toBeVisible();
    await page.getByRole('button', { name: 'Pause' }).tap();
    // The worker has heard of it: nothing moves any more.
    await expect(page.getByRole('button', { name: 'Play' })).toBeVisible();
    const clock = page.getByText(/ \/ 1,440$/);
    const left = (await clock.textContent()) ?? '';
    const terms = (await position(page).textContent()) ?? '';
    const stored = async () => Math.ceil((await atRest(() => playedOf(page))) / 4);
    await expect.poll(stored).toBe(Number.parseInt(left, 10));

    // The app is closed and opened again.
    await page.goto('about:blank');
    await page.goto(`${product.url}/?inspect#/practice`);
    await expect(clock).toHaveText(left);
    await expect(position(page)).toHaveText(terms);

    await position(page).tap();
    await page.getByRole('button', { name: 'Close order' }).tap();
    await expect(position(page)).toHaveCount(0);
    await page.getByRole('button', { name: 'End session' }).tap();
    const ask = page.getByRole('dialog', { name: 'End session' });
    await ask.getByRole('button', { name: 'End session' }).tap();
    const result = page.getByRole('region', { name: 'Session result' });
    await expect(result.getByText(/^[+−-][\d,.]+ USD$/).first()).toBeVisible();
    await expect(page.getByRole('button', { name: 'Buy', exact: true })).toHaveCount(0);
    await result.getByRole('button', { name: 'New session' }).tap();
    await expect(page.getByRole('button', { name: 'Start', exact: true })).toBeVisible();
    expect(changing).toEqual([]);
  });
});

test.describe('on a desktop', () => {
  test.use(DESKTOP);

  test('a session goes on without a network', async ({ page, context }) => {
    await begin(page);
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Next bar' }).click();
    await page.getByRole('button', { name: 'Next bar' }).click();
    await page.getByRole('button', { name: 'Sell', exact: true }).click();
    const form = page.getByRole('dialog', { name: 'Practice' });
    await form.getByRole('button', { name: /^Sell [\d.]+ lots?$/ }).click();
    await form.getByRole('button', { name: 'Confirm' }).click();
    await expect(position(page)).toContainText('Sell');
    await position(page).click();
    await page.getByRole('checkbox', { name: 'Take-profit' }).check();
    await page.getByRole('group', { name: 'Take-profit' }).getByRole('textbox').fill('1');
    await page.getByRole('button', { name: 'Save SL/TP' }).click();
    await expect(position(page)).toContainText('TP');
    await context.setOffline(false);
  });

  test('a pending order is amended, in its sheet and by its line', async ({ page }) => {
    await begin(page);
    await page.getByRole('button', { name: 'Buy', exact: true }).click();
    const form = page.getByRole('dialog', { name: 'Practice' });
    await form.getByRole('radio', { name: 'Pending', exact: true }).check();
    const bar = await page.evaluate(() => globalThis.fulcrumChart?.bars().at(-1)?.close ?? 0);
    const target = (share: number) => String(Math.round(bar * share));
    await form.getByRole('textbox', { name: /^(Limit|Stop) price$/ }).fill(target(0.97));
    await form.getByRole('textbox', { name: 'Lots' }).fill('0.01');
    await form.getByRole('button', { name: 'Buy 0.01 lots' }).click();
    await form.getByRole('button', { name: 'Confirm' }).click();
    await expect(position(page)).toContainText('Buy limit');
    await position(page).click();
    const sheet = page.getByRole('dialog');
    await sheet.getByRole('textbox', { name: 'Limit price' }).fill(target(0.98));
    await sheet.getByRole('textbox', { name: 'Lots' }).fill('0.02');
    await sheet.getByRole('combobox', { name: 'Expires' }).selectOption('Today');
    await sheet.getByRole('button', { name: 'Save changes' }).click();
    await expect(sheet).toBeHidden();
    await expect(position(page)).toContainText('0.02 lots');
    await expect(position(page)).toContainText('until');
    const lines = () => page.evaluate(() => globalThis.fulcrumChart?.linePrices() ?? []);
    await expect.poll(lines).toContain(Number(target(0.98)));
  });

  test('its chart has indicators and drawings of its own, and shows nothing that is to come', async ({
    page,
  }) => {
    await begin(page);
    await page.getByRole('button', { name: 'Indicators', exact: true }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Moving average/ })
      .first()
      .click();
    await page.keyboard.press('Escape');
    await expect(page.locator('figure [data-indicator]').first()).toContainText(/\d/);
    await page.getByRole('button', { name: 'Next bar' }).click();
    await page.getByRole('button', { name: 'Draw', exact: true }).click();
    await page.getByRole('button', { name: 'Horizontal line' }).click();
    const chart = page.getByRole('application').first();
    await chart.click({ position: { x: 200, y: 150 } });
    const drawings = page.getByRole('list', { name: 'Drawings' });
    await expect(drawings.getByRole('listitem')).toHaveCount(1);
    await page.reload();
    await expect(drawings.getByRole('listitem')).toHaveCount(1);
    // The drawing is the session's: the chart of the account, and another session, have none.
    await page.goto(`${product.url}/?inspect#/trade?code=BTCUSD`);
    await expect(page.locator('figure [data-indicator]').first()).toBeVisible();
    await expect(drawings.getByRole('listitem')).toHaveCount(0);
  });

  test('is played in one tab, and goes on in another one', async ({ page, context }) => {
    await begin(page);
    await page.getByRole('button', { name: 'Next bar' }).click();
    await page.getByRole('button', { name: 'Next bar' }).click();
    await expect(page.getByText('2 / 1,440')).toBeVisible();
    const other = await context.newPage();
    await other.goto(`${product.url}/#/practice`);
    await expect(other.getByText('Practice is open in another tab')).toBeVisible();
    await other.getByRole('button', { name: 'Play here' }).click();
    await expect(other.getByText('2 / 1,440')).toBeVisible();
    await other.getByRole('button', { name: 'Next bar' }).click();
    await expect(other.getByText('3 / 1,440')).toBeVisible();
    await expect(page.getByText('Practice is open in another tab')).toBeVisible();
    await expect.poll(() => playedOf(other)).toBe(12);
    await other.close();
    await page.getByRole('button', { name: 'Play here' }).click();
    await expect(page.getByText('3 / 1,440')).toBeVisible();
  });
});
