import { expect, test } from 'vitest';
import { failed, type Result, success } from '#domain/core/result';
import { toUnixMs } from '#domain/core/time';
import type { Order } from '#domain/trading/order';
import type { WorkerEvent } from '#domain/worker/workerApi';
import { createDispatch } from '../../../workers/connection/dispatch';
import { once } from '../../../workers/core/importOnce';
import { createOpenOrders } from '../../../workers/trading/openOrders';
import { createPushes } from '../../../workers/trading/pushes';
import { eventually } from '../../helpers/eventually';
import { FakeClock } from '../support/fakeClock';

const row = (id: number, more: object = {}) => ({
  Id: id,
  ForexTradeLists: { Id: 1, Code: 'A', ShowCode: 'A', PricePrecision: 2 },
  OrderType: 1,
  Quantity: '1',
  Price: '10',
  CautionMoney: '5',
  Status: 1,
  ...more,
});

/** Pushes of a user, read by code that is loaded when `load` is called. */
function pushes() {
  let load = () => {};
  const loading = new Promise<void>((resolve) => {
    load = resolve;
  });
  const events: WorkerEvent[] = [];
  const corrected: number[] = [];
  const clock = new FakeClock();
  const history = { read: 0, newest: success([]) as Result<readonly Order[]> };
  const dispatch = createDispatch({} as never);
  const openOrders = createOpenOrders({ changed: () => {} });
  const made = createPushes(
    {
      clock,
      dispatch,
      openOrders,
      history: {
        newest: async () => {
          history.read += 1;
          return history.newest;
        },
        invalidate: () => {},
        correct: (id) => corrected.push(id),
      },
      identify: ({ instrumentId = 0, precision = 2, ...order }) => ({
        ...order,
        instrumentId,
        precision,
      }),
      emit: (event) => events.push(event),
      marketTime: () => toUnixMs(Date.parse('2026-01-05T12:05:00Z')),
      isLoggedIn: () => true,
      live: (order) => order,
      pushed: () => {},
    },
    once(() => loading.then(() => import('../../../workers/http/trading'))),
  );
  return { made, events, corrected, clock, history, dispatch, openOrders, load };
}

const receive = ({ dispatch }: ReturnType<typeof pushes>, type: string, data: unknown) =>
  dispatch.receive(JSON.stringify({ type, data }));

test('pushes that come before the code is loaded that reads them are applied in order', async () => {
  const user = pushes();
  receive(user, 'FOREX_TRADE', row(1));
  receive(user, 'FOREX_TRADE', row(2));
  receive(user, 'FOREX_CLOSED', { Id: 1, Order: row(1, { Status: 3 }) });
  expect(user.events).toEqual([]);
  user.load();
  await eventually(() =>
    expect(user.events.map(({ type }) => type)).toEqual([
      'order-changed',
      'order-changed',
      'order-closed',
    ]),
  );
  expect(user.openOrders.of('holding').map(({ id }) => id)).toEqual([2]);
  // From now on at once.
  receive(user, 'FOREX_TRADE', row(3));
  expect(user.openOrders.get(3)).toBeDefined();
});

test('pushes of the user before are not applied to the next one', async () => {
  const user = pushes();
  receive(user, 'FOREX_TRADE', row(1));
  user.made.clear();
  receive(user, 'FOREX_TRADE', row(2));
  user.load();
  await eventually(() => expect(user.openOrders.get(2)).toBeDefined());
  expect(user.openOrders.get(1)).toBeUndefined();
});

test('the history is read until it shows how an order ended without a push, and not for the next user', async () => {
  const user = pushes();
  const { made, history, clock, openOrders } = user;
  user.load();
  receive(user, 'FOREX_TRADE', row(1));
  await eventually(() => expect(openOrders.get(1)).toBeDefined());
  const order = openOrders.get(1) as Order;
  const ends = () => user.events.filter(({ type }) => type === 'order-closed');
  history.newest = failed({ kind: 'transport', code: 'ERR_NETWORK' });
  await made.endedUnseen([order]);
  await clock.advance(60_000);
  expect(history.read).toBeGreaterThan(4);
  expect(ends()).toEqual([]);
  history.newest = success([{ ...order, status: 'closed' }]);
  await clock.advance(15_000);
  expect(ends()).toMatchObject([{ order: { id: 1, status: 'closed' }, before: { id: 1 } }]);
  const { read } = history;
  await clock.advance(60_000);
  expect(history.read).toBe(read);

  history.newest = failed({ kind: 'transport', code: 'ERR_NETWORK' });
  await made.endedUnseen([order]);
  made.clear();
  await clock.advance(60_000);
  expect(history.read).toBe(read + 1);
});

test('an order that the broker opens again, or annuls, is told and fetched again', async () => {
  const user = pushes();
  user.load();
  const ends = (reason: string, minute: number) => {
    const end = { CloseReason: reason, CompleteTimeHandler: `2026-01-05T12:0${minute}:00Z` };
    receive(user, 'FOREX_CLOSED', { Id: 1, Order: row(1, { Status: 3, ...end }) });
  };
  receive(user, 'FOREX_TRADE', row(1));
  ends('stop_loss', 1);
  ends('stop_loss', 1);
  receive(user, 'FOREX_TRADE', row(1));
  await eventually(() => expect(user.openOrders.get(1)).toBeDefined());
  expect(user.corrected).toEqual([1, 1, 1, 1]);
  ends('stop_loss', 2);
  ends('busted', 2);
  const reasons = () =>
    user.events.flatMap((event) => (event.type === 'order-closed' ? event.order.closeReason : []));
  await eventually(() => expect(reasons()).toEqual(['stop_loss', 'stop_loss', 'busted']));
});

test('of orders that it does not hold a page is told what has just ended, or was voided, and no corrected price', async () => {
  const user = pushes();
  user.load();
  const ends = (id: number, reason: string, time: string) => {
    const end = { CloseReason: reason, CompleteTimeHandler: `2026-01-05T${time}Z` };
    receive(user, 'FOREX_CLOSED', { Id: id, Order: row(id, { Status: 3, ...end }) });
  };
  ends(1, 'stop_out', '12:03:59');
  ends(2, 'stop_loss', '12:04:59');
  ends(3, 'busted', '11:00:00');
  receive(user, 'FOREX_TRADE', row(4));
  ends(4, 'stop_loss', '11:00:00');
  const told = () =>
    user.events.flatMap((event) => (event.type === 'order-closed' ? event.order.id : []));
  await eventually(() => expect(told()).toEqual([2, 3, 4]));
  expect(user.corrected).toEqual([1, 2, 3, 4, 4]);
});
