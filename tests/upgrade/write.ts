import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import { DESKTOP, expectScreen, languageCookie, test } from '../e2e/helpers/browser';
import { asPerson, fillLists, proof } from '../e2e/helpers/money';
import { kept, logIn, type Person, register } from '../e2e/helpers/people';
import type { Product } from '../e2e/helpers/product';
import { postgresPrograms } from '../helpers/installed';
import { startCluster } from '../server/support/postgres';
import { type Former, writeFormer } from './former';

// Writes the fixtures, by a build of the former release: scripts/upgradeFixtures.mjs runs it.

test.use({ ...DESKTOP, actionTimeout: 30_000 });

const OPTIONS = ['--no-auto-review', '--no-draw-verify'];

test('PGlite', async ({ page, startProduct }) => {
  const product = await startProduct(...OPTIONS);
  const former = await use(page, product);
  const browser = await page.context().storageState({ indexedDB: true });
  // Compressing takes minutes on a loaded machine.
  test.setTimeout(900_000);
  writeFormer('pglite', { former, data: product.data, browser });
});

test('PostgreSQL', async ({ page, startProduct }) => {
  const cluster = await startCluster();
  try {
    const url = await cluster.createDatabase();
    const product = await startProduct(...OPTIONS, '--database-url', url);
    const former = await use(page, product);
    // `startProduct` has copied it.
    rmSync(join(product.data, 'pglite'), { recursive: true });
    writeFormer('postgresql', { former, data: product.data, tables: dump(url) });
  } finally {
    await cluster.stop();
  }
});

/** Uses the product and kills it. */
async function use(page: Page, product: Product): Promise<Former> {
  const [ada, bob] = [await register(product), await register(product)];
  await fillLists(product, ada);
  await addRows(product, ada);
  await verify(product, bob);
  const secret = await protect(product, bob);
  await page.context().addCookies([languageCookie('en', product.url)]);
  await logIn(page, product, ada);
  await setPreferences(page, product);
  const unanswered = await leaveUnanswered(page, product);
  await page.goto(`${product.url}/#/language`);
  await page.getByRole('main').getByText('Deutsch').click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  const token = String(await kept(page, 'token'));
  await product.kill();
  const killedAt = Date.now();
  return { killedAt, ada: { ...ada, token }, bob: { ...bob, secret }, unanswered };
}

/** Adds the kinds of rows that `fillLists` lacks. */
async function addRows(product: Product, person: Person): Promise<void> {
  const ask = await asPerson(product, person);
  const get = <T>(path: string, params: Record<string, string | number>) =>
    ask<T>(`${path}?${new URLSearchParams(params as Record<string, string>)}`);
  const [{ address }] = (await ask<[{ address: string }]>('/api/quickCharge/symbols')) as [
    { address: string },
  ];
  const proofImg = await upload(ask);
  await get('/api/quickCharge/submit', { number: 700, charge_id: 1, address, proofImg });
  const instruments = await ask<{ Id: number; Code: string }[]>('/v1/api/forex/trade_list');
  const id = instruments.find(({ Code }) => Code === 'BTCUSD')?.Id ?? 0;
  await get('/v1/api/forex/alert_add', { forex_id: id, price: '300000', note: 'Sell' });
  // An order of which a part was closed.
  const order = { type: 2, cont: '0.03', forex_id: id, status: 1, multiple: 10 };
  const { Id } = await get<{ Id: number }>('/v1/api/forex/submit', order);
  await get('/v1/api/forex/close', { id: Id, cont: '0.01' });
}

async function verify(product: Product, person: Person): Promise<void> {
  const ask = await asPerson(product, person);
  const form = {
    name: 'Bob Noyce',
    card_id: 'X1234567',
    front_pic: await upload(ask),
    reverse_pic: await upload(ask),
  };
  await ask('/api/user_real/real_name', {
    method: 'POST',
    body: JSON.stringify(form),
    headers: { 'content-type': 'application/json' },
  });
}

