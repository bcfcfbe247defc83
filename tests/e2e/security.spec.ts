import { expect } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import { expectScreen, languageCookie, PHONE, sheetOf, test } from './helpers/browser';
import { logIn, type Person, register } from './helpers/people';
import type { Product } from './helpers/product';

test.use(PHONE);

let product: Product;
let ann: Person;
test.beforeAll(async ({ shareProduct }) => {
  product = await shareProduct('--no-auto-review', '--no-traders');
});
test.beforeEach(async ({ context }) => {
  await context.addCookies([languageCookie('en', product.url)]);
  ann = await register(product);
});

test('a second factor is set up, required at the login, and replaced by a recovery code', async ({
  page,
}) => {
  await logIn(page, product, ann, '/mine/security');
  await page.getByRole('link', { name: /Two-factor login/ }).click();
  await expectScreen(page, '/mine/two-factor');
  await page.getByRole('button', { name: 'Set up' }).click();
  await expect(page.getByRole('img', { name: /QR code for the authenticator/ })).toBeVisible();
  const secret = await page.getByRole('status', { name: 'Key' }).textContent();
  const code = new TOTP({ secret: Secret.fromBase32(secret ?? '') }).generate();
  await page.getByLabel('Authenticator code').fill(code);
  await page.getByRole('button', { name: 'Turn on' }).click();
  const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  await expect(codes).toHaveCount(10);
  const recovery = (await codes.first().textContent()) ?? '';

  await page.goto(`${product.url}/#/mine/system`);
  await page.getByRole('button', { name: 'Log out' }).click();
  await sheetOf(page).getByRole('button', { name: 'Log out' }).click();
  await page.goto(`${product.url}/#/login?from=%2Fmine%2Fsecurity`);
  await page.getByLabel('Email address').fill(ann.email);
  await page.getByLabel('Password', { exact: true }).fill(ann.password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByLabel('Authenticator code').fill(recovery);
  await page.getByRole('button', { name: 'Log in' }).click();
  await expectScreen(page, '/mine/security');
  await expect(page.getByRole('link', { name: /Two-factor login/ })).toContainText('On');
});

test('devices are logged out, personal data is downloaded, and the account is closed', async ({
  page,
  browser,
}) => {
  await logIn(page, product, ann, '/mine/devices');
  const other = await browser.newContext(PHONE);
  await other.addCookies([languageCookie('en', product.url)]);
  await logIn(await other.newPage(), product, ann);
  await page.reload();
  const devices = page.getByRole('list', { name: 'Devices' }).getByRole('listitem');
  // The registration over HTTP is one more.
  await expect(devices).toHaveCount(3);
  await page.getByRole('button', { name: 'Log out other devices' }).click();
  await expect(devices).toHaveCount(1);
  await expect(devices).toContainText('This device');
  await other.close();

  await page.goto(`${product.url}/#/mine/security`);
  await page.getByRole('button', { name: 'Download my data' }).click();
  await sheetOf(page).getByLabel('Password', { exact: true }).fill(ann.password);
  const saving = page.waitForEvent('download');
  await sheetOf(page).getByRole('button', { name: 'Download my data' }).click();
  expect((await saving).suggestedFilename()).toMatch(/^fulcrum-\d+\.json$/);
  await expect(sheetOf(page)).toBeHidden();

  await page.getByRole('button', { name: 'Close account' }).click();
  await sheetOf(page).getByLabel('Password', { exact: true }).fill(ann.password);
  await sheetOf(page).getByRole('button', { name: 'Close account' }).click();
  await expect(page.getByText('Account closed').first()).toBeVisible();
  await page.goto(`${product.url}/#/login`);
  await page.getByLabel('Email address').fill(ann.email);
  await page.getByLabel('Password', { exact: true }).fill(ann.password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page.getByText('The account or the password is wrong').first()).toBeVisible();
});

test('a link that was shared runs no script, whatever its parameters are', async ({
  page,
  problems,
}) => {
  const scripts = ['javascript:hit()', '<img src=x onerror=hit()>', '"><script>hit()</script>'];
  const hits: string[] = [];
  await page.exposeFunction('hit', () => hits.push(page.url()));
  const opens = (path: string) => page.goto(`${product.url}/#${path}`);
  for (const script of scripts) {
    const given = encodeURIComponent(script);
    await opens(`/trade?code=${given}`);
    await expect(page.getByText(script).first()).toBeVisible();
    await expect(page).toHaveURL(/code=[A-Z]+$/);
    await opens(`/register?invite_code=${given}`);
    await expect(page.getByLabel('Invitation code')).toHaveValue(script);
    await opens(`/login?from=${given}`);
    await expect(page.getByRole('button', { name: 'Log in' })).toBeVisible();
  }
  expect(hits).toEqual([]);
  // The server knows no such instruments.
  const others = problems.filter((problem) => !problem.includes('websocket: refused'));
  problems.splice(0, problems.length, ...others);
});
