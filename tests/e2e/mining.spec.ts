import { expect } from '@playwright/test';
import { languageCookie, PHONE, sheetOf, test } from './helpers/browser';
import { expectBalances, payIn, records, waiting } from './helpers/money';
import { logIn, type Person, register } from './helpers/people';
import type { Product } from './helpers/product';

test.use(PHONE);

let product: Product;
let ann: Person;
test.beforeAll(async ({ shareProduct }) => {
  product = await shareProduct('--no-auto-review', '--no-traders');
  ann = await register(product);
  await payIn(product, ann, '2000');
});
test.beforeEach(({ context }) => context.addCookies([languageCookie('en', product.url)]));

test('subscribes to a fund from the list, and redeems it early', async ({ page }) => {
  await logIn(page, product, ann, '/mining');
  const fund = page.getByRole('link', { name: 'Monthly Steady' });
  await expect(fund).toContainText('from 50.00 USDT');
  await fund.click();
  await expect(page).toHaveURL(/#\/mining\/subscribe\?id=6/);
  const amount = page.getByLabel('Lock amount');
  const subscribe = page.getByRole('button', { name: 'Subscribe', exact: true });
  const dialog = sheetOf(page);

  await subscribe.click();
  await expect(amount).toHaveAccessibleDescription('Please enter the lock amount');
  await expect(amount).toBeFocused();
  await expect(dialog).toHaveCount(0);
  for (const [text, problem] of [
    ['abc', 'This is not a number'],
    ['49.99', 'At least 50 USD'],
    ['20000.01', 'At most 20,000 USD'],
    ['2000.01', /Insufficient funds/],
    ['100.001', 'At most 2 decimals'],
  ] as const) {
    await amount.fill(text);
    await subscribe.click();
    await expect(amount).toHaveAccessibleDescription(problem);
    await expect(dialog).toHaveCount(0);
  }
  await amount.fill('1234.56');
  // 0.018 % of 1,234.56 is 0.2222208, thirty times the rounded 0.2222.
  await expect(page.getByText('+0.2222 USDT')).toBeVisible();
  await expect(page.getByText('+6.6660 USDT')).toBeVisible();

  await subscribe.click();
  for (const fact of ['1,234.56 USDT', '+0.2222 USDT', '+6.6660 USDT', '50.00', '20,000.00']) {
    await expect(dialog).toContainText(fact);
  }
  await dialog.getByRole('button', { name: 'Lock 1,234.56 USDT' }).click();
  await expect(page).toHaveURL(/#\/mining\/record/);
  const subscription = page.getByRole('listitem').filter({ hasText: 'Monthly Steady' });
  await expect(subscription).toContainText('Running');
  await expectBalances(page, product, '765.44', '0.00');
  await expect(records(page).first()).toContainText('-1,234.56');

  await page.goto(`${product.url}/#/mining/record`);
  await subscription.getByRole('link', { name: 'Income' }).click();
  await expect(page.getByText('No income yet')).toBeVisible();
  await page.goBack();

  let asked = 0;
  page.context().on('request', (request) => {
    if (request.url().includes('/api/fund/applyRefund')) asked++;
  });
  await subscription.getByRole('button', { name: 'Redeem' }).click();
  await expect(dialog).toHaveAccessibleDescription(/12\.35 USDT.*1,222\.21 USDT/);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(asked).toBe(0);
  await subscription.getByRole('button', { name: 'Redeem' }).click();
  await dialog.getByRole('button', { name: 'Redeem' }).click();
  await expect(subscription).toContainText('Redemption under review');
  await expect(subscription.getByRole('button', { name: 'Redeem' })).toBeDisabled();

  await product.admin(['approve', 'refund', await waiting(product, 'refund')]);
  await page.getByRole('button', { name: 'Refresh' }).press('Enter');
  await expect(subscription).toContainText('Redeemed');
  await expectBalances(page, product, '1,987.65', '0.00');
});

test('a visitor sees the funds, and logs in to subscribe', async ({ page }) => {
  await page.goto(`${product.url}/#/mining/subscribe?id=7`);
  await page.getByLabel('Lock amount').fill('100');
  await page.getByRole('button', { name: 'Subscribe', exact: true }).click();
  await expect(page).toHaveURL(/#\/login\?from=%2Fmining%2Fsubscribe%3Fid%3D7/);
  await page.goto(`${product.url}/#/mining/subscribe?id=99`);
  await expect(page.getByRole('alert')).toContainText('There is no such fund');
  await page.goto(`${product.url}/#/mining/record`);
  await expect(page).toHaveURL(/#\/login\?from=/);
});
