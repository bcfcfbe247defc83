import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import type { Bar } from '#domain/market/kline';
import type { Drawing } from '../../src/features/trading/drawings/drawing';
import { DESKTOP, PHONE, test } from './helpers/browser';
import { CODE, choosePeriod, openChart } from './helpers/chart';
import { line, type Point, swipe } from './helpers/finger';
import type { Product } from './helpers/product';

/** The finger holds a point this far below it, px. */
const LIFT = 44;

let product: Product;
test.beforeAll(async ({ shareProduct }) => {
  product = await shareProduct();
});

/** A bar by its number from the newest, with its place on the screen. */
function bar(
  page: Page,
  fromNewest: number,
): Promise<(Bar & { x: number; left: number; top: number }) | undefined> {
  return page.evaluate((at) => {
    const found = globalThis.fulcrumChart?.bars().at(-1 - at);
    const x = found && globalThis.fulcrumChart?.xOf(found.time);
    const box = document.querySelector('[role="application"]')?.getBoundingClientRect();
    return x === undefined || !box ? undefined : { ...found, x, left: box.left, top: box.top };
  }, fromNewest) as never;
}

/** Where a price is at a bar, on the screen. */
async function at(page: Page, fromNewest: number, price?: 'high' | 'low', below = 0) {
  const found = await bar(page, fromNewest);
  if (!found) throw new Error('no bar');
  const height = await page.evaluate(
    (value) => globalThis.fulcrumChart?.heightOf(value),
    found[price ?? 'close'],
  );
  if (height === undefined) throw new Error('no scale');
  return { x: found.left + found.x, y: found.top + height + below, bar: found };
}

const kept = (page: Page): Promise<Drawing[]> =>
  page.evaluate(
    (code) =>
      JSON.parse(localStorage.getItem(`fulcrum.drawings.${code}`) ?? '{"drawings":[]}').drawings,
    CODE,
  );
const text = (price: number) => price.toFixed(2);
const draw = (page: Page) => page.getByRole('button', { name: 'Draw', exact: true });
const tool = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
/** Of the drawings: on a desktop the workspace has its own. */
const history = (page: Page, name: 'Undo' | 'Redo') =>
  page.getByRole('group', { name: 'Drawings' }).getByRole('button', { name, exact: true });
const list = (page: Page) => page.getByRole('list', { name: 'Drawings' }).getByRole('listitem');
/** Times of the view, which a drag of the chart would change. */
const inSight = (page: Page) => page.evaluate(() => globalThis.fulcrumChart?.timesInSight());

