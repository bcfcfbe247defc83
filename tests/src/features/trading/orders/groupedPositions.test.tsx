import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HashRouter } from 'react-router-dom';
import { beforeEach, expect, test } from 'vitest';
import { success } from '#domain/core/result';
import type { Order } from '#domain/trading/order';
import GroupedPositions from '../../../../../src/features/trading/orders/GroupedPositions';
import { oneClickClose } from '../../../../../src/features/trading/settings';
import { showLanguage } from '../../../../../src/i18n/i18n';
import { account, ordersRevision, user } from '../../../../../src/worker/trading';
import { eventually } from '../../../../helpers/eventually';
import { findSheet, onDesktop, onPhone, renderSettled, settle } from '../../../rendering';
import { listRow, scriptWorkerApi } from '../../../scriptedWorkerApi';
import { lots, order, price, usd } from '../../sampleOrder';

const gold = { instrumentId: 2, code: 'GOLD', name: 'Gold' };
const ORDERS: readonly Order[] = [
  order({ id: 4, lots: lots('0.1'), profit: usd('0.1'), margin: usd('10.10') }),
  order({ id: 3, lots: lots('0.3'), side: 'sell', profit: usd('0.2'), margin: usd('20.20') }),
  order({ id: 2, ...gold, lots: lots('1'), profit: usd('-5.5'), margin: usd('7') }),
];

beforeEach(async () => {
  onDesktop();
  account.value = null;
  oneClickClose.value = false;
  await showLanguage('en');
  user.value = { id: 1, uid: '1', email: '', mobile: '', demo: false, inviteCode: '' };
});

async function positions() {
  let held = ORDERS;
  const worker = scriptWorkerApi([listRow(1)]);
  const closed: number[] = [];
  worker.scripted.orders = async () =>
    success({
      total: held.length,
      from: 0,
      orders: [...held],
      profit: '0',
      loading: false,
      failure: undefined,
    });
  worker.scripted.watchOrders = async () => undefined;
  worker.scripted.closeOrder = async ({ id }) => {
    closed.push(id);
    return success({ data: order({ id, status: 'closed' }), text: '' });
  };
  const opened: string[] = [];
  await renderSettled(
    <HashRouter>
      <main tabIndex={-1}>
        <GroupedPositions onOpen={({ id }, view) => opened.push(`${id} ${view}`)} />
      </main>
    </HashRouter>,
  );
  await settle();
  const group = (name: string) =>
    screen.getByRole('rowheader', { name: new RegExp(`^${name}`) }).closest('tr') as HTMLElement;
  const cells = (row: HTMLElement) =>
    within(row)
      .getAllByRole('cell')
      .map(({ textContent }) => textContent);
  const unfold = async () => {
    for (const fold of screen.getAllByRole('button', { expanded: false }))
      await userEvent.click(fold);
  };
  const hold = async (orders: readonly Order[]) => {
    held = orders;
    await act(async () => worker.frame({ ordersRevision: ordersRevision.peek() + 1 }));
    await settle();
  };
  return { ...worker, closed, opened, group, cells, unfold, hold };
}

test('an instrument has the exact totals of its positions, which follow their profits', async () => {
  const { group, cells, frame } = await positions();
  // 0.1 + 0.2 less two fees of 0.2 is -0.1, and 0.1 bought less 0.3 sold is a short of 0.2.
  expect(cells(group('EUR/USD')).slice(1, -1)).toEqual([
    'Short 0.2',
    '-0.10',
    '1.10000',
    '1.10000',
    '--',
    '',
    '30.30',
  ]);
  expect(cells(group('Gold')).slice(1, 3)).toEqual(['Long 1', '-5.70']);
  frame({ profits: [{ id: 3, profit: '1000000000000.250000', price: 1.2 }] });
  expect(cells(group('EUR/USD'))[2]).toBe('+999,999,999,999.95');
});

