import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { failed, type Result, success } from '#domain/core/result';
import type { Order } from '#domain/trading/order';
import type { Reversed, TicketPreview } from '#domain/worker/trading';
import { OrderSheet } from '../../../../../src/features/trading/orders/OrderSheet';
import { PositionStrip } from '../../../../../src/features/trading/PositionStrip';
import { showLanguage } from '../../../../../src/i18n/i18n';
import { toasts } from '../../../../../src/ui/toastStore';
import { unanswered } from '../../../../../src/worker/requests';
import { changePreview, user } from '../../../../../src/worker/trading';
import { arm, holdArming } from '../../../arming';
import { findSheet, renderSettled } from '../../../rendering';
import { listRow, quoteNumbers, scriptWorkerApi } from '../../../scriptedWorkerApi';
import { EURUSD, order, price, usd } from '../../sampleOrder';

const preview = {
  price: '1.10200',
  margin: '110.20',
  fee: '0.02',
  availableAfter: '99889.78',
  stopOutPrice: '2.09',
} as TicketPreview;

beforeEach(async () => {
  toasts.value = [];
  unanswered.value = [];
  changePreview.value = undefined;
  holdArming();
  await showLanguage('en');
});

function scriptedWorker(orders: Order[] = []) {
  const worker = scriptWorkerApi([listRow(1, { instrument: EURUSD })]);
  worker.quotes(quoteNumbers(1, 1.102));
  let answer: (result: Result<Reversed>) => void = () => {};
  worker.scripted.watchOrders = async () => undefined;
  worker.scripted.setChange = async () => undefined;
  worker.scripted.ordersOf = async () => orders;
  worker.scripted.reverseOrder = () =>
    new Promise((resolve) => {
      answer = resolve;
    });
  return { ...worker, answer: (result: Result<Reversed>) => act(async () => answer(result)) };
}

const button = (name: string | RegExp = 'Reverse') => screen.getByRole('button', { name });
const canTap = () =>
  button().getAttribute('aria-disabled') === null && !button().matches(':disabled');

async function confirmation(change: Partial<Order> = {}) {
  const worker = scriptedWorker();
  const held = order({ stopLoss: price('1.09'), ...change });
  const closed = vi.fn();
  await renderSettled(<OrderSheet order={held} view="fields" onClose={closed} />);
  const dialog = await findSheet();
  await userEvent.click(button());
  await screen.findByText('New position');
  // Effects run some time after what they belong to is seen.
  await waitFor(() =>
    expect(worker.calls).toContainEqual({ method: 'setChange', args: [{ id: 7 }] }),
  );
  return { ...worker, closed, held, text: () => dialog.textContent ?? '' };
}

test('a reversal is confirmed with both of its orders, half a second after it is shown', async () => {
  const { frame, text, calls, count, closed, held, answer } = await confirmation();
  expect(canTap()).toBe(false);
  await arm();
  // Not before the worker has priced it.
  expect(canTap()).toBe(false);
  await act(async () => frame({ change: preview }));
  await act(async () => frame({ profits: [{ id: 7, profit: '20.000000', price: 1.102 }] }));
  expect(text()).toContain('Buy 0.1 lots of EUR/USD');
  expect(text()).toContain('Estimated result+19.80 USD (+18.00%)Handling fee0.20 USD');
  expect(text()).toContain('Sell 0.1 lots of EUR/USD');
  for (const shown of ['1.10200', '110.20 USD', '0.02 USD', '2.09000', 'SL/TPNone'])
    expect(text()).toContain(shown);
  expect(canTap()).toBe(true);
  await userEvent.dblClick(button());
  expect(count('reverseOrder')).toBe(1);
  const [id, seen, keys] = calls.find(({ method }) => method === 'reverseOrder')?.args ?? [];
  expect([id, seen]).toMatchObject([{ id: 7 }, '1.10200']);
  const { close, open } = keys as Record<string, string>;
  expect(new Set([close, open, undefined, '']).size).toBe(4);

  // The close that is pushed leaves the sheet open until the outcome is known.
  const ended = order({ ...held, status: 'closed', profit: usd('20') });
  await act(async () => frame({ events: [{ type: 'order-closed', order: ended, before: held }] }));
  expect(closed).not.toHaveBeenCalled();
  await answer(success({ closed: ended, opened: order({ id: 8, side: 'sell' }) }));
  expect(closed).toHaveBeenCalled();
  expect(toasts.value.map(({ text }) => text)).toEqual([
    'Closed by you: Buy 0.1 lots of EUR/USD, +19.80 USD · Order placed: Sell 0.1 lots of EUR/USD at 1.10000, order 8',
  ]);
});