/** Uploads a picture and returns its address. */
async function upload(ask: Awaited<ReturnType<typeof asPerson>>): Promise<string> {
  const { buffer, mimeType, name } = await proof();
  const body = new FormData();
  body.set('file', new Blob([new Uint8Array(buffer)], { type: mimeType }), name);
  return (await ask<{ url: string }>('/api/common/image_upload', { method: 'POST', body })).url;
}

/** Sets up a second factor and returns its secret. */
async function protect(product: Product, person: Person): Promise<string> {
  const ask = await asPerson(product, person);
  const post = <T>(path: string, params = {}) =>
    ask<T>(path, { method: 'POST', body: new URLSearchParams(params) });
  const { secret } = await post<{ secret: string }>('/api/user/otp_enrol');
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  await post('/api/user/otp_confirm', { otp: totp.generate() });
  return secret;
}

async function setPreferences(page: Page, product: Product): Promise<void> {
  const goTo = async (path: string) => {
    await page.goto(`${product.url}/#${path}`);
    await expectScreen(page, path);
  };
  await goTo('/mine/system');
  const seconds = page.getByRole('group', { name: 'Orders are valid for' });
  await seconds.getByRole('radio', { name: '10 s' }).check();
  await goTo('/mine/auth');
  await page.getByLabel('Name', { exact: true }).fill('Ada Lovelace');
  await expect.poll(() => kept(page, 'verification-draft')).toBeDefined();

  await page.goto(`${product.url}/#/`);
  await page.getByRole('button', { name: 'Appearance' }).click();
  const looks = page.getByRole('dialog', { name: 'Appearance' });
  await looks.getByRole('radio', { name: 'Dark' }).check();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Favourite: Gold', exact: true }).click();

  await goTo('/trade?code=BTCUSD');
  await page.getByRole('button', { name: 'Indicators', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Bollinger Bands (BB)' }).click();
  await page.keyboard.press('Escape');

  await page.goto(`${product.url}/#/workspace`);
  await page.getByRole('button', { name: /^Layout:/ }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Four charts', exact: true }).click();
  await page.getByRole('button', { name: /^Layout:/ }).click();
  await page.getByRole('menuitem', { name: 'Save layout as…' }).click();
  await page.getByRole('textbox', { name: 'Name of the layout' }).fill('Ada’s charts');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Layout: Ada’s charts' })).toBeVisible();
}

/** Two orders without an answer, of two tabs: the server has placed the first, and has never received the second. */
async function leaveUnanswered(page: Page, product: Product): Promise<Former['unanswered']> {
  const sent = new Map<string, string>();
  await page.context().route('**/v1/api/forex/submit*', async (route) => {
    const { pathname, search } = new URL(route.request().url());
    const key = route.request().headers()['idempotency-key'] ?? '';
    if (sent.size === 0) await route.fetch();
    sent.set(key, pathname + search);
    await route.abort('connectionreset');
  });
  for (const lots of ['0.02', '0.04']) {
    const tab = await page.context().newPage();
    await tab.goto(`${product.url}/#/trade?code=BTCUSD`);
    await tab.getByRole('textbox', { name: 'Lots' }).fill(lots);
    await tab.getByRole('button', { name: `Buy ${lots} lots`, exact: true }).click();
    await tab.getByRole('button', { name: 'Confirm', exact: true }).click();
    await expect(tab.getByText('1 order unanswered: ')).toContainText(
      `Buy ${lots} lots of Bitcoin`,
    );
  }
  return [...sent].map(([key, path]) => ({ key, path }));
}

function dump(url: string): string {
  const program = join(postgresPrograms ?? '', 'pg_dump');
  const text = execFileSync(program, ['--inserts', '--no-owner', '--no-privileges', url], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  // Commands of psql are no SQL.
  return text.replaceAll(/^\\.*\n/gm, '');
}
