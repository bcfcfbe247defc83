import { expect, type Page } from '@playwright/test';
import { expectScreen, languageCookie, PHONE, sheetOf, test } from './helpers/browser';
import { fingerOn } from './helpers/finger';
import { expectBalances, payIn, proof, records, waiting } from './helpers/money';
import { codeFor, logIn, type Person, register } from './helpers/people';
import type { Product } from './helpers/product';

test.use(PHONE);

let product: Product;
let ann: Person;
test.beforeAll(async ({ shareProduct }) => {
  product = await shareProduct('--no-auto-review', '--no-traders');
});
test.beforeEach(async ({ context }) => {
  await context.addCookies([languageCookie('en', product.url)]);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  ann = await register(product);
});

const ADDRESS = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';

/** A toast with this text. */
function said(page: Page, text: string) {
  return page.getByRole('region', { name: 'Notifications' }).getByText(text).first();
}

/** The visible form: the one of the other kind is mounted but hidden. */
function form(page: Page) {
  return page.locator('form:visible');
}

/** Confirms the open sheet, named by its button, with the code that is sent for it. */
async function confirmByCode(page: Page, button: string): Promise<void> {
  const dialog = sheetOf(page);
  const since = product.printedSoFar;
  await dialog.getByRole('button', { name: 'Send code' }).click();
  const code = await codeFor(product, ann.email, since);
  await expect(dialog.getByRole('button', { name: /^Resend in/ })).toBeDisabled();
  await dialog.getByLabel('Verification code').fill(code);
  await dialog.getByRole('button', { name: button, exact: true }).click();
}

/** Saves what the form of a new payout method holds. */
async function saveMethod(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save' }).click();
  await confirmByCode(page, 'Save');
}

test('a coin deposit: address, amount, proof, review and credit', async ({ page }) => {
  await logIn(page, product, ann, '/mine/charge');
  const submit = form(page).getByRole('button', { name: 'Submit deposit' });
  const network = form(page).getByLabel('Network');
  await expect(page.getByText('No deposits yet')).toBeVisible();

  await submit.click();
  await expect(network).toHaveAccessibleDescription('Please choose a network');
  await network.selectOption({ label: 'USDT · TRC20' });
  await expect(form(page).getByRole('img', { name: 'QR code of the address' })).toBeVisible();
  await form(page).getByRole('button', { name: 'Copy: Address' }).click();
  await expect(said(page, 'Copied')).toBeVisible();
  const address = await form(page).getByRole('status', { name: 'Address' }).textContent();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address);

  const amount = form(page).getByLabel('Number of coins sent');
  await submit.click();
  await expect(amount).toHaveAccessibleDescription(
    'Please enter the number of coins to be charged',
  );
  await amount.fill('1x');
  await submit.click();
  await expect(amount).toHaveAccessibleDescription('This is not a number');
  await amount.fill('1250,75');
  await submit.click();
  const picture = form(page).locator('input[name=proofs]');
  await expect(picture).toHaveAccessibleDescription('Please upload one picture as proof');
  await picture.setInputFiles(await proof());
  await expect(form(page).getByText('Ready to submit', { exact: true })).toBeVisible();

  await submit.click();
  const deposit = page.getByRole('list', { name: 'Deposits' }).getByRole('listitem').first();
  await expect(deposit).toContainText('1,250.75 USDT');
  await expect(deposit).toContainText('Under review');
  await expect(amount).toHaveValue('');

  await product.admin(['approve', 'deposit', await waiting(product, 'deposit')]);
  // The screen polls while the deposit waits.
  await expect(deposit).toContainText('Completed');
  await expectBalances(page, product, '1,250.75', '0.00');
  await expect(records(page).first()).toContainText('+1,250.75');
});

