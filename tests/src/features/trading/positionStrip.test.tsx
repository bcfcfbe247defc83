import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Order } from '#domain/trading/order';
import type { AccountSummary } from '#domain/worker/trading';
import { OrderFields } from '../../../../src/features/trading/orders/OrderFields';
import { PositionStrip } from '../../../../src/features/trading/PositionStrip';
import { showLanguage } from '../../../../src/i18n/i18n';
import { account, ordersRevision, user } from '../../../../src/worker/trading';
import { findSheet, renderSettled, settle } from '../../rendering';
import { listRow, scriptWorkerApi } from '../../scriptedWorkerApi';
import { EURUSD, lots, order } from '../sampleOrder';

beforeEach(async () => {
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
    await vi.waitFor(() => expect(screen.queryByText('1.00227')).toBeNull());
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
