import { expect, type Page } from '@playwright/test';
import { languageCookie, PHONE, test, toastText } from './helpers/browser';
import { logIn, openDemo, register, tokenOf } from './helpers/people';
import type { Product } from './helpers/product';

test.use(PHONE);

let product: Product;
test.beforeAll(async ({ shareProduct }) => {
  product = await shareProduct();
});
test.beforeEach(({ context }) => context.addCookies([languageCookie('en', product.url)]));

/** What a user sees on a route: the screen, the login, or the real-account message. */
type Met = 'open' | 'login' | 'real-account';

/** The routes of screens.md#routing: what a visitor, a demo user and a real user see. */
const MATRIX: Record<string, [visitor: Met, demo: Met, real: Met]> = {
  '/': ['open', 'open', 'open'],
  '/trade': ['open', 'open', 'open'],
  '/order': ['login', 'open', 'open'],
  '/user': ['login', 'open', 'open'],
  '/news': ['open', 'open', 'open'],
  '/news/detail?id=1': ['open', 'open', 'open'],
  '/rank': ['open', 'open', 'open'],
  '/feedback': ['open', 'open', 'open'],
  '/login': ['open', 'open', 'open'],
  '/register': ['open', 'open', 'open'],
  '/forgot': ['open', 'open', 'open'],
  '/product': ['open', 'open', 'open'],
  '/language': ['open', 'open', 'open'],
  '/mine/auth': ['login', 'real-account', 'open'],
  '/mine/invite': ['login', 'real-account', 'open'],
  '/mine/email': ['open', 'open', 'open'],
  '/mine/announcement': ['open', 'open', 'open'],
  '/mine/password': ['login', 'real-account', 'open'],
  '/mine/history': ['login', 'open', 'open'],
  '/mine/charge': ['login', 'real-account', 'open'],
  '/mine/withdraw': ['login', 'real-account', 'open'],
  '/mine/chat': ['open', 'open', 'open'],
  '/mine/system': ['login', 'open', 'open'],
  '/mine/wallet': ['login', 'real-account', 'open'],
  '/mine/bank-card-list': ['login', 'real-account', 'open'],
  '/mine/coin-address-list': ['login', 'real-account', 'open'],
  '/mine/withdraw-way?type=1': ['login', 'real-account', 'open'],
  '/mine/withdraw-way?type=2': ['login', 'real-account', 'open'],
  '/mining': ['open', 'open', 'open'],
  '/mining/subscribe?id=1': ['open', 'open', 'open'],
  '/mining/record': ['login', 'open', 'open'],
  '/mining/income?id=1': ['login', 'open', 'open'],
};

const MESSAGE = 'Please register or log in to a real account';

/** Opens the routes in one page, as by links. */
async function walk(page: Page, role: 0 | 1 | 2): Promise<Record<string, Met>> {
  const met: Record<string, Met> = {};
  for (const path of Object.keys(MATRIX)) {
    await page.evaluate((to) => {
      for (const title of document.querySelectorAll('h1')) {
        title.dataset['seen'] = title.textContent ?? '';
      }
      location.hash = to;
    }, path);
    await expect
      .poll(() => page.url().split('#')[1])
      .toMatch(path === '/login' ? /^\/login/ : new RegExp(`^(${escaped(path)}|/login\\?from=)`));
    // The previous screen stays until the next one is loaded.
    await page.waitForFunction(() =>
      [...document.querySelectorAll<HTMLElement>('main h1')].some(
        (title) =>
          title.checkVisibility() &&
          (title.dataset['seen'] !== title.textContent ||
            document.title.startsWith(`${title.textContent} · `)),
      ),
    );
    const outcome = async (): Promise<Met> => {
      if (page.url().split('#')[1]?.startsWith('/login?from=')) return 'login';
      const message = page.getByRole('heading', { name: MESSAGE });
      return (await message.isVisible()) ? 'real-account' : 'open';
    };
    // The guard may be waiting for the worker to report the user.
    await expect.poll(outcome, path).toBe(MATRIX[path]?.[role]);
    met[path] = await outcome();
    if (met[path] === 'login') {
      const query = page.url().split('#')[1]?.split('?')[1];
      expect(new URLSearchParams(query).get('from')).toBe(path);
    }
  }
  return met;
}