test('the swap that a night has charged is in the net result of its position', async () => {
  const { cells, unfold, hold } = await positions();
  await unfold();
  const rows = () => screen.getAllByRole('row').slice(1);
  const nets = () => rows().map((row) => cells(row).at(row.className ? 2 : 3));
  expect(nets().slice(0, 2)).toEqual(['-0.10', '-0.10']);
  await hold(ORDERS.map((each) => (each.id === 4 ? { ...each, swap: usd('-6.5') } : each)));
  expect(nets().slice(0, 2)).toEqual(['-6.60', '-6.60']);
});

test('the net result is not known while a position has no price', async () => {
  const { group, cells, frame, hold } = await positions();
  await hold([order({ id: 9, ...gold, updatePrice: price(0) }), order({ id: 8, ...gold })]);
  expect(cells(group('Gold'))[2]).toBe('–');
  frame({ profits: [{ id: 9, profit: '1', price: 1.2 }] });
  expect(cells(group('Gold'))[2]).toBe('+0.60');
});

test('the last price is that at which the net side closes', async () => {
  const { group, cells, frame } = await positions();
  frame({ profits: [{ id: 4, profit: '0', price: 1.25 }] });
  frame({ profits: [{ id: 3, profit: '0', price: 1.26 }] });
  // 0.1 bought less 0.3 sold is a short one.
  expect(cells(group('EUR/USD'))[4]).toBe('1.26000');
  frame({ profits: [{ id: 4, profit: '0', price: 1.27 }] });
  expect(cells(group('EUR/USD'))[4]).toBe('1.26000');
});

test('the orders of an instrument are shown on request, with results that add up to its own', async () => {
  const { group, cells } = await positions();
  const rows = () => screen.getAllByRole('row').slice(1);
  expect(rows()).toHaveLength(2);
  const fold = within(group('EUR/USD')).getByRole('button', { name: 'EUR/USD 2 orders' });
  expect(fold.getAttribute('aria-expanded')).toBe('false');
  await userEvent.click(fold);
  expect(fold.getAttribute('aria-expanded')).toBe('true');
  expect(rows().map((row) => cells(row).at(row.className ? 2 : 3))).toEqual([
    '-0.10',
    '-0.10',
    '0.00',
    '-5.70',
  ]);
  await userEvent.click(fold);
  expect(rows()).toHaveLength(2);
});

test('a position that ends while it has the focus gives it to the screen, as does its instrument', async () => {
  const { group, unfold, hold } = await positions();
  await unfold();
  screen.getByRole('checkbox', { name: /^Select: EUR\/USD · Buy/ }).focus();
  await hold(ORDERS.slice(1));
  expect(document.activeElement).toBe(screen.getByRole('main'));
  within(group('Gold')).getByRole('button', { expanded: true }).focus();
  await hold(ORDERS.slice(1, 2));
  expect(document.activeElement).toBe(screen.getByRole('main'));
});

test('all orders of an instrument are closed by one confirmation, a single one in its own sheet', async () => {
  const { closed, group } = await positions();
  await userEvent.click(
    within(group('EUR/USD')).getByRole('button', { name: 'Close all: EUR/USD' }),
  );
  await userEvent.click(within(await findSheet()).getByRole('button', { name: 'Close 2 orders' }));
  await eventually(() => expect(closed).toEqual([4, 3]));
  await userEvent.click(within(await findSheet()).getByRole('button', { name: 'Done' }));
  await eventually(() => expect(screen.queryByRole('dialog')).toBeNull());
  await userEvent.click(within(group('Gold')).getByRole('button', { name: 'Close: Gold' }));
  expect((await findSheet()).textContent).toContain('Gold, order 2');
});