test('a bank deposit: account to copy, rejection with its reason, a currency without a channel', async ({
  page,
}) => {
  await logIn(page, product, ann, '/mine/charge?type=1');
  await form(page).getByLabel('Currency').selectOption('HKD');
  await form(page).getByLabel('Bank account').selectOption('Victoria Peak Savings');
  await form(page).getByRole('button', { name: 'Copy: Account number / IBAN' }).click();
  await expect(said(page, 'Copied')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('SANDBOX');
  await form(page).getByLabel('Amount wired').fill('781.25');
  await expect(form(page).getByText('≈ 100.00 USD')).toBeVisible();
  await form(page)
    .locator('input[name=proofs]')
    .setInputFiles(await proof());
  await form(page).getByRole('button', { name: 'Submit deposit' }).click();
  const deposit = page.getByRole('list', { name: 'Deposits' }).getByRole('listitem');
  await expect(deposit).toContainText('781.25 HKD');
  await product.admin(['reject', 'deposit', await waiting(product, 'deposit'), 'Nothing', 'came']);
  await page.getByRole('button', { name: 'Refresh' }).press('Enter');
  await expect(deposit).toContainText('Rejected');
  await expect(deposit).toContainText('Nothing came');
  await expectBalances(page, product, '0.00', '0.00');

  await page.route('**/api/quickCharge/wire_info*', (route) =>
    route.fulfill({ json: { code: 1, msg: '', data: [] } }),
  );
  await page.goto(`${product.url}/#/mine/charge?type=1`);
  await expectScreen(page, '/mine/charge');
  await form(page).getByLabel('Currency').selectOption('EUR');
  const none = 'There is no payment channel for the French currency account';
  await expect(form(page).getByLabel('Currency')).toHaveAccessibleDescription(none);
  await form(page).getByLabel('Amount wired').fill('1');
  await form(page).getByRole('button', { name: 'Submit deposit' }).click();
  await expect(form(page).getByLabel('Currency')).toBeFocused();
});

test('a withdrawal: no payout method, a saved address, preview, frozen amount, rejection', async ({
  page,
}) => {
  await payIn(product, ann, '500');
  await logIn(page, product, ann, '/mine/withdraw');
  const figures = form(page).locator('dl');
  await expect(figures).toContainText('Available500.00 USD');
  await expect(figures).toContainText('Fee--You receive--');

  await form(page).getByLabel('Currency').selectOption({ label: 'USDT · TRC20' });
  await expect(figures).toContainText('Fee0 USDYou receive0 USDT');
  const amount = form(page).getByLabel('Amount');
  await amount.fill('0.5');
  await form(page).getByRole('button', { name: 'Withdraw', exact: true }).click();
  const dialog = sheetOf(page);
  await expect(dialog).toContainText('You have saved no address for this currency yet');
  await dialog.getByRole('link', { name: 'Add' }).click();
  await expectScreen(page, '/mine/withdraw-way');

  await page
    .getByRole('textbox', { name: 'Address' })
    .fill('0xdAC17F958D2ee523a2206206994597C13D831ec7');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('textbox', { name: 'Address' })).toHaveAccessibleDescription(
    'This is not an address of TRC20',
  );
  await page.getByRole('textbox', { name: 'Address' }).fill(ADDRESS);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toContainText(`Address${ADDRESS}`);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByLabel('Verification code')).toBeFocused();
  await expect(dialog.getByLabel('Verification code')).toHaveAccessibleDescription(
    /^Please enter the verification code /,
  );
  await confirmByCode(page, 'Save');
  await product.printed(new RegExp(`to ${ann.email}: A new payout address .* ${ADDRESS}`));
  await expectScreen(page, '/mine/withdraw');

  // The form is as it was left.
  await expect(amount).toHaveValue('0.5');
  await expect(figures).toContainText('Fee1.00 USDYou receive0.00 USDT');
  await amount.fill('-3');
  await expect(figures).toContainText('Fee0 USDYou receive0 USDT');
  await form(page).getByRole('button', { name: 'Withdraw', exact: true }).click();
  await expect(amount).toHaveAccessibleDescription('The amount must be above zero');
  await amount.fill('501');
  await form(page).getByRole('button', { name: 'Withdraw', exact: true }).click();
  await expect(amount).toHaveAccessibleDescription(/Insufficient funds/);
  await form(page).getByRole('button', { name: /^Max/ }).click();
  await expect(figures).toContainText('Fee1.00 USDYou receive499.00 USDT');

  await form(page).getByRole('button', { name: 'Withdraw', exact: true }).click();
  await expect(dialog).toContainText(ADDRESS);
  await dialog.getByLabel('Verification code').fill('000000');
  await dialog.getByRole('button', { name: 'Withdraw 500.00 USD' }).click();
  await expect(said(page, 'The verification code is wrong or has expired')).toBeVisible();
  await confirmByCode(page, 'Withdraw 500.00 USD');
  await product.printed(new RegExp(`to ${ann.email}: A withdrawal of 500.00 USD to ${ADDRESS}`));
  const withdrawal = page.getByRole('list', { name: 'Withdrawals' }).getByRole('listitem');
  await expect(withdrawal).toContainText('-500.00 USD');
  await expect(withdrawal).toContainText('Under review');
  await expect(figures).toContainText('Available0.00 USD');
  await expectBalances(page, product, '0.00', '500.00');

  await product.admin([
    'reject',
    'withdrawal',
    await waiting(product, 'withdrawal'),
    'Please',
    'verify',
  ]);
  await page.goto(`${product.url}/#/mine/withdraw`);
  await expectScreen(page, '/mine/withdraw');
  await withdrawal.getByRole('button').click();
  await expect(dialog).toContainText('Rejected');
  await expect(dialog).toContainText('Please verify');
  await expectBalances(page, product, '500.00', '0.00');
  await expect(records(page)).toHaveCount(3);
});

