import { readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import type { Language } from '#domain/core/language';
import { DESKTOP, expectScreen, languageCookie, sheetOf, test } from './helpers/browser';
import { firstNames } from './helpers/chart';
import { cutOff, violations } from './helpers/looks';
import type { Product } from './helpers/product';

test.use(DESKTOP);

let product: Product;
test.beforeAll(async ({ shareProduct }) => {
  product = await shareProduct();
});

/** Opens the desktop and waits for its panels. */
async function openWorkspace(page: Page, language: Language = 'en', path = '/'): Promise<void> {
  await page.context().addCookies([languageCookie(language, product.url)]);
  await page.goto(`${product.url}/#${path}`);
  await expect(page.getByRole('tab').first()).toBeVisible();
}

/** Opens a demo account, which has orders below the chart. */
async function openDemo(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Try the demo account' }).click();
  await expect(page.getByRole('tab', { name: 'Holding' })).toBeVisible();
}

/** Where a panel is, px. */
async function boxOf(page: Page, panel: string) {
  const box = await page.locator(`#${panel}`).boundingBox();
  if (!box) throw new Error(`${panel} is not in sight`);
  return box;
}

async function chooseLayout(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: /^Layout:/ }).click();
  await page.getByRole('menuitemcheckbox', { name, exact: true }).click();
  await expect(page.getByRole('button', { name: `Layout: ${name}` })).toBeVisible();
}

/** Chooses an action of the panel that has the focus on its tab, by the keyboard alone. */
async function act(page: Page, panel: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions: ${panel}` }).focus();
  await page.keyboard.press('Enter');
  const item = page.getByRole('menuitem', { name: action, exact: true });
  await expect(item).toBeVisible();
  for (let presses = 0; presses < 12; presses++) {
    if (await item.evaluate((element) => element === document.activeElement)) break;
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Enter');
  await expect(item).toBeHidden();
}

test('a row of the watchlist changes the panels of its group, and no others', async ({ page }) => {
  await openWorkspace(page);
  const [first = '', , thirdName = ''] = await firstNames(page);
  await chooseLayout(page, 'Four charts');
  const list = page.getByRole('grid', { name: 'Market' });
  // Charts without an instrument show that of the link until they have got one.
  await expect(page.getByRole('tab', { name: first, exact: true })).toHaveCount(1);
  const others = page.locator('[data-kind=chart]');
  await expect(others).toHaveCount(4);
  const third = page.getByRole('tab', { name: thirdName, exact: true });
  await expect(third).toBeVisible();
  await list.getByRole('button', { name: 'NZD/USD', exact: true }).click();
  await expect(page.getByRole('tab', { name: 'Order form · NZD/USD' })).toBeVisible();
  await expect(page.getByRole('tab', { name: 'NZD/USD', exact: true })).toBeVisible();
  await expect(page.getByRole('tab', { name: first, exact: true })).toHaveCount(0);
  await expect(third).toBeVisible();
  // The third chart joins the link: it shows what the link shows.
  await page.getByRole('button', { name: `${thirdName}: no link` }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Link 1' }).click();
  await expect(page.getByRole('tab', { name: 'NZD/USD', exact: true })).toHaveCount(2);
  // The other screens of the app show it as well.
  await page.goto(`${product.url}/#/trade`);
  await expectScreen(page, '/trade');
  await expect(page).toHaveURL(/code=NZDUSD/);
});