test('instruments that are not listed are positions of their own', async () => {
  const { group, cells, hold } = await positions();
  await hold([
    order({ id: 6, instrumentId: 0, lots: lots('0.1') }),
    order({ id: 5, instrumentId: 0, lots: lots('0.2') }),
    order({ id: 4, ...gold, instrumentId: 0 }),
    order({ id: 3, ...gold, instrumentId: 0 }),
  ]);
  expect(cells(group('EUR/USD'))[1]).toBe('Long 0.3');
  expect(cells(group('Gold'))[1]).toBe('Long 0.2');
  await userEvent.click(within(group('Gold')).getByRole('button', { expanded: false }));
  expect(within(group('EUR/USD')).getByRole('button', { expanded: false })).toBeDefined();
  for (const name of ['EUR/USD', 'Gold']) {
    await userEvent.click(screen.getByRole('checkbox', { name: `Select: ${name}` }));
  }
  await userEvent.click(screen.getByRole('button', { name: 'Close selected (4)' }));
  const dialog = within(await findSheet());
  await userEvent.click(dialog.getByRole('radio', { name: /Gold/ }));
  expect(dialog.getByRole('button', { name: 'Close 2 orders' })).toBeDefined();
});

test('which are closed is asked where there are several instruments, otherwise told', async () => {
  const { unfold } = await positions();
  await unfold();
  const choose = (name: string) => userEvent.click(screen.getByRole('checkbox', { name }));
  const confirmation = async (count: number) => {
    await userEvent.click(screen.getByRole('button', { name: `Close selected (${count})` }));
    return within(await findSheet());
  };
  await choose('Select: EUR/USD');
  const one = await confirmation(2);
  expect(one.queryAllByRole('radio')).toEqual([]);
  expect(one.getByText('EUR/USD')).toBeDefined();
  await userEvent.click(one.getByRole('button', { name: 'Cancel' }));
  await eventually(() => expect(screen.queryByRole('dialog')).toBeNull());
  await choose('Select: Gold · Buy 1');
  expect((await confirmation(3)).getAllByRole('radio')).toHaveLength(3);
});

test('chosen positions are closed by one confirmation, each once', async () => {
  const { closed, unfold } = await positions();
  expect(screen.queryByRole('button', { name: /^Close selected/ })).toBeNull();
  await unfold();
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select: EUR/USD' }));
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select: EUR/USD · Sell 0.3' }));
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select: Gold · Buy 1' }));
  await userEvent.click(screen.getByRole('button', { name: 'Close selected (2)' }));
  const dialog = await findSheet();
  expect(closed).toEqual([]);
  await userEvent.click(within(dialog).getByRole('button', { name: /^Close 2/ }));
  await eventually(() => expect(closed).toEqual([4, 2]));
});

test('closing asks first, unless the switch says otherwise', async () => {
  const { closed, opened, unfold } = await positions();
  await unfold();
  const close = () => screen.getByRole('button', { name: 'Close: EUR/USD · Buy 0.1' });
  await userEvent.click(close());
  expect(closed).toEqual([]);
  expect(opened).toEqual(['4 end']);
  await userEvent.click(screen.getByRole('checkbox', { name: /^One-click closing/ }));
  await userEvent.click(close());
  await eventually(() => expect(closed).toEqual([4]));
  expect(opened).toHaveLength(1);
});

test('a phone shows a card for each instrument', async () => {
  onPhone();
  const { opened, hold } = await positions();
  const [card, ...others] = screen.getAllByRole('listitem') as [HTMLElement, ...HTMLElement[]];
  expect(others).toHaveLength(1);
  expect(card.textContent).toBe(
    'EUR/USD2 ordersShort 0.2 lotsAverage entry 1.10000Net result-0.10 USD (-0.33%)Liquidation price (account) --Margin 30.30 USDSL/TPClose',
  );
  await userEvent.click(within(card).getByRole('button', { name: 'EUR/USD 2 orders' }));
  const orders = within(within(card).getByRole('list', { name: 'EUR/USD' })).getAllByRole('button');
  expect(orders.map(({ textContent }) => textContent?.match(/[+-]?\d+\.\d+ USD/)?.[0])).toEqual([
    '-0.10 USD',
    '0.00 USD',
  ]);
  await userEvent.click(orders[0] as HTMLElement);
  expect(opened).toEqual(['4 undefined']);
  await hold([order({ id: 9, updatePrice: price(0) })]);
  expect(card.textContent).toContain('Net result–Liquidation');
});