const escaped = (text: string) => text.replace(/[?]/g, '\\?');

const expectedFor = (role: 0 | 1 | 2) =>
  Object.fromEntries(Object.entries(MATRIX).map(([path, roles]) => [path, roles[role]]));

test('a visitor', async ({ page }) => {
  await page.goto(`${product.url}/#/about`);
  expect(await walk(page, 0)).toEqual(expectedFor(0));
});

test('a demo user', async ({ page }) => {
  await openDemo(page, product);
  expect(await walk(page, 1)).toEqual(expectedFor(1));
});

test('a real user', async ({ page }) => {
  await logIn(page, product, await register(product));
  expect(await walk(page, 2)).toEqual(expectedFor(2));
});

test('the real-account message leads to a login that leads back', async ({ page }) => {
  const person = await register(product);
  await openDemo(page, product, '/mine/wallet');
  await page.getByRole('main').getByRole('link', { name: 'Log in' }).click();
  await page.getByLabel('Email address').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  // A demo user is not offered another demo account.
  await expect(page.getByRole('button', { name: 'Try the demo account' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page).toHaveURL(/#\/mine\/wallet$/);
  await expect(page.getByRole('heading', { name: MESSAGE })).toHaveCount(0);
});

test('a visitor opens a demo account where an alert needs one, and sets it there', async ({
  page,
}) => {
  await page.goto(`${product.url}/#/trade`);
  await page.getByRole('button', { name: /^New price alert/ }).click();
  const sheet = page.getByRole('dialog', { name: /^New price alert/ });
  await expect(sheet.getByRole('link', { name: 'Register' })).toBeVisible();
  await sheet.getByRole('button', { name: 'Try the demo account' }).click();
  await expect(sheet.getByRole('button', { name: 'Set alert' })).toBeVisible();
  await expect(page).toHaveURL(/#\/trade/);
});

test('a return path that is no route of the app leads to /', async ({ page }) => {
  await page.goto(`${product.url}/#/login?from=${encodeURIComponent('https://evil.example/')}`);
  await page.getByRole('button', { name: 'Try the demo account' }).click();
  await expect(page).toHaveURL(`${product.url}/#/`);
});

test('two tabs log in and out together; logging out asks for one confirmation', async ({
  page,
  context,
}) => {
  const person = await register(product);
  const other = await context.newPage();
  await other.goto(`${product.url}/#/order?type=3`);
  await expect(other).toHaveURL(/#\/login\?from=%2Forder%3Ftype%3D3$/);
  await logIn(page, product, person, '/mine/system');
  // The other tab returns to the path that it wanted.
  await expect(other).toHaveURL(/#\/order\?type=3$/);

  // It is in the user center, too.
  await page.goto(`${product.url}/#/user`);
  await page.getByRole('button', { name: /^Order validity/ }).click();
  const settings = page.getByRole('dialog', { name: 'Order validity' });
  await settings.getByRole('radio', { name: '10 s' }).check();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: /^Order validity/ })).toContainText('10');
  await page.getByRole('button', { name: 'Log out' }).click();
  const ask = page.getByRole('dialog', { name: 'Log out?' });
  await expect(ask).toContainText(person.email);
  await ask.getByRole('button', { name: 'Cancel' }).click();
  await expect(ask).toBeHidden();
  await page.getByRole('button', { name: 'Log out' }).click();
  const loggedOut = page.waitForResponse('**/api/user/logout');
  const told = toastText(page, /^Logged out/);
  await ask.getByRole('button', { name: 'Log out' }).click();
  await expect(page).toHaveURL(`${product.url}/#/`);
  expect(await (await loggedOut).json()).toMatchObject({ code: 1 });
  await told;
  await expect(other).toHaveURL(/#\/login\?from=/);
});

test('a session that was ended elsewhere leads to the login and back (domain.md#sessions)', async ({
  page,
}) => {
  const person = await register(product);
  await logIn(page, product, person, '/mine/announcement');
  const token = await tokenOf(page);
  await page.request.post(`${product.url}/api/user/logout`, { headers: { authorization: token } });
  await page.evaluate(() => {
    location.hash = '/mine/history';
  });
  await expect(page).toHaveURL(/#\/login\?from=%2Fmine%2Fhistory$/);
  await page.getByLabel('Email address').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page).toHaveURL(/#\/mine\/history$/);
});
