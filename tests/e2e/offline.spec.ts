import { cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type BrowserContext, expect, type Page, type TestInfo } from '@playwright/test';
import { languageCookie, PHONE, test } from './helpers/browser';
import { Network } from './helpers/network';
import { openDemo } from './helpers/people';
import { type Product, serverProgram } from './helpers/product';
import { filesKept } from './helpers/serviceWorker';

test.use({ ...PHONE, serviceWorkers: 'allow' });

/** Opens an address of the app in English. */
async function visit(page: Page, address: string): Promise<void> {
  await page.context().addCookies([languageCookie('en', new URL(address).origin)]);
  await page.goto(address);
}

/** Everything that the device keeps, as text. */
function everythingKept(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const texts = [JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage })];
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        texts.push(request.url, (await (await cache.match(request))?.text()) ?? '');
      }
    }
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await new Promise<IDBDatabase>((resolve) => {
        const opening = indexedDB.open(name);
        opening.onsuccess = () => resolve(opening.result);
      });
      for (const store of database.objectStoreNames) {
        const reading = database.transaction(store).objectStore(store).getAll();
        await new Promise((resolve) => {
          reading.onsuccess = resolve;
        });
        texts.push(JSON.stringify(reading.result));
      }
      database.close();
    }
    return texts.join('\n');
  });
}

/** Takes the network away. */
async function disconnect(context: BrowserContext, product: { kill(): Promise<void> }) {
  // Playwright's switch does not reach the sockets of workers.
  await Promise.all([product.kill(), context.setOffline(true)]);
}

test('without a network the app opens with what was known, marked as old', async ({
  page,
  context,
  startProduct,
}) => {
  const product = await startProduct('--title', 'Kept as served');
  await visit(page, product.url);
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  await filesKept(page, /AboutScreen/);
  await page.goto(`${product.url}/#/news`);
  const article = page.getByRole('listitem').first();
  const headline = (await article.getByRole('link').textContent()) ?? '';
  await page.goto(`${product.url}/#/trade?code=EURUSD`);
  const bars = page.getByText(/^\d+ bars\. Newest/);
  await expect(bars).toBeAttached();

  await disconnect(context, product);
  await page.reload();
  await expect(page.getByText('Offline', { exact: true })).toBeVisible();
  // A file that nobody has is no error of the page.
  await page.evaluate(() => fetch('/assets/none.js').catch(() => {}));
  await expect(page).toHaveTitle(/Kept as served$/);
  const old = page.getByText('Not refreshed: this may be out of date');
  await expect(bars).toBeAttached();
  await expect(old).toBeVisible();
  await page.goto(`${product.url}/#/news`);
  await expect(article).toContainText(headline);
  await expect(old).toBeVisible();
  // A screen that was never opened.
  await page.goto(`${product.url}/#/about`);
  await expect(page.getByRole('heading', { name: 'About' })).toBeVisible();

  await page.goto(`${product.url}/#/`);
  // Open markets come first.
  const row = page.getByRole('rowgroup').getByRole('row').first();
  await expect(row).toHaveAttribute('data-stale', 'true');

  await Promise.all([product.start(), context.setOffline(false)]);
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
});

