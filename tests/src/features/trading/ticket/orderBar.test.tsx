import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { User } from '#domain/account/user';
import { type Done, type Result, success } from '#domain/core/result';
import type { Order } from '#domain/trading/order';
import { oneTap } from '../../../../../src/features/trading/settings';
import { OrderBar } from '../../../../../src/features/trading/ticket/OrderBar';
import { placedOrder } from '../../../../../src/features/trading/ticket/placeOrder';
import { showLanguage } from '../../../../../src/i18n/i18n';
import { toasts } from '../../../../../src/ui/toastStore';
import { user } from '../../../../../src/worker/trading';
import { arm, holdArming } from '../../../arming';
import { renderSettled } from '../../../rendering';
import { listRow, quoteNumbers, scriptWorkerApi } from '../../../scriptedWorkerApi';
import { EURUSD, order } from '../../sampleOrder';

beforeEach(() => showLanguage('en'));
afterEach(() => {
  oneTap.value = false;
  placedOrder.value = undefined;
  user.value = undefined;
});

const prices = () =>
  ['Buy', 'Sell'].map((name) => {
    const id = screen.getByRole('button', { name }).getAttribute('aria-describedby') ?? '';
    return document.getElementById(id)?.textContent;
  });

test('buy has the ask, sell the bid, and each the last price where there is none', async () => {
  const { frame } = scriptWorkerApi();
  await renderSettled(
    <MemoryRouter>
      <OrderBar row={listRow(1, { instrument: EURUSD })} />
    </MemoryRouter>,
  );
  const { id } = EURUSD;
  expect(prices()).toEqual(['1.10000', '1.10000']);
  await act(async () => frame({ topsOfBook: [{ id, bid: 1.09999, ask: 1.10002 }] }));
  expect(prices()).toEqual(['1.10002', '1.09999']);
  await act(async () => frame({ topsOfBook: [{ id, bid: 0, ask: 1.10003 }] }));
  expect(prices()).toEqual(['1.10003', '1.10000']);
  // What is quoted before the market closes is not what it opens with.
  await act(async () => frame({ quotes: new Float64Array(quoteNumbers(id, 1.2, { flags: 0 })) }));
  expect(prices()).toEqual(['1.20000', '1.20000']);
});

/** The form after an order of one tap, which is not answered yet. */
async function ordered() {
  oneTap.value = true;
  toasts.value = [];
  placedOrder.value = undefined;
  user.value = { id: 1, demo: true } as User;
  holdArming();
  const { scripted } = scriptWorkerApi();
  let answer: (result: Result<Done<Order>>) => void = () => {};
  scripted.setTicket = async () => undefined;
  scripted.submit = () =>
    new Promise((resolve) => {
      answer = resolve;
    });
  await renderSettled(
    <MemoryRouter>
      <OrderBar row={listRow(1, { instrument: EURUSD })} />
    </MemoryRouter>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Buy' }));
  const buys = await screen.findByRole('button', { name: 'Buy 0.01 lots' });
  await arm();
  await userEvent.click(buys);
  return { accept: () => act(async () => answer(success({ data: order(), text: '' }))) };
}

const noSheet = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

test('an accepted order closes its form, which the popup replaces', async () => {
  const { accept } = await ordered();
  await accept();
  expect(placedOrder.value?.data.id).toBe(7);
  await noSheet();
});

test('the answer to an order leaves the form of another one as it is', async () => {
  const { accept } = await ordered();
  await userEvent.click(screen.getByRole('button', { name: 'Close' }));
  await noSheet();
  await userEvent.click(screen.getByRole('button', { name: 'Sell' }));
  const [lots] = await screen.findAllByRole<HTMLInputElement>('textbox');
  if (!lots) throw new Error('no field');
  await userEvent.clear(lots);
  await userEvent.type(lots, '0.37');
  await accept();
  expect(lots.isConnected && lots.value).toBe('0.37');
  expect(screen.getByRole('dialog').hasAttribute('inert')).toBe(false);
  expect(placedOrder.value).toBeUndefined();
  expect(toasts.value).toHaveLength(1);
});
