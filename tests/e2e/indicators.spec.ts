import { expect, type Page } from '@playwright/test';
// For the declaration of the global.
import type {} from '../../src/features/trading/chart/exposeToTests';
import { atRest, DESKTOP, languageCookie, PHONE, test } from './helpers/browser';
import { choosePeriod } from './helpers/chart';
import type { Product } from './helpers/product';

test.use(PHONE);

let product: Product;
test.beforeAll(async ({ shareProduct }) => {
  product = await shareProduct();
});
test.beforeEach(async ({ context, page }) => {
  await context.addCookies([languageCookie('en', product.url)]);
  await page.goto(`${product.url}/?inspect#/trade?code=BTCUSD`);
  await expect
    .poll(() => page.evaluate(() => globalThis.fulcrumChart?.bars().length))
    .toBeGreaterThanOrEqual(500);
});

const sheet = (page: Page) => page.getByRole('dialog');
const entry = (page: Page, kind: string) => page.locator(`figure [data-indicator="${kind}"]`);

async function add(page: Page, ...names: string[]): Promise<void> {
  await page.getByRole('button', { name: 'Indicators', exact: true }).click();
  for (const name of names) await sheet(page).getByRole('button', { name, exact: true }).click();
}

async function close(page: Page): Promise<void> {
  await sheet(page).getByRole('button', { name: 'Close', exact: true }).click();
  // It gives the focus back to its opener only when it is gone.
  await expect(sheet(page)).toHaveCount(0);
}

/** The legend's simple moving average, and that of the bars up to the one that the legend names. */
function averages(page: Page, length: number) {
  return page.evaluate((count) => {
    const figure = document.querySelector('figure');
    const numbers = [...(figure?.querySelectorAll('[data-direction] b') ?? [])].map((element) =>
      Number(element.textContent?.replaceAll(',', '')),
    );
    const bars = globalThis.fulcrumChart?.bars() ?? [];
    const at = bars.findIndex(({ open, high, low, close }) =>
      [open, high, low, close].every((price, field) => price === numbers[field]),
    );
    const closes = bars.slice(at + 1 - count, at + 1).map((bar) => bar.close);
    const text = figure?.querySelector('[data-indicator="sma"]')?.textContent ?? '';
    const sum = closes.length < count ? Number.NaN : closes.reduce((all, price) => all + price, 0);
    return {
      fromEnd: bars.length - 1 - at,
      shown: Number(text.split(' ').at(-1)?.slice(String(count).length).replaceAll(',', '')),
      expected: Number((sum / count).toFixed(2)),
    };
  }, length);
}

async function expectAverage(page: Page, length: number, fromEnd: number): Promise<void> {
  await expect
    .poll(async () => {
      const { shown, expected, ...rest } = await averages(page, length);
      return { right: Math.abs(shown - expected) < 0.011, ...rest };
    })
    .toEqual({ right: true, fromEnd });
}

test('an indicator is added, tells its values, is changed, kept and removed', async ({ page }) => {
  // A new bar would come between the newest one and the crosshair.
  await choosePeriod(page, '1D');
  await add(page, 'Simple moving average (SMA)');
  await close(page);
  await expectAverage(page, 20, 0);

  // Under the crosshair.
  await page.getByRole('application').focus();
  for (let step = 0; step < 4; step++) await page.keyboard.press('ArrowLeft');
  await expectAverage(page, 20, 3);
  await expect(page.locator('figure > .visually-hidden[role="status"]')).toContainText(
    / SMA 20 [\d,.]+$/,
  );
  await page.keyboard.press('Escape');
  await expectAverage(page, 20, 0);

  await page.getByRole('button', { name: 'Indicators', exact: true }).click();
  await sheet(page).getByRole('button', { name: 'Settings of SMA 20' }).click();
  const field = sheet(page).getByRole('textbox', { name: 'Length' });
  await field.fill('0');
  await expect(sheet(page).getByText('From 1 to 500')).toBeVisible();
  await field.fill('7');
  await sheet(page).getByRole('radio', { name: 'Pink' }).check();
  await close(page);
  await expectAverage(page, 7, 0);
  const colour = () =>
    entry(page, 'sma')
      .locator('[data-colour]')
      .evaluate((element) => getComputedStyle(element).color);
  const pink = await colour();

  await page.reload();
  await expectAverage(page, 7, 0);
  expect(await colour()).toBe(pink);

  await page.getByRole('button', { name: 'Indicators', exact: true }).click();
  await sheet(page).getByRole('button', { name: 'Show SMA 7' }).click();
  await expect(entry(page, 'sma')).toHaveCount(0);
  await sheet(page).getByRole('button', { name: 'Show SMA 7' }).click();
  await expect(entry(page, 'sma')).toHaveCount(1);
  await sheet(page).getByRole('button', { name: 'Remove SMA 7' }).click();
  await close(page);
  await expect(entry(page, 'sma')).toHaveCount(0);
});

