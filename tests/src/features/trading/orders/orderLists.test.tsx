import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HashRouter } from 'react-router-dom';
import { beforeEach, expect, test, vi } from 'vitest';
import { type Failure, failed, type Result, success } from '#domain/core/result';
import { toPrice, toUsd } from '#domain/core/units';
import type { Order } from '#domain/trading/order';
import type { AccountSummary, OrderWindow } from '#domain/worker/trading';
import { CloseAll } from '../../../../../src/features/trading/orders/CloseAll';
import { HistoryActions } from '../../../../../src/features/trading/orders/HistoryActions';
import { OrderList } from '../../../../../src/features/trading/orders/OrderList';
import { OrderTotal } from '../../../../../src/features/trading/orders/OrderTotal';
import { profitText } from '../../../../../src/features/trading/orders/profitText';
import { positionsGrouped } from '../../../../../src/features/trading/settings';
import { showLanguage } from '../../../../../src/i18n/i18n';
import { toasts } from '../../../../../src/ui/toastStore';
import { account, ordersRevision, user } from '../../../../../src/worker/trading';
import { onPhone, renderSettled, settle } from '../../../rendering';
import { scriptWorkerApi } from '../../../scriptedWorkerApi';
import { order } from '../../sampleOrder';

const BROKEN: Failure = { kind: 'transport', code: '503' };
const window = (count: number, failure?: Failure): OrderWindow => ({
  total: count,
  from: 0,
  orders: Array.from({ length: count }, (_, index) => order({ id: count - index })),
  profit: '0.000000',
  loading: false,
  failure,
});

let answer: Result<OrderWindow> | undefined;

beforeEach(async () => {
  onPhone();
  await showLanguage('en');
  user.value = { id: 1, uid: '1', email: '', mobile: '', demo: false, inviteCode: '' };
});

async function showOrders(status: 'holding' | 'pending' | 'closed') {
  const { scripted, frame } = scriptWorkerApi();
  scripted.orders = () =>
    answer ? Promise.resolve(answer) : new Promise<Result<OrderWindow>>(() => {});
  scripted.watchOrders = async () => undefined;
  const { container } = await renderSettled(
    <HashRouter>
      <div data-testid="total">
        <OrderTotal status={status} />
      </div>
      <OrderList status={status} onOpen={() => {}} />
    </HashRouter>,
  );
  await settle();
  return {
    text: () => container.textContent ?? '',
    total: () => screen.getByTestId('total').textContent,
    change: (next: Result<OrderWindow>) =>
      act(async () => {
        answer = next;
        frame({ ordersRevision: ordersRevision.peek() + 1 });
      }),
  };
}

test('rows and totals have a profit in cents, with the fees, or the word that it is before them', async () => {
  answer = success({ ...window(3), profit: '-12.345678', fees: '15.2' });
  const { total, change } = await showOrders('closed');
  await waitFor(() => expect(total()).toBe('3 orders-12.35 USDHandling fee 15.20'));
  await change(success({ ...window(3), profit: '-13.345678', fees: '15.2', swap: '-1' }));
  await waitFor(() => expect(total()).toBe('3 orders-13.35 USDHandling fee 15.20Swap -1.00'));
  expect(profitText(toUsd('-12.345678'), toUsd('110'))).toBe('-12.35 USD (-11.22%)');
  // What is shown as nothing has no colour.
  await change(success({ ...window(3), profit: '-0.004999' }));
  await waitFor(() => expect(total()).toBe('3 orders0.00 USDbefore fees'));
  expect(screen.getByText('0.00 USD').dataset['direction']).toBe('flat');
});

test('many orders are counted as the language writes numbers', async () => {
  answer = success({ ...window(3), total: 12345 });
  const { total } = await showOrders('pending');
  await waitFor(() => expect(total()).toBe('12,345 orders'));
  await act(() => showLanguage('de'));
  expect(total()).toBe('12.345 Orders');
});

test('the total of positions by instrument is net of fees, as theirs is, and unknown while one has no price', async () => {
  const gain = (each: Order): Order => ({ ...each, profit: toUsd('3.5') });
  const held = window(3).orders.map(gain);
  answer = success({ ...window(3), orders: held });
  account.value = { profit: '10.5' } as unknown as AccountSummary;
  const { total, change } = await showOrders('holding');
  await waitFor(() => expect(total()).toBe('3 orders+10.50 USD'));
  await act(async () => {
    positionsGrouped.value = true;
  });
  await waitFor(() => expect(total()).toBe('3 orders+9.90 USDHandling fee 0.60'));
  const unpriced = order({ id: 4, updatePrice: toPrice(0) });
  await change(success({ ...window(4), orders: [unpriced, ...held] }));
  await waitFor(() => expect(total()).toBe('4 orders–Handling fee 0.80'));
  positionsGrouped.value = false;
  account.value = null;
});

test('no count is shown while it is unknown or after its load failed', async () => {
  answer = undefined;
  const { total, text, change } = await showOrders('pending');
  expect(total()).toBe('');
  await change(failed(BROKEN));
  await waitFor(() => expect(text()).toContain('503'));
  expect(total()).toBe('');
  await change(success(window(0)));
  await waitFor(() => expect(total()).toBe('0 orders'));
});

test.each([
  ['by the worker', success(window(3, BROKEN))],
  ['because the answer failed', failed(BROKEN)],
])('orders whose refresh failed stay, marked as such: %s', async (_name, next) => {
  answer = success(window(3));
  const { total, text, change } = await showOrders('closed');
  await waitFor(() => expect(total()).toContain('3 orders'));
  expect(text()).not.toContain('Not refreshed');
  await change(next);
  await waitFor(() => expect(text()).toContain('Not refreshed'));
  expect(total()).toContain('3 orders');
  await change(success(window(4)));
  await waitFor(() => expect(total()).toContain('4 orders'));
  expect(text()).not.toContain('Not refreshed');
});

const HISTORY = <HistoryActions name="all" period={undefined} onPeriod={() => {}} />;

test.each([
  ['the history can’t be had for a file', failed(BROKEN), HISTORY, 'Save the history as CSV'],
  ['it lacks orders', success(window(2, BROKEN)), HISTORY, 'Save the history as CSV'],
  ['positions can’t be had to be closed', failed(BROKEN), <CloseAll key="all" />, 'Close all'],
])('where %s, the reason is shown, and nothing else', async (_name, next, node, name) => {
  toasts.value = [];
  const save = vi.spyOn(URL, 'createObjectURL');
  const { scripted } = scriptWorkerApi();
  scripted.orders = async (_status, _from, to) => (to > 1 ? next : success(window(2)));
  await renderSettled(<HashRouter>{node}</HashRouter>);
  await settle();
  await userEvent.click(screen.getByRole('button', { name }));
  expect(toasts.value).toMatchObject([{ tone: 'error', text: BROKEN }]);
  expect(save).not.toHaveBeenCalled();
  expect(screen.queryByRole('dialog')).toBeNull();
});
