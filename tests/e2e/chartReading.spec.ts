import { readFileSync } from 'node:fs';
import { type BrowserContextOptions, expect, type Page } from '@playwright/test';
import { DESKTOP, languageCookie, PHONE, test } from './helpers/browser';
import { heldBars } from './helpers/chart';
import { line, swipe, tapTwice } from './helpers/finger';
import type { Product } from './helpers/product';

let product: Product;
test.beforeAll(async ({ shareProduct }) => {
  product = await shareProduct();
});

const SCREENS: Record<string, BrowserContextOptions> = {
  phone: PHONE,
  sideways: { ...PHONE, viewport: { width: 740, height: 360 } },
  desktop: DESKTOP,
};

async function openChart(page: Page, stored: Record<string, unknown> = {}): Promise<void> {
  await page.context().addCookies([languageCookie('en', product.url)]);
  await page.addInitScript((values) => {
    for (const [key, value] of Object.entries(values))
      localStorage[`fulcrum.${key}`] ??= JSON.stringify(value);
  }, stored);
  await page.goto(`${product.url}/?inspect#/trade?code=BTCUSD`);
  await expect.poll(() => heldBars(page)).toBeGreaterThan(20);
}

const sheet = (page: Page) => page.getByRole('dialog');
const settings = (page: Page) => page.getByRole('button', { name: 'Chart settings' });

/** Counts how often each canvas of the chart is cleared, which is once for each time that it is painted. */
async function countPaints(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const counts = new Map<HTMLCanvasElement, number>();
    const { clearRect } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.clearRect = function (...box) {
      counts.set(this.canvas, (counts.get(this.canvas) ?? 0) + 1);
      return clearRect.apply(this, box);
    };
    Object.assign(globalThis, { paints: counts });
  });
}

/** Paints of the library's canvas and of ours above it, in the pane. */
const paints = (page: Page) =>
  page.evaluate(() => {
    const counts = (globalThis as unknown as { paints: Map<HTMLCanvasElement, number> }).paints;
    const [library, ours] = document.querySelectorAll<HTMLCanvasElement>(
      'figure td:nth-child(2) canvas',
    );
    const of = (canvas?: HTMLCanvasElement) => (canvas && counts.get(canvas)) ?? 0;
    return { library: of(library), ours: of(ours) };
  });

/** What the pane shows: the colours of the library's canvas, by how many pixels have them. */
const picture = (page: Page, which: 0 | 1) =>
  page.evaluate((index) => {
    const canvas = document.querySelectorAll<HTMLCanvasElement>('figure td:nth-child(2) canvas')[
      index
    ];
    const context = canvas?.getContext('2d');
    if (!canvas || !context) return '';
    const { data } = context.getImageData(0, 0, canvas.width, Math.floor(canvas.height * 0.75));
    let sum = 0;
    for (let at = 0; at < data.length; at += 4) {
      sum = (sum * 31 + (data[at] ?? 0) * 3 + (data[at + 2] ?? 0) * 5 + (data[at + 3] ?? 0)) % 1e9;
    }
    return `${sum}`;
  }, which);

