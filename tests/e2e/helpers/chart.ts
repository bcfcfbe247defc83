import { expect, type Page } from '@playwright/test';
import type {} from '../../../src/features/trading/chart/exposeToTests';
import { languageCookie } from './browser';

/** The code of an instrument that always trades. */
export const CODE = 'BTCUSD';

/** Opens the chart of `CODE`, in bars of which no new one comes during a test. */
export async function openChart(page: Page, url: string): Promise<void> {
  await page.context().addCookies([languageCookie('en', url)]);
  await page.goto(`${url}/?inspect#/trade?code=${CODE}`);
  await choosePeriod(page, '1D');
}

/** Shows bars of a period, named as its button, and waits until they are painted. */
export async function choosePeriod(page: Page, period: string): Promise<void> {
  await page.getByRole('radio', { name: period, exact: true }).check();
  await expect(page.getByRole('application', { name: `, ${period}` })).toBeVisible();
  const painted = () =>
    page.evaluate(() => {
      const newest = globalThis.fulcrumChart?.bars().at(-1);
      return newest && globalThis.fulcrumChart?.xOf(newest.time);
    });
  await expect.poll(painted).toBeGreaterThan(0);
  // The library gives its price axis the width of the labels in the frame after it has got its bars.
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))),
  );
}

/** The names of the first instruments of the list, which open markets begin: the charts of a shipped layout show them. */
export async function firstNames(page: Page): Promise<string[]> {
  const picks = page.getByRole('grid', { name: 'Market' }).locator('[data-act=pick]:not(:empty)');
  await expect(picks.nth(3)).toBeVisible();
  return picks.evaluateAll((all) =>
    all
      .map((each) => ({
        name: each.textContent,
        row: Number(each.closest('[role=row]')?.getAttribute('aria-rowindex')),
      }))
      .sort((a, b) => a.row - b.row)
      .map(({ name }) => name),
  );
}

/** How many bars the chart holds. */
export const heldBars = (page: Page) =>
  page.evaluate(() => globalThis.fulcrumChart?.bars().length ?? 0);

/** Where a price is on the screen, and the sides of the chart. */
export const placeOf = (page: Page, price: number) =>
  page.evaluate((value) => {
    const box = document.querySelector('[role="application"]')?.getBoundingClientRect();
    const height = globalThis.fulcrumChart?.heightOf(value);
    if (!box || height === undefined) throw new Error('no chart');
    const { left, right, width, top } = box;
    return { left, right, x: left + width / 3, y: top + height };
  }, price);
