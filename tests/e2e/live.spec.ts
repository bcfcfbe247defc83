import { expect, type Locator, type Page } from '@playwright/test';
import { RealTimeExchange } from '../programs/fakeExchange/realTime';
import { DESKTOP, languageCookie, PHONE, test } from './helpers/browser';
import { openDemo } from './helpers/people';
import type { Product } from './helpers/product';

let kraken: RealTimeExchange;
test.beforeEach(async () => {
  kraken = await RealTimeExchange.start('kraken');
});
test.afterEach(() => kraken.stop());

function startLive(startProduct: typeof Product.start, ...more: string[]): Promise<Product> {
  return startProduct('--live', 'kraken', ...kraken.serverOptions, ...more);
}

/** A price as the page writes it in English. */
const formatted = (price: string) => price.replace(/\B(?=(\d{3})+\.)/g, ',');

const REASON = /^No prices from Kraken since \d\d:\d\d UTC/;

const header = (page: Page) => page.locator('header').filter({ has: page.locator('h1') });
const price = (page: Page) =>
  header(page)
    .getByText(/^[\d,]+\.\d\d$/)
    .first();

/** Buys from the order form. */
async function buy(sheet: Locator): Promise<void> {
  await sheet.getByRole('textbox').first().fill('0.1');
  await sheet.getByRole('button', { name: /^Buy/ }).last().tap();
  await sheet.getByRole('button', { name: 'Confirm', exact: true }).tap();
}

async function moves(page: Page): Promise<void> {
  const before = await price(page).textContent();
  await expect.poll(() => price(page).textContent()).not.toBe(before);
}

for (const [name, size] of [
  ['phone', PHONE],
  ['desktop', DESKTOP],
] as const) {
  test.describe(name, () => {
    test.use(size);

    test('prices move, a lost link closes the market and says so, and it opens again', async ({
      context,
      page,
      startProduct,
    }) => {
      const product = await startLive(startProduct);
      await context.addCookies([languageCookie('en', product.url)]);
      await page.goto(`${product.url}/#/trade?code=BTC/USD`);
      await moves(page);
      const buy = page.getByRole('button', { name: /^Buy/ }).first();
      await expect(buy).toBeEnabled();

      kraken.exchange.faults.handshake = 60_000;
      kraken.exchange.kill();
      // In the chart's header; on a desktop in the chart.
      await expect(page.getByText(REASON).filter({ visible: true }).first()).toBeVisible();
      await expect(buy).toBeDisabled();
      // Where the order would be placed, too; and in a list that is beside it.
      await expect.poll(() => page.getByText(REASON).count()).toBeGreaterThan(1);
      await page.screenshot({ path: `tests/e2e/output/live-${name}-closed.png` });

      kraken.exchange.faults.handshake = 0;
      // The server waits ten seconds for the handshake that is under way.
      await expect(buy).toBeEnabled({ timeout: 60_000 });
      await expect(page.getByText(REASON)).toHaveCount(0);
      await moves(page);
    });
  });
}

test.describe('the list', () => {
  test.use(PHONE);

  for (const language of ['en', 'ar'] as const) {
    test(`tells the spread below each name, in ${language}`, async ({
      context,
      page,
      startProduct,
    }) => {
      const product = await startLive(startProduct);
      await context.addCookies([languageCookie(language, product.url)]);
      await page.goto(product.url);
      const row = page
        .getByRole('row')
        .filter({ has: page.getByRole('button', { name: 'BTC/USD' }) });
      const spread = row.getByText(language === 'en' ? /^0\.\d\d Spread$/ : /^0\.\d\d \D+$/);
      await expect(spread).toBeVisible();
      // A long word is cut where there is no room, never the number.
      const isWhole = await spread.evaluate((element) => {
        const range = document.createRange();
        range.setStart(element.firstChild as Node, 0);
        range.setEnd(element.firstChild as Node, '0.00'.length);
        const [number, box] = [range.getBoundingClientRect(), element.getBoundingClientRect()];
        return number.left >= box.left && number.right <= box.right;
      });
      expect(isWhole).toBe(true);
      await page.screenshot({ path: `tests/e2e/output/live-list-${language}.png` });
    });
  }
});

