import { expect, type Page } from '@playwright/test';
import { engine } from './engines/engine';
import { DESKTOP, languageCookie, test } from './helpers/browser';
import { violations } from './helpers/looks';
import type { Product } from './helpers/product';
import { writeCrossingMarket } from './helpers/risingMarket';

test.use(DESKTOP);

/** WebKit's clipboard has line ends of its own. */
const LINE_END = engine === 'webkit' ? /\r?\n/ : '\r\n';

let product: Product;
test.beforeAll(async ({ shareProduct }) => {
  product = await shareProduct();
});

async function open(page: Page, language: 'en' | 'ar' = 'en', { url } = product) {
  await page.context().addCookies([languageCookie(language, url)]);
  await page.goto(`${url}/#/`);
  const grid = page.getByRole('grid');
  await expect(grid.locator('[data-act=pick] > :not(:empty)').first()).toBeVisible();
  return grid;
}

/** Row and column that have the focus. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const at = document.activeElement;
    const column = at?.closest<HTMLElement>('[data-column]')?.dataset['column'];
    return `${at?.closest('[role=row]')?.getAttribute('aria-rowindex')} ${column}`;
  });

test('by the keyboard alone: filter, sort, choose and move columns, open an instrument', async ({
  page,
}) => {
  const grid = await open(page);
  const press = (key: string) => page.keyboard.press(key);
  await page.getByRole('searchbox', { name: 'Filter' }).focus();
  await page.keyboard.type('usd');
  await expect(grid.getByRole('button', { name: 'Gold', exact: true })).toBeVisible();
  await expect(grid.getByRole('button', { name: 'EUR/GBP' })).toHaveCount(0);

  // The columns button comes after that of the heat map; its menu is a list of boxes.
  await press('Tab');
  await press('Tab');
  await expect(page.getByRole('button', { name: 'Columns' })).toBeFocused();
  await press('Enter');
  await expect(page.locator('[role=menu]:focus-within')).toBeVisible();
  // A letter more that comes late would begin another word.
  await press('o');
  await expect(page.getByRole('menuitemcheckbox', { name: 'Open', exact: true })).toBeFocused();
  await press('Enter');
  await expect(grid.getByRole('columnheader', { name: 'Open' })).toBeVisible();
  await press('Escape');
  await expect(page.getByRole('menu')).toBeHidden();

  // Past the file button to the heads, and to the last one.
  await press('Tab');
  await press('Tab');
  await expect.poll(() => focused(page)).toBe('1 name');
  await press('End');
  await expect.poll(() => focused(page)).toBe('1 open');
  await press('Alt+ArrowDown');
  await page.getByRole('menuitem', { name: 'Move towards the start' }).press('Enter');
  await expect(page.getByRole('menu')).toBeHidden();
  await expect(grid.getByRole('columnheader').nth(4)).toHaveText('Open');

  // Sorted by the change, downwards.
  await press('End');
  await expect.poll(() => focused(page)).toBe('1 change');
  await press('Enter');
  const change = grid.getByRole('columnheader', { name: 'Change' });
  await expect(change).toHaveAttribute('aria-sort', 'descending');
  // The order is the worker's, and comes later. The focus follows its row, so it must not be in one yet.
  const inOrder = () =>
    grid.locator('[role=row]:has([role=gridcell])').evaluateAll((rows) => {
      const numberOf = (row: Element) =>
        Number.parseFloat(row.querySelector('[data-column=change]')?.textContent ?? '');
      const place = (row: Element) => Number(row.getAttribute('aria-rowindex'));
      const shown = rows.filter((row) => !Number.isNaN(numberOf(row)));
      const changes = shown.sort((a, b) => place(a) - place(b)).map(numberOf);
      return changes.length > 3 && changes[0] === Math.max(...changes);
    });
  await expect.poll(inOrder).toBe(true);

  await press('ArrowDown');
  await expect.poll(() => focused(page)).toBe('2 change');
  // The menu of a row gives the focus back to the cell that had it.
  await press('Shift+F10');
  await expect(page.locator('[role=menu]:focus-within')).toBeVisible();
  await press('Escape');
  await expect.poll(() => focused(page)).toBe('2 change');
  await press('ArrowDown');
  const name = await grid.locator('[aria-rowindex="3"] [data-act=pick]').textContent();
  await press('Enter');
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
  await expect(page).toHaveURL(/#\/trade\?code=/);
  await expect(grid.locator('[data-current] [data-act=pick]')).toHaveText(name ?? '');

  // Kept on the device.
  await page.reload();
  await expect(grid.getByRole('columnheader').nth(4)).toHaveText('Open');
  await expect(change).toHaveAttribute('aria-sort', 'descending');
});

test('the order stays under the pointer, and is made again when it leaves', async ({
  page,
  startProduct,
}, testInfo) => {
  // In the sandbox at night, and at weekends, the order changes less than twice a minute.
  const recording = testInfo.outputPath('crossing.csv');
  writeCrossingMarket(recording);
  const crossing = await startProduct('--replay', recording, '--speed', '30', '--replay-wait');
  const grid = await open(page, 'en', crossing);
  await grid.getByRole('button', { name: 'Change' }).click();
  const names = () =>
    grid.locator('[data-act=pick] > :not(:empty)').evaluateAll((all) =>
      all
        .map((each) => ({
          name: each.textContent,
          row: Number(each.closest('[role=row]')?.getAttribute('aria-rowindex')),
        }))
        .sort((a, b) => a.row - b.row)
        .map(({ name }) => name)
        .join(),
    );
  // Left alone, the order soon is another one.
  await page.mouse.move(1000, 300);
  const before = await names();
  await expect.poll(names).not.toBe(before);
  await grid.locator('[role=gridcell]').nth(3).hover();
  await page.waitForFunction(() => document.querySelector('[role=grid]:hover'));
  const prices = () => grid.locator('[data-column=change]').allTextContents();
  let held = '';
  for (let changes = 0; changes < 4; changes++) {
    const shown = (await prices()).join();
    await expect.poll(async () => (await prices()).join()).not.toBe(shown);
    // By now with the answer to what was asked before the pointer came.
    held ||= await names();
  }
  expect(await names()).toBe(held);
  await page.mouse.move(1000, 300);
  await expect.poll(names).not.toBe(held);
});

test('a column follows the pointer that drags its edge, and is kept when it is released', async ({
  page,
}) => {
  const grid = await open(page);
  const head = grid.getByRole('columnheader', { name: 'Price' });
  const width = async () => (await head.boundingBox())?.width ?? 0;
  const kept = () => page.evaluate(() => localStorage.getItem('fulcrum.grid'));
  const [before, keptBefore] = [await width(), await kept()];
  const edge = await head.locator('[aria-hidden=true]').last().boundingBox();
  if (!edge) throw new Error('no edge');
  const [x, y] = [edge.x + edge.width / 2, edge.y + edge.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 32, y, { steps: 4 });
  await expect.poll(width).toBeCloseTo(before + 32, 0);
  expect(await kept()).toBe(keptBefore);
  await page.mouse.up();
  await expect.poll(kept).not.toBe(keptBefore);
  expect(await width()).toBeCloseTo(before + 32, 0);
  await page.reload();
  await expect.poll(width).toBeCloseTo(before + 32, 0);
});

test('rows are copied and saved as a file of the shown columns', async ({ page }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(page);
  await page.getByRole('button', { name: 'Copy or export' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Save as CSV file' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('fulcrum-market.csv');
  await page.getByRole('button', { name: 'Copy or export' }).click();
  await page.getByRole('menuitem', { name: 'Copy as CSV' }).click();
  await expect(page.getByText('Copied')).toBeVisible();
  const text = await page.evaluate(() => navigator.clipboard.readText());
  const lines = text.replace('\uFEFF', '').trim().split(LINE_END);
  expect(lines[0]).toBe('Code,ShowCode,Close,Change');
  expect(lines.find((line) => line.startsWith('EURUSD,'))).toMatch(
    /^EURUSD,EUR\/USD,\d\.\d{5},-?\d+\.\d\d$/,
  );
});

test('a column of an indicator is chosen, gets values, sorts by them, and is computed of other bars', async ({
  page,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const grid = await open(page);
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'RSI 14 · 1h' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Volume' }).click();
  await page.keyboard.press('Escape');
  const head = grid.getByRole('columnheader', { name: 'RSI' });
  await expect(head).toHaveText('RSI 14 · 1h');

  /** What the rows in sight say, from the first to the last; those around them say nothing. */
  const values = async () => {
    const cells = await grid.locator('[data-column=rsi][role=gridcell]').evaluateAll((all) =>
      all.map((each) => ({
        text: each.textContent ?? '',
        row: Number(each.closest('[role=row]')?.getAttribute('aria-rowindex')),
      })),
    );
    const shown = cells.filter(({ text }) => text !== '').sort((a, b) => a.row - b.row);
    return shown.map(({ text }) => Number(text));
  };
  await expect.poll(async () => (await values()).length).toBeGreaterThan(10);
  for (const value of await values()) expect(value).toBeGreaterThan(0);

  await head.getByRole('button').click();
  await expect(head).toHaveAttribute('aria-sort', 'descending');
  const falls = (all: readonly number[]) =>
    all.every((value, index) => index === 0 || value <= (all[index - 1] ?? 0));
  // Between two orders the values move on.
  await expect.poll(async () => falls(await values()), { intervals: [50] }).toBe(true);
  await head.getByRole('button').click();
  await expect
    .poll(async () => falls((await values()).toReversed()), { intervals: [50] })
    .toBe(true);

  /** The rows of the file, those out of sight too. */
  const file = async () => {
    await page.getByRole('button', { name: 'Copy or export' }).click();
    await page.getByRole('menuitem', { name: 'Copy as CSV' }).click();
    await expect(page.getByRole('menu')).toBeHidden();
    const text = await page.evaluate(() => navigator.clipboard.readText());
    return text.replace('\uFEFF', '').trim().split(LINE_END);
  };
  // Their bars come one instrument after the other.
  await expect
    .poll(async () => (await file()).slice(1).every((row) => /,\d+\.\d{4,}$/.test(row)))
    .toBe(true);
  const [names, ...rows] = await file();
  expect(names).toBe('Code,ShowCode,Close,Change,Volume,RSI 14 60min');
  expect(rows.length).toBeGreaterThan(20);

  await head.getByRole('button').click({ button: 'right' });
  await page.getByRole('menuitemcheckbox', { name: 'Period: 5m' }).click();
  await expect(head).toHaveText('RSI 14 · 5m');
  await page.reload();
  await expect(head).toHaveText('RSI 14 · 5m');
  await expect(head).toHaveAttribute('aria-sort', 'ascending');
  await expect
    .poll(async () => falls((await values()).toReversed()), { intervals: [50] })
    .toBe(true);
});

