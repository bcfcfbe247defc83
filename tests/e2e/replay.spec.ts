import { expect, type Page } from '@playwright/test';
import type { Bar } from '#domain/market/kline';
// For the declaration of the global.
import type {} from '../../src/features/trading/chart/exposeToTests';
import { brokerBars, recordedQuotes, recordedTicks } from '../helpers/recordedDay';
import { languageCookie, PHONE, test } from './helpers/browser';
import type { Product } from './helpers/product';

test.use(PHONE);

let product: Product;
test.beforeEach(async ({ context, startProduct }) => {
  product = await startProduct('--replay', recordedTicks, '--speed', '60', '--replay-wait');
  await context.addCookies([languageCookie('en', product.url)]);
});

test('the price of the row follows the recorded bids, in order', async ({ page }) => {
  await page.goto(product.url);
  const row = page.getByRole('row').filter({ hasText: 'EUR/USD' });
  const price = row.getByRole('cell').filter({ hasText: /^\d\.\d{5}$/ });
  await expect(price).toBeVisible();
  const seen = await price.evaluate(
    (cell) =>
      new Promise<string[]>((resolve) => {
        const texts = [cell.textContent ?? ''];
        new MutationObserver((_, observer) => {
          const text = cell.textContent ?? '';
          if (text !== texts.at(-1)) texts.push(text);
          if (texts.length < 40) return;
          observer.disconnect();
          resolve(texts);
        }).observe(cell, { subtree: true, characterData: true, childList: true });
      }),
  );
  expect(seen.length).toBeGreaterThanOrEqual(40);
  expect(isSubsequence(seen, recordedBids('EURUSD'))).toBe(true);
});

test("the chart has the broker's bars, also after a crash of the server", async ({ page }) => {
  await page.goto(`${product.url}/?inspect#/`);
  await page.getByRole('button', { name: 'EUR/USD', exact: true }).click();
  await expect(page).toHaveURL(/#\/trade\?code=EURUSD$/);
  await expectBars(page, 8);
  await product.kill();
  await product.start();
  await expectBars(page, 16);
});

test('the newest bar and the line of the price are painted where the price is', async ({
  page,
}) => {
  await page.goto(`${product.url}/?inspect#/`);
  await page.getByRole('button', { name: 'EUR/USD', exact: true }).click();
  const seen = new Set<number>();
  await expect
    .poll(
      async () => {
        const { close, dots } = await priceLine(page);
        if (dots > 0.4 && dots < 0.7) seen.add(close);
        return seen.size;
      },
      { intervals: [50] },
    )
    .toBeGreaterThan(5);
});

/** The newest close, and the share of its height that is painted above the library's canvas. */
async function priceLine(page: Page): Promise<{ close: number; dots: number }> {
  return page.evaluate(() => {
    const close = globalThis.fulcrumChart?.bars().at(-1)?.close ?? Number.NaN;
    const sheet = document.querySelectorAll<HTMLCanvasElement>('figure canvas')[1];
    const height = globalThis.fulcrumChart?.heightOf(close);
    if (!sheet || height === undefined) return { close, dots: 0 };
    const y = Math.round((height * sheet.height) / sheet.clientHeight);
    const pixels = sheet.getContext('2d')?.getImageData(0, y, sheet.width, 1).data ?? [];
    const painted = pixels.filter((value, at) => at % 4 === 3 && value > 0).length;
    return { close, dots: painted / sheet.width };
  });
}

/** All recorded bids of a code as they are shown: five decimals. */
function recordedBids(code: string): string[] {
  return recordedQuotes()
    .filter((quote) => quote.code === code)
    .map(({ bid }) => Number(bid).toFixed(5));
}

/** Whether `whole` contains all of `part` in order. */
function isSubsequence(part: readonly string[], whole: readonly string[]): boolean {
  let next = 0;
  for (const value of whole) if (next < part.length && value === part[next]) next++;
  return next === part.length;
}

/** Waits for this many closed one-minute bars on the chart and compares them with the broker's. */
async function expectBars(page: Page, count: number): Promise<void> {
  const closed = async (): Promise<Bar[]> =>
    page.evaluate(() => globalThis.fulcrumChart?.bars().slice(0, -1) ?? []);
  await expect
    .poll(async () => (await closed()).length, { timeout: 60_000 })
    .toBeGreaterThan(count);
  const bars = (await closed()).map(({ volume: _, ...bar }) => bar);
  expect(bars).toEqual(brokerBars('EURUSD').slice(0, bars.length));
}
