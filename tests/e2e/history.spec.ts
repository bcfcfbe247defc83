import { expect, type Page } from '@playwright/test';
import type {} from '../../src/features/trading/chart/exposeToTests';
import { DESKTOP, languageCookie, PHONE, test } from './helpers/browser';
import { heldBars } from './helpers/chart';
import { swipe } from './helpers/finger';
import type { Product } from './helpers/product';

let product: Product;
test.beforeAll(async ({ shareProduct }) => {
  product = await shareProduct();
});

/** Opens the chart of an instrument that always trades. */
async function openChart(page: Page, period: string): Promise<void> {
  await page.context().addCookies([languageCookie('en', product.url)]);
  await page.goto(`${product.url}/?inspect#/trade?code=BTCUSD`);
  await page.getByRole('radio', { name: period, exact: true }).check();
  await expect(page.getByRole('application', { name: `, ${period}` })).toBeVisible();
  await expect.poll(() => heldBars(page)).toBeGreaterThan(400);
}

/** Unix seconds; 0 before the chart is painted. */
const oldestInSight = (page: Page) =>
  page.evaluate(() => globalThis.fulcrumChart?.timesInSight()?.[0] ?? 0);
const newestInSight = (page: Page) =>
  page.evaluate(() => globalThis.fulcrumChart?.timesInSight()?.[1] ?? 0);

test.describe('on a desktop', () => {
  test.use(DESKTOP);

  test('the keyboard reaches the oldest day, of which the canvas has no more than it needs', async ({
    page,
  }) => {
    await openChart(page, '1D');
    const begins = page.getByText('History begins Sat, Jan 1, 2000');
    await page.getByRole('application').focus();
    const now = await newestInSight(page);
    while (!(await begins.isVisible())) {
      const before = await oldestInSight(page);
      await page.keyboard.press('Home');
      await expect
        .poll(async () => (await oldestInSight(page)) < before || (await begins.isVisible()))
        .toBe(true);
    }
    await expect.poll(() => oldestInSight(page)).toBe(Date.UTC(2000) / 1000);
    // All days would be 9,800.
    expect(await heldBars(page)).toBeLessThan(4000);

    await page.keyboard.press('End');
    await expect.poll(() => newestInSight(page)).toBeGreaterThanOrEqual(now);
    await expect(begins).toBeHidden();
    const newest = page.getByRole('button', { name: 'To the newest bar' });
    await expect(newest).toBeHidden();
    await page.keyboard.press('PageUp');
    await expect(newest).toBeVisible();
  });
});

test.describe('on a phone', () => {
  test.use(PHONE);

  test('a finger reaches older minutes, which come without moving the view', async ({ page }) => {
    await openChart(page, '1m');
    const asked: number[] = [];
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/v1/api/forex/kline?*before=*', async (route) => {
      asked.push(Number(new URL(route.request().url()).searchParams.get('before')));
      await answered;
      await route.continue();
    });
    const loading = page.getByText('Loading older bars…');
    while (!(await loading.isVisible())) await throwRight(page);
    // On a slow machine they are asked for again, by then before a later minute; the page before them would be hours away.
    expect(asked.length).toBeGreaterThan(0);
    expect(Math.max(...asked) - Math.min(...asked)).toBeLessThan(3600);
    // A touch ends the fling.
    await touch(page, [20]);
    const newest = await newestInSight(page);
    const oldest = await oldestInSight(page);
    answer();
    await expect(loading).toBeHidden();
    await expect.poll(() => oldestInSight(page)).toBeLessThan(oldest);
    expect(await newestInSight(page)).toBe(newest);

    // A day further back.
    while ((await oldestInSight(page)) > oldest - 86_400) await throwRight(page);
    await expect(page.getByRole('button', { name: 'To the newest bar' })).toBeVisible();
    const times = await page.evaluate(() =>
      globalThis.fulcrumChart?.bars().map(({ time }) => time),
    );
    expect(times?.length).toBeLessThan(3500);
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
  });
});

/** Throws the chart to the right. */
const throwRight = (page: Page) => touch(page, [20, 60, 100, 140, 180, 220, 260]);

/** Moves a finger over the chart, px from its left. */
async function touch(page: Page, [from = 0, ...path]: readonly number[]): Promise<void> {
  const box = await page.getByRole('application').boundingBox();
  if (!box) throw new Error('no chart');
  const at = (x: number) => ({ x: box.x + x, y: box.y + box.height / 2 });
  await swipe(page, [at(from), ...path.map(at)]);
}