test('a layout built by keyboard alone is there after a reload, and can be given back', async ({
  page,
}) => {
  await openWorkspace(page);
  await openDemo(page);
  const list = await boxOf(page, 'panel-list');
  const chart = await boxOf(page, 'panel-chart');
  expect(list.x).toBeLessThan(chart.x);
  // The list goes into the chart's stack, then out of it to the right.
  await act(page, 'Watchlist', 'Move right');
  await expect(page.getByRole('tab', { name: 'Watchlist' })).toBeFocused();
  await expect(page.locator('#panel-chart')).toBeHidden();
  await act(page, 'Watchlist', 'Move right');
  await expect(page.locator('#panel-chart')).toBeVisible();
  const moved = await boxOf(page, 'panel-list');
  expect(moved.x).toBeGreaterThan((await boxOf(page, 'panel-chart')).x);
  // F6 goes from stack to stack, arrow keys along the tabs, Delete closes one.
  await page.getByRole('tab', { name: 'Holding' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('tab', { name: 'Pending' })).toBeFocused();
  await page.keyboard.press('Delete');
  await expect(page.getByRole('tab', { name: 'Pending' })).toHaveCount(0);
  await page.keyboard.press('Control+z');
  await expect(page.getByRole('tab', { name: 'Pending' })).toBeVisible();
  await page.keyboard.press('Control+Shift+z');
  await expect(page.getByRole('tab', { name: 'Pending' })).toHaveCount(0);
  // It would go to a toast first.
  await expect(page.locator('body[data-toast]')).toHaveCount(0);
  await page.keyboard.press('F6');
  await expect(page.getByRole('tab', { name: /^Order form/ })).toBeFocused();
  // A boundary is moved by arrow keys.
  const sash = page.getByRole('separator', { name: 'Panel size' }).first();
  await sash.focus();
  const before = Number(await sash.getAttribute('aria-valuenow'));
  await page.keyboard.press('ArrowRight');
  await expect(sash).toHaveAttribute('aria-valuenow', String(before + 2));
  const built = await boxOf(page, 'panel-list');

  await page.reload();
  await expect(page.getByRole('tab', { name: 'Watchlist' })).toBeVisible();
  expect(await boxOf(page, 'panel-list')).toEqual(built);
  await expect(page.getByRole('tab', { name: 'Pending' })).toHaveCount(0);

  await page.getByRole('button', { name: /^Layout:/ }).click();
  await page.getByRole('menuitem', { name: 'Reset layout' }).click();
  await expect(page.getByRole('tab', { name: 'Pending' })).toBeVisible();
  expect(await boxOf(page, 'panel-list')).toEqual(list);
});

test('tabs are dragged to split, to stack and to float', async ({ page }) => {
  await openWorkspace(page);
  const drag = async (name: string | RegExp, x: number, y: number, shift = false) => {
    await page.getByRole('tab', { name }).hover();
    await page.mouse.down();
    if (shift) await page.keyboard.down('Shift');
    await page.mouse.move(x - 20, y - 20);
    await page.mouse.move(x, y, { steps: 4 });
    await page.mouse.up();
    if (shift) await page.keyboard.up('Shift');
  };
  const chart = await boxOf(page, 'panel-chart');
  // Onto the lower part of the chart.
  await drag(/^News/, chart.x + chart.width / 2, chart.y + chart.height - 30);
  const news = page.locator('[data-kind=news]');
  await expect(news).toBeVisible();
  const below = await news.boundingBox();
  expect(below?.y).toBeGreaterThan((await boxOf(page, 'panel-chart')).y);
  expect(Math.round(below?.width ?? 0)).toBe(Math.round(chart.width));
  // Onto its middle: they are one stack.
  const half = await boxOf(page, 'panel-chart');
  await drag(/^News/, half.x + half.width / 2, half.y + half.height / 2);
  await expect(page.locator('#panel-chart')).toBeHidden();
  // With Shift it floats over the others, where it was dropped.
  await drag(/^News/, half.x + 200, half.y + 100, true);
  await expect(page.locator('#panel-chart')).toBeVisible();
  await expect(news).toHaveAttribute('data-float', 'true');
  const floating = await news.boundingBox();
  const grip = page.getByRole('button', { name: 'Move with the arrow keys, resize with Shift' });
  await grip.focus();
  await page.keyboard.press('ArrowDown');
  await expect
    .poll(async () => (await news.boundingBox())?.y)
    .toBeGreaterThan((floating?.y ?? 0) + 5);
});

test('a layout goes to a file and comes from one, under a name of its own', async ({ page }) => {
  await openWorkspace(page);
  await page.getByRole('button', { name: /^Layout:/ }).click();
  await page.getByRole('menuitem', { name: 'Save layout as…' }).click();
  await page.getByRole('textbox', { name: 'Layout name' }).fill('Nine charts');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('You already have a layout with this name')).toBeVisible();
  await page.getByRole('textbox', { name: 'Layout name' }).fill('Metals ✓');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Layout: Metals ✓' })).toBeVisible();
  await page.getByRole('button', { name: 'Close panel: Watchlist' }).click();

  await page.getByRole('button', { name: /^Layout:/ }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Export to a file' }).click();
  const text = readFileSync(await (await download).path(), 'utf8');
  const file = JSON.parse(text);
  expect(file).toMatchObject({ fulcrum: 'layout', version: 1, name: 'Metals ✓' });
  expect(file.layout.panels.list).toBeUndefined();

  const take = (content: string) =>
    page.locator('input[type=file]').setInputFiles({
      name: 'x.json',
      mimeType: 'application/json',
      buffer: Buffer.from(content),
    });
  await take('{"fulcrum":"layout","version":99}');
  await expect(
    page.getByText('This layout is from a newer version of the app.').first(),
  ).toBeVisible();
  await take(text.replace('"kind": "news"', '"kind": "hologram"'));
  await expect(page.getByRole('button', { name: 'Layout: Metals ✓ 2' })).toBeVisible();
  await expect(page.getByRole('tab', { name: /^Order form/ })).toBeVisible();
  await expect(page.getByRole('tab', { name: 'News' })).toHaveCount(0);

  await page.getByRole('button', { name: /^Layout:/ }).click();
  await page.getByRole('menuitem', { name: 'Delete layout' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete layout' }).click();
  await expect(page.getByRole('button', { name: 'Layout: One chart' })).toBeVisible();
});

test('by keyboard alone: choose an instrument and a period, order, take a cancelled order back, buy and close', async ({
  page,
}) => {
  await openWorkspace(page);
  const press = (key: string) => page.keyboard.press(key);
  const enter = async (name: string) => {
    const button = page.getByRole('button', { name, exact: true }).last();
    // What confirms waits for half a second.
    await expect(button).toBeEnabled();
    await button.press('Enter');
  };
  await enter('Try the demo account');
  await expect(page.getByText(/No open/).first()).toBeVisible();
  // Crypto trades on any day. What listens to keys is loaded after the prices.
  await expect(async () => {
    await press('/');
    await expect(page.getByRole('searchbox', { name: 'Filter' })).toBeFocused({ timeout: 500 });
  }).toPass();
  await page.keyboard.type('bitcoin');
  const bitcoin = page.getByRole('grid').getByRole('button', { name: 'Bitcoin', exact: true });
  await expect(bitcoin).toBeVisible();
  await bitcoin.focus();
  await press('Enter');
  await expect(page.getByRole('tab', { name: 'Order form · Bitcoin' })).toBeVisible();
  await press('4');
  await expect(page.getByRole('radio', { name: '30m' })).toBeChecked();

  await press('s');
  const lots = page.getByRole('textbox', { name: 'Lots' });
  await expect(lots).toBeFocused();
  await page.getByRole('radio', { name: 'Pending' }).press('Space');
  await page.getByRole('textbox', { name: /^(Limit|Stop) price$/ }).fill('99000');
  // Said by the worker, which has taken the price over then.
  await expect(page.getByText('990.00 USD').first()).toBeVisible();
  await enter('Sell 0.01 lots');
  await enter('Confirm');
  await page.getByRole('tab', { name: 'Holding' }).focus();
  await press('ArrowRight');
  const row = page.getByRole('row').filter({ hasText: 'Bitcoin' }).filter({ hasText: '99,000' });
  await expect(row).toBeVisible();
  await row.getByRole('button', { name: 'Cancel' }).press('Enter');
  await enter('Cancel order');
  await expect(row).toHaveCount(0);
  await enter('Place again');
  await expect(row).toBeVisible();
  // Rows change before the sheet that asked has closed, and keys belong to that until then.
  await expect(sheetOf(page)).toHaveCount(0);

  // Bought at the market, and closed. The focus is in a toast, which takes no key away.
  await press('b');
  await page.getByRole('radio', { name: 'Market' }).press('Space');
  await enter('Buy 0.01 lots');
  await enter('Confirm');
  await page.getByRole('tab', { name: 'Pending' }).focus();
  await press('ArrowLeft');
  const position = page.getByRole('row').filter({ hasText: 'Bitcoin' }).filter({ hasText: 'Buy' });
  await expect(position).toBeVisible();
  await position.getByRole('button', { name: 'Close: Bitcoin · Buy 0.01' }).press('Enter');
  await enter('Close order');
  await expect(position).toHaveCount(0);
});

test('a right-to-left language mirrors the arrangement', async ({ page }) => {
  await openWorkspace(page, 'ar');
  await expect(page.locator('#panel-list')).toBeVisible();
  const list = await boxOf(page, 'panel-list');
  const chart = await boxOf(page, 'panel-chart');
  expect(list.x).toBeGreaterThan(chart.x);
  const sash = page.getByRole('separator').first();
  await sash.focus();
  const now = Number(await sash.getAttribute('aria-valuenow'));
  // Its first part is on the right: an arrow to the left makes it larger.
  await page.keyboard.press('ArrowLeft');
  await expect(sash).toHaveAttribute('aria-valuenow', String(now + 2));
  await expect
    .poll(async () => (await boxOf(page, 'panel-list')).width)
    .toBeGreaterThan(list.width);
});

test('the chart takes the room of a larger window, and keeps its own in a smaller one', async ({
  page,
}) => {
  await openWorkspace(page, 'en', '/workspace');
  const widths = async () =>
    Promise.all(['panel-list', 'panel-chart'].map(async (id) => (await boxOf(page, id)).width));
  const buttons = page.locator('#panel-chart').getByRole('button', { name: /^(Buy|Sell)\b/ });
  const form = page.getByRole('textbox', { name: 'Lots' });
  for (const [width, list, least] of [
    [2560, 440, 1700],
    [1440, 440, 630],
    [1160, 320, 480],
    [1024, 440, 480],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(async () => Math.round((await widths())[0] ?? 0)).toBe(list);
    await expect
      .poll(async () => Math.round((await widths())[1] ?? 0))
      .toBeGreaterThanOrEqual(least);
    await expect(form).toBeVisible({ visible: width > 1024 });
    await expect(buttons).toHaveCount(width > 1024 ? 0 : 2);
  }
  await buttons.first().click();
  await expect(page.getByRole('dialog').getByRole('textbox', { name: 'Lots' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 800, height: 900 });
  await expectScreen(page, '/trade');
});

test('a double click on a boundary gives the panels beside it their usual sizes', async ({
  page,
}) => {
  await openWorkspace(page);
  const width = async () => Math.round((await boxOf(page, 'panel-list')).width);
  const usual = await width();
  const sash = page.getByRole('separator').first();
  await sash.focus();
  for (let presses = 0; presses < 3; presses++) await page.keyboard.press('ArrowLeft');
  await expect.poll(width).toBeLessThan(usual - 60);
  await sash.dblclick();
  await expect.poll(width).toBe(usual);
});

test('the sizes of the former desktop are taken over once', async ({ page }) => {
  await page.addInitScript(() => {
    if (sessionStorage.getItem('visited')) return;
    sessionStorage.setItem('visited', 'yes');
    localStorage.setItem('fulcrum.list-width', '360');
    localStorage.setItem('fulcrum.ticket-width', '330');
  });
  await openWorkspace(page);
  const widths = async () =>
    Promise.all(
      ['panel-list', 'panel-ticket'].map(async (id) => Math.round((await boxOf(page, id)).width)),
    );
  await expect.poll(widths).toEqual([360, 330]);
  expect(await page.evaluate(() => localStorage.getItem('fulcrum.list-width'))).toBe(null);
  await page.reload();
  await expect.poll(widths).toEqual([360, 330]);
});

test('the address names the instrument, and Back shows the one before', async ({ page }) => {
  await openWorkspace(page, 'en', '/trade?code=NZDUSD');
  const form = (name: string) => page.getByRole('tab', { name: `Order form · ${name}` });
  await expect(form('NZD/USD')).toBeVisible();
  await expect(page).toHaveTitle(/NZD\/USD/);
  await page.getByRole('button', { name: 'AUD/USD', exact: true }).click();
  await expect(form('AUD/USD')).toBeVisible();
  await expect(page).toHaveURL(/code=AUDUSD/);
  await page.goBack();
  await expect(form('NZD/USD')).toBeVisible();
});

test('nine charts move, and share the crosshair, of one instrument or of two', async ({ page }) => {
  await openWorkspace(page);
  const [firstName = '', second] = await firstNames(page);
  await chooseLayout(page, 'Nine charts');
  await expect(page.locator('[data-kind=chart] canvas').first()).toBeVisible();
  for (let index = 1; index <= 9; index++) {
    await expect(page.locator(`#panel-chart-${index} figcaption`)).toContainText(/bars?\./);
  }
  const first = await boxOf(page, 'panel-chart-1');
  const legendOf = (index: number) =>
    page.locator(`#panel-chart-${index} figure p[data-direction]`).first();
  await expect(legendOf(2)).toBeVisible();
  await page.mouse.move(first.x + 40, first.y + first.height - 60);
  const followed = page.locator('#panel-chart-2 figure [data-pointed]');
  await expect(followed).toBeVisible();
  await page.mouse.move(0, 0);
  await expect(followed).toHaveCount(0);
  await page.getByRole('button', { name: `${second}: no link` }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Link 1' }).click();
  await expect(page.locator('#tab-chart-2')).toHaveText(firstName);
  await page.mouse.move(first.x + 40, first.y + first.height - 60);
  // Both show the bar of that time: of the same instrument, it is the same bar.
  await expect(followed).toBeVisible();
  await expect
    .poll(async () => (await legendOf(2).innerText()) === (await legendOf(1).innerText()))
    .toBe(true);
});

test('one toolbar acts on the chart used last', async ({ page }) => {
  await openWorkspace(page);
  const [first = '', second = ''] = await firstNames(page);
  const bar = page.getByRole('toolbar', { name: 'Workspace' });
  await bar.getByRole('radio', { name: 'Two charts' }).check({ force: true });
  await expect(page.locator('[data-kind=chart]')).toHaveCount(2);
  const chart = (number: number) => page.locator(`#panel-chart-${number}`);
  const canvas = (number: number) => chart(number).getByRole('application');
  await expect(bar.getByRole('button', { name: `${first}: choose another` })).toBeVisible();
  const [tab1, tab2] = [page.locator('#tab-chart-1'), page.locator('#tab-chart-2')];
  await expect(tab1).toHaveText(first);
  await expect(tab2).toHaveText(second);
  await expect(tab1).toHaveAttribute('aria-current', 'true');
  // The charts themselves have no controls.
  await expect(chart(1).getByRole('radio')).toHaveCount(0);

  await canvas(2).click();
  await expect(tab2).toHaveAttribute('aria-current', 'true');
  await bar.getByText('1h', { exact: true }).click();
  await expect(canvas(2)).toHaveAccessibleName(/1h/);
  await expect(canvas(1)).not.toHaveAccessibleName(/1h/);
  // After a choice by mouse the keys are those of the chart.
  await expect(canvas(2)).toBeFocused();
  await bar.getByRole('button', { name: 'Indicators', exact: true }).click();
  await expect(page.getByRole('dialog', { name: 'Indicators' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);

  // Arrow keys go along the buttons, Escape into the chart.
  await expect(bar.getByRole('button', { name: 'Indicators', exact: true })).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(bar.getByRole('button', { name: 'Draw', exact: true })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(chart(2).getByRole('toolbar', { name: 'Drawing tools' })).toBeVisible();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  const compare = 'Compare with another instrument';
  await expect(bar.getByRole('button', { name: compare })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: compare }).getByRole('searchbox')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(bar.getByRole('button', { name: compare })).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(bar.getByRole('button', { name: /^Chart type/ })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitemcheckbox', { name: 'Line', exact: true }).press('Enter');
  await expect(bar.getByRole('button', { name: 'Chart type: Line' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(canvas(2)).toBeFocused();

  // Theme and language are there too.
  await bar.getByRole('button', { name: 'Appearance' }).click();
  await page.getByRole('dialog').getByText('Dark', { exact: true }).click();
  await expect
    .poll(() => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme))
    .toBe('dark');
  await page.keyboard.press('Escape');
  await bar.getByRole('link', { name: 'Language' }).click();
  await page.getByText('Deutsch').click();
  await expect(page.getByRole('radio', { name: 'Zwei Charts' })).toBeChecked();
});

for (const [language, colorScheme] of [
  ['ar', 'dark'],
  ['en', 'light'],
] as const) {
  test(`axe finds nothing in the workspace: ${language}, ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await openWorkspace(page, language);
    await expect(page.locator('#panel-chart figure p[data-direction]').first()).toBeVisible();
    expect(await violations(page)).toEqual([]);
    expect(await cutOff(page)).toEqual([]);
    await page.getByRole('toolbar').locator('[aria-haspopup=menu]').last().click();
    await expect(page.getByRole('menu')).toBeVisible();
    // The library's focus guards are hidden elements with a focus, on purpose.
    const rules = ['color-contrast', 'aria-required-children', 'aria-required-parent'];
    expect(await violations(page, [...rules, 'aria-allowed-role'])).toEqual([]);
  });
}

test('a maximised chart is alone, and gets its place back', async ({ page }) => {
  // At weekends it would be shown by itself.
  await openWorkspace(page, 'en', '/trade?code=BTCUSD');
  const list = page.getByRole('grid', { name: 'Market' });
  await expect(list).toBeVisible();
  const before = await boxOf(page, 'panel-chart');
  await act(page, 'Bitcoin', 'Maximise');
  await expect(list).toBeHidden();
  expect((await boxOf(page, 'panel-chart')).width).toBeGreaterThan(1300);
  await act(page, 'Bitcoin', 'Restore size');
  await expect(list).toBeVisible();
  expect(await boxOf(page, 'panel-chart')).toEqual(before);
});
