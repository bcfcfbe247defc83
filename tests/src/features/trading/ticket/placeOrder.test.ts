import { beforeEach, expect, test, vi } from 'vitest';
import { type Confirmed, failed, type Result, success } from '#domain/core/result';
import type { Order } from '#domain/trading/order';
import type { TicketInput } from '#domain/trading/ticketInput';
import {
  placedOrder,
  placeOrder,
  popUp,
  sending,
} from '../../../../../src/features/trading/ticket/placeOrder';
import { showPlaced } from '../../../../../src/positions/placedText';
import { toasts } from '../../../../../src/ui/toastStore';
import { apply } from '../../../../../src/worker/frameReceiver';
import { type AsyncWorkerApi, setWorkerApi } from '../../../../../src/worker/workerApi';
import { eventually } from '../../../../helpers/eventually';
import { order } from '../../sampleOrder';

const ticket = { lots: '0.1' } as TicketInput;
let answers: ((result: Result<Confirmed<Order>>) => void)[] = [];
const submit = vi.fn((_: TicketInput, _key: string) => {
  return new Promise<Result<Confirmed<Order>>>((resolve) => answers.push(resolve));
});

beforeEach(() => {
  answers = [];
  submit.mockClear();
  placedOrder.value = undefined;
  setWorkerApi({ submit } as unknown as AsyncWorkerApi);
  apply({ connection: { state: 'live', marketOffset: undefined } });
});

test('two presses are one order before the answer, two orders after it', async () => {
  const first = placeOrder(ticket, popUp);
  expect(await placeOrder(ticket, popUp)).toBe(false);
  expect(submit).toHaveBeenCalledTimes(1);
  expect(sending.value).toBe(submit.mock.calls[0]?.[1]);
  answers[0]?.(success({ data: order(), text: '' }));
  expect(await first).toBe(true);
  expect(placedOrder.value?.data.id).toBe(7);
  expect(sending.value).toBeUndefined();

  void placeOrder(ticket, popUp);
  const [[, one] = [], [, two] = []] = submit.mock.calls;
  expect(one).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(two).not.toBe(one);
  answers[1]?.(failed({ kind: 'cancelled' }));
});

test('a refusal enables the button and shows no success', async () => {
  await eventually(() => expect(sending.value).toBeUndefined());
  const sent = placeOrder(ticket, popUp);
  answers[0]?.(failed({ kind: 'refused', code: 2, text: 'no' }));
  expect(await sent).toBe(false);
  expect(placedOrder.value).toBeUndefined();
  expect(sending.value).toBeUndefined();
});

test('an order whose late answer was told already makes no second toast', async () => {
  toasts.value = [];
  const told = success({ data: order(), text: '', reported: true as const });
  const byToast = placeOrder(ticket, showPlaced);
  answers[0]?.(told);
  expect(await byToast).toBe(true);
  const byPopup = placeOrder(ticket, popUp);
  answers[1]?.(told);
  expect(await byPopup).toBe(true);
  expect(placedOrder.value?.data.id).toBe(7);
  const unread = placeOrder(ticket, popUp);
  answers[2]?.(success({ data: undefined as never, text: '', reported: true }));
  expect(await unread).toBe(true);
  expect(toasts.value).toEqual([]);
});

test('a worker that dies enables the button as well', async () => {
  submit.mockImplementationOnce(() => Promise.reject(new Error('gone')));
  await expect(placeOrder(ticket, popUp)).rejects.toThrow('gone');
  expect(sending.value).toBeUndefined();
});

test.each(['connecting', 'stale', 'offline'] as const)(
  'nothing is sent while the connection is %s',
  async (state) => {
    apply({ connection: { state, marketOffset: undefined } });
    expect(await placeOrder(ticket, popUp)).toBe(false);
    expect(submit).not.toHaveBeenCalled();
    expect(sending.value).toBeUndefined();
  },
);

test('what the user sees is sent also where prices are slow', async () => {
  apply({ connection: { state: 'slow', marketOffset: undefined } });
  const sent = placeOrder(ticket, popUp);
  answers[0]?.(success({ data: order(), text: '' }));
  expect(await sent).toBe(true);
});