test('an opposite order whose answer can’t be read is told as placed', async () => {
  const { frame, closed, held, answer } = await confirmation();
  await arm();
  await act(async () => frame({ change: preview }));
  await userEvent.click(button());
  await answer(success({ closed: { ...held, profit: usd('20') }, opened: 'unread' }));
  expect(closed).toHaveBeenCalled();
  expect(toasts.value.map(({ text }) => text)).toEqual([
    'Closed by you: Buy 0.1 lots of EUR/USD, +19.80 USD · Order placed',
  ]);
});

test('where the opposite order was not placed, the sheet closes and leaves the rest to the banner', async () => {
  const { frame, closed, held, answer } = await confirmation();
  await arm();
  await act(async () => frame({ change: preview }));
  await userEvent.click(button());
  await answer(success({ closed: held, opened: undefined }));
  expect(closed).toHaveBeenCalled();
  expect(toasts.value).toEqual([]);
});

test('the button says that it checks once the answer to either order is lost', async () => {
  const { frame, calls, held, answer, closed } = await confirmation();
  await arm();
  await act(async () => frame({ change: preview }));
  await userEvent.click(button());
  const [, , keys] = calls.find(({ method }) => method === 'reverseOrder')?.args ?? [];
  const { close, open } = keys as Record<string, string>;
  const lose = (key = '') =>
    act(async () =>
      frame({ unanswered: [{ key, subject: { kind: 'reverse' }, state: 'asking' }] }),
    );
  await lose(close);
  expect(button(/^Checking/).getAttribute('aria-disabled')).toBe('true');
  await act(async () => frame({ unanswered: [] }));
  expect(button(/^Sending/).getAttribute('aria-disabled')).toBe('true');
  await lose(open);
  expect(button(/^Checking/).getAttribute('aria-disabled')).toBe('true');
  await answer(success({ closed: held, opened: undefined }));
  expect(closed).toHaveBeenCalled();
});

test('a close that is refused leaves the order open on the sheet, unless the market has ended it', async () => {
  const { frame, closed, held, answer } = await confirmation();
  await arm();
  await act(async () => frame({ change: preview }));
  const refused = failed({ kind: 'refused', code: 2, text: 'Not holding' });
  await userEvent.click(button());
  await answer(refused);
  expect(closed).not.toHaveBeenCalled();
  await userEvent.click(button());
  const ended = order({ ...held, status: 'closed' });
  await act(async () => frame({ events: [{ type: 'order-closed', order: ended, before: held }] }));
  await answer(refused);
  expect(closed).toHaveBeenCalled();
});

test('it is refused without a live quote, and where the opposite order would be', async () => {
  const { frame, quotes, text } = await confirmation();
  await arm();
  const message = {
    key: 'availableTooLow',
    params: { needed: '110.20', free: '90.00' },
  } as const;
  await act(async () => frame({ change: { ...preview, problem: { field: 'balance', message } } }));
  expect(text()).toContain('Insufficient funds: 110.20 USD needed, 90.00 USD available');
  expect(canTap()).toBe(false);
  await act(async () => frame({ change: preview }));
  expect(canTap()).toBe(true);
  await act(async () => quotes(quoteNumbers(1, 1.102, { flags: 3 })));
  expect(text()).toContain('Prices are not up to date');
  expect(canTap()).toBe(false);
  await act(async () => quotes(quoteNumbers(1, 1.102, { flags: 0 })));
  expect(text()).toContain('The market is closed');
  await act(async () => quotes(quoteNumbers(1, 1.102)));
  expect(canTap()).toBe(true);
  await act(async () => frame({ connection: { state: 'offline', marketOffset: undefined } }));
  expect(screen.queryByRole('button', { name: 'Reverse' })).toBeNull();
  expect(button('Offline').matches(':disabled')).toBe(true);
});

test('a pending order cannot be reversed', async () => {
  scriptedWorker();
  await renderSettled(
    <OrderSheet order={order({ status: 'pending' })} view="fields" onClose={() => {}} />,
  );
  await findSheet();
  expect(screen.queryByRole('button', { name: 'Reverse' })).toBeNull();
});

test.each([
  ['one order: two taps', [order()], 1],
  ['several: the user chooses the order, three taps', [order(), order({ id: 8, side: 'sell' })], 2],
])('the strip of a position leads to the confirmation; with %s', async (_, orders, taps) => {
  user.value = { id: 1, demo: true } as typeof user.value;
  const { calls } = scriptedWorker(orders);
  await renderSettled(<PositionStrip instrument={EURUSD} />);
  await userEvent.click(await screen.findByRole('button', { name: 'Reverse' }));
  if (taps === 2) await userEvent.click(await screen.findByRole('button', { name: /Sell/ }));
  await screen.findByText('New position');
  const id = orders.at(-1)?.id;
  await waitFor(() => expect(calls).toContainEqual({ method: 'setChange', args: [{ id }] }));
});
