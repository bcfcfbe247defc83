import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect, createServer as createHost } from 'node:net';
import { extname, join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { DESKTOP, expectScreen, languageCookie, PHONE, test } from './helpers/browser';
import { dist, type Product } from './helpers/product';

/** Kinds of deployment (operations.md#deployment). Every host below `localhost` is this machine. */
const at = (product: Product, host: string) => product.url.replace('localhost', host);

/** The hosts that page and worker ask from now on. */
function hostsOf(page: Page): Set<string> {
  const hosts = new Set<string>();
  page.on('request', (request) => {
    const { protocol, host } = new URL(request.url());
    if (protocol === 'http:') hosts.add(host);
  });
  return hosts;
}

test.use(DESKTOP);

test.describe('the main site, with its API on a sibling host', () => {
  let product: Product;
  let site: string;
  test.beforeAll(async ({ shareProduct }) => {
    product = await shareProduct(
      ...['--variant', 'main-site,desktop-host', '--origins', 'http://m.app.localhost:PORT'],
      ...['--complaint-email', '', '--complaint-url', 'https://elsewhere.example/complaints'],
    );
    site = at(product, 'm.app.localhost');
  });
  test.beforeEach(({ context }) => context.addCookies([languageCookie('en', site)]));

  test('trades, and gets the complaint email from a third party', async ({ page }) => {
    const hosts = hostsOf(page);
    await page.goto(`${site}/#/login?from=/user`);
    await page.getByRole('button', { name: 'Try the demo account' }).click();
    await expect(page.getByRole('region', { name: 'Balance' })).toContainText('100,000.00');
    await expect(page.getByText('Live', { exact: true })).toBeVisible();
    expect(hosts).toContain(new URL(at(product, 'api.app.localhost')).host);

    const asked = new Promise<Record<string, string>>((resolve) => {
      void page.route('https://elsewhere.example/complaints?t=*', async (route) => {
        resolve(await route.request().allHeaders());
        const headers = { 'access-control-allow-origin': '*' };
        await route.fulfill({ headers, json: { email: 'ombudsman@elsewhere.example' } });
      });
    });
    await page.getByRole('link', { name: 'Complaint email' }).click();
    await expect(page.getByText('ombudsman@elsewhere.example')).toBeVisible();
    expect(Object.keys(await asked)).not.toContain('authorization');
  });

  test('offers a desktop its own host once', async ({ page }) => {
    await page.goto(site);
    await page.route(`${at(product, 'pc.app.localhost')}/`, (route) =>
      route.fulfill({ body: 'pc' }),
    );
    await page.getByRole('button', { name: 'Open it' }).click();
    await expect(page).toHaveURL(`${at(product, 'pc.app.localhost')}/`);
    await page.goBack();
    const offer = page.getByRole('status').filter({ hasText: 'A desktop version is available.' });
    await offer.getByRole('button', { name: 'Dismiss' }).click();
    await page.reload();
    await expect(page.getByRole('link', { name: 'Ranking' })).toBeVisible();
    await expect(offer).toHaveCount(0);
  });

  test('searches service providers, and keeps the chosen one for three years', async ({
    page,
    context,
  }) => {
    await page.goto(`${site}/#/product`);
    const providers = page.getByRole('list', { name: 'Service providers found' });
    const all = providers.getByRole('listitem');
    await expect(all.first()).toBeVisible();
    const name = (await all.first().locator('span > span > span').first().textContent()) ?? '';
    await page.getByRole('searchbox').fill('zzz');
    await expect(page.getByText('Nothing found for “zzz”')).toBeVisible();
    await page.getByRole('searchbox').fill(name.slice(0, 5).toLowerCase());
    await expect(all.first()).toContainText(name);
    await all.first().getByRole('button').click();
    const dialog = page.getByRole('dialog', { name });
    await expect(dialog).toContainText('Registered address');
    for (const link of await dialog.getByRole('link', { name: /\./ }).all()) {
      const href = (await link.getAttribute('href')) ?? '';
      expect(href).toMatch(/^(https|mailto):/);
    }
    await dialog.getByRole('button', { name: 'Choose' }).click();
    await expect(all.first().getByRole('img', { name: 'Chosen' })).toBeVisible();
    const cookie = (await context.cookies()).find((each) => each.name === 'company_id');
    expect(Number(cookie?.value)).toBeGreaterThan(0);
    // Browsers may limit it to 400 days (RFC 6265bis).
    expect((cookie?.expires ?? 0) - Date.now() / 1000).toBeGreaterThan(399 * 86_400);
    await page.reload();
    await expect(all.first().getByRole('img', { name: 'Chosen' })).toBeVisible();
  });
});

test('a page titled DEMO calls its own origin', async ({ page, context, startProduct }) => {
  const product = await startProduct('--title', 'DEMO');
  const site = at(product, 'm.app.localhost');
  await context.addCookies([languageCookie('en', site)]);
  const hosts = hostsOf(page);
  await page.goto(site);
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  await expect(page).toHaveTitle(/ · DEMO$/);
  await expect(page.getByText('DEMO', { exact: true })).toBeVisible();
  expect([...hosts]).toEqual([new URL(site).host]);
  // Not the main site: the search finds instruments.
  await page.getByRole('link', { name: 'Search' }).click();
  await expect(page.getByRole('searchbox', { name: 'Search' })).toBeVisible();
  await expect(page.getByText('EUR/USD').last()).toBeVisible();
});

test('a page without an API sibling calls the fallback host', async ({
  page,
  context,
  startProduct,
}) => {
  const product = await startProduct(
    ...['--fallback-host', '127.0.0.1:PORT', '--origins', 'http://localhost:PORT'],
  );
  await context.addCookies([languageCookie('en', product.url)]);
  const hosts = hostsOf(page);
  await page.goto(product.url);
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  expect(hosts).toContain(new URL(at(product, '127.0.0.1')).host);
});

test.describe('a page whose API does not answer', () => {
  test.use(PHONE);

  test('names the host it asks, on each screen, and goes on by itself once it answers', async ({
    page,
    context,
    startProduct,
  }) => {
    let isThere = false;
    // It takes connections and says nothing, as what stands behind many firewalls.
    const host = createHost((client) => {
      client.on('error', () => client.destroy());
      if (!isThere) return;
      const server = connect(Number(new URL(product.url).port), '127.0.0.1');
      server.on('error', () => client.destroy());
      client.pipe(server).pipe(client);
    });
    await once(host.listen(0, '127.0.0.1'), 'listening');
    const name = `127.0.0.1:${(host.address() as AddressInfo).port}`;
    const product = await startProduct(
      ...['--fallback-host', name, '--origins', 'http://localhost:PORT'],
    );
    await context.addCookies([languageCookie('ar', product.url)]);
    await page.goto(product.url);
    const banner = page.getByRole('status').filter({ hasText: name });
    await expect(banner).toBeVisible();
    expect(await banner.locator('bdi[translate=no]').textContent()).toBe(name);
    await page.goto(`${product.url}/#/trade`);
    await expectScreen(page, '/trade');
    await expect(banner).toBeVisible();
    isThere = true;
    await page.goto(`${product.url}/#/`);
    await expect(banner).toHaveCount(0);
    await expect(page.locator('main [role=row][data-stale=false]').first()).toBeVisible();
    host.close();
  });

  test('of a server of files: its sibling, which answers with pages that are not found', async ({
    page,
    context,
  }) => {
    const types = { '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };
    const files = createServer(({ url = '/', headers: { host = '' } }, response) => {
      const path = join(dist, 'client', url === '/' ? 'index.html' : url.replace(/\?.*/, ''));
      const found = !host.startsWith('api.') && existsSync(path);
      const type = types[extname(path) as keyof typeof types] ?? 'text/html';
      response.writeHead(found ? 200 : 404, { 'content-type': found ? type : 'text/html' });
      response.end(found ? readFileSync(path) : '<!doctype html><title>Not found</title>');
    });
    await once(files.listen(0, '127.0.0.1'), 'listening');
    const { port } = files.address() as AddressInfo;
    const site = `http://m.app.localhost:${port}`;
    await context.addCookies([languageCookie('en', site)]);
    await page.goto(site);
    await expect(page.getByText(`api.app.localhost:${port} is not responding`)).toBeVisible();
    files.close();
  });
});