test.describe('an order at the market', () => {
  test.use(PHONE);

  test('is refused in the user’s words where the price is too old', async ({
    context,
    page,
    startProduct,
  }) => {
    const product = await startLive(startProduct, '--quote-age', '2');
    await context.addCookies([languageCookie('hk', product.url)]);
    await page.goto(`${product.url}/#/trade?code=BTC/USD`);
    await moves(page);
    await page.getByRole('button', { name: '買入', exact: true }).tap();
    const sheet = page.getByRole('dialog', { name: 'BTC/USD' });
    await sheet.getByRole('textbox').first().fill('0.1');
    await sheet.getByRole('radio').last().check();
    kraken.trading = false;
    // Nothing is traded, but the connection lives: the market stays open.
    const age = () => Date.now() - (kraken.exchange.market.trades('BTC/USD').at(-1)?.time ?? 0);
    await expect.poll(age).toBeGreaterThan(3_000);
    await page.getByRole('button', { name: /模擬賬戶|模擬帳戶/ }).tap();
    await expect(
      page.getByText('最新報價已過時，暫時無法成交，請待新報價後再試').first(),
    ).toBeVisible();
    await page.screenshot({ path: 'tests/e2e/output/live-refused.png' });
  });

  test('is filled at the ask, as its form says', async ({ context, page, startProduct }) => {
    const product = await startLive(startProduct, '--fill-at-quote', '1');
    await context.addCookies([languageCookie('en', product.url)]);
    await openDemo(page, product, '/trade?code=BTC/USD');
    await moves(page);
    await page.getByRole('button', { name: 'Buy', exact: true }).tap();
    const sheet = page.getByRole('dialog', { name: 'BTC/USD' });
    await expect(sheet.getByText('Spread')).toBeVisible();
    await expect(
      sheet.getByText('A market order to buy fills at the ask, one to sell at the bid.'),
    ).toBeVisible();
    kraken.trading = false;
    const figure = (label: string) =>
      sheet
        .locator('dl > div')
        .filter({ has: page.getByText(label, { exact: true }) })
        .locator('dd')
        .last();
    // The last quote is still on its way.
    const topOfBook = kraken.exchange.market.topOfBook({ base: 'BTC', quote: 'USD', decimals: 2 });
    const ask = formatted(topOfBook.ask);
    await expect(figure('Ask')).toHaveText(ask);
    await expect(sheet.getByRole('button', { name: /^Buy .* lots?$/ })).toContainText(ask);
    await page.screenshot({ path: 'tests/e2e/output/live-ticket.png' });
    await buy(sheet);
    await expect(page.getByRole('dialog', { name: 'Order placed' })).toContainText(
      `BTC/USD at ${ask}`,
    );
  });
});

test.describe('a position in a pair that the exchange delists', () => {
  test.use(PHONE);

  test('waits for the operator, who ends it at a price; its user is told', async ({
    context,
    page,
    startProduct,
  }) => {
    const product = await startLive(startProduct);
    await context.addCookies([languageCookie('en', product.url)]);
    await openDemo(page, product, '/trade?code=ETH/USD');
    await moves(page);
    await page.getByRole('button', { name: 'Buy', exact: true }).tap();
    const sheet = page.getByRole('dialog', { name: 'ETH/USD' });
    await buy(sheet);
    await expect(page.getByRole('dialog', { name: 'Order placed' })).toBeVisible();

    await page.goto('about:blank');
    await product.kill();
    kraken.exchange.market.delist('ETH/USD');
    await product.start();
    await product.printed(/no more \(ETH\/USD\): npm run admin -- delisted/);
    await page.goto(`${product.url}/#/order?type=1`);
    const position = page.getByRole('listitem').filter({ hasText: 'ETH/USD' });
    await expect(position).toContainText(/–.* → –$/);
    await page.screenshot({ path: 'tests/e2e/output/live-delisted-held.png' });

    expect(await product.admin(['delisted'])).toBe(
      'ETH/USD  1 position, 0 pending orders, of 1 user',
    );
    await product.admin(['delisted', 'ETH/USD', '1000.5']);
    await expect(page.getByText(/^Delisted: Buy .* ETH\/USD, [+-].* USD$/)).toBeVisible();
    await expect(position).toHaveCount(0);
    await page.screenshot({ path: 'tests/e2e/output/live-delisted-told.png' });
    await page.goto(`${product.url}/#/order?type=3`);
    await expect(position).toContainText('Delisted');
    await page.screenshot({ path: 'tests/e2e/output/live-delisted-history.png' });
  });
});