test.describe('by mouse on a desktop', () => {
  test.use(DESKTOP);

  test('a line is drawn to high and low, moved, undone, kept over reload and periods, and deleted', async ({
    page,
  }) => {
    await openChart(page, product.url);
    await draw(page).click();
    await tool(page, 'Trend line').click();
    await expect(page.getByText('Trend line: Point 1 of 2')).toBeVisible();
    const view = await inSight(page);
    // Near a high and a low: the magnet takes them.
    const from = await at(page, 40, 'high', -6);
    const to = await at(page, 10, 'low', 6);
    await page.mouse.click(from.x, from.y);
    await expect(page.getByText('Trend line: Point 2 of 2')).toBeVisible();
    await page.mouse.click(to.x, to.y);
    const drawn = [
      { time: from.bar.time, price: text(from.bar.high) },
      { time: to.bar.time, price: text(to.bar.low) },
    ];
    await expect.poll(async () => (await kept(page))[0]?.anchors).toEqual(drawn);
    await expect(list(page)).toHaveCount(1);
    expect(await inSight(page)).toEqual(view);

    // The second point goes to another bar's high, the whole line five bars to the left.
    const handle = await at(page, 10, 'low');
    const there = await at(page, 20, 'high', -5);
    await page.mouse.move(handle.x, handle.y);
    await page.mouse.down();
    await page.mouse.move(there.x, there.y, { steps: 4 });
    await page.mouse.up();
    const moved = [drawn[0], { time: there.bar.time, price: text(there.bar.high) }];
    await expect.poll(async () => (await kept(page))[0]?.anchors).toEqual(moved);
    const start = await at(page, 40, 'high');
    const end = await at(page, 20, 'high');
    const middle = { x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 };
    const step = (start.x - (await at(page, 45)).x) / 5;
    await page.mouse.move(middle.x, middle.y);
    await page.mouse.down();
    await page.mouse.move(middle.x - 5 * step, middle.y, { steps: 4 });
    await page.mouse.up();
    const shifted = [(await at(page, 45)).bar.time, (await at(page, 25)).bar.time];
    await expect
      .poll(async () => (await kept(page))[0]?.anchors.map(({ time }) => time))
      .toEqual(shifted);
    expect(await inSight(page)).toEqual(view);

    await page.keyboard.press('Control+z');
    await expect.poll(async () => (await kept(page))[0]?.anchors).toEqual(moved);
    await history(page, 'Undo').click();
    await expect.poll(async () => (await kept(page))[0]?.anchors).toEqual(drawn);
    await history(page, 'Redo').click();
    await expect.poll(async () => (await kept(page))[0]?.anchors).toEqual(moved);

    // Another instrument has its own drawings, and leaves the tools open.
    await page.getByRole('button', { name: 'EUR/USD', exact: true }).click();
    await expect(page).toHaveURL(/code=EURUSD/);
    await expect(list(page)).toHaveCount(0);
    await expect(tool(page, 'Ray')).toBeVisible();
    await page.goto(`${product.url}/?inspect#/trade?code=${CODE}`);

    await page.reload();
    await expect(list(page)).toHaveCount(1);
    await choosePeriod(page, '1W');
    await expect(list(page)).toContainText('Trend line');
    await choosePeriod(page, '1D');

    // Beside the line a press scrolls the chart; on it, it selects.
    const again = await at(page, 40, 'high');
    await page.mouse.click(again.x, again.y);
    await tool(page, 'Lock').click();
    await expect(tool(page, 'Delete')).toBeHidden();
    await page.keyboard.press('Delete');
    await tool(page, 'Unlock').click();
    expect(await kept(page)).toHaveLength(1);
    await tool(page, 'Delete').click();
    await expect(list(page)).toHaveCount(0);
    expect(await kept(page)).toEqual([]);
    await history(page, 'Undo').click();
    await expect(list(page)).toHaveCount(1);
  });

  test('all kinds are drawn, styled, listed, and travel as a file to another device', async ({
    page,
    browser,
  }) => {
    await openChart(page, product.url);
    await draw(page).click();
    const points: [name: string, count: number][] = [
      ['Trend line', 2],
      ['Ray', 2],
      ['Horizontal line', 1],
      ['Vertical line', 1],
      ['Rectangle', 2],
      ['Parallel channel', 3],
      ['Fibonacci retracement', 2],
      ['Measure', 2],
      ['Text', 1],
    ];
    for (const [index, [name, count]] of points.entries()) {
      await tool(page, name).click();
      for (let point = 0; point < count; point++) {
        const place = await at(page, 45 - 4 * index - 6 * point, point % 2 ? 'low' : 'high');
        await page.mouse.click(place.x, place.y);
      }
      if (name === 'Text') {
        await page.getByRole('textbox', { name: 'Text' }).fill('Support');
        await tool(page, 'Done').click();
      }
      await expect(list(page)).toHaveCount(index + 1);
    }
    await tool(page, 'Style').click();
    await page.getByRole('radio', { name: 'Orange' }).check();
    await page.getByRole('radio', { name: '3 px' }).check();
    await page.getByRole('radio', { name: 'Dashed' }).check();
    await page.keyboard.press('Escape');
    const drawings = await kept(page);
    expect(drawings.map(({ kind }) => kind)).toHaveLength(9);
    expect(drawings.at(-1)).toMatchObject({
      kind: 'text',
      text: 'Support',
      style: { colour: 'orange', width: 3, dash: 'dashed' },
    });

    await tool(page, 'Drawings').click();
    const dialog = page.getByRole('dialog', { name: 'Drawings' });
    const saved = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Export' }).click();
    const file = await readFile(await (await saved).path());

    const other = await browser.newContext(DESKTOP);
    const there = await other.newPage();
    await openChart(there, product.url);
    await draw(there).click();
    await tool(there, 'Drawings').click();
    const taking = there.getByRole('dialog', { name: 'Drawings' });
    const give = (buffer: Buffer) =>
      taking
        .locator('input[type=file]')
        .setInputFiles({ name: 'drawings.json', mimeType: 'application/json', buffer });
    const broken = JSON.parse(file.toString());
    broken.drawings[4].anchors[0].price = '-1';
    await give(Buffer.from(JSON.stringify(broken)));
    await expect(taking.getByRole('alert')).toHaveText(
      'Drawing 5 in the file is invalid. Nothing was imported.',
    );
    expect(await kept(there)).toEqual([]);
    await give(Buffer.from('{'));
    await expect(taking.getByRole('alert')).toHaveText(
      'This file contains no drawings. Nothing was imported.',
    );
    await give(file);
    await expect(there.getByText('9 drawings imported')).toBeVisible();
    expect(await kept(there)).toEqual(drawings);
    await other.close();
  });

  test('a kept drawing is shown where its code comes after the chart has been painted', async ({
    page,
  }) => {
    let release = () => {};
    const late = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/\/DrawingTools-[^/]*\.js/, async (route) => {
      await late;
      await route.continue();
    });
    await page.addInitScript((code) => {
      const drawing = {
        ...{ id: 'kept', kind: 'vertical', anchors: [{ time: 0, price: '1' }], locked: false },
        ...{ style: { colour: 'blue', width: 2, dash: 'solid' }, text: '' },
      };
      // In the middle of the bars in sight, whichever day it is.
      drawing.anchors[0] = { time: Math.floor(Date.now() / 1000) - 20 * 86_400, price: '1' };
      const file = { format: 'fulcrum-drawings', version: 1, instrument: code };
      localStorage[`fulcrum.drawings.${code}`] = JSON.stringify({ ...file, drawings: [drawing] });
    }, CODE);
    await openChart(page, product.url);
    /** Whether a canvas above the library's has a line from top to bottom. */
    const hasLine = () =>
      page.evaluate(() => {
        const [, ...ours] = document.querySelectorAll<HTMLCanvasElement>(
          'figure tr:first-child td:nth-child(2) canvas',
        );
        return ours.some((canvas) => {
          const { width, height } = canvas;
          const data = canvas.getContext('2d')?.getImageData(0, 0, width, height).data;
          const painted = (x: number, y: number) => (data?.[(y * width + x) * 4 + 3] ?? 0) > 0;
          return Array.from({ length: width }, (_, x) => x).some((x) =>
            Array.from({ length: height }, (_, y) => y).every((y) => painted(x, y)),
          );
        });
      });
    expect(await hasLine()).toBe(false);
    release();
    await expect(list(page)).toHaveCount(1);
    await expect.poll(hasLine).toBe(true);
  });

  test('another tab shows a drawing at once, and neither loses what the other draws', async ({
    page,
  }) => {
    await openChart(page, product.url);
    const second = await page.context().newPage();
    await openChart(second, product.url);
    const horizontal = async (tab: Page, fromNewest: number) => {
      await tab.bringToFront();
      if (!(await tool(tab, 'Horizontal line').isVisible())) await draw(tab).click();
      await tool(tab, 'Horizontal line').click();
      const place = await at(tab, fromNewest, 'high');
      await tab.mouse.click(place.x, place.y);
    };
    await horizontal(page, 30);
    await expect(list(second)).toHaveCount(1);
    await horizontal(second, 20);
    await expect(list(page)).toHaveCount(2);
    await horizontal(page, 10);
    await expect(list(second)).toHaveCount(3);
    // Undo takes back what this tab did.
    await second.bringToFront();
    await history(second, 'Undo').click();
    await expect(list(page)).toHaveCount(2);
    const prices = await Promise.all([30, 10].map(async (n) => text((await at(page, n)).bar.high)));
    expect((await kept(page)).map(({ anchors }) => anchors[0]?.price)).toEqual(prices);
  });
});