test('an indicator is found by its name, shows where it was picked that it is on, and a favourite comes first', async ({
  page,
}) => {
  await page.getByRole('button', { name: 'Indicators', exact: true }).click();
  await sheet(page).getByRole('searchbox', { name: 'Search' }).fill('ＳＭＡ');
  const picked = sheet(page).getByRole('button', { name: 'Simple moving average (SMA)' }).first();
  await expect(sheet(page).getByRole('region').getByRole('listitem')).toHaveCount(1);
  await expect(picked).not.toHaveAttribute('data-chosen');
  await picked.click();
  await expect(picked).toHaveAttribute('data-chosen');
  await sheet(page).getByRole('button', { name: 'Favourite: Simple moving average (SMA)' }).click();
  await page.reload();
  await page.getByRole('button', { name: 'Indicators', exact: true }).click();
  const first = sheet(page)
    .getByRole('region')
    .filter({ has: page.getByRole('button', { name: /^Favourite:/ }) })
    .first();
  await expect(first).toHaveAccessibleName('Favourites');
  await expect(first.getByRole('listitem')).toHaveText('Simple moving average (SMA)');
});

test('a tool pressed on the pane of an indicator says where drawings go', async ({ page }) => {
  await add(page, 'Relative strength index (RSI)');
  await close(page);
  await page.getByRole('button', { name: 'Draw', exact: true }).click();
  await page.getByRole('button', { name: 'Trend line', exact: true }).click();
  const pane = await entry(page, 'rsi').boundingBox();
  if (!pane) throw new Error('no pane');
  const hint = page.getByText('Drawings go on the price chart only');
  await page.touchscreen.tap(pane.x + 60, pane.y + 24);
  await expect(hint).toBeVisible();
  const chart = await page.getByRole('application').boundingBox();
  await page.touchscreen.tap(pane.x + 60, (chart?.y ?? 0) + 60);
  await expect(hint).toBeHidden();
});

test('the values are those of another period, and of bars that are loaded later', async ({
  page,
}) => {
  await add(page, 'Simple moving average (SMA)', 'Exponential moving average (EMA)');
  await close(page);
  await expectAverage(page, 20, 0);
  await page.getByRole('radio', { name: '5m', exact: true }).check();
  // The legend of the period before stays until the bars are there.
  await expect
    .poll(() =>
      page.evaluate(() => {
        const [first, second] = globalThis.fulcrumChart?.bars() ?? [];
        return first && second && second.time - first.time;
      }),
    )
    .toBe(300);
  await expectAverage(page, 20, 0);
  // To the oldest bar: older ones are loaded, and all values computed again.
  await page.getByRole('application').focus();
  await page.keyboard.press('Home');
  await expect
    .poll(() => page.evaluate(() => globalThis.fulcrumChart?.timesInSight()?.[0]))
    .toBeLessThan(Date.now() / 1000 - 400 * 300);
  await expect
    .poll(async () => {
      const { shown, expected } = await averages(page, 20);
      return Number.isNaN(expected) ? undefined : Math.abs(shown - expected) < 0.011;
    })
    .toBe(true);
});

