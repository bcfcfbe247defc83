import { expect, type Page } from '@playwright/test';
import { expectScreen, languageCookie, PHONE, test } from './helpers/browser';
import { logIn, register } from './helpers/people';
import type { Product } from './helpers/product';
import { SCREENS } from './helpers/screens';

test.use(PHONE);

let product: Product;
test.beforeAll(async ({ shareProduct }) => {
  product = await shareProduct();
});
test.beforeEach(async ({ context }) => {
  await context.addCookies([languageCookie('en', product.url)]);
});

const OF_TABS = ['/', '/trade', '/order', '/rank', '/news'];
const PATHS = new Set(SCREENS.map((path) => path.replace(/\?.*/, '')));

/** The path above a screen (screens.md#back). */
function above(path: string): string {
  const folder = /^\/(\w+)\//.exec(path)?.[1] ?? '';
  return { mine: '/user', mining: '/mining', news: '/news' }[folder] ?? '/';
}

const arrow = (page: Page) =>
  page.getByRole('main').getByRole('button', { name: 'Back', exact: true });

for (const path of PATHS) {
  if (OF_TABS.includes(path)) continue;
  test(`Back on ${path} leads to ${above(path)}, from a link, another site and after a reload`, async ({
    context,
    page,
  }) => {
    // A real user may enter all of them; a visitor logs in.
    if (above(path) !== '/' || path === '/user')
      await logIn(page, product, await register(product));
    const tab = await context.newPage();
    await tab.goto(`${product.url}/#${path}?id=1`);
    await expectScreen(tab, path);
    const entries = () => tab.evaluate(() => history.length);
    const before = await entries();
    await arrow(tab).tap();
    await expectScreen(tab, above(path));
    expect(await entries()).toBe(before);

    await tab.goto('data:text/html,elsewhere');
    await tab.goto(`${product.url}/#${path}?id=1`);
    await expectScreen(tab, path);
    await tab.reload();
    await expectScreen(tab, path);
    await arrow(tab).tap();
    await expectScreen(tab, above(path));
    await tab.goBack();
    await expect(tab.getByText('elsewhere')).toBeVisible();
    await tab.goForward();
    await expectScreen(tab, above(path));
  });
}

test('a login, by way of the registration and after a reload, leaves nothing that Back would meet', async ({
  page,
}) => {
  const person = await register(product);
  const login = page.getByRole('link', { name: 'Log in' });
  await page.goto(`${product.url}/#/`);
  await page.getByRole('button', { name: 'EUR/USD', exact: true }).tap();
  await expectScreen(page, '/trade');
  await page.getByRole('button', { name: /alert/i }).tap();
  await page.getByRole('dialog').getByRole('link', { name: 'Log in' }).tap();
  await expectScreen(page, '/login');
  await page.getByRole('main').getByRole('link', { name: 'Register' }).tap();
  await expectScreen(page, '/register');
  await login.tap();
  await expectScreen(page, '/login');
  await page.reload();
  await page.getByLabel('Email address').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Log in' }).tap();
  await expectScreen(page, '/trade');
  await page.goBack();
  await expectScreen(page, '/');
});
