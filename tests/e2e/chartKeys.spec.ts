import { expect, type Page } from '@playwright/test';
import { DESKTOP, PHONE, test } from './helpers/browser';
import { openChart } from './helpers/chart';
import type { Product } from './helpers/product';

/** More than the view has bars. */
const PRESSES = 130;
const DAY = 86_400;

let product: Product;
test.beforeAll(async ({ shareProduct }) => {
  product = await shareProduct();
});

for (const [name, options] of [
  ['desktop', DESKTOP],
  ['phone', PHONE],
] as const) {
  test.describe(`on a ${name}`, () => {
    test.use(options);

    test('an arrow key moves by one bar, also where the view moves with it, and End shows the newest', async ({
      page,
    }) => {
      await openChart(page, product.url);
      const chart = page.getByRole('application');
      await expect.poll(() => inSight(page)).toHaveLength(2);
      const [first, newest] = await inSight(page);
      expect(newest - first).toBeLessThan((PRESSES - 20) * DAY);
      await chart.focus();
      // The first press shows where the walk begins.
      await page.keyboard.press('ArrowLeft');
      expect(await spoken(page)).toBe(newest);

      const left = await press(page, 'ArrowLeft');
      expect(left).toEqual(left.map((_, press) => newest - (press + 1) * DAY));
      await underCrosshair(page);
      const right = await press(page, 'ArrowRight');
      expect(right).toEqual([...left.slice(0, -1).reverse(), newest]);
      await underCrosshair(page);

      // As a key that is held while the page has no time to draw.
      await chart.evaluate((element, presses) => {
        const key = () => new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true });
        for (let press = 0; press < presses; press++) element.dispatchEvent(key());
      }, PRESSES);
      await expect.poll(() => spoken(page)).toBe(newest - PRESSES * DAY);
      await underCrosshair(page);

      await page.keyboard.press('Escape');
      for (const key of ['PageUp', 'PageUp', 'PageUp']) await page.keyboard.press(key);
      await expect.poll(async () => (await inSight(page))[1]).toBeLessThan(newest - 100 * DAY);
      await page.keyboard.press('End');
      await expect.poll(() => inSight(page)).toEqual([first, newest]);

      // The button that shows it goes, and leaves the focus to the chart.
      await page.keyboard.press('PageUp');
      await page.getByRole('button', { name: 'To the newest bar' }).press('Enter');
      await expect.poll(() => inSight(page)).toEqual([first, newest]);
      await expect(chart).toBeFocused();
    });
  });
}

/** Times of the first and the last bar in sight; none before the chart is painted. */
const inSight = (page: Page) =>
  page.evaluate(
    () => globalThis.fulcrumChart?.timesInSight() ?? ([] as unknown as [number, number]),
  );

const spokenText = async (page: Page) =>
  (await page.locator('figure > .visually-hidden[role="status"]').textContent()) ?? '';

/** Time of the bar that a screen reader is told. */
async function spoken(page: Page): Promise<number> {
  return Date.parse(`${(await spokenText(page)).split(':')[0]} UTC`) / 1000;
}

/** What is told after each press of a key. */
async function press(page: Page, key: string): Promise<number[]> {
  const told: number[] = [];
  for (let presses = 0; presses < PRESSES; presses++) {
    await page.keyboard.press(key);
    told.push(await spoken(page));
  }
  return told;
}

/**
 * The legend, which follows the crosshair, shows the bar that a screen reader is told. Of the newest
 * one all but the open changes.
 */
async function underCrosshair(page: Page): Promise<void> {
  const open = /open ([\d,.]+\d)/.exec(await spokenText(page))?.[1] ?? 'none';
  await expect(page.locator('figure p[data-direction]')).toContainText(`O ${open}`);
}