test('a withdrawal whose answer is lost is booked once @always', async ({ page, context }) => {
  await payIn(product, ann, '100');
  await logIn(page, product, ann, '/mine/withdraw-way?type=1');
  await page.getByLabel('Currency').selectOption({ label: 'USDT · TRC20' });
  await page.getByRole('textbox', { name: 'Address' }).fill(ADDRESS);
  await saveMethod(page);
  await expect(said(page, 'Saved')).toBeVisible();

  const keys: (string | undefined)[] = [];
  let lost = 0;
  let look = () => {};
  const looked = new Promise<void>((resolve) => {
    look = resolve;
  });
  await context.route('**/api/account/draw', async (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    if (++lost > 2) {
      await looked;
      return route.continue();
    }
    // The server processes the call, but its answer is lost.
    if (lost === 1) await route.fetch();
    return route.abort('connectionreset');
  });
  await page.goto(`${product.url}/#/mine/withdraw`);
  await expectScreen(page, '/mine/withdraw');
  await form(page).getByLabel('Currency').selectOption({ label: 'USDT · TRC20' });
  await form(page).getByLabel('Amount').fill('60');
  await form(page).getByRole('button', { name: 'Withdraw', exact: true }).click();
  const dialog = sheetOf(page);
  await confirmByCode(page, 'Withdraw 60.00 USD');
  await expect(dialog.getByRole('button', { name: /^Checking/ })).toBeDisabled();
  look();
  await expect(page.getByRole('list', { name: 'Withdrawals' }).getByRole('listitem')).toHaveCount(
    1,
  );
  expect(new Set(keys).size).toBe(1);
  await expectBalances(page, product, '40.00', '60.00');
});

test('a bank account: missing fields, kept after a failure, deleted by the keyboard', async ({
  page,
  context,
}) => {
  await logIn(page, product, ann, '/mine/bank-card-list');
  await expect(page.getByText('No bank accounts')).toBeVisible();
  await page.getByRole('link', { name: 'Add a bank account' }).first().click();
  await page.getByLabel('Beneficiary currency').selectOption('EUR');
  const fields = {
    'Account holder': 'Ann Chan',
    'Account number / IBAN': 'DE89370400440532013000',
    Bank: 'Rheinbogen',
    'Branch (optional)': 'Mitte',
    'Address of the bank': 'Musterallee 12',
  };
  for (const [label, text] of Object.entries(fields)) {
    await page.getByLabel(label, { exact: true }).fill(text);
  }
  await page.getByRole('button', { name: 'Save' }).click();
  const swift = page.getByLabel('SWIFT / BIC');
  await expect(swift).toBeFocused();
  await expect(swift).toHaveAccessibleDescription('Please complete');
  await swift.fill('RHBGDE00XXX');

  const refuse = (text: string) =>
    context.route('**/api/wallet/bind_draw_method', (route) =>
      route.fulfill({ json: { code: 2, msg: text, data: null } }),
    );
  await refuse('Not today');
  await saveMethod(page);
  await expect(said(page, 'Not today')).toBeVisible();
  await context.unroute('**/api/wallet/bind_draw_method');
  await sheetOf(page).getByRole('button', { name: 'Save' }).click();
  const account = page.getByRole('listitem').filter({ hasText: 'Rheinbogen' });
  await expect(account).toBeVisible();

  await account.getByRole('button', { name: /^Delete Rheinbogen/ }).focus();
  await page.keyboard.press('Enter');
  await sheetOf(page).getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByText('No bank accounts')).toBeVisible();
});

test('a swipe reveals the delete button', async ({ page }) => {
  await logIn(page, product, ann, '/mine/withdraw-way?type=1');
  await page.getByLabel('Currency').selectOption({ label: 'USDT · TRC20' });
  await page.getByRole('textbox', { name: 'Address' }).fill(ADDRESS);
  await saveMethod(page);
  await expect(said(page, 'Saved')).toBeVisible();
  await expect(sheetOf(page)).toBeHidden();
  await page.goto(`${product.url}/#/mine/coin-address-list`);
  // Toasts cover the row.
  await page.reload();
  const button = page.getByRole('button', { name: /^Delete TR7N/ });
  await expect(button).toBeAttached();
  await expect(button).not.toBeInViewport();
  const row = await page.getByRole('listitem').filter({ hasText: 'TR7N' }).boundingBox();
  if (!row) throw new Error('no row');
  const finger = await fingerOn(page);
  const at = (moved: number) => ({ x: row.width - 40 - moved, y: row.y + row.height / 2 });
  await finger.press(at(0));
  for (let moved = 10; moved <= 160; moved += 10) {
    await finger.move(at(moved));
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
  await finger.lift();
  await expect(button).toBeInViewport({ ratio: 1 });
  await button.tap();
  await expect(sheetOf(page)).toContainText(/Delete TR7N/);
});
