import { readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { add, compare, toFixed, ZERO } from '#domain/core/decimal';
import { toUsd, type Usd } from '#domain/core/units';
import { engine } from './engines/engine';
import { languageCookie, PHONE, test } from './helpers/browser';
import { fillLists } from './helpers/money';
import { logIn, register } from './helpers/people';

test.use(PHONE);

test('results lead from the history to a statement, whose file adds up to the balance', async ({
  page,
  startProduct,
}) => {
  const product = await startProduct('--no-auto-review', '--no-draw-verify');
  const person = await register(product);
  await fillLists(product, person);
  await page.context().addCookies([languageCookie('en', product.url)]);
  await logIn(page, product, person, '/order?type=3');

  // The history of a day without orders, and back to all of it.
  await page.getByRole('button', { name: 'Period' }).tap();
  const dialog = page.getByRole('dialog', { name: 'Period' });
  await dialog.getByRole('radio', { name: 'Dates' }).check();
  await dialog.getByLabel('From').fill('2020-01-01');
  await dialog.getByLabel('To').fill('2020-01-02');
  await dialog.getByRole('button', { name: 'OK' }).tap();
  await expect(page.getByText('No closed orders in this period')).toBeVisible();
  await page.getByRole('link', { name: 'Show all' }).tap();
  await expect(page.getByText('1 order', { exact: true })).toBeVisible();

  await page.getByRole('link', { name: 'Results' }).tap();
  const results = page.getByRole('region', { name: 'Results' });
  await expect(results.getByRole('img', { name: /^Balance from [\d,.]+ to / })).toBeVisible();
  await results.getByRole('radio', { name: 'Instrument' }).check();
  await expect(results.getByRole('list', { name: 'Instrument' })).toContainText('1 order');

  await results.getByRole('link', { name: 'Account statement' }).tap();
  const statement = page.getByRole('article');
  await expect(statement).toContainText(person.email);
  await expect(statement.getByRole('row')).toHaveCount(3);
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('button', { name: 'Print' })).toBeHidden();
  await expect(page.getByRole('columnheader', { name: 'Net result' })).toBeVisible();
  await page.emulateMedia({ media: 'screen' });

  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as CSV' }).tap();
  const lines = readFileSync(await (await saving).path(), 'utf8')
    .trimEnd()
    .split('\r\n');
  const cells = lines.slice(1).map((line) => line.split(','));
  expect(cells.map(([, kind]) => kind)).toEqual([
    'opening',
    'deposits',
    'withdrawals',
    'withdrawals',
    'funds',
    'order',
    'closing',
  ]);
  const sum = cells.reduce<Usd>((total, line) => add(total, toUsd(line.at(-2) || '0')), ZERO);
  const closing = toUsd(cells.at(-1)?.at(-1) ?? '');
  expect(compare(sum, closing)).toBe(0);
  // The fees of what is open lead from the closing balance to that of the account.
  const now = statement.locator('dl').nth(2);
  const figures = (await now.locator('dd').allInnerTexts()).map((text) =>
    toUsd(text.replaceAll(',', '')),
  );
  expect(compare(figures[0] ?? ZERO, closing)).toBe(0);
  const balance = figures.reduce<Usd>((total, figure) => add(total, figure), ZERO);
  await page.goto(`${product.url}/#/mine/history`);
  const account = page.getByRole('region', { name: 'Account details' }).locator('dl').nth(1);
  const cents = Number(toFixed(balance, 2)).toLocaleString('en', { minimumFractionDigits: 2 });
  await expect(account).toContainText(`Balance${cents}`);
});

/** Types a date part by part. Only WebKit does not go on to the next part by itself. */
async function typeDate(page: Page, ...parts: string[]): Promise<void> {
  for (const [nth, part] of parts.entries()) {
    if (nth > 0 && engine === 'webkit') await page.keyboard.press('ArrowRight');
    await page.keyboard.type(part, { delay: 30 });
  }
}

test('dates of the results are typed by keys, and never make a reversed period', async ({
  page,
  startProduct,
}) => {
  const product = await startProduct('--no-auto-review', '--no-draw-verify');
  const person = await register(product);
  await page.context().addCookies([languageCookie('en', product.url)]);
  const until = '2026-11-26';
  await logIn(page, product, person, `/mine/results?period=2026-10-28..${until}`);
  const from = page.getByLabel('From', { exact: true });
  const to = page.getByLabel('To', { exact: true });
  await from.focus();
  await typeDate(page, '10', '15', '2025');
  await expect(from).toHaveValue('2025-10-15');
  await expect(page).toHaveURL(new RegExp(`period=2025-10-15\\.\\.${until}$`));
  // A first day after the last one takes it along. Focused anew, a field begins with its month.
  await to.focus();
  await from.focus();
  await typeDate(page, '12', '31', '2030');
  await to.focus();
  await expect(from).toHaveValue('2030-12-31');
  await expect(to).toHaveValue('2030-12-31');
});

test('the two ways out of an empty period are equally wide, however short their words are', async ({
  page,
  startProduct,
}) => {
  const product = await startProduct();
  await page.context().addCookies([languageCookie('hk', product.url)]);
  await page.goto(`${product.url}/#/login?from=/mine/results`);
  await page.getByRole('button', { name: '試用模擬帳戶' }).tap();
  const widthOf = async (role: 'button' | 'link', name: string) =>
    (await page.getByRole(role, { name }).boundingBox())?.width;
  await expect.poll(() => widthOf('button', '顯示全部')).toBeGreaterThan(200);
  expect(await widthOf('link', '帳戶結單')).toBe(await widthOf('button', '顯示全部'));
});
