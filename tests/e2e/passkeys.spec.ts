import { readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import type { Language } from '#domain/core/language';
import { chromiumOnly } from './engines/engine';
import { type Authenticator, authenticator } from './helpers/authenticator';
import { expectScreen, languageCookie, PHONE, sheetOf, test } from './helpers/browser';
import { logIn, type Person, register } from './helpers/people';
import type { Product } from './helpers/product';
import { forbidPointers, ScreenReader } from './helpers/screenReader';

test.use(PHONE);
chromiumOnly('it adds a virtual authenticator');

let product: Product;
let ann: Person;
test.beforeAll(async ({ shareProduct }) => {
  product = await shareProduct('--no-auto-review', '--no-traders');
});
test.beforeEach(async ({ context }) => {
  await context.addCookies([languageCookie('en', product.url)]);
  ann = await register(product);
});

async function logOut(page: Page): Promise<void> {
  await page.goto(`${product.url}/#/mine/system`);
  await page.getByRole('button', { name: 'Log out' }).click();
  await sheetOf(page).getByRole('button', { name: 'Log out' }).click();
  await expect(page).not.toHaveURL(/system/);
}

/** Whether the user confirms what the browser asks or offers; a request that began before stays unanswered. */
const confirms = ({ client, id }: Authenticator, enabled: boolean) =>
  client.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId: id, enabled });

/** Marks the document once the field of the address offers passkeys: it says before that it will. */
async function markOffer(page: Page): Promise<void> {
  await page.evaluate(() => {
    const { credentials } = navigator;
    const get = CredentialsContainer.prototype.get.bind(credentials);
    document.documentElement.removeAttribute('data-offers');
    credentials.get = (options) => {
      const asked = get(options);
      if (options?.mediation === 'conditional') document.documentElement.dataset['offers'] = '';
      return asked;
    };
  });
}

/** Logs out and in again by the button, not by what the field of the address offers. */
async function useButton(page: Page, device: Authenticator, from = ''): Promise<void> {
  await confirms(device, false);
  await logOut(page);
  await markOffer(page);
  await page.goto(`${product.url}/#/login${from}`);
  await expect(page.locator('html[data-offers]')).toBeAttached();
  await confirms(device, true);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
}

const rows = (page: Page) => page.getByRole('list', { name: 'Passkeys' }).getByRole('listitem');

test('a passkey is added with the password, logs in, and is removed', async ({ page }) => {
  const device = await authenticator(page);
  const { client, id } = device;
  await logIn(page, product, ann, '/mine/security');
  await page.getByRole('link', { name: 'Passkeys' }).click();
  await expectScreen(page, '/mine/passkeys');
  await expect(page.getByText('No passkeys yet')).toBeVisible();
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await sheetOf(page).getByRole('button', { name: 'Add passkey' }).click();
  await expect(sheetOf(page).getByText('Please enter your password')).toBeVisible();
  await sheetOf(page).getByLabel('Name').fill('My phone');
  await sheetOf(page).getByLabel('Password', { exact: true }).fill('wrong one');
  await sheetOf(page).getByRole('button', { name: 'Add passkey' }).click();
  await expect(page.getByText('The password is wrong').first()).toBeVisible();
  await sheetOf(page).getByLabel('Password', { exact: true }).fill(ann.password);
  await sheetOf(page).getByRole('button', { name: 'Add passkey' }).click();
  await expect(page.getByText('Passkey added').first()).toBeVisible();
  await expect(rows(page)).toContainText(['My phone']);
  await expect(rows(page)).toContainText('not used yet');
  await product.printed(new RegExp(`Mail to ${ann.email}: A passkey was added`));

  // The same device has one already, and says so.
  await expect(sheetOf(page)).toBeHidden();
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await sheetOf(page).getByLabel('Password', { exact: true }).fill(ann.password);
  await sheetOf(page).getByRole('button', { name: 'Add passkey' }).click();
  await expect(page.getByText('This device already has a passkey').first()).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(sheetOf(page)).toBeHidden();

  await useButton(page, device, '?from=%2Fmine%2Fpasskeys');
  await expectScreen(page, '/mine/passkeys');
  await expect(rows(page)).toContainText('last used');

  await page.getByRole('button', { name: 'Remove passkey My phone' }).click();
  await expect(sheetOf(page)).toContainText('My phone will no longer log you in.');
  await sheetOf(page).getByLabel('Password', { exact: true }).fill(ann.password);
  await sheetOf(page).getByRole('button', { name: 'Remove passkey' }).click();
  await expect(rows(page)).toHaveCount(0);

  // The authenticator still has it.
  await useButton(page, device);
  await expect(page.getByText('The passkey could not be verified').first()).toBeVisible();

  // Whose user is not verified, or who has none, uses the password.
  await client.send('WebAuthn.setUserVerified', { authenticatorId: id, isUserVerified: false });
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page.getByText('No passkey was confirmed').first()).toBeVisible();
  await logIn(page, product, ann);
});

