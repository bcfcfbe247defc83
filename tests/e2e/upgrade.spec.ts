import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { openPglite } from '../../server/db/pglite';
import { fingerprintOf } from '../../server/idempotency/fingerprint';
import { FORMER, readBrowser, readFormer, unpackData } from '../upgrade/former';
import { test as base, DESKTOP, expectScreen } from './helpers/browser';
import { kept } from './helpers/people';
import { inCluster, Product } from './helpers/product';

const former = readFormer('pglite');

/** A browser and a server that are upgraded a minute after the former server was killed, when no order may be executed any more. */
const test = base.extend<{ upgraded: Product }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from it which fixtures are needed.
  upgraded: async ({}, use) => {
    base.skip(inCluster, 'its data directory is that of one server');
    const data = mkdtempSync(join(tmpdir(), 'fulcrum-former-'));
    unpackData('pglite', data);
    await shiftTables(join(data, 'pglite'));
    const product = await Product.startOn(data, ['--no-auto-review']);
    await use(product);
    await product.stop();
    rmSync(data, { recursive: true });
  },
  storageState: async ({ upgraded }, use) => {
    const browser = readBrowser();
    const [{ origin } = { origin: '' }] = browser.origins;
    const text = JSON.stringify(browser).replaceAll(origin, upgraded.url);
    await use(JSON.parse(shiftTimes(text)));
  },
});
test.use(DESKTOP);

/** Added to the times of the fixtures, ms: sessions and answers would be too old otherwise. */
const SHIFT = Date.now() - 60_000 - former.killedAt;

async function shiftTables(directory: string): Promise<void> {
  const database = await openPglite(directory);
  const { rows } = await database.query<{ name: string; column: string }>(
    `select table_name as name, column_name as column from information_schema.columns
     where table_schema = 'public' and data_type = 'timestamp with time zone'`,
  );
  for (const { name, column } of rows)
    await database.exec(`update ${name} set ${column} = ${column} + interval '${SHIFT} ms'`);
  // The answer to the first order belongs to its parameters, and the deadline is one of them.
  const [{ key, path } = { key: '', path: '' }] = former.unanswered;
  const sent = await database.query<{ fingerprint: string }>(
    'select fingerprint from answers where key = $1',
    [key],
  );
  expect(sent.rows).toEqual([{ fingerprint: fingerprintOfUrl(path) }]);
  const shifted = fingerprintOfUrl(shiftTimes(path));
  await database.query('update answers set fingerprint = $1 where key = $2', [shifted, key]);
  await database.close();
}

function fingerprintOfUrl(url: string): string {
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  return fingerprintOf({ method: 'GET', path: pathname }, Object.fromEntries(searchParams));
}

function shiftTimes(text: string): string {
  return text.replace(/\b\d{13}\b/g, (time) =>
    Math.abs(Number(time) - former.killedAt) < 86_400_000 ? `${Number(time) + SHIFT}` : time,
  );
}

test(`a browser of the release ${FORMER} is still logged in, finds its settings, and learns what became of its orders`, async ({
  page,
  upgraded: product,
}) => {
  await page.goto(`${product.url}/#/order`);
  await expectScreen(page, '/order');
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  const notifications = page.getByRole('region', { name: 'Benachrichtigungen' });
  await Promise.all(
    [
      /^Order platziert: Kauf: 0,02 Lots Bitcoin zu [\d.,]+, Order \d+$/,
      /^Nicht ausgeführt: 0,04 Lots Bitcoin kaufen\. Diese Anfrage kam zu spät an und wurde nicht ausgeführt$/,
    ].map((outcome) => expect(notifications.getByText(outcome)).toBeVisible()),
  );
  for (const { key } of former.unanswered)
    await expect.poll(() => kept(page, `request ${key}`)).toBeUndefined();
  await expect(page.getByRole('cell', { name: /^0,0\d$/ })).toHaveText(['0,02', '0,02', '0,01']);

  await page.goto(`${product.url}/#/`);
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  // The list that the page shows before its workspace has a filter of its own.
  const panel = page.getByRole('tabpanel', { name: 'Watchlist' });
  await panel.getByRole('radio', { name: 'Favoriten' }).check();
  await expect(page.getByRole('grid').locator('[data-act=pick] > :not(:empty)')).toHaveText([
    'Gold',
  ]);
  await page.goto(`${product.url}/#/user`);
  await expect(page.getByRole('button', { name: /^Gültigkeit von Orders/ })).toContainText('10');
  await page.goto(`${product.url}/#/mine/auth`);
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Ada Lovelace');
  await page.goto(`${product.url}/#/trade?code=BTCUSD`);
  await expect(page.locator('figure [data-indicator=bollinger]').first()).toBeVisible();
  await page.goto(`${product.url}/#/workspace`);
  await expect(page.getByRole('button', { name: 'Layout: Ada’s charts' })).toBeVisible();
  await expect(page.locator('[data-kind=chart]')).toHaveCount(4);
});