test('a chip ranks open markets by volatility, and its column says how large that is', async ({
  page,
}) => {
  const grid = await open(page);
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Volatility' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('radio', { name: 'Volatility' }).check();
  const rows = grid.locator('[role=row]:has([role=gridcell])');
  await expect
    .poll(async () => {
      const shown = await rows.evaluateAll((all) =>
        all.map((row) => ({
          index: Number(row.ariaRowIndex),
          text: row.querySelector('[data-column=volatility]')?.textContent ?? '',
        })),
      );
      const sizes = shown
        .sort((a, b) => a.index - b.index)
        .flatMap(({ text }) => (text === '' ? [] : parseFloat(text)));
      // Prices move between two sorts.
      return sizes.length > 5 && sizes.every((size, at) => size <= (sizes[at - 1] ?? size) + 0.05);
    })
    .toBe(true);
  await expect(grid.getByRole('button', { name: 'EUR/USD' })).toHaveCount(0);
});

for (const language of ['ar', 'en'] as const) {
  test(`a narrow panel has names and no stars, and its columns are below their heads: ${language}`, async ({
    page,
  }) => {
    await page.setViewportSize({ width: 1180, height: 800 });
    const grid = await open(page, language);
    expect((await grid.boundingBox())?.width).toBeLessThan(352);
    const cells = (column: string) =>
      grid.locator(`[data-column=${column}]`).evaluateAll((all) => {
        const boxes = all.map((each) => each.getBoundingClientRect());
        return boxes.flatMap(({ left, width }) => (width > 0 ? `${left} ${width}` : []));
      });
    expect(await cells('favour')).toEqual([]);
    for (const column of ['name', 'price', 'change'])
      expect(new Set(await cells(column)).size, column).toBe(1);
    // The name has what the figures leave.
    expect(Number((await cells('name'))[0]?.split(' ')[1])).toBeGreaterThan(100);

    await grid.locator('[aria-rowindex="3"] [data-act=pick]').focus();
    await page.keyboard.press('End');
    await expect.poll(() => focused(page)).toBe('3 change');
    await page.keyboard.press('Home');
    await expect.poll(() => focused(page)).toBe('3 name');
    await page.keyboard.press(language === 'ar' ? 'ArrowRight' : 'ArrowLeft');
    await expect.poll(() => focused(page)).toBe('3 name');
    const stops = grid.locator('[role=gridcell] [tabindex="0"], [role=gridcell][tabindex="0"]');
    await expect(stops).toHaveCount(1);
    await expect(stops).toBeVisible();
    // The star had the focus in a wide panel.
    await page.setViewportSize({ width: 1440, height: 800 });
    await page.keyboard.press('Home');
    await expect.poll(() => focused(page)).toBe('3 favour');
    await page.getByRole('searchbox').first().focus();
    await page.setViewportSize({ width: 1180, height: 800 });
    await expect(stops).toBeVisible();
  });

  test(`with all columns and headings it breaks no rule of accessibility: ${language}`, async ({
    page,
  }) => {
    await page.addInitScript(() => {
      const ids = [
        'name',
        'code',
        'category',
        'chart',
        'price',
        'change',
        'open',
        'low',
        'high',
        'range',
        'volume',
        'volatility',
        'bid',
        'ask',
        'spread',
        'age',
        'position',
        'profit',
        'rsi',
        'macd',
        'atr',
        'sma',
        'ema',
      ];
      const columns = ids.map((id) => ({ id, width: 6 }));
      localStorage.setItem('fulcrum.grid', JSON.stringify({ columns, grouped: true }));
    });
    const grid = await open(page, language);
    await expect(grid.getByRole('columnheader')).toHaveCount(24);
    await expect(grid.locator('[data-heading]').first()).toBeVisible();
    await expect(
      grid.locator('[data-column=high]').filter({ hasText: /\d/ }).first(),
    ).toBeVisible();
    expect(await violations(page)).toEqual([]);
    // Name and star stay in sight where the columns are wider than the grid.
    await grid.locator('[aria-rowindex="3"] [data-act=pick]').focus();
    await page.keyboard.press('End');
    const last = grid.locator('[aria-rowindex="3"] [data-column=ema]');
    await expect(last).toBeFocused();
    await expect(last).toBeInViewport();
    await expect(grid.locator('[aria-rowindex="3"] [data-act=pick]')).toBeInViewport();
    const places = await grid
      .locator('[data-column=name]')
      .evaluateAll((names) =>
        names
          .map((name) => name.getBoundingClientRect())
          .flatMap(({ left, width }) => (width > 0 ? [Math.round(left)] : [])),
      );
    expect(new Set(places).size, `${places}`).toBe(1);
  });
}