for (const [screen, options] of Object.entries(SCREENS)) {
  test.describe(screen, () => {
    test.use(options);

    test('each kind of chart is drawn, kept, and moves without the library', async ({ page }) => {
      await countPaints(page);
      // Bars of a month: none begins during the test.
      await openChart(page, { period: '1month' });
      const shown = new Set([await picture(page, 0)]);
      for (const type of ['Hollow candles', 'Bars', 'Line', 'Area', 'Baseline', 'Heikin-Ashi']) {
        await settings(page).click();
        const radio = sheet(page).getByRole('radio', { name: type, exact: true });
        await radio.check();
        await sheet(page).getByRole('button', { name: 'Close' }).click();
        await expect(sheet(page)).toBeHidden();
        await expect.poll(async () => shown.has(await picture(page, 0)), type).toBe(false);
        shown.add(await picture(page, 0));
        if (screen !== 'phone') continue;
        const before = await paints(page);
        const alone = async () => {
          const now = await paints(page);
          return now.ours - before.ours - (now.library - before.library);
        };
        await expect.poll(alone, type).toBeGreaterThan(4);
        expect((await paints(page)).library - before.library, type).toBeLessThan(3);
      }
      await page.reload();
      await expect.poll(() => heldBars(page)).toBeGreaterThan(20);
      await settings(page).click();
      await expect(sheet(page).getByRole('radio', { name: 'Heikin-Ashi' })).toBeChecked();
    });

    test('every period can be chosen, and the chosen one is in sight', async ({ page }) => {
      await openChart(page);
      const periods = page.getByRole('group', { name: 'Chart period' });
      for (const name of ['1W', '1M', '4h', '1m', '1D', '1M']) {
        const radio = periods.getByRole('radio', { name, exact: true });
        await radio.evaluate((input: HTMLInputElement) => input.click());
        await expect(radio).toBeChecked();
        await expect(radio).toBeInViewport({ ratio: 0.95 });
        await expect.poll(() => heldBars(page)).toBeGreaterThan(20);
      }
      const times = await page.evaluate(() =>
        globalThis.fulcrumChart?.bars().map(({ time }) => new Date(time * 1000).toISOString()),
      );
      expect(times?.every((time) => time.endsWith('-01T00:00:00.000Z'))).toBe(true);
    });

    // The desktop maximises the panel (workspace.spec.ts).
    if (screen !== 'desktop') {
      test('full screen shows the chart alone, and ends', async ({ page }) => {
        await openChart(page, { period: '1day' });
        const direct = page.getByRole('button', { name: 'Full screen' });
        if (await direct.isVisible()) await direct.click();
        else {
          await settings(page).click();
          await sheet(page).getByRole('button', { name: 'Full screen' }).click();
        }
        await expect(page.getByRole('button', { name: /^Buy/ })).toHaveCount(0);
        const size = page.viewportSize();
        const box = () => page.locator('section:has(> div figure)').boundingBox();
        // The strip above it is the place of the toasts.
        const strip = await page.locator('header[class*="strip"]').boundingBox();
        const y = strip?.height ?? 0;
        await expect(page.getByText('Live', { exact: true })).toBeVisible();
        await expect
          .poll(box)
          .toEqual({ x: 0, y, width: size?.width, height: (size?.height ?? 0) - y });
        // With the price, and nothing over the chosen period.
        await expect(page.locator('section:has(> div figure) > header')).toContainText(
          /\d,\d{3}\./,
        );
        const chosen = page.getByRole('radio', { name: '1D', exact: true });
        await expect(chosen).toBeInViewport({ ratio: 0.95 });
        const tools = await page.getByRole('group', { name: 'Chart tools' }).boundingBox();
        await expect
          .poll(async () => {
            const place = await chosen.boundingBox();
            return place && place.x + place.width;
          })
          .toBeLessThanOrEqual(tools?.x ?? 0);
        await settings(page).click();
        await expect(sheet(page)).toBeVisible();
        await sheet(page).getByRole('button', { name: 'Close' }).click();
        await expect(sheet(page)).toBeHidden();
        await page.getByRole('button', { name: 'Leave full screen' }).click();
        await expect(page.getByRole('button', { name: /^Buy/ }).first()).toBeInViewport();
      });
    }

    test('the bars in sight are a table', async ({ page }) => {
      await openChart(page, { period: '1day' });
      await settings(page).click();
      await sheet(page).getByRole('button', { name: 'Data table' }).click();
      const rows = sheet(page).getByRole('row');
      await expect(rows.first()).toHaveText(/Time\s*Open\s*High\s*Low\s*Close\s*Change\s*Volume/);
      const days = await page.evaluate(() => {
        const [first = 0, last = 0] = globalThis.fulcrumChart?.timesInSight() ?? [];
        return (last - first) / 86_400 + 1;
      });
      const count = (await rows.count()) - 1;
      expect(Math.abs(count - days)).toBeLessThanOrEqual(2);
      await expect(rows.nth(1).getByRole('cell')).toHaveCount(6);
    });
  });
}

