import { expect, type Page } from '@playwright/test';
import type { InstrumentRow } from '#domain/api/market';
import { languageCookie, PHONE, test } from './helpers/browser';
import { Network } from './helpers/network';
import type { Product } from './helpers/product';

test.use(PHONE);

const CODE = 'BTCUSD';
/** How old a price may be that the page shows, ms. */
const OLDEST_MS = 4000;

/** The prices that the server had, each with when it was last seen there. */
class Prices {
  readonly seenAt = new Map<number, number>();
  private stopped = false;

  constructor(product: Product) {
    void this.watch(`${product.url}/v1/api/forex/trade_list`);
  }

  private async watch(url: string): Promise<void> {
    while (!this.stopped) {
      const { data } = (await (await fetch(url)).json()) as { data: InstrumentRow[] };
      const close = data.find(({ Code }) => Code === CODE)?.ForexQuotations.Close;
      this.seenAt.set(Number(close), Date.now());
    }
  }

  stop(): void {
    this.stopped = true;
  }
}

const price = (page: Page) =>
  page
    .locator('header')
    .filter({ has: page.locator('h1') })
    .getByText(/^[\d,]+\.\d\d$/)
    .first();

test('where a network blocks websockets, prices come over HTTP, an order is made once, and the page says so until one works', async ({
  context,
  page,
  startProduct,
}) => {
  const product = await startProduct();
  const network = await Network.before(product);
  network.blocksWebsockets = true;
  await context.addCookies([languageCookie('en', network.url)]);
  await page.goto(`${network.url}/#/trade?code=${CODE}`);
  const banner = page.getByText('Slow prices: this network blocks live updates.');
  await expect(banner).toBeVisible({ timeout: 30_000 });
  await expect(page.getByText('Slow prices', { exact: true })).toBeVisible();

  const prices = new Prices(product);
  for (let change = 0; change < 4; change++) {
    const before = await price(page).textContent();
    await expect(price(page)).not.toHaveText(before ?? '', { timeout: 20_000 });
    const shown = Number((await price(page).textContent())?.replaceAll(',', ''));
    const readAt = Date.now();
    const age = () => readAt - (prices.seenAt.get(shown) ?? 0);
    await expect.poll(age, { message: `${shown} is too old` }).toBeLessThan(OLDEST_MS);
  }
  prices.stop();

  let losses = 1;
  const keys: (string | undefined)[] = [];
  await context.route('**/v1/api/forex/submit*', async (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    losses -= 1;
    if (losses < 0) return route.continue();
    // The server makes the order, but its answer is lost.
    await route.fetch();
    return route.abort('connectionreset');
  });
  await page.getByRole('button', { name: 'Buy', exact: true }).tap();
  await page.getByRole('button', { name: /^Open demo account and buy/ }).tap();
  await expect(page.getByText(/Order placed/).first()).toBeVisible();
  expect(keys.length).toBeGreaterThan(1);
  expect(new Set(keys).size).toBe(1);
  await page.goto(`${network.url}/#/order`);
  const positions = page.getByRole('list', { name: 'Holding' }).getByRole('listitem');
  await expect(positions).toHaveCount(1);
  await expect(banner).toBeVisible();

  network.blocksWebsockets = false;
  await expect(banner).toHaveCount(0, { timeout: 60_000 });
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  await expect(positions).toHaveCount(1);
  network.close();
});