test('without a network the app opens in the language that was kept last, where its own was not', async ({
  page,
  context,
  startProduct,
}) => {
  const product = await startProduct();
  for (const language of ['fr', 'en'] as const) {
    await context.addCookies([languageCookie(language, product.url)]);
    await page.goto(product.url);
    await page.reload();
    await filesKept(page, new RegExp(`/assets/${language}-`));
  }
  await context.addCookies([languageCookie('de', product.url)]);
  await disconnect(context, product);
  await page.reload();
  await expect(page.getByText('Offline', { exact: true })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await expect(page.locator('#boot-failure')).toBeHidden();
  await expect(page.getByRole('link', { name: 'Orders' })).toBeVisible();

  await Promise.all([product.start(), context.setOffline(false)]);
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
});

test('offline, the lists of orders say so, and load by themselves once there is a connection', async ({
  page,
  context,
  startProduct,
}) => {
  const product = await startProduct();
  await context.addCookies([languageCookie('en', product.url)]);
  await openDemo(page, product, '/order');
  await expect(page.getByText('No open positions')).toBeVisible();
  await filesKept(page, /OrdersScreen/);
  await disconnect(context, product);
  const offline = page.getByRole('heading', { name: 'You are offline' });
  for (const [type, empty] of [
    [1, 'No open positions'],
    [3, 'No history yet'],
  ] as const) {
    await page.goto(`${product.url}/#/order?type=${type}`);
    await page.reload();
    await expect(offline).toBeVisible();
    await Promise.all([product.start(), context.setOffline(false)]);
    await expect(page.getByText(empty)).toBeVisible({ timeout: 30_000 });
    await expect(offline).toHaveCount(0);
    await disconnect(context, product);
  }
});

const PORTAL = { type: 'text/html', body: '<!doctype html><title>Log in to this network</title>' };

const LASTING_PORTAL = { ...PORTAL, cache: 'max-age=3600' };

/** What browsers write of a script that is none; Firefox of an error that the app has caught only its name. */
const NO_SCRIPT =
  /module script|dynamically imported module|Unexpected|Invalid|SyntaxError|missing variable name|JavaScript MIME type|^console: Error$/;

for (const { name, instead, heal } of [
  { name: 'a page of a portal', instead: PORTAL, heal: 'reload' },
  { name: 'a page that browsers may keep', instead: LASTING_PORTAL, heal: 'Try again' },
  {
    name: 'half a script',
    instead: { type: 'text/javascript', body: 'export const = (' },
    heal: 'Try again',
  },
]) {
  test(`a screen that the network has answered with ${name} works again, also without a network`, async ({
    page,
    context,
    startProduct,
    problems,
  }) => {
    const product = await startProduct();
    const network = await Network.before(product);
    network.instead = (path) => (/AboutScreen-.*js$/.test(path) ? instead : undefined);
    await visit(page, network.url);
    await expect(page.getByText('Live', { exact: true })).toBeVisible();
    await filesKept(page, /UserScreen/);
    await expect.poll(() => network.answered).toBeGreaterThan(0);
    await page.goto(`${network.url}/#/about`);
    await expect(page.getByText('This screen could not be shown')).toBeVisible();
    // The rest stays usable.
    await page.goto(`${network.url}/#/trade?code=EURUSD`);
    await expect(page.getByRole('button', { name: 'Buy' })).toBeVisible();
    await page.goto(`${network.url}/#/about`);
    await expect(page.getByText('This screen could not be shown')).toBeVisible();

    network.instead = () => undefined;
    if (heal === 'reload') await page.reload();
    else await page.getByRole('button', { name: heal }).click();
    const about = page.getByRole('heading', { name: 'About' });
    await expect(about).toBeVisible();
    await filesKept(page, /AboutScreen[^ ]*js/);

    await disconnect(context, product);
    await page.reload();
    await expect(page.getByText('Offline', { exact: true })).toBeVisible();
    await expect(about).toBeVisible();
    network.close();
    const others = problems.filter((text) => !NO_SCRIPT.test(text));
    problems.length = 0;
    expect(others).toEqual([]);
  });
}

/** A device that has kept the page, behind a network that the test controls. */
async function keptBehind(page: Page, product: Product): Promise<Network> {
  const network = await Network.before(product);
  await visit(page, network.url);
  // Of its shell the worker has all: these it keeps once the page has used them.
  for (const file of [/\/en-/, /Deferred/]) await filesKept(page, file);
  return network;
}

test('a second visit is live before the network has its page', async ({
  page,
  context,
  startProduct,
}) => {
  const network = await keptBehind(page, await startProduct());
  network.holds = (path) => path === '/';
  const next = await context.newPage();
  await next.goto(network.url);
  await expect(next.getByText('Live', { exact: true })).toBeVisible();
  network.close();
});

test('a kept page that its server revokes is replaced where nobody has touched it, and offers it elsewhere', async ({
  page,
  context,
  startProduct,
  problems,
}) => {
  const network = await keptBehind(page, await startProduct());
  await page.getByRole('heading', { level: 1 }).tap();
  network.addedHeaders = { '/': { 'x-kept-page': 'none' } };
  const next = await context.newPage();
  await next.goto(network.url);
  const kindOf = (each: Page) =>
    // Fails while the page is replaced.
    each
      .evaluate(() =>
        performance.getEntriesByType('navigation').map((entry) => entry.toJSON().type),
      )
      .catch(() => []);
  await expect.poll(() => kindOf(next)).toEqual(['reload']);
  await expect(next.getByText('Live', { exact: true })).toBeVisible();
  await expect(page.getByText('A new version is ready.')).toBeVisible();
  expect(await kindOf(page)).toEqual(['navigate']);
  network.close();
  // Firefox tells of the worker's import that the replacement ends.
  const others = problems.filter((text) => !NO_SCRIPT.test(text));
  problems.length = 0;
  expect(others).toEqual([]);
});

test('an app that is opened behind a portal is the app, and live once the user is through', async ({
  page,
  context,
  startProduct,
  problems,
}) => {
  const network = await keptBehind(page, await startProduct());
  network.instead = () => PORTAL;
  network.blocksWebsockets = true;
  const next = await context.newPage();
  await next.goto(network.url);
  const row = next.getByRole('rowgroup').getByRole('row').first();
  await expect(row).toHaveAttribute('data-stale', 'true');
  await expect(next.getByText(/you may have to sign in to this network/)).toBeVisible();
  network.instead = () => undefined;
  network.blocksWebsockets = false;
  await expect(next.getByText('Live', { exact: true })).toBeVisible();
  await expect(row).toHaveAttribute('data-stale', 'false');
  await expect(next.getByText('A new version is ready.')).toHaveCount(0);
  network.close();
  const others = problems.filter((text) => !NO_SCRIPT.test(text));
  problems.length = 0;
  expect(others).toEqual([]);
});

test('a page whose own script is something else says so, and starts when it is loaded again', async ({
  page,
  startProduct,
  problems,
}) => {
  const product = await startProduct();
  const network = await Network.before(product);
  network.instead = (path) =>
    network.answered === 0 && /index-.*js$/.test(path) ? LASTING_PORTAL : undefined;
  await visit(page, network.url);
  const failure = page.locator('#boot-failure');
  await expect(failure).toBeVisible();
  await failure.getByRole('link').click();
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  await expect(failure).toBeHidden();
  network.close();
  problems.length = 0;
});

test('pages that an earlier version has kept in the place of files are asked for again', async ({
  page,
  startProduct,
}) => {
  const product = await startProduct();
  await visit(page, product.url);
  await filesKept(page, /AboutScreen/);
  await page.evaluate(async (body) => {
    const files = await caches.open('files');
    for (const { url } of await files.keys()) {
      const headers = { 'content-type': 'text/html' };
      await files.put(url, new Response(body, { headers }));
    }
  }, PORTAL.body);
  await page.reload();
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  await page.goto(`${product.url}/#/about`);
  await expect(page.getByRole('heading', { name: 'About' })).toBeVisible();
});

test('a script that a filter blocks takes only its own part with it', async ({
  page,
  context,
  startProduct,
  problems,
}) => {
  const product = await startProduct();
  await context.addCookies([languageCookie('en', product.url)]);
  await context.addInitScript(() => {
    Object.defineProperty(Notification, 'permission', { get: () => 'granted' });
  });
  const blocked = /\/assets\/(push|AccountTerms|AppearanceSheet)-/;
  await context.route(blocked, (route) => route.abort());
  await openDemo(page, product, '/alerts');
  await expect(page.getByText('No active alerts')).toBeVisible();
  await expect(page.getByText(/this browser could not be registered/)).toBeVisible();

  const missing = page.getByText('This could not be loaded');
  await page.goto(`${product.url}/#/order`);
  await page.getByRole('button', { name: 'What these figures mean' }).click();
  await expect(page.getByRole('dialog').getByText('This could not be loaded')).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();

  await page.goto(`${product.url}/#/`);
  await page.getByRole('button', { name: 'Appearance' }).click();
  await expect(missing).toBeVisible();
  await expect(page.getByRole('rowgroup').getByRole('row').first()).toBeVisible();
  await context.unroute(blocked);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(missing).toBeHidden();
  await page.getByRole('button', { name: 'Appearance' }).click();
  await expect(page.getByRole('dialog', { name: 'Appearance' })).toBeVisible();
  problems.length = 0;
});

test('a screen that could not be loaded ahead is there when it is opened', async ({
  page,
  context,
  startProduct,
  problems,
}) => {
  const network = await Network.before(await startProduct());
  await context.addCookies([languageCookie('en', network.url)]);
  network.instead = (path) =>
    /OrdersScreen-.*js/.test(path) ? { status: 503, type: 'text/javascript', body: '' } : undefined;
  // It is loaded ahead after that of the orders.
  const next = page.waitForRequest(/UserScreen-.*js/);
  await openDemo(page, network, '/');
  await next;
  expect(network.answered).toBeGreaterThan(0);
  network.instead = () => undefined;
  await page.getByRole('link', { name: 'Orders', exact: true }).click();
  await expect(page.getByText('No open positions')).toBeVisible();
  network.close();
  const others = problems.filter((text) => !NO_SCRIPT.test(text));
  problems.length = 0;
  expect(others).toEqual([]);
});

/** A later version of the build: its first script has another name. Returns the server's program. */
function laterBuild(testInfo: TestInfo): string {
  const folder = testInfo.outputPath('later');
  cpSync(dirname(dirname(serverProgram)), folder, { recursive: true });
  const client = join(folder, 'client');
  const { version } = JSON.parse(readFileSync(join(client, 'manifest.json'), 'utf8'));
  const html = readFileSync(join(client, 'index.html'), 'utf8');
  const [, entry = ''] = /src="\/assets\/(index-[\w-]+\.js)"/.exec(html) ?? [];
  const assets = join(client, 'assets');
  renameSync(join(assets, entry), join(assets, 'index-laterrrr.js'));
  for (const path of readdirSync(client, { recursive: true, encoding: 'utf8' })) {
    const file = join(client, path);
    if (/\.(br|gz)$/.test(path)) rmSync(file);
    if (!/\.(js|json|html)$/.test(path)) continue;
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replaceAll(version, 'later').replaceAll(entry, 'index-laterrrr.js'));
  }
  return join(folder, 'server/main.js');
}

