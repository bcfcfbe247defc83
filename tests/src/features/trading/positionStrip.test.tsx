import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { failed, success } from '#domain/core/result';
import { toDurationMs } from '#domain/core/time';
import type { Order } from '#domain/trading/order';
import type { AccountSummary } from '#domain/worker/trading';
import { OrderFields } from '../../../../src/features/trading/orders/OrderFields';
import { PositionStrip } from '../../../../src/features/trading/PositionStrip';
import { showLanguage } from '../../../../src/i18n/i18n';
import { account, ordersRevision, user } from '../../../../src/worker/trading';
import { eventually } from '../../../helpers/eventually';
import { findSheet, renderSettled, settle } from '../../rendering';
import { listRow, scriptWorkerApi } from '../../scriptedWorkerApi';
import { EURUSD, lots, order, price, usd } from '../sampleOrder';

beforeEach(async () => {
  account.value = null;
  await showLanguage('en');
  user.value = { id: 1, uid: '1', email: '', mobile: '', demo: false, inviteCode: '' };
});

test('an order that changes while one of several is chosen is opened as it is then', async () => {
  const { scripted, frame } = scriptWorkerApi([listRow(1, { instrument: EURUSD })]);
  let held: Order[] = [order({ id: 1 }), order({ id: 2, lots: lots('0.2') })];
  scripted.ordersOf = async () => held;
  scripted.watchOrders = async () => undefined;
  scripted.setChange = async () => undefined;
  await renderSettled(<PositionStrip instrument={EURUSD} />);
  await settle();
  await userEvent.click(screen.getByRole('button', { name: 'Reverse' }));
  held = [order({ id: 1 }), order({ id: 2, lots: lots('0.1') })];
  await act(async () => frame({ ordersRevision: ordersRevision.peek() + 1 }));
  await settle();
  const [, second] = within(await findSheet()).getAllByRole('button', {
    name: /EUR\/USD/,
  });
  await userEvent.click(second as HTMLElement);
  await settle();
  const sheet = await findSheet();
  expect(sheet.textContent).toContain('0.1 lots');
  expect(sheet.textContent).not.toContain('0.2 lots');
});

test('the strip tells several positions as one, net of fees', async () => {
  const { scripted, frame } = scriptWorkerApi([listRow(1, { instrument: EURUSD })]);
  scripted.ordersOf = async () => [
    order({ id: 1 }),
    order({ id: 2, lots: lots('0.3'), price: price('1.12'), fee: usd('0.6') }),
    order({ id: 3, status: 'pending' }),
  ];
  scripted.watchOrders = async () => undefined;
  await renderSettled(<PositionStrip instrument={EURUSD} />);
  await settle();
  const shown = () => screen.getByRole('complementary', { name: 'Position' }).textContent;
  // The margins are 110 each.
  expect(shown()).toContain(
    'Long 0.4 lotsAverage entry 1.11500Net result-0.80 USD (-0.36%)Liquidation price (account) --Margin 220.00',
  );
  frame({ profits: [{ id: 2, profit: '90.000000', price: 1.123 }] });
  expect(shown()).toContain('+89.20 USD (+40.55%)');
});

