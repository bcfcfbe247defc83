import { writeFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { languageCookie, PHONE, test } from './helpers/browser';
import type { Product } from './helpers/product';

test.use(PHONE);

/** A night takes ten seconds. */
const SPEED = 8640;
const DAY = 86_400_000;
/** Monday. */
const BEGIN = Date.UTC(2014, 4, 5, 1);
const DAYS = 60;

let product: Product;
test.beforeEach(async ({ context, startProduct }, info) => {
  const file = info.outputPath('ticks.csv');
  const lines = Array.from({ length: DAYS * 288 }, (_, i) => {
    const bid = 1.39 + (i % 7) / 100_000;
    return `${BEGIN + (i * DAY) / 288},EURUSD,${bid.toFixed(5)},${(bid + 0.0001).toFixed(5)}`;
  });
  writeFileSync(file, ['time,code,bid,ask', ...lines, ''].join('\n'));
  const replay = ['--replay', file, '--speed', `${SPEED}`, '--replay-wait'];
  product = await startProduct(...replay, '--swap');
  await context.addCookies([languageCookie('en', product.url)]);
});

const sheet = (page: Page) => page.getByRole('dialog', { name: /EUR\/USD, order/ });

/** The amount of the swap in the details of an order, or beside its result. */
async function swapOf(page: Page): Promise<number> {
  const rows = sheet(page).locator('dl > div').filter({ hasText: /^Swap/ });
  const text = await rows.locator('dd').innerText();
  return Number(text.replace(/[^\d.-]/g, ''));
}

test('nights cost what the instrument says, are in the order, its close, the records and the statement', async ({
  page,
}) => {
  await page.goto(`${product.url}/#/`);
  await page.getByRole('button', { name: 'EUR/USD', exact: true }).tap();
  await page.getByRole('button', { name: 'EUR/USD contract terms' }).tap();
  const terms = page.getByRole('dialog', { name: 'EUR/USD contract terms' });
  await expect(terms).toContainText('Contract size100,000 EUR');
  await expect(terms).toContainText('Swap long, per lot and night-7.51 USD');
  await expect(terms).toContainText('Swap short, per lot and night+2.89 USD');
  // 00:00 UTC of a Thursday in the zone of the browser, which not each engine lets a test choose.
  const { time, weekday } = await page.evaluate(
    (thursday) => {
      const here = (options: Intl.DateTimeFormatOptions) =>
        new Intl.DateTimeFormat('en', options).format(thursday).replace(/\s/g, '\\s');
      return {
        time: here({ hour: '2-digit', minute: '2-digit' }),
        weekday: here({ weekday: 'short' }),
      };
    },
    Date.UTC(2014, 4, 8),
  );
  await expect(terms).toContainText(RegExp(`Next swap, your time\\w+, May \\d+, ${time}`));
  await expect(terms).toContainText(
    RegExp(`Next triple swap, your time${weekday}, May \\d+, ${time}`),
  );
  await page.goBack();

  await page.getByRole('button', { name: 'Buy', exact: true }).tap();
  await page.getByRole('textbox', { name: 'Lots' }).fill('1');
  await page.getByRole('button', { name: /^Open demo account and buy 1 / }).tap();
  await page.getByRole('dialog', { name: 'Order placed' }).getByText('Done').tap();
  await page.getByRole('link', { name: 'Orders', exact: true }).tap();
  await page.getByRole('list', { name: 'Holding' }).getByRole('listitem').tap();
  await expect.poll(() => swapOf(page)).toBeLessThan(-7);
  // Whole nights, of which one in seven counts three.
  expect(Math.round((await swapOf(page)) * 100) % 751).toBe(-0);

  await sheet(page).getByRole('button', { name: 'Close order' }).tap();
  await expect(sheet(page)).toContainText('Its margin of');
  expect(Math.round((await swapOf(page)) * 100) % 751).toBe(-0);
  await sheet(page).getByRole('button', { name: 'Close order' }).tap();
  await expect(sheet(page)).toHaveCount(0);

  await page.goto(`${product.url}/#/mine/history`);
  await expect(page.getByText(/Swap of order \d+, EUR\/USD, 2014-05-\d+/).first()).toBeVisible();
  // The first night may be the one that counts three.
  await expect(page.getByText(/-(7\.51|22\.53)/).first()).toBeVisible();
  await page.goto(`${product.url}/#/mine/statement?period=all`);
  const statement = page.getByRole('article');
  await expect(statement).toContainText(/Swap-\d+\.\d\d/);
});