test.describe('by keyboard', () => {
  test.use(DESKTOP);

  test('a line is drawn, moved by tick and bar, heard and deleted', async ({ page }) => {
    await openChart(page, product.url);
    await draw(page).focus();
    await page.keyboard.press('Enter');
    await tool(page, 'Trend line').focus();
    await page.keyboard.press('Enter');
    // The chart has the focus: Enter shows the point, and sets it.
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await expect(list(page)).toHaveCount(1);
    const [drawing] = await kept(page);
    const [from, to] = drawing?.anchors ?? [];
    expect((to?.time ?? 0) - (from?.time ?? 0)).toBe(10 * 86_400);
    const cents = (price = '') => Math.round(Number(price) * 100);
    expect(cents(to?.price) - cents(from?.price)).toBe(1);

    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await expect
      .poll(async () => (await kept(page))[0]?.anchors.map(({ price }) => cents(price)))
      .toEqual([cents(from?.price) - 2, cents(to?.price) - 2]);
    // Enter goes to its first point, which then moves alone.
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowUp');
    await expect
      .poll(async () => (await kept(page))[0]?.anchors.map(({ price }) => cents(price)))
      .toEqual([cents(from?.price) - 1, cents(to?.price) - 2]);
    await expect(page.getByText(/^Trend line\. .*Point 1 of 2$/)).toBeAttached();

    await page.keyboard.press('Delete');
    await expect(list(page)).toHaveCount(0);
    await page.keyboard.press('Control+z');
    await expect(list(page)).toHaveCount(1);
    await page.keyboard.press('Control+Shift+z');
    await expect(list(page)).toHaveCount(0);
    await tool(page, 'Ray').press('Enter');
    await page.keyboard.press('Escape');
    await expect(page.getByText('Ray: Point 1 of 2')).toBeHidden();
  });
});