test('the field of the address offers a passkey, and the one that is chosen logs in', async ({
  page,
}) => {
  const device = await authenticator(page);
  await logIn(page, product, ann, '/mine/passkeys');
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await sheetOf(page).getByLabel('Password', { exact: true }).fill(ann.password);
  await sheetOf(page).getByRole('button', { name: 'Add passkey' }).click();
  await expect(rows(page)).toHaveCount(1);
  // Nobody chooses what the browser offers.
  await confirms(device, false);
  await logOut(page);
  await page.goto(`${product.url}/#/login?from=%2Fmine%2Fpasskeys`);
  const field = page.getByLabel('Email address');
  await expect(field).toHaveAttribute('autocomplete', /webauthn/);
  await expect(page.getByRole('button', { name: 'Use a passkey' })).toBeVisible();
  await field.focus();
  await expectScreen(page, '/login');
  // Now somebody does: no button is pressed.
  await confirms(device, true);
  await page.reload();
  await expectScreen(page, '/mine/passkeys');
  await expect(rows(page)).toContainText('last used');
});

test('with a second factor it takes a code too, and no code is asked at the login', async ({
  page,
}) => {
  const device = await authenticator(page);
  await logIn(page, product, ann, '/mine/two-factor');
  const { Secret, TOTP } = await import('otpauth');
  await page.getByRole('button', { name: 'Set up' }).click();
  const secret = await page.getByRole('status', { name: 'Key' }).textContent();
  const code = new TOTP({ secret: Secret.fromBase32(secret ?? '') }).generate();
  await page.getByLabel('Authenticator code').fill(code);
  await page.getByRole('button', { name: 'Turn on' }).click();
  const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  const recovery = (await codes.first().textContent()) ?? '';
  await page.goto(`${product.url}/#/mine/passkeys`);
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await sheetOf(page).getByLabel('Password', { exact: true }).fill(ann.password);
  await sheetOf(page).getByLabel('Authenticator code').fill(recovery);
  await sheetOf(page).getByRole('button', { name: 'Add passkey' }).click();
  await expect(rows(page)).toContainText(['Chrome']);
  await useButton(page, device, '?from=%2Fmine%2Fpasskeys');
  await expectScreen(page, '/mine/passkeys');
});

test('no passkey is offered where the browser has none, or the address allows none', async ({
  page,
}) => {
  const address = product.url.replace('localhost', '127.0.0.1');
  await page.context().addCookies([languageCookie('en', address)]);
  await page.goto(`${address}/#/login`);
  await expect(page.getByRole('button', { name: 'Log in' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Use a passkey' })).toHaveCount(0);
  await page.addInitScript(() => Reflect.deleteProperty(window, 'PublicKeyCredential'));
  await logIn(page, product, ann, '/mine/passkeys');
  await expect(page.getByText('This browser doesn’t support passkeys')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add passkey' })).toHaveCount(0);
});

/** The strings of a language. */
const strings = (language: Language) =>
  JSON.parse(readFileSync(new URL(`../../locales/${language}.json`, import.meta.url), 'utf8'));

for (const language of ['en', 'ar'] as const) {
  test(`a passkey is added with a screen reader, in ${language}`, async ({ page, context }) => {
    await forbidPointers(context);
    await authenticator(page);
    await context.addCookies([languageCookie(language, product.url)]);
    const { security, account } = strings(language);
    await page.goto(`${product.url}/#/login?from=%2Fmine%2Fpasskeys`);
    const reader = await ScreenReader.start(page);
    await reader.find('textbox', account.emailAddress);
    await reader.type(ann.email);
    await reader.findField(account.password);
    await reader.type(ann.password);
    await reader.press('Enter');
    await reader.find('button', security.passkeyAdd);
    await reader.act();
    await reader.find('textbox', security.passkeyName);
    await reader.type('Key');
    await reader.findField(account.password);
    await reader.type(ann.password);
    await reader.press('Enter');
    await expect.poll(() => reader.announced()).toContain(`polite: ${security.passkeyAdded}`);
    await reader.find('button', security.passkeyRemoveNamed.replace('{{name}}', 'Key'));
  });
}