test('each pane below the bars has its legend; a phone has room for two of them', async ({
  page,
}) => {
  await add(
    page,
    'Relative strength index (RSI)',
    'Moving average convergence divergence (MACD)',
    'Average true range (ATR)',
  );
  await expect(sheet(page).getByText(/no room for another pane/)).toHaveCount(1);
  await close(page);
  await expect(entry(page, 'rsi')).toContainText(/^RSI 14[\d.]+$/);
  await expect(entry(page, 'macd')).toBeVisible();
  await expect(entry(page, 'atr')).toHaveCount(0);
  const [rsi, macd, chart] = await Promise.all(
    [entry(page, 'rsi'), entry(page, 'macd'), page.locator('figure')].map((part) =>
      part.boundingBox(),
    ),
  );
  expect(rsi?.y).toBeGreaterThan((chart?.y ?? 0) + (chart?.height ?? 0) / 3);
  expect(macd?.y).toBeGreaterThan((rsi?.y ?? 0) + 30);

  await page.setViewportSize(DESKTOP.viewport ?? { width: 0, height: 0 });
  await expect(entry(page, 'atr')).toBeVisible();
});

test('on a low chart the legend covers few bars, until one points at a bar', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 568 });
  const lengths = [10, 20, 50, 100, 150, 200];
  await page.evaluate(
    (kept) => localStorage.setItem('fulcrum.indicators', kept),
    JSON.stringify(lengths.map((length, id) => ({ id, kind: 'sma', parameters: [length] }))),
  );
  await page.reload();
  const entries = entry(page, 'sma');
  await expect(entries).toHaveCount(lengths.length);
  /** How far down the bars are covered, and how many indicators are told. */
  const seen = () =>
    page.evaluate(() => {
      const figure = document.querySelector('figure')?.getBoundingClientRect() ?? new DOMRect();
      const told = [...document.querySelectorAll('figure [data-indicator]')].flatMap((element) => {
        const { left, top, bottom } = element.getBoundingClientRect();
        const list = element.parentElement?.getBoundingClientRect() ?? new DOMRect();
        return top < list.bottom - 1 && left >= list.left ? [Math.min(bottom, list.bottom)] : [];
      });
      return {
        covered: (Math.max(...told) - figure.top) / figure.height,
        told: told.length,
      };
    });
  const atRest = await seen();
  expect(atRest.told).toBeGreaterThan(0);
  expect(atRest.told).toBeLessThan(lengths.length);
  expect(atRest.covered).toBeLessThan(0.4);
  await page.getByRole('application').focus();
  await page.keyboard.press('ArrowLeft');
  await expect.poll(async () => (await seen()).told).toBe(lengths.length);
  await page.keyboard.press('Escape');
  await expect.poll(seen).toEqual(atRest);
});

test('a pane keeps the height that it was dragged to, until it is reset', async ({ page }) => {
  await add(page, 'Relative strength index (RSI)', 'Moving average convergence divergence (MACD)');
  await close(page);
  /** Where the pane of RSI begins, as a share of the chart. */
  const share = async () => {
    const [legend, chart] = await Promise.all(
      [entry(page, 'rsi'), page.locator('figure')].map((part) => part.boundingBox()),
    );
    return legend && chart ? Math.round(((legend.y - chart.y) / chart.height) * 100) / 100 : 0;
  };
  await expect.poll(share).toBeGreaterThan(0.4);
  const usual = await share();
  const drag = async (by: number) => {
    const line = page.locator('figure td[colspan]').first();
    const box = await line.boundingBox();
    const [x, y] = [(box?.x ?? 0) + 100, box?.y ?? 0];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x, y + by / 2);
    await page.mouse.move(x, y + by);
    await page.mouse.up();
  };
  await drag(-60);
  await expect.poll(share).toBeLessThan(usual - 0.05);
  const dragged = await share();

  await page.reload();
  await expect(entry(page, 'macd')).toBeVisible();
  await expect.poll(share).toBe(dragged);
  await page.goto(page.url().replace('BTCUSD', 'ETHUSD'));
  await expect(page.getByRole('application', { name: /Ether/ })).toBeVisible();
  await expect(entry(page, 'rsi')).toContainText(/\d\.\d/);
  await expect.poll(share).toBe(dragged);

  await page.getByRole('button', { name: 'Indicators', exact: true }).click();
  await sheet(page).getByRole('button', { name: 'Settings of RSI 14' }).click();
  await sheet(page).getByRole('button', { name: 'Reset to defaults' }).click();
  await close(page);
  await expect.poll(share).toBeGreaterThan(dragged);

  await drag(-40);
  await expect.poll(share).toBeLessThan(usual - 0.02);
  await page.locator('figure td[colspan]').first().dblclick({ force: true });
  await expect.poll(share).toBe(usual);
  await page.reload();
  await expect(entry(page, 'macd')).toBeVisible();
  await expect.poll(share).toBe(usual);
});

