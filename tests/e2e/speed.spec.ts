import { readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { safeParse } from 'valibot';
import { DEVICE_PLAN } from '#domain/workload/devicePlan';
import type { DeviceResults } from '#domain/workload/deviceRun';
import { DESKTOP, expectScreen, languageCookie, PHONE, test } from './helpers/browser';
import { violations } from './helpers/looks';
import type { Product } from './helpers/product';

let product: Product;
test.beforeAll(async ({ shareProduct }) => {
  product = await shareProduct();
});

test.use(PHONE);
test.beforeEach(({ context }) => context.addCookies([languageCookie('en', product.url)]));

async function openMarket(page: Page): Promise<void> {
  await page.goto(product.url);
  await expect(page.getByRole('button', { name: 'EUR/USD', exact: true })).toBeVisible();
}

test('the rows of the last visit are shown before React runs @always', async ({ page }) => {
  await openMarket(page);
  const icon = page.locator('link[rel=icon]');
  const manifest = page.locator('link[rel=manifest]');
  await expect(icon).toHaveAttribute('href', '/icon.svg');
  await expect(manifest).toHaveAttribute('href', '/manifest.json');
  // The code that saves the rows is loaded after the first screen, just before the chart's.
  const loaded = () =>
    page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map(({ name }) => name)
        .join(),
    );
  await expect.poll(loaded).toMatch(/\/candleChart-/);
  await page.goto('about:blank');
  // React never arrives.
  await page.route('**/assets/app-*.js', () => {});
  await page.goto(product.url, { waitUntil: 'commit' });
  await expect(page.locator('.boot-strip')).toHaveText(/Sandbox: no real money\./);
  await expect(page.locator('.boot [role=row]', { hasText: 'EUR/USD' })).toBeVisible();
  // Live prices do not wait for React.
  await expect(page.locator('.boot [role=row][data-stale=false]').first()).toBeVisible();
  // Nor do they share the processor with an icon that is loading.
  await expect(icon).toHaveAttribute('href', 'data:,');
  await expect(manifest).toHaveCount(0);
});

for (const [path, price] of [
  ['/', '.boot [role=row][data-stale=false]'],
  ['/trade', '.boot-price:not([data-stale])'],
] as const) {
  test(`prices at ${path} are live before the rest of the worker is there`, async ({ page }) => {
    await page.route('**/assets/client.worker-*.js', () => {});
    await page.goto(`${product.url}/#${path}`, { waitUntil: 'commit' });
    const first = page.locator(price).first();
    const before = await first.textContent();
    await expect(first).not.toHaveText(before ?? '');
  });
}

test.describe('on a desktop', () => {
  test.use(DESKTOP);

  test('the rows painted before React stay where the list is late', async ({ page }) => {
    await page.route('**/v1/api/forex/trade_list*', () => {});
    await page.goto(product.url, { waitUntil: 'commit' });
    // Open markets come first.
    const first = page
      .getByRole('grid')
      .getByRole('row')
      .filter({ hasText: /\d\.\d/ })
      .first();
    await expect(first).toBeVisible();
    const before = await first.textContent();
    await expect(first).not.toHaveText(before ?? '');
  });
});

for (const language of ['en', 'ar'] as const) {
  test(`a first visit to the trade screen shows the price before React, where React puts it, in ${language}`, async ({
    page,
  }) => {
    await page.context().addCookies([languageCookie(language, product.url)]);
    let arrive = () => {};
    const held = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    await page.route('**/assets/app-*.js', async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(`${product.url}/#/trade`, { waitUntil: 'commit' });
    const first = page.locator('.boot-price > span');
    await expect(first).toHaveText(/\d/);
    const painted = await first.boundingBox();
    await expect(page.locator('.boot-name')).toHaveText(/\w/);
    const name = await page.locator('.boot-name').textContent();
    arrive();
    const price = page.locator('main header p > span').first();
    await expect(price).toHaveText(/\d/);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name ?? '');
    const { x = 0, y = 0, height = 0 } = painted ?? {};
    const box = await price.boundingBox();
    expect([box?.x, box?.y, box?.height].map((n = 0) => Math.round(n * 2))).toEqual(
      [x, y, height].map((n) => Math.round(n * 2)),
    );
  });
}

test('the data saver hides sparklines, and shows the traffic of prices', async ({ page }) => {
  await openMarket(page);
  // Rows that the list has no room for keep theirs, unseen.
  const welcome = page.getByRole('complementary');
  await welcome.getByRole('button', { name: 'Dismiss' }).click();
  await expect(welcome).toHaveCount(0);
  const lines = page.getByRole('row').locator('svg[data-direction] > path');
  await expect(lines.first()).toBeAttached();
  await page.getByRole('button', { name: 'Appearance' }).click();
  const saver = page.getByRole('group', { name: 'Data saver' });
  await saver.getByRole('radio', { name: 'On' }).check();
  await expect(page.getByText(/Live prices now: [\d.,]+ KB a minute/)).toBeVisible();
  await page.getByRole('button', { name: 'Close' }).click();
  await expect(lines).toHaveCount(0);
});