test('exits of several positions are set together, what differs stays, and who goes away is told', async () => {
  const { scripted, frame } = scriptWorkerApi([listRow(1, { instrument: EURUSD })]);
  frame({ connection: { state: 'live', marketOffset: toDurationMs(0) } });
  scripted.ordersOf = async () => [
    order({ id: 1, stopLoss: price('1.05') }),
    order({ id: 2, trailing: price('0.01'), stopLoss: price('1.09') }),
    order({ id: 3, side: 'sell', lots: lots('0.05') }),
  ];
  scripted.watchOrders = async () => undefined;
  const sent: unknown[] = [];
  scripted.setExits = async (id, exits, _key, quiet) => {
    sent.push([id, exits, quiet]);
    return id === 1
      ? failed({ kind: 'refused', code: 2, text: 'The market is closed' })
      : success({
          data: order({ id, lots: lots('0.1'), takeProfit: price(exits.takeProfit) }),
          text: '',
        });
  };
  await renderSettled(<PositionStrip instrument={EURUSD} />);
  await settle();
  await userEvent.click(screen.getByRole('button', { name: 'SL/TP' }));
  const sheet = await findSheet();
  expect(sheet.textContent).toContain('SL/TP of Buy 0.2 lots EUR/USD');
  expect(sheet.textContent).toContain('Different in each order');
  await userEvent.click(within(sheet).getByRole('checkbox', { name: 'Take-profit' }));
  const field = within(sheet).getByRole('textbox');
  await userEvent.type(field, '1.09');
  await userEvent.click(within(sheet).getByRole('button', { name: 'Save SL/TP' }));
  expect(sent).toEqual([]);
  await userEvent.clear(field);
  await userEvent.type(field, '1.2');
  // (1.2 − 1.1) × 0.2 lots, in USD, beside the price.
  expect(sheet.textContent).toContain('+2,000.00 USD');
  await userEvent.click(within(sheet).getByRole('button', { name: 'Save SL/TP' }));
  await within(sheet).findByRole('button', { name: 'Done' });
  expect(sent).toEqual([
    [1, { stopLoss: '1.05', takeProfit: '1.2', trailing: '' }, true],
    [2, { stopLoss: '', takeProfit: '1.2', trailing: '0.01' }, true],
  ]);
  expect(sheet.textContent).toContain('Saved: 1 of 2');
  expect(sheet.textContent).toContain('EUR/USD · Buy 0.1The market is closed');
  expect(sheet.textContent).toContain('EUR/USD · Buy 0.1TP 1.20000');
});

test('what was changed elsewhere since several positions were opened is not set back with their exits', async () => {
  const { scripted, calls, hasOpen } = scriptWorkerApi([listRow(1, { instrument: EURUSD })]);
  scripted.watchOrders = async () => undefined;
  scripted.setExits = async (id) => success({ data: order({ id }), text: '' });
  const [first, second] = [order({ id: 1 }), order({ id: 2 })];
  hasOpen(first, second);
  await renderSettled(<PositionStrip instrument={EURUSD} />);
  await settle();
  await userEvent.click(screen.getByRole('button', { name: 'SL/TP' }));
  const sheet = await findSheet();
  await act(async () => hasOpen({ ...first, stopLoss: price('1.05') }, second));
  await settle();
  await userEvent.click(within(sheet).getByRole('checkbox', { name: 'Take-profit' }));
  await userEvent.type(within(sheet).getByRole('textbox'), '1.2');
  await userEvent.click(within(sheet).getByRole('button', { name: 'Save SL/TP' }));
  await within(sheet).findByRole('button', { name: 'Done' });
  expect(calls.filter(({ method }) => method === 'setExits').map(({ args }) => args[1])).toEqual([
    { stopLoss: '1.05', takeProfit: '1.2', trailing: '' },
    { stopLoss: '', takeProfit: '1.2', trailing: '' },
  ]);
});

test.each([
  ['80.00', undefined],
  ['45.00', 'low'],
  ['25.00', 'critical'],
])(
  'the price at which the account is stopped out stays on the screen, at a margin level of %s in the colour of the warning',
  async (ratio, state) => {
    const { scripted, frame } = scriptWorkerApi([listRow(1, { instrument: EURUSD })]);
    scripted.ordersOf = async () => [order({ id: 1 })];
    scripted.watchOrders = async () => undefined;
    const figures = {
      profit: '0',
      marginLevel: ratio,
      stopOutPrices: { 1: '1.00227' },
    } as unknown as AccountSummary;
    await renderSettled(<PositionStrip instrument={EURUSD} />);
    await settle();
    await act(async () => frame({ account: figures }));
    const shown = () => screen.getByText('1.00227');
    expect(shown().parentElement?.textContent).toBe('Liquidation price (account) 1.00227');
    expect(shown().dataset['risk']).toBe(state);
    await act(async () => frame({ account: { ...figures, stopOutPrices: {} } }));
    await eventually(() => expect(screen.queryByText('1.00227')).toBeNull());
    account.value = null;
  },
);

test('the sheet of a position has it too', async () => {
  scriptWorkerApi([listRow(1, { instrument: EURUSD })]).scripted.watchOrders = async () =>
    undefined;
  account.value = { stopOutPrices: { 1: '1.00227' } } as unknown as AccountSummary;
  const { container } = await renderSettled(<OrderFields order={order()} />);
  expect(container.textContent).toContain('Liquidation price (account)1.00227');
  account.value = null;
});
