import { expect, type Page } from '@playwright/test';
import { expectScreen, languageCookie, PHONE, test } from './helpers/browser';
import { laidOut } from './helpers/looks';
import { codeFor, houseCode, logIn, openDemo, register } from './helpers/people';
import type { Product } from './helpers/product';

test.use(PHONE);

let product: Product;
test.beforeAll(async ({ shareProduct }) => {
  product = await shareProduct('--service-link', 'https://help.example/chat');
});
test.beforeEach(({ context }) => context.addCookies([languageCookie('en', product.url)]));

const open = async (page: Page, path: string, shown = path) => {
  await page.goto(`${product.url}/#${path}`);
  await expectScreen(page, shown);
};
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });
const toast = (page: Page, text: string | RegExp) =>
  expect(page.locator('[role$="dialog"]').filter({ hasText: text }).last()).toBeVisible();

/** The field has an accessible error and the focus. */
async function expectWrong(page: Page, name: string, message: string): Promise<void> {
  const wrong = field(page, name);
  await expect(wrong).toBeFocused();
  await expect(wrong).toHaveAttribute('aria-invalid', 'true');
  // A hint may follow.
  const words = message.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  await expect(wrong).toHaveAccessibleDescription(new RegExp(`^${words}( |$)`));
}

test('registers by email, shows each message, and returns to the screen it came from @always', async ({
  page,
}) => {
  await open(page, '/user', '/login');
  await expect(page).toHaveURL(/#\/login\?from=%2Fuser$/);
  await page.getByRole('link', { name: 'Register' }).click();
  const submit = page.getByRole('button', { name: 'Register', exact: true });

  await submit.click();
  await expectWrong(page, 'Email address', 'Please enter your email address');
  await expect(page.locator('[aria-invalid="true"]')).toHaveCount(5);
  await expect(page.getByText(/^Our services are not provided to/)).toBeVisible();
  await field(page, 'Email address').fill('new');
  await expect(field(page, 'Email address')).toHaveAttribute('aria-invalid', 'false');
  await page.getByRole('button', { name: 'Send code' }).click();
  await expectWrong(page, 'Email address', 'This is not an email address');
  await field(page, 'Email address').fill('New@Example.com ');
  await submit.click();
  await expectWrong(page, 'Password', 'Please enter your password');
  await field(page, 'Password').fill('a long password');
  await submit.click();
  await expectWrong(page, 'Repeat password', 'Re-type the password');
  await field(page, 'Repeat password').fill('another password');
  await submit.click();
  await expectWrong(page, 'Repeat password', 'Password inconsistency');
  await field(page, 'Repeat password').fill('a long password');
  await submit.click();
  await expectWrong(page, 'Invitation code', 'Please enter the invitation code');
  await field(page, 'Invitation code').fill(await houseCode(product));
  await submit.click();
  await expectWrong(page, 'Verification code', 'Please enter the verification code');

  await page.getByRole('button', { name: 'Send code' }).click();
  await toast(page, 'The code is on its way');
  await expect(field(page, 'Verification code')).toBeFocused();
  await field(page, 'Verification code').fill('000000');
  await page.keyboard.press('Enter');
  await toast(page, 'The verification code is wrong or has expired');
  // The filled-in values stay.
  await expect(field(page, 'Password')).toHaveValue('a long password');

  await field(page, 'Verification code').fill(await codeFor(product, 'new@example.com'));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#\/user$/);
  await toast(page, 'Your account is open');
  await expect(page.getByText('new@example.com')).toBeVisible();
});

test('registers by mobile with a searched calling code, and changes the password', async ({
  page,
}) => {
  await open(page, `/register?invite_code=${await houseCode(product)}`);
  await page.getByRole('radio', { name: 'Phone', exact: true }).check();
  await page.getByRole('button', { name: /^Country code/ }).click();
  const sheet = page.getByRole('dialog', { name: 'Country code' });
  await sheet.getByRole('searchbox').fill('+852');
  await sheet.getByRole('button', { name: /Hong Kong/ }).click();
  await expect(page.getByRole('button', { name: /^Country code.*\+852/ })).toBeVisible();
  await field(page, 'Phone number').fill('+852 9123 4567');
  await field(page, 'Password').fill('a long password');
  await field(page, 'Repeat password').fill('a long password');
  await expect(field(page, 'Invitation code')).toHaveValue(await houseCode(product));
  await page.getByRole('button', { name: 'Send code' }).click();
  await toast(page, 'The code is on its way');
  const sent = await codeFor(product, '85291234567');
  await field(page, 'Verification code').fill(`${sent.slice(0, 3)} ${sent.slice(3)}`);
  await page.getByRole('button', { name: 'Register', exact: true }).click();
  await expect(page).toHaveURL(`${product.url}/#/`);
  await open(page, '/user');
  await expect(page.getByText('+85291234567')).toBeVisible();

  await page.getByRole('link', { name: 'Change password' }).click();
  await expect(page.getByText('The code is sent to')).toContainText('+852•••4567');
  await field(page, 'Old password').fill('a long password');
  await field(page, 'New password').fill('another long password');
  await field(page, 'Repeat password').fill('another long password');
  const before = product.printedSoFar;
  await page.getByRole('button', { name: 'Send code' }).click();
  await expect(field(page, 'Verification code')).toBeFocused();
  await page.keyboard.type(await codeFor(product, '85291234567', before));
  await page.keyboard.press('Enter');
  await toast(page, 'Password changed');
  await expect(page).toHaveURL(/#\/user$/);
  // This session goes on; the next login needs the new password.
  await open(page, '/login');
  await page.getByRole('radio', { name: 'Phone', exact: true }).check();
  await expect(page.getByRole('button', { name: /^Country code.*\+852/ })).toBeVisible();
  await field(page, 'Phone number').fill('91234567');
  await field(page, 'Password').fill('another long password');
  const answer = page.waitForResponse('**/api/user/loginForU');
  await page.keyboard.press('Enter');
  expect(await (await answer).json()).toMatchObject({ code: 1 });
});

test('a code can be requested again after a minute, also after leaving the screen', async ({
  page,
}) => {
  await page.clock.install();
  await open(page, '/forgot');
  await field(page, 'Email address').fill('somebody@example.com');
  await page.getByRole('button', { name: 'Send code' }).click();
  const waiting = page.getByRole('button', { name: /^Resend in \d+ s$/ });
  await expect(waiting).toBeDisabled();
  await page.clock.runFor(5_000);
  await page.goBack();
  await open(page, '/forgot');
  await expect(waiting).toBeDisabled();
  await page.reload();
  await expect(waiting).toBeDisabled();
  // A code can be sent to another address immediately.
  await field(page, 'Email address').fill('else@example.com');
  await expect(page.getByRole('button', { name: 'Send code' })).toBeEnabled();
  await field(page, 'Email address').fill('somebody@example.com');
  await expect(waiting).toBeDisabled();
  await page.clock.runFor(60_000);
  await expect(page.getByRole('button', { name: 'Send code' })).toBeEnabled();
});

test('logs in, and keeps the fields after a refusal', async ({ page }) => {
  const person = await register(product);
  await open(page, '/login');
  await page.getByRole('button', { name: 'Log in' }).click();
  await expectWrong(page, 'Email address', 'Please enter your email address');
  await field(page, 'Email address').fill(person.email);
  await page.getByRole('button', { name: 'Log in' }).click();
  await expectWrong(page, 'Password', 'Please enter your password');
  await field(page, 'Password').fill('wrong password');
  await page.getByRole('button', { name: 'Log in' }).press('Enter');
  await toast(page, 'The account or the password is wrong');
  // Keyboard users keep the focus.
  await expect(page.getByRole('button', { name: 'Log in' })).toBeFocused();
  await expect(field(page, 'Email address')).toHaveValue(person.email);
  await expect(field(page, 'Password')).toHaveValue('wrong password');
  await page.getByRole('button', { name: 'Show password' }).click();
  await expect(field(page, 'Password')).toHaveAttribute('type', 'text');
  await field(page, 'Password').fill(person.password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page).toHaveURL(`${product.url}/#/`);
});

test('a login under attack asks for a captcha', async ({ page, startProduct }) => {
  const other = await startProduct('--trust-proxy', 'loopback');
  await page.context().addCookies([languageCookie('en', other.url)]);
  const person = await register(other);
  for (let i = 0; i < 20; i++) {
    await page.request.post(`${other.url}/api/user/loginForU`, {
      form: { account: person.email, password: 'wrong one', login_type: 'email' },
      headers: { 'x-forwarded-for': `203.0.113.${i}` },
    });
  }
  await page.goto(`${other.url}/#/login`);
  await field(page, 'Email address').fill(person.email);
  await field(page, 'Password').fill(person.password);
  const logInButton = page.getByRole('button', { name: 'Log in' });
  await logInButton.click();
  const picture = page.getByRole('img', { name: 'Picture of distorted characters' });
  await expect(picture).toBeVisible();
  const characters = field(page, 'Characters in the picture');
  await expect(characters).toBeFocused();
  await logInButton.click();
  await expectWrong(
    page,
    'Characters in the picture',
    'Please enter the characters in the picture',
  );
  const first = await picture.getAttribute('src');
  await characters.fill('wrong');
  await logInButton.click();
  await toast(page, 'please try a new picture');
  await expect(picture).not.toHaveAttribute('src', first ?? '');
  await expect(characters).toHaveValue('');
  await expect(field(page, 'Password')).toHaveValue(person.password);
  // A test can't read the picture, so the server does not see this answer.
  await page.route('**/api/user/loginForU', async (route) => {
    const sent = new URLSearchParams(route.request().postData() ?? '');
    expect(sent.get('captcha_id')).toMatch(/^[\w-]{22}$/);
    expect(sent.get('captcha_text')).toBe('READ');
    await route.fulfill({ json: { code: 2, msg: 'seen', data: null } });
  });
  await characters.fill('READ');
  await page.keyboard.press('Enter');
  await toast(page, 'seen');
});

test('a code that needs a captcha is sent with it, on every screen', async ({ page }) => {
  const person = await register(product);
  let asked = 0;
  await page.route('**/api/notify/send_email', async (route) => {
    const sent = route.request().postDataJSON();
    if (sent.captcha_id === undefined) {
      asked++;
      const msg = 'Please enter the characters in the picture';
      await route.fulfill({ json: { code: 428, msg, data: null } });
      return;
    }
    expect(sent.captcha_text).toBe('READ');
    // The server checks every captcha that it gets, and nobody has read this one.
    const { captcha_id: _id, captcha_text: _text, ...rest } = sent;
    await route.continue({ postData: JSON.stringify(rest) });
  });
  const sendCode = async () => {
    await page.getByRole('button', { name: 'Send code' }).click();
    await expect(page.getByRole('img', { name: 'Picture of distorted characters' })).toBeVisible();
    await field(page, 'Characters in the picture').fill('READ');
    await page.keyboard.press('Enter');
    await expect(field(page, 'Characters in the picture')).toHaveCount(0);
    await expect(page.getByRole('button', { name: /^Resend in/ })).toBeVisible();
    await expect(field(page, 'Verification code')).toBeFocused();
  };
  await open(page, '/register');
  await field(page, 'Email address').fill('under-attack@example.com');
  await sendCode();
  await open(page, '/forgot');
  await field(page, 'Email address').fill('under-attack@example.com');
  await sendCode();
  await logIn(page, product, person, '/mine/password');
  await sendCode();
  expect(asked).toBe(3);
});

test('fields are marked for password managers and one-time codes', async ({ page }) => {
  const fields = {
    '/login': { 'Email address': 'username webauthn', Password: 'current-password' },
    '/register': {
      'Email address': 'username',
      Password: 'new-password',
      'Repeat password': 'new-password',
      'Verification code': 'one-time-code',
    },
  };
  for (const [path, expected] of Object.entries(fields)) {
    await open(page, path);
    for (const [name, value] of Object.entries(expected)) {
      await expect(field(page, name)).toHaveAttribute('autocomplete', value);
    }
  }
});

test('says what this is below the list, opens a demo account, and what is in it, once', async ({
  page,
}) => {
  await page.goto(product.url);
  const row = page.getByRole('button', { name: 'EUR/USD', exact: true });
  await expect(row).toBeVisible();
  const before = await row.boundingBox();
  const welcome = page.getByRole('complementary').filter({ hasText: 'Practise leveraged trading' });
  await expect(welcome).toBeVisible();
  expect(await row.boundingBox()).toEqual(before);
  await expect(welcome.getByRole('link', { name: 'Register' })).toBeVisible();
  await welcome.getByRole('button', { name: 'Try the demo account' }).click();
  await toast(page, 'Demo account open: 100,000.00 USD');
  await expect(welcome).toBeHidden();
  // It never comes again, not to a visitor either.
  await page.goto(`${product.url}/#/mine/system`);
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Log out' }).click();
  await toast(page, 'Logged out');
  await expect(row).toBeVisible();
  await expect(page.getByRole('link', { name: 'Account' })).toBeVisible();
  await expect(welcome).toHaveCount(0);
});

test('resets a forgotten password, and changes it', async ({ page }) => {
  const person = await register(product);
  await open(page, '/forgot');
  await field(page, 'Email address').fill(person.email);
  await field(page, 'New password').fill('forgotten no more');
  await field(page, 'Repeat password').fill('forgotten no more');
  const before = product.printedSoFar;
  await page.getByRole('button', { name: 'Send code' }).click();
  await toast(page, 'a code is on its way');
  await field(page, 'Verification code').fill(await codeFor(product, person.email, before));
  await page.getByRole('button', { name: 'Set new password' }).click();
  await expect(page).toHaveURL(/#\/login$/);
  await toast(page, 'Password changed');
  await logIn(page, product, { ...person, password: 'forgotten no more' });

  await page.getByRole('link', { name: 'Change password' }).click();
  const change = page.getByRole('button', { name: 'Change password' });
  await change.click();
  await expectWrong(page, 'Old password', 'Please enter your old password');
  await field(page, 'Old password').fill('forgotten no more');
  await change.click();
  await expectWrong(page, 'New password', 'Please enter your password');
  await field(page, 'New password').fill('short');
  await change.click();
  await expectWrong(page, 'New password', 'The password needs at least 8 characters');
  await expect(page.getByText('pe•••@example.com')).toBeVisible();
});

test('registers with a captcha if the operator requires one', async ({ page, startProduct }) => {
  const other = await startProduct('--verify-reg-type', '2', '--show-mobile', '0');
  await page.context().addCookies([languageCookie('en', other.url)]);
  await page.goto(`${other.url}/#/register`);
  await expect(page.getByRole('radio', { name: 'Phone', exact: true })).toHaveCount(0);
  const picture = page.getByRole('img', { name: 'Picture of distorted characters' });
  await expect(picture).toBeVisible();
  const first = await picture.getAttribute('src');
  await field(page, 'Email address').fill('robot@example.com');
  await field(page, 'Password').fill('a long password');
  await field(page, 'Repeat password').fill('a long password');
  await field(page, 'Invitation code').fill(await houseCode(other));
  await field(page, 'Characters in the picture').fill('wrong');
  await page.getByRole('button', { name: 'Register', exact: true }).click();
  await toast(page, 'please try a new picture');
  // A captcha is valid for one attempt.
  await expect(picture).not.toHaveAttribute('src', first ?? '');
  await expect(field(page, 'Characters in the picture')).toHaveValue('');
  await expect(field(page, 'Password')).toHaveValue('a long password');
});

test('invites by code, link and QR', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const person = await register(product);
  await logIn(page, product, person, '/mine/invite');
  const link = page.getByRole('status', { name: 'Invitation link' });
  await expect(link).toHaveText(
    new RegExp(`^${product.url}/#/register\\?invite_code=[A-Z2-9]{8}$`),
  );
  const qr = page.getByRole('img', { name: 'QR code of the invitation link' });
  expect(await qr.boundingBox()).toMatchObject({ width: 160, height: 160 });
  await page.getByRole('button', { name: 'Copy: Invitation link' }).click();
  await toast(page, 'Copied');
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe(await link.textContent());

  // The link fills in the code.
  await page.goto(copied);
  await expect(page.getByRole('textbox', { name: 'Invitation code' })).toHaveValue(
    copied.slice(-8),
  );
});

test('the user center shows and hides the balance, and resets a demo account', async ({ page }) => {
  await openDemo(page, product);
  const card = page.getByRole('region', { name: 'Balance' });
  await expect(card).toContainText('100,000.00');
  await page.getByRole('button', { name: 'Hide balance' }).click();
  await expect(card).not.toContainText('100,000.00');
  await page.reload();
  await expect(page.getByRole('button', { name: 'Show balance' })).toBeVisible();
  await expect(card).not.toContainText('100,000.00');

  await open(page, '/order');
  await expect(page.getByRole('button', { name: 'Reset' })).toHaveCount(0);
  await open(page, '/user');
  await page.getByRole('button', { name: 'Reset demo account' }).click();
  const sheet = page.getByRole('dialog', { name: 'Reset demo account' });
  await sheet.getByRole('button', { name: 'Reset', exact: true }).click();
  await expect(sheet).toBeHidden();
  await toast(page, 'Demo account reset');

  await page.getByRole('link', { name: 'Deposit' }).click();
  await expect(page.getByText('A demo account trades with virtual money.')).toBeVisible();
  await page.goBack();
  await page.getByRole('link', { name: 'Open a real account' }).click();
  await expectScreen(page, '/register');
});

test('support: the chat in its sandbox, the email, the announcement', async ({ page }) => {
  await page.route('https://help.example/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<p>How can we help?</p>' }),
  );
  await open(page, '/mine/chat');
  const frame = page.locator('iframe');
  await expect(frame).toHaveAttribute('src', 'https://help.example/chat');
  await expect(frame).toHaveAttribute('sandbox', /allow-scripts/);
  await expect(frame).not.toHaveAttribute('sandbox', /top-navigation/);
  await expect(page.frameLocator('iframe').getByText('How can we help?')).toBeVisible();
  await open(page, '/mine/email');
  await expect(page.getByRole('link', { name: 'Write an email' })).toHaveAttribute(
    'href',
    'mailto:complaints@example.com',
  );
  await open(page, '/mine/announcement');
  await expect(page.getByText('North Korea, Israel, China, Vanuatu and Cuba')).toBeVisible();
});

test('no figure of the account is alone in the last row, in any width', async ({ page }) => {
  await openDemo(page, product, '/user');
  for (const path of ['/user', '/order']) {
    await open(page, path);
    for (const width of [360, 420, 500, 740, 900, 1440]) {
      await page.setViewportSize({ width, height: width === 740 ? 360 : 800 });
      await laidOut(page);
      const list = page.locator('main dl').filter({ hasText: 'Equity' }).first();
      const lastRow = await list.evaluate((figures) => {
        const tops = [...figures.querySelectorAll('dd')].map(
          (dd) => dd.getBoundingClientRect().top,
        );
        return tops.filter((top) => top === tops.at(-1)).length;
      });
      expect([path, width, lastRow > 1]).toEqual([path, width, true]);
    }
    await page.setViewportSize({ width: 360, height: 740 });
  }
});