test.describe('by finger on a phone', () => {
  test.use(PHONE);

  test('a point is set beside the finger, moved by its grip, and Back leaves the tool', async ({
    page,
  }) => {
    await openChart(page, product.url);
    const drag = (from: Point, to: Point) => swipe(page, line(from, to, 5));
    await draw(page).tap();
    await tool(page, 'Rectangle').tap();
    const view = await inSight(page);
    const [one, two, three] = [26, 12, 20];
    // The point is above the finger.
    const from = await at(page, one, 'high');
    await drag({ x: from.x + 30, y: from.y + 20 }, { x: from.x, y: from.y + LIFT });
    await expect(page.getByText('Rectangle: Point 2 of 2')).toBeVisible();
    const to = await at(page, two, 'low');
    // A tap sets it where it touches.
    await page.touchscreen.tap(to.x, to.y);
    await expect
      .poll(async () => (await kept(page))[0]?.anchors)
      .toEqual([
        { time: from.bar.time, price: text(from.bar.high) },
        { time: to.bar.time, price: text(to.bar.low) },
      ]);
    expect(await inSight(page)).toEqual(view);

    // Its grip is below the point.
    const grip = await at(page, one, 'high', LIFT);
    const there = await at(page, three, 'high', LIFT);
    await drag(grip, there);
    await expect
      .poll(async () => (await kept(page))[0]?.anchors[0])
      .toEqual({
        time: there.bar.time,
        price: text(there.bar.high),
      });
    expect(await inSight(page)).toEqual(view);

    await history(page, 'Undo').tap();
    await expect.poll(async () => (await kept(page))[0]?.anchors[0]?.time).toBe(from.bar.time);
    await tool(page, 'Measure').tap();
    await expect(page.getByText('Measure: Point 1 of 2')).toBeVisible();
    await page.goBack();
    await expect(page.getByText('Measure: Point 1 of 2')).toBeHidden();
    await expect(tool(page, 'Measure')).toBeVisible();
    await page.goBack();
    await expect(tool(page, 'Measure')).toBeHidden();
    await expect(page.getByRole('application')).toBeVisible();

    // A finger that is not on a selected drawing scrolls the chart; a tap selects.
    await page.reload();
    await expect(list(page)).toHaveCount(1);
    await expect.poll(() => bar(page, 5)).toBeTruthy();
    const edge = await at(page, two, 'low');
    await drag(edge, { x: edge.x + 100, y: edge.y });
    expect((await kept(page))[0]?.anchors[0]?.time).toBe(from.bar.time);
    await expect.poll(() => inSight(page)).not.toEqual(view);
    // The view may still be moving from the swipe.
    await expect(async () => {
      const corner = await at(page, one, 'high');
      await page.touchscreen.tap(corner.x, corner.y);
      await expect(tool(page, 'Delete')).toBeVisible({ timeout: 1000 });
    }).toPass();
    await tool(page, 'Delete').tap();
    await expect(list(page)).toHaveCount(0);
  });
});

test.describe('by finger on a low phone', () => {
  test.use({ ...PHONE, viewport: { width: 320, height: 568 } });

  test('the tools are in sight, and take the place of buy and sell until they are closed', async ({
    page,
  }) => {
    await openChart(page, product.url);
    const buy = page.getByRole('button', { name: 'Buy', exact: true });
    await expect(buy).toBeVisible();
    await draw(page).tap();
    const tools = page.getByRole('toolbar', { name: 'Drawing tools' });
    await expect(tools).toBeInViewport({ ratio: 1 });
    await expect(buy).toBeHidden();
    await tool(page, 'Close the drawing tools').tap();
    await expect(buy).toBeVisible();
  });
});

test.describe('by finger on a phone held sideways', () => {
  test.use({ ...PHONE, viewport: { width: 740, height: 360 } });

  test('the tools are below the chart, where a line is drawn and deleted', async ({ page }) => {
    await openChart(page, product.url);
    await draw(page).tap();
    const tools = page.getByRole('toolbar', { name: 'Drawing tools' });
    await expect(tools).toBeVisible();
    const bar = await tools.boundingBox();
    const chart = await page.getByRole('application').boundingBox();
    if (!chart || !bar) throw new Error('not shown');
    expect(bar.y).toBeGreaterThanOrEqual(chart.y + chart.height);
    await tool(page, 'Trend line').tap();
    // Below what covers the top of the chart.
    const y = chart.y + chart.height * 0.7;
    await page.touchscreen.tap(chart.x + 120, y);
    await page.touchscreen.tap(chart.x + 240, y - 20);
    await expect(list(page)).toHaveCount(1);
    await tool(page, 'Delete').tap();
    await expect(page.getByText('Trend line deleted')).toBeVisible();
    await expect(list(page)).toHaveCount(0);
  });
});
