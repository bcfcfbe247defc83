import { afterEach, beforeEach, expect, test } from 'vitest';
import type { User } from '#domain/account/user';
import { success } from '#domain/core/result';
import { showLanguage } from '../../../src/i18n/i18n';
import { offerFormerExits, offerPlacingAgain } from '../../../src/positions/undo';
import { confirmDone } from '../../../src/requests/confirmDone';
import { toasts } from '../../../src/ui/toastStore';
import { connectionState } from '../../../src/worker/frameReceiver';
import { user } from '../../../src/worker/trading';
import { price, order as sampleOrder } from '../features/sampleOrder';
import { scriptWorkerApi } from '../scriptedWorkerApi';

beforeEach(async () => {
  toasts.value = [];
  connectionState.value = { ...connectionState.peek(), state: 'live' };
  await showLanguage('en');
});
afterEach(() => {
  user.value = undefined;
});

test('a cancelled order is placed again as it was, once for however many clicks', async () => {
  const { scripted } = scriptWorkerApi([]);
  const sent: unknown[][] = [];
  scripted.submit = async (...call) => {
    sent.push(call);
    return success({ data: order, text: '' });
  };
  const order = sampleOrder({ status: 'pending' });
  offerPlacingAgain(order, { data: order, text: 'Order cancelled.' });
  expect(toasts.value.map(({ text }) => text)).toEqual([
    'Order cancelled: Buy 0.1 lots of EUR/USD · 1.10000',
  ]);
  const action = toasts.value[0]?.action;
  expect(action?.text).toBe('Place again');
  action?.run();
  action?.run();
  await Promise.resolve();
  const [[first, key] = [], [second, again] = []] = sent;
  expect(first).toMatchObject({
    instrumentId: order.instrumentId,
    side: order.side,
    type: 'pending',
  });
  expect(second).toEqual(first);
  // The same key: the server places it once.
  expect(again).toBe(key);
});

test('what one user cancelled is not placed for the next', async () => {
  const { scripted, count } = scriptWorkerApi([]);
  scripted.submit = async () => success({ data: order, text: '' });
  const order = sampleOrder({ status: 'pending' });
  user.value = { id: 1, demo: true } as User;
  offerPlacingAgain(order, { data: order, text: '' });
  user.value = { id: 2, demo: false } as User;
  toasts.value[0]?.action?.run();
  expect(count('submit')).toBe(0);
  user.value = { id: 1, demo: true } as User;
  toasts.value[0]?.action?.run();
  expect(count('submit')).toBe(1);
});

test('stops that were changed are given back', async () => {
  const { scripted } = scriptWorkerApi([]);
  const sent: unknown[][] = [];
  scripted.setExits = async (...call) => {
    sent.push(call);
    return success({ data: order, text: '' });
  };
  const order = sampleOrder({ stopLoss: price('1.05') });
  offerFormerExits(order, { data: order, text: '' });
  expect(toasts.value.map(({ text }) => text)).toEqual(['SL/TP of Buy 0.1 lots EUR/USD changed']);
  toasts.value[0]?.action?.run();
  await Promise.resolve();
  expect(sent[0]?.slice(0, 2)).toEqual([
    order.id,
    { stopLoss: '1.05', takeProfit: '', trailing: '' },
  ]);
});

test('nothing is said of a change whose late outcome was reported', () => {
  const order = sampleOrder();
  const done = { data: order, text: '', reported: true } as const;
  offerPlacingAgain(order, done);
  offerFormerExits(order, done);
  confirmDone(done, 'Saved');
  expect(toasts.value).toEqual([]);
});
