import { expect, type Page } from '@playwright/test';
import { DESKTOP, languageCookie, PHONE, test } from './helpers/browser';
import { violations } from './helpers/looks';
import { asPerson, payIn } from './helpers/money';
import { logIn, type Person, register } from './helpers/people';
import type { Product } from './helpers/product';
import { show } from './helpers/screens';

let product: Product;
test.beforeAll(async ({ shareProduct }) => {
  product = await shareProduct('--no-auto-review', '--no-draw-verify', '--show-mobile', '1');
});

/** A user who bought twice and sold once, of an instrument that is always open. */
async function trader(): Promise<Person> {
  const person = await register(product);
  await payIn(product, person, '50000');
  const ask = await asPerson(product, person);
  const listed = await ask<{ Id: number; Code: string }[]>('/v1/api/forex/trade_list');
  const id = listed.find(({ Code }) => Code === 'BTCUSD')?.Id;
  for (const [type, cont] of [
    ['1', '0.3'],
    ['1', '0.1'],
    ['2', '0.05'],
  ] as const) {
    const order = { type, cont, forex_id: String(id), status: '1', target_price: '0' };
    const terms = { stop_loss_price: '0', target_profit_price: '0', multiple: '10' };
    await ask(`/v1/api/forex/submit?${new URLSearchParams({ ...order, ...terms })}`);
  }
  return person;
}

async function enter(page: Page): Promise<void> {
  await page.context().addCookies([languageCookie('en', product.url)]);
  await logIn(page, product, await trader());
}

const sheet = (page: Page) => page.getByRole('dialog');

/** Cents of each amount in USD of a text. */
const cents = (text: string) =>
  [...text.matchAll(/([+-]?[\d,]+\.\d\d) USD/g)].map(([, amount = '']) =>
    Math.round(Number(amount.replaceAll(',', '')) * 100),
  );

test.describe('by finger', () => {
  test.use(PHONE);

  test('a position of several orders is one above the chart and in the list, has its exits set together and is closed', async ({
    page,
  }) => {
    await enter(page);
    await show(page, '/trade?code=BTCUSD');
    const strip = page.getByRole('complementary', { name: 'Position' });
    await expect(strip).toContainText(
      /Long 0\.35 lotsAverage entry [\d,.]+Net result[+-][\d,.]+ USD/,
    );
    await strip.getByRole('button', { name: 'SL/TP' }).tap();
    await expect(sheet(page)).toContainText('SL/TP of Buy 0.4 lots Bitcoin2 orders');
    await page.getByRole('checkbox', { name: 'Stop-loss' }).check();
    await page.getByRole('textbox', { name: 'Price' }).fill('1000');
    await page.getByRole('button', { name: 'Save SL/TP' }).tap();
    await expect(sheet(page)).toContainText('Saved: 2 of 2');
    await expect(sheet(page)).toContainText('Bitcoin · Buy 0.3SL 1,000.00');
    await page.getByRole('button', { name: 'Done' }).tap();

    await show(page, '/order');
    await page.getByRole('button', { name: 'Group by instrument' }).tap();
    const card = page.getByRole('list', { name: 'Holding' }).getByRole('listitem').first();
    await expect(card).toContainText('Bitcoin3 ordersLong 0.35 lots');
    expect(await violations(page)).toEqual([]);
    await card.getByRole('button', { name: 'Bitcoin 3 orders' }).tap();
    const orders = card.getByRole('list', { name: 'Bitcoin' }).getByRole('button');
    await expect(orders).toHaveCount(3);
    await expect(orders.filter({ hasText: 'SL 1,000.00' })).toHaveCount(2);
    // Each is rounded to a cent by itself.
    const [net = Number.NaN, _margin, ...each] = cents(await card.innerText());
    expect(Math.abs(each.reduce((sum, one) => sum + one, 0) - net)).toBeLessThanOrEqual(2);

    await card.getByRole('button', { name: 'Close: Bitcoin', exact: true }).tap();
    await page.getByRole('button', { name: 'Close 3 orders' }).tap();
    await expect(sheet(page)).toContainText('3 orders closed');
    await page.getByRole('button', { name: 'Done' }).tap();
    await expect(card).toHaveCount(0);
  });
});

test.describe('on a desktop', () => {
  test.use(DESKTOP);

  test('by mouse and by keyboard a row opens its orders, sets their exits and closes them, some of which are refused', async ({
    page,
  }) => {
    await enter(page);
    // One line of the chart leads to all its orders.
    await show(page, '/trade?code=BTCUSD');
    await page.getByRole('slider', { name: 'Long 0.35' }).focus();
    await expect(page.getByRole('group', { name: 'Order lines' }).getByRole('slider')).toHaveCount(
      1,
    );
    await page.keyboard.press('Enter');
    await expect(sheet(page).getByRole('button', { name: /^Bitcoin (Buy|Sell)/ })).toHaveCount(3);
    await page.keyboard.press('Escape');
    await expect(sheet(page)).toBeHidden();

    await show(page, '/order');
    await page.getByRole('button', { name: 'Group by instrument' }).click();
    const group = page.getByRole('row').filter({ has: page.getByRole('rowheader') });
    await expect(group).toContainText('Long 0.35');
    expect(await violations(page)).toEqual([]);
    const fold = group.getByRole('button', { name: 'Bitcoin 3 orders' });
    await fold.click();
    await expect(fold).toHaveAttribute('aria-expanded', 'true');
    await expect(page.getByRole('row')).toHaveCount(5);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('row')).toHaveCount(2);

    await page.keyboard.press('Tab');
    await expect(group.getByRole('button', { name: 'SL/TP' })).toBeFocused();
    await page.keyboard.press('Enter');
    await page.getByRole('checkbox', { name: 'Take-profit' }).focus();
    await page.keyboard.press('Space');
    await page.keyboard.type('900000');
    // The first of the two is refused.
    let asked = 0;
    await page.route('**/v1/api/forex/set_stop_price*', (route) =>
      asked++ === 0
        ? route.fulfill({ json: { code: 2, msg: 'Not now', data: null } })
        : route.continue(),
    );
    await page.getByRole('button', { name: 'Save SL/TP' }).focus();
    await page.keyboard.press('Enter');
    await expect(sheet(page)).toContainText('Saved: 1 of 2');
    await expect(sheet(page)).toContainText('Bitcoin · Buy 0.1Not now');
    await expect(sheet(page)).toContainText('Bitcoin · Buy 0.3TP 900,000.00');
    await page.keyboard.press('Escape');

    await group.getByRole('button', { name: 'Close all' }).click();
    await page.getByRole('button', { name: 'Close 3 orders' }).click();
    await expect(sheet(page)).toContainText('3 orders closed');
  });
});
