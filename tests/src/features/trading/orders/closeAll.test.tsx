import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { type Failure, failed, type Result, success } from '#domain/core/result';
import { toDurationMs } from '#domain/core/time';
import type { Order } from '#domain/trading/order';
import { CloseAllForm } from '../../../../../src/features/trading/orders/CloseAll';
import { PositionSheet } from '../../../../../src/features/trading/orders/PositionSheet';
import { showLanguage } from '../../../../../src/i18n/i18n';
import { toasts } from '../../../../../src/ui/toastStore';
import { renderSettled } from '../../../rendering';
import { listRow, scriptWorkerApi } from '../../../scriptedWorkerApi';
import { EURUSD, order, price, usd } from '../../sampleOrder';

beforeEach(async () => {
  toasts.value = [];
  await showLanguage('en');
});

test('whoever goes away while orders are closed stops it, and is told what was closed and what was not', async () => {
  const worker = scriptWorkerApi([]);
  worker.frame({ connection: { state: 'live', marketOffset: toDurationMs(0) } });
  worker.scripted.watchOrders = async () => undefined;
  const answers: ((failure?: Failure) => Promise<void>)[] = [];
  worker.scripted.closeOrder = (seen) =>
    new Promise<Result<{ data: Order; text: string }>>((resolve) => {
      answers.push((failure) =>
        act(async () =>
          resolve(
            failure
              ? failed(failure)
              : success({ data: order({ id: seen.id, profit: usd(5) }), text: '' }),
          ),
        ),
      );
    });
  const orders = [1, 2, 3, 4].map((id) => order({ id, profit: usd(1), swap: usd('-0.1') }));
  const { unmount } = await renderSettled(
    <CloseAllForm orders={orders} question="question" onDone={() => {}} />,
  );
  const text = () => document.body.textContent;
  // Four profits of 1, fees of 0.2 and nights of 0.1.
  expect(text()).toContain('Net result+2.80 USD');
  await userEvent.click(screen.getByRole('button', { name: 'Close 4 orders' }));
  await answers[0]?.();
  await answers[1]?.({ kind: 'refused', code: 2, text: 'The market is closed' });
  const line = 'EUR/USD · Buy 0.1';
  expect(text()).toContain(`2 of 4${line}+4.80 USD${line}The market is closed${line}–${line}–Stop`);
  unmount();
  expect(toasts.value).toEqual([]);
  await answers[2]?.();
  expect(answers).toHaveLength(3);
  expect(toasts.value.map(({ tone, text }) => [tone, text])).toEqual([
    [
      'error',
      '2 orders closed: +9.60 USD\n2 orders were not closed\nEUR/USD · Buy 0.1 The market is closed',
    ],
  ]);
});

test('what orders would come to is what closing each by hand books, at its side of the quote', async () => {
  const { scripted, frame, topsOfBook } = scriptWorkerApi([listRow(1, { instrument: EURUSD })]);
  scripted.watchOrders = async () => undefined;
  const orders = [order({ id: 1 }), order({ id: 2, side: 'sell' })];
  const { unmount } = await renderSettled(
    <CloseAllForm orders={orders} question="question" onDone={() => {}} />,
  );
  await act(async () =>
    frame({
      profits: [
        { id: 1, profit: '1.000000', price: 1.1001, closingPrice: 1.1 },
        { id: 2, profit: '-1.000000', price: 1.1001, closingPrice: 1.1002 },
      ],
    }),
  );
  // 0.1 lots × 100,000 × (0 - 0.0002), and two fees of 0.2.
  expect(document.body.textContent).toContain('Net result-2.40 USD');
  // The worker tells the prices of closes while these are watched.
  expect(topsOfBook).toEqual([{ add: [1], remove: [] }]);
  unmount();
  expect(topsOfBook.at(-1)).toEqual({ add: [], remove: [1] });
});

test('what orders would come to is not known while one of them has no price', async () => {
  const { scripted } = scriptWorkerApi([]);
  scripted.watchOrders = async () => undefined;
  const orders = [order({ id: 1 }), order({ id: 2, updatePrice: price(0) })];
  await renderSettled(<CloseAllForm orders={orders} question="question" onDone={() => {}} />);
  expect(document.body.textContent).toContain('Net result–');
});

test('at the end the total of all stands below, and the sheet ends with Done', async () => {
  const worker = scriptWorkerApi([]);
  worker.frame({ connection: { state: 'live', marketOffset: toDurationMs(0) } });
  worker.scripted.watchOrders = async () => undefined;
  worker.scripted.closeOrder = async ({ id }) =>
    success({ data: order({ id, profit: usd(id) }), text: '' });
  await renderSettled(
    <CloseAllForm
      orders={[order({ id: 1 }), order({ id: 2 })]}
      question="question"
      onDone={() => {}}
    />,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Close 2 orders' }));
  expect((await screen.findByRole('button', { name: 'Done' })).parentElement?.textContent).toBe(
    '2 orders closedEUR/USD · Buy 0.1+0.80 USDEUR/USD · Buy 0.1+1.80 USDNet result+2.60 USDDone',
  );
});

test('the sheet is read with its question', async () => {
  const orders = [order({ id: 1 }), order({ id: 2 })];
  const worker = scriptWorkerApi([]);
  worker.scripted.watchOrders = async () => undefined;
  await renderSettled(
    <PositionSheet
      action={{ view: 'end', order: undefined, orders }}
      held={orders}
      onAction={() => {}}
    />,
  );
  const description = '2 orders will be closed at the market price, one after the other.';
  expect(await screen.findByRole('dialog', { description })).toBeTruthy();
});
