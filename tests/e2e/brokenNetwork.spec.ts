import { setTimeout as pause } from 'node:timers/promises';
import { type BrowserContext, expect, type Page } from '@playwright/test';
import type { InstrumentRow } from '#domain/api/market';
import { randomFrom } from '#domain/workload/draws';
import { languageCookie, PHONE, test } from './helpers/browser';
import { Network } from './helpers/network';
import { openDemo } from './helpers/people';
import type { Product } from './helpers/product';

test.use(PHONE);

const CODE = 'BTCUSD';
const SUBMIT = '/v1/api/forex/submit';
const ofApi = (path: string) => /^\/(v1|api)\//.test(path);
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
    await expect(price(page)).not.toHaveText(before ?? '');
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

const PORTAL = { type: 'text/html', body: '<!doctype html><title>Log in to this network</title>' };

/** Breaks the network; returns how it is mended. */
type Break = (network: Network, context: BrowserContext) => Promise<() => unknown>;

/** Answers calls in the product's place, and opens no websocket. */
const answersInstead =
  (instead: ReturnType<Network['instead']>): Break =>
  async (network) => {
    network.instead = (path) => {
      if (path === '/portal') return PORTAL;
      return ofApi(path) ? instead : undefined;
    };
    network.blocksWebsockets = true;
    network.cutWebsockets();
    return () => {
      network.instead = () => undefined;
      network.blocksWebsockets = false;
    };
  };

const BROKEN: readonly { name: string; breaks: Break }[] = [
  {
    name: 'answers 502, as a proxy does whose server is away',
    breaks: answersInstead({ status: 502, type: 'text/html', body: '<h1>502 Bad Gateway</h1>' }),
  },
  {
    name: 'redirects every call to a page',
    breaks: answersInstead({ status: 302, location: '/portal', ...PORTAL }),
  },
  {
    name: 'lets nothing through and ends nothing',
    async breaks(network) {
      let mend = () => {};
      const mended = new Promise<void>((resolve) => {
        mend = resolve;
      });
      network.delay = () => mended;
      return () => {
        network.delay = () => undefined;
        mend();
      };
    },
  },
  {
    name: 'does not know the name of the server any more',
    async breaks(network, context) {
      const everything = `${network.url}/**`;
      await context.route(everything, (route) => route.abort('namenotresolved'));
      network.blocksWebsockets = true;
      network.cutWebsockets();
      return () => {
        network.blocksWebsockets = false;
        return context.unroute(everything);
      };
    },
  },
];

const state = (page: Page) => page.locator('header [role=status]');

/** Opens a demo account behind a network. */
async function openTrade(page: Page, network: Network): Promise<void> {
  await page.context().addCookies([languageCookie('en', network.url)]);
  await openDemo(page, network, `/trade?code=${CODE}`);
  await expect(state(page)).toHaveText('Live');
}

async function buy(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Buy', exact: true }).tap();
  await page.getByRole('button', { name: /^Buy 0.01 lots/ }).tap();
  await page.getByRole('button', { name: 'Confirm', exact: true }).tap();
}

/** The page has learnt that the order was made. */
async function expectPlaced(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Order placed', exact: true });
  await expect(dialog).toContainText('Buy 0.01 lots', { timeout: 60_000 });
  await expect(state(page)).toHaveText('Live');
}

/** The page has learnt that the order was made, and the server has made one. */
async function expectOneOrder(page: Page, network: Network): Promise<void> {
  await expectPlaced(page);
  await page.goto(`${network.url}/#/order`);
  await expect(page.getByRole('list', { name: 'Holding' }).getByRole('listitem')).toHaveCount(1);
}

for (const { name, breaks } of BROKEN) {
  test(`where a network ${name}, the page says that prices are old and an order is unanswered, and finds both out by itself`, async ({
    context,
    page,
    startProduct,
  }) => {
    const network = await Network.before(await startProduct());
    await openTrade(page, network);
    let mend = (): unknown => undefined;
    network.losesAnswer = async (path) => {
      if (!path.startsWith(SUBMIT)) return false;
      network.losesAnswer = () => false;
      mend = await breaks(network, context);
      return true;
    };
    await buy(page);
    await expect(page.getByText('1 order unanswered: ')).toBeVisible();
    await expect(state(page)).toHaveText('Not up to date');
    await expect(
      page.getByRole('dialog', { name: 'Bitcoin' }).getByText(/^Prices are not up to date/),
    ).toBeVisible();
    await mend();
    await expectOneOrder(page, network);
    network.close();
  });
}

test('where a network delays each piece by 0.1 to 1.5 s and loses 3 %, prices stay live and an order is made once', async ({
  page,
  startProduct,
}) => {
  const network = await Network.before(await startProduct());
  const random = randomFrom(47);
  const loses = () => random() < 0.03;
  // What is lost of a connection is sent again, a second later.
  network.delay = () => pause(100 + 1400 * random() + (loses() ? 1000 : 0));
  await openTrade(page, network);
  // A login is not asked for again by itself, so that it would end the test.
  const keys: string[] = [];
  network.losesAnswer = (path) => {
    if (path.startsWith(SUBMIT)) keys.push(path);
    return keys.length === 1 || (ofApi(path) && loses());
  };
  await page.evaluate(() => {
    const states: string[] = [];
    Object.assign(globalThis, { states });
    const status = document.querySelector('header [role=status]');
    const note = () => states.push(status?.textContent ?? '');
    if (status)
      new MutationObserver(note).observe(status, {
        childList: true,
        characterData: true,
        subtree: true,
      });
  });
  await buy(page);
  for (let change = 0; change < 20; change++) {
    const before = await price(page).textContent();
    await expect(price(page)).not.toHaveText(before ?? '');
  }
  await expectPlaced(page);
  expect(keys.length).toBeGreaterThan(1);
  expect(await page.evaluate(() => Reflect.get(globalThis, 'states'))).toEqual([]);
  // Firefox loads the page again for code that was lost.
  await expectOneOrder(page, network);
  network.close();
});