test('the table of the bars in sight has a column for each indicator', async ({ page }) => {
  await add(page, 'Bollinger Bands (BB)', 'Relative strength index (RSI)');
  await close(page);
  await page
    .getByRole('radio', { name: '1M', exact: true })
    .evaluate((radio: HTMLInputElement) => radio.click());
  await expect(page.getByRole('application', { name: /, 1M$/ })).toBeVisible();
  await expect(entry(page, 'rsi')).toContainText(/^RSI 14[\d.]+$/);
  const rows = sheet(page).getByRole('row');
  const price = String.raw`[\d,]+\.\d\d`;
  // Values change once more with older bars that are still being loaded.
  await expect(async () => {
    await page.getByRole('button', { name: 'Chart settings' }).click();
    await sheet(page).getByRole('button', { name: 'Data table' }).click();
    await expect(rows.first()).toHaveText(/Volume\s*BB 20 2\s*RSI 14$/);
    // The second newest bar does not move, and is told with the same values.
    const cells = await rows.nth(2).getByRole('cell').allTextContents();
    expect(cells.at(-2)).toMatch(new RegExp(`^${price} ${price} ${price}$`));
    expect(cells.at(-1)).toMatch(/^\d+\.\d\d$/);
    await close(page);
    await page.getByRole('application').focus();
    for (const key of ['Escape', 'ArrowLeft', 'ArrowLeft']) await page.keyboard.press(key);
    expect(await page.locator('figure > .visually-hidden[role="status"]').textContent()).toContain(
      `BB 20 2 ${cells.at(-2)}; RSI 14 ${cells.at(-1)}`,
    );
  }).toPass();
});

test('a tick moves the end of the lines, and the library does not paint', async ({ page }) => {
  await page.evaluate(() => {
    const { prototype } = CanvasRenderingContext2D;
    const { stroke } = prototype;
    prototype.stroke = function (...path: [] | [Path2D]) {
      const { dataset } = this.canvas;
      dataset['strokes'] = String(Number(dataset['strokes'] ?? 0) + 1);
      stroke.apply(this, path as [Path2D]);
    };
  });
  await add(page, 'Bollinger Bands (BB)', 'Relative strength index (RSI)');
  await close(page);
  await expect(entry(page, 'rsi')).toContainText(/^RSI 14[\d.]+$/);
  /** How often lines were drawn on each canvas of the panes: the library's first, then ours above it. */
  const strokes = () =>
    page.evaluate(() => {
      const cells = [...document.querySelectorAll('figure td:nth-child(2) > div')];
      const counts = cells.map((cell) =>
        [...cell.querySelectorAll('canvas')].map(({ dataset }) => Number(dataset['strokes'] ?? 0)),
      );
      const library = counts.reduce((sum, [first = 0]) => sum + first, 0);
      return { library, ours: counts.flat().reduce((sum, each) => sum + each, 0) - library };
    });
  // The library has painted the panes, and the axes as wide as these need.
  await atRest(async () => (await strokes()).library);
  const before = await strokes();
  await expect.poll(async () => (await strokes()).ours).toBeGreaterThan(before.ours + 40);
  // A new bar, or an axis that grows, repaints it once: a few dozen lines. Each of eight ticks would be hundreds.
  expect((await strokes()).library - before.library).toBeLessThan(80);
});