test.describe('on a phone', () => {
  test.use({ ...PHONE, permissions: [] });

  test('a jump loads the bars until the date', async ({ page }) => {
    await openChart(page, { period: '60min' });
    await settings(page).click();
    await sheet(page).getByRole('button', { name: 'Go to a date' }).click();
    const target = Date.now() - 90 * 86_400_000;
    const local = await page.evaluate((time) => {
      const date = new Date(time - new Date(time).getTimezoneOffset() * 60_000);
      return date.toISOString().slice(0, 16);
    }, target);
    await sheet(page).getByLabel('Date and time').fill(local);
    await sheet(page).getByRole('button', { name: 'Show', exact: true }).click();
    await expect(sheet(page)).toBeHidden();
    const inSight = () =>
      page.evaluate((time) => {
        const [first, last] = globalThis.fulcrumChart?.timesInSight() ?? [];
        return first !== undefined && last !== undefined && first <= time && time <= last;
      }, target / 1000);
    await expect.poll(inSight).toBe(true);
  });

  test('a finger scales the price axis, and a double tap scales it back', async ({ page }) => {
    await openChart(page, { period: '1month' });
    const box = await page.locator('figure').boundingBox();
    if (!box) throw new Error('no chart');
    /** Height of a tenth of the price. */
    const tenth = () =>
      page.evaluate(() => {
        const chart = globalThis.fulcrumChart;
        const close = chart?.bars().at(-1)?.close ?? 0;
        return (chart?.heightOf(close * 0.9) ?? 0) - (chart?.heightOf(close) ?? 0);
      });
    const before = await tenth();
    const axis = { x: box.x + box.width - 20, y: box.y + box.height / 2 };
    const top = await page.evaluate(() => scrollY);
    await swipe(page, line(axis, { ...axis, y: axis.y + 80 }, 16));
    await expect.poll(tenth).toBeLessThan(before * 0.8);
    expect(await page.evaluate(() => scrollY)).toBe(top);
    await tapTwice(page, axis);
    await expect.poll(async () => Math.abs((await tenth()) / before - 1)).toBeLessThan(0.1);
  });

  test('the axis is linear, logarithmic or in percent', async ({ page }) => {
    await openChart(page, { period: '1month' });
    /** How much higher a tenth of the price is at the price than at a tenth below it. */
    const ratio = () =>
      page.evaluate(() => {
        const chart = globalThis.fulcrumChart;
        const close = chart?.bars().at(-1)?.close ?? 0;
        const at = (share: number) => chart?.heightOf(close * share) ?? Number.NaN;
        return (at(0.9) - at(1)) / (at(0.81) - at(0.9));
      });
    expect(await ratio()).toBeCloseTo(1 / 0.9, 2);
    for (const [name, expected] of [
      ['Logarithmic', 1],
      ['Percent', 1 / 0.9],
      ['Linear', 1 / 0.9],
    ] as const) {
      await settings(page).click();
      await sheet(page).getByRole('radio', { name, exact: true }).check();
      await sheet(page).getByRole('button', { name: 'Close' }).click();
      await expect.poll(ratio, name).toBeCloseTo(expected, 2);
    }
  });

  test('no label of the time axis is cut at its edges', async ({ page }) => {
    await page.addInitScript(() => {
      const labels: string[] = [];
      Object.assign(globalThis, { labels });
      const { fillText } = CanvasRenderingContext2D.prototype;
      CanvasRenderingContext2D.prototype.fillText = function (text, x, ...rest) {
        const { clientWidth, clientHeight } = this.canvas;
        const half = this.measureText(text).width / 2;
        // That of the crosshair begins at its left.
        if (clientHeight < 40 && clientWidth > 100 && this.textAlign === 'center' && text !== '')
          labels.push(x < half || x + half > clientWidth ? `cut: ${text}` : 'whole');
        return fillText.call(this, text, x, ...rest);
      };
    });
    await openChart(page);
    const box = await page.getByRole('application').boundingBox();
    if (!box) throw new Error('no chart');
    const y = box.y + box.height / 3;
    await page.mouse.move(box.x + 100, y);
    await page.mouse.down();
    // Labels are some 100 px apart: each edge meets one.
    for (let x = 0; x <= 120; x += 4) {
      await page.mouse.move(box.x + 100 + x, y);
      await page.evaluate(() => new Promise(requestAnimationFrame));
    }
    await page.mouse.up();
    const labels = await page.evaluate(
      () => (globalThis as unknown as { labels: string[] }).labels,
    );
    expect(labels.length).toBeGreaterThan(30);
    expect(new Set(labels)).toEqual(new Set(['whole']));
  });

  test('an instrument is compared, in percent, and is kept for this one only', async ({ page }) => {
    await openChart(page, { period: '1day' });
    await settings(page).click();
    await sheet(page).getByRole('button', { name: 'Compare with another instrument' }).click();
    await sheet(page).getByRole('searchbox').fill('ETHUSD');
    await sheet(page).getByRole('button', { name: 'Ether', exact: true }).click();
    await expect(sheet(page)).toBeHidden();
    await expect(page.locator('figure')).toContainText(/Ether [+−-]?\d/);
    await settings(page).click();
    await expect(sheet(page).getByRole('radio', { name: 'Percent' })).toBeChecked();
    await expect(sheet(page).getByRole('button', { name: 'Compared with Ether' })).toBeVisible();
    await page.goto(`${product.url}/?inspect#/trade?code=EURUSD`);
    await expect.poll(() => heldBars(page)).toBeGreaterThan(20);
    await expect(page.locator('figure')).not.toContainText('Ether ');
  });

  test('without share sheet and clipboard the picture is a file', async ({ page }) => {
    await openChart(page, { period: '1day', 'chart-type': 'area' });
    await page.evaluate(() => {
      Object.assign(navigator, { canShare: undefined });
      Object.defineProperty(navigator, 'clipboard', { value: undefined });
    });
    await settings(page).click();
    const download = page.waitForEvent('download');
    await sheet(page).getByRole('button', { name: 'Snapshot' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe('BTCUSD-1D.png');
    const png = readFileSync(await file.path()).toString('base64');
    const seen = await page.evaluate(async (data) => {
      const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
      const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
      context?.drawImage(image, 0, 0);
      const colours = (top: number, height: number) => {
        const { data: pixels } = context?.getImageData(0, top, image.width, height) ?? { data: [] };
        const found = new Set<number>();
        for (let at = 0; at < pixels.length; at += 4)
          found.add(
            ((pixels[at] ?? 0) << 16) | ((pixels[at + 1] ?? 0) << 8) | (pixels[at + 2] ?? 0),
          );
        return found.size;
      };
      const [corner, surface] = [new OffscreenCanvas(1, 1), new OffscreenCanvas(1, 1)].map(
        (canvas, which) => {
          const one = canvas.getContext('2d');
          if (!one) return [];
          if (which === 0) one.drawImage(image, 0, 0);
          else {
            one.fillStyle = getComputedStyle(document.documentElement).backgroundColor;
            one.fillRect(0, 0, 1, 1);
          }
          return [...one.getImageData(0, 0, 1, 1).data];
        },
      );
      const head = 36 * devicePixelRatio;
      return {
        width: image.width / devicePixelRatio,
        head: colours(0, head),
        chart: colours(head, image.height - head),
        corner,
        surface,
      };
    }, png);
    expect(seen).toMatchObject({ width: 360 });
    // Opaque, whatever it is shown on.
    expect(seen.corner).toEqual(seen.surface);
    expect(seen.corner?.[3]).toBe(255);
    // The texts of the head, and the chart's area of many shades.
    expect(seen.head).toBeGreaterThan(5);
    expect(seen.chart).toBeGreaterThan(50);
  });

  test('the picture goes to the share sheet where there is one', async ({ page }) => {
    await openChart(page, { period: '1day' });
    await page.evaluate(() => {
      const shared: unknown[] = [];
      Object.assign(navigator, {
        canShare: () => true,
        share: async ({ files, title }: ShareData) => {
          shared.push({ title, name: files?.[0]?.name, type: files?.[0]?.type });
        },
      });
      Object.assign(globalThis, { shared });
    });
    await settings(page).click();
    await sheet(page).getByRole('button', { name: 'Snapshot' }).click();
    await expect
      .poll(() => page.evaluate(() => (globalThis as unknown as { shared: unknown[] }).shared))
      .toEqual([{ title: 'Bitcoin 1D', name: 'BTCUSD-1D.png', type: 'image/png' }]);
  });
});