test('a new version is offered, and taken by a tap only', async ({
  page,
  startProduct,
}, testInfo) => {
  const product = await startProduct();
  await visit(page, `${product.url}/#/trade?code=BTCUSD`);
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  await filesKept(page, /TradeScreen/);
  await page.evaluate(() => Object.assign(globalThis, { mark: 'the old page' }));
  const mark = () => page.evaluate(() => String(Reflect.get(globalThis, 'mark')));

  await product.kill();
  product.program = laterBuild(testInfo);
  await product.start();
  // The browser looks for a new one by itself when the page is opened, and daily.
  await page.evaluate(() => navigator.serviceWorker.ready.then((ready) => ready.update()));
  await expect(page.getByText('A new version is ready.')).toBeVisible();
  expect(await mark()).toBe('the old page');
  // The next visit begins with the kept page, which works with the new server.
  const next = await page.context().newPage();
  await next.goto(product.url);
  await expect(next.getByText('Live', { exact: true })).toBeVisible();
  const entries = () => next.evaluate(() => [...document.scripts].map(({ src }) => src).join());
  expect(await entries()).not.toContain('index-laterrrr.js');
  await expect(next.getByText('A new version is ready.')).toBeVisible();
  await next.close();
  await page.getByRole('button', { name: 'Reload' }).click();
  // Fails while the page is replaced.
  await expect.poll(() => mark().catch(() => '')).toBe('undefined');
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  // Once it has taken over, it forgets the page of the version before.
  const pages = () =>
    page.evaluate(async () => (await caches.keys()).filter((name) => name.startsWith('page ')));
  await expect.poll(pages).toEqual(['page later']);
  // Without the server it opens the new version.
  await product.kill();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Buy' })).toBeVisible();
  const scripts = await page.evaluate(() => [...document.scripts].map(({ src }) => src));
  expect(scripts.join()).toContain('index-laterrrr.js');
  rmSync(testInfo.outputPath('later'), { recursive: true });
});

test('after a logout the device keeps nothing of the user', async ({
  page,
  context,
  startProduct,
}) => {
  const product = await startProduct();
  await context.addCookies([languageCookie('en', product.url)]);
  await openDemo(page, product, '/user');
  const uid = (await page.getByText(/^UID/).locator('bdi').textContent()) ?? '';
  expect(uid).not.toBe('');
  await filesKept(page, /client\.worker/);
  expect(await everythingKept(page)).toContain(uid);
  await page.goto(`${product.url}/#/mine/system`);
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Log out' }).click();
  const left = async () => {
    const text = await everythingKept(page);
    return [uid, '"token"'].filter((part) => text.includes(part));
  };
  await expect.poll(left).toEqual([]);
});