test('speed is shown over every screen to developers, whom About leads to it', async ({ page }) => {
  await openMarket(page);
  await page.getByRole('button', { name: 'Appearance' }).click();
  const sheet = page.getByRole('dialog', { name: 'Appearance' });
  await expect(sheet.getByRole('checkbox')).toHaveCount(0);
  await sheet.getByRole('link', { name: 'About' }).click();
  await expectScreen(page, '/about');
  await expect(page.locator('main p').first()).toHaveText(/^Practise leveraged trading/);
  await page.getByRole('link', { name: 'Speed test' }).click();
  await expectScreen(page, '/bench');
  await page.getByRole('checkbox', { name: 'Show performance on every screen' }).check();
  await expect(page.locator('dl', { hasText: 'Frames/s' })).toContainText(/Messages\/s\d/);
});

/** What a device keeps of its charts. */
function keepChartSettings(page: Page): Promise<unknown> {
  return page.addInitScript(() => {
    localStorage['fulcrum.chart-type'] = '"area"';
    localStorage['fulcrum.indicators'] = JSON.stringify([
      { id: 1, kind: 'sma', parameters: [5], colours: ['pink'], hidden: false },
      { id: 2, kind: 'rsi', parameters: [14], colours: ['pink'], hidden: false },
    ]);
    const line = {
      id: 'drawn',
      kind: 'horizontal',
      anchors: [{ time: 1_700_000_000, price: '1' }],
      style: { colour: 'blue', width: 2, dash: 'solid' },
      locked: false,
      text: '',
    };
    for (const instrument of ['BTCUSD', 'AAAAUSD'])
      localStorage[`fulcrum.drawings.${instrument}`] = JSON.stringify({
        format: 'fulcrum-drawings',
        version: 1,
        instrument,
        drawings: [line],
      });
  });
}

/** Whether the library's canvas has candles: opaque pixels of both colours, above the volumes. */
function hasCandles(page: Page): Promise<boolean | undefined> {
  return page.evaluate(() => {
    const figure = document.querySelector('figure');
    const canvas = figure?.querySelector<HTMLCanvasElement>('td:nth-child(2) canvas');
    const context = canvas?.getContext('2d');
    if (!figure || !canvas?.height || !context) return undefined;
    const { data } = context.getImageData(0, 0, canvas.width, Math.floor(canvas.height * 0.75));
    const probe = figure.appendChild(document.createElement('span'));
    return ['--chart-up', '--chart-down'].every((property) => {
      probe.style.color = `var(${property})`;
      const [red, green, blue] = getComputedStyle(probe).color.match(/\d+/g)?.map(Number) ?? [];
      let count = 0;
      for (let at = 0; at < data.length; at += 4) {
        const same = data[at] === red && data[at + 1] === green && data[at + 2] === blue;
        if (same && data[at + 3] === 255) count += 1;
      }
      return count > 20;
    });
  });
}

test('the speed test plays its plan on the real screens, gives a verdict, and restores everything', async ({
  page,
}) => {
  // A slow machine takes a minute for the plan.
  test.slow();
  await keepChartSettings(page);
  const indicators = page.locator('figure [data-indicator]');
  const drawings = page.locator('fieldset[aria-label=Drawings] li');
  // Where they belong they are shown.
  await page.goto(`${product.url}/#/trade?code=BTCUSD`);
  await expect(indicators).toHaveCount(2);
  await expect(drawings).toHaveCount(1);
  await expect.poll(() => hasCandles(page)).toBe(false);

  await openMarket(page);
  await page.goto(`${new URL(page.url()).origin}/#/bench`);
  await expectScreen(page, '/bench');
  await expect(page.getByRole('heading', { name: 'Speed test', level: 1 })).toBeVisible();
  expect(await violations(page)).toEqual([]);
  // Each value of the order form stands for a few milliseconds, so the page itself watches for both.
  await page.evaluate(() => {
    addEventListener('input', ({ target }) => {
      const { value } = target as HTMLInputElement;
      if (target === document.activeElement && value === '7') document.body.dataset['typed'] = '';
    });
  });
  await page.getByRole('button', { name: 'Start' }).click();
  await expect(page.getByText('AAAA/USD')).toBeVisible();
  // The chart is bare, whatever is kept on the device.
  await expect.poll(() => hasCandles(page), { timeout: 120_000 }).toBe(true);
  expect(await indicators.count()).toBe(0);
  expect(await drawings.count()).toBe(0);
  const verdict = page.getByRole('heading', { level: 2 });
  await expect(verdict).toHaveText(
    /^This device (holds|does not hold) 50 ms .* core holds it at [\d,]+\.$/,
    {
      timeout: 120_000,
    },
  );
  await expect(page.getByText('Every row shows its last quote.')).toBeVisible();
  await expect(page.locator('body')).toHaveAttribute('data-typed');
  expect(await violations(page)).toEqual([]);
  const cells = (name: string) => page.getByRole('row', { name }).getByRole('cell');
  for (const name of ['This device', 'One desktop core', 'Market list · 1,000']) {
    await expect(cells(name)).toHaveCount(4);
    await expect(cells(name).first()).toHaveText(/\d/);
  }
  await expect(cells('Order form').last()).toHaveText(/\d/);
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  const download = await saved;
  expect(download.suggestedFilename()).toBe('fulcrum-bench.json');
  const results: DeviceResults = JSON.parse(readFileSync(await download.path(), 'utf8'));
  // The command line reads it.
  const { resultsSchema } = await import('../../bench/render/harness/schema' as string);
  expect(safeParse(resultsSchema, results).success).toBe(true);
  expect(results.runs.map(({ workload }) => workload)).toEqual(
    DEVICE_PLAN.map(({ workload }) => workload),
  );

  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByRole('button', { name: 'EUR/USD', exact: true })).toBeVisible();
  await expect(page.getByText('AAAA/USD')).toHaveCount(0);
});
