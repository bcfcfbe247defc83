import { expect, type Page } from '@playwright/test';
import { DESKTOP, languageCookie, PHONE, test, toastText } from './helpers/browser';
import { CODE, choosePeriod, placeOf } from './helpers/chart';
import { line, swipe } from './helpers/finger';
import { openDemo } from './helpers/people';
import { risingMarket } from './helpers/risingMarket';

const form = (page: Page, name: string) =>
  page.getByRole('dialog', { name: `New price alert: ${name}` });
const waiting = (page: Page) => page.getByRole('list', { name: 'Active' }).getByRole('listitem');

test.describe('in a rising market', () => {
  test.use(PHONE);

  test('an alert on an indicator is told at the close of a bar, and listed in words', async ({
    page,
    startProduct,
  }) => {
    const product = await startProduct(
      '--replay',
      risingMarket(),
      '--speed',
      '60',
      '--replay-wait',
    );
    await page.context().addCookies([languageCookie('en', product.url)]);
    await openDemo(page, product, '/trade?code=EURUSD');
    await page.getByRole('button', { name: 'New price alert: EUR/USD' }).click();
    const sheet = form(page, 'EUR/USD');
    const present = Number(await sheet.getByLabel('Price', { exact: true }).inputValue());
    await sheet.getByLabel('Alert on').selectOption('Indicator');
    await sheet.getByRole('combobox', { name: 'Indicator' }).selectOption('SMA 20');
    await sheet.getByLabel('Length', { exact: true }).fill('10');
    await expect(sheet.getByRole('combobox', { name: 'Indicator' })).toContainText('SMA 10');
    await sheet.getByLabel('Period').selectOption('1m');
    await sheet.getByLabel('Crosses').selectOption('A value');
    await sheet.getByLabel('A value').fill('x');
    await sheet.getByRole('button', { name: 'Set alert' }).click();
    await expect(sheet.getByText('This condition can’t be watched')).toBeVisible();
    // The recording begins with the server: its tenth bar is the first with an average, which has to be below. The
    // market comes there in 45 seconds.
    await sheet.getByLabel('A value').fill((present + 0.0024).toFixed(5));
    await sheet.getByLabel('Direction').selectOption('Upwards');
    await sheet.getByRole('button', { name: 'Set alert' }).click();
    await expect(sheet).toBeHidden();

    await page.goto(`${product.url}/#/alerts`);
    await expect(waiting(page)).toContainText('SMA 10');
    await expect(waiting(page)).toContainText('rises above');
    await toastText(page, /EUR\/USD.*SMA 10.*rises above/);
    await expect(waiting(page)).toHaveCount(0);
    await page.getByText('Past', { exact: true }).click();
    await expect(page.getByRole('list', { name: 'Past' })).toContainText('SMA 10');
  });
});

/** The sliders of alerts: their prices. */
const prices = (page: Page) =>
  page
    .getByRole('slider', { name: /^(Rises|Falls) to/ })
    .evaluateAll((all) => all.map((each) => Number(each.getAttribute('aria-valuenow'))));

/** Opens the chart of a user with an alert a little above the price. Returns its price. */
async function withAlert(page: Page, url: string): Promise<number> {
  await page.context().addCookies([languageCookie('en', url)]);
  await openDemo(page, { url }, `/trade?code=${CODE}`);
  await page.goto(`${url}/?inspect#/trade?code=${CODE}`);
  await choosePeriod(page, '1D');
  await page.getByRole('button', { name: 'New price alert: Bitcoin' }).click();
  const sheet = form(page, 'Bitcoin');
  const field = sheet.getByLabel('Price', { exact: true });
  const level = (Number((await field.inputValue()).replaceAll(',', '')) * 1.01).toFixed(2);
  await field.fill(level);
  await sheet.getByRole('button', { name: 'Set alert' }).click();
  await expect(sheet).toBeHidden();
  await expect.poll(() => prices(page)).toEqual([Number(level)]);
  return Number(level);
}

test.describe('by mouse and keys', () => {
  test.use(DESKTOP);

  test('the line of an alert is dragged, and moved by arrow keys; there is always one', async ({
    page,
    shareProduct,
  }) => {
    const { url } = await shareProduct();
    const level = await withAlert(page, url);
    const from = await placeOf(page, level);
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(from.x, from.y - 40, { steps: 5 });
    const replaced = page.waitForResponse(/alert_del/);
    await page.mouse.up();
    await replaced;
    await expect.poll(() => prices(page)).toHaveLength(1);
    expect((await prices(page))[0]).toBeGreaterThan(level);

    const [moved = 0] = await prices(page);
    const slider = page.getByRole('slider', { name: /^Rises to/ });
    await slider.focus();
    for (const key of ['ArrowUp', 'ArrowUp', 'ArrowDown', 'ArrowUp', 'Enter'])
      await page.keyboard.press(key);
    await expect.poll(() => prices(page)).toEqual([Number((moved + 0.02).toFixed(2))]);
  });

  test('a trend line gets an alert from its own bell', async ({ page, shareProduct }) => {
    const { url } = await shareProduct();
    await page.context().addCookies([languageCookie('en', url)]);
    await openDemo(page, { url }, `/trade?code=${CODE}`);
    await page.goto(`${url}/?inspect#/trade?code=${CODE}`);
    await choosePeriod(page, '1D');
    await page.getByRole('button', { name: 'Draw', exact: true }).click();
    await page.getByRole('button', { name: 'Trend line', exact: true }).click();
    await expect(page.getByText('Trend line: Point 1 of 2')).toBeVisible();
    const box = await page.getByRole('application').boundingBox();
    if (!box) throw new Error('no chart');
    await page.mouse.click(box.x + box.width * 0.3, box.y + 160);
    await page.mouse.click(box.x + box.width * 0.5, box.y + 220);
    await page.getByRole('button', { name: 'Alert on this line' }).click();
    const sheet = form(page, 'Bitcoin');
    await expect(sheet.getByLabel('Alert on')).toHaveValue('2');
    await sheet.getByRole('button', { name: 'Set alert' }).click();
    await expect(sheet).toBeHidden();
    await page.goto(`${url}/#/alerts`);
    await expect(waiting(page)).toContainText('Price crosses the trend line');
  });
});

test.describe('by finger', () => {
  test.use(PHONE);

  test('the line of an alert is dragged', async ({ page, shareProduct }) => {
    const { url } = await shareProduct();
    const level = await withAlert(page, url);
    const from = await placeOf(page, level);
    await swipe(page, line(from, { x: from.x, y: from.y - 30 }, 6));
    await expect.poll(async () => (await prices(page))[0]).toBeGreaterThan(level);
    await expect.poll(() => prices(page)).toHaveLength(1);
  });
});
