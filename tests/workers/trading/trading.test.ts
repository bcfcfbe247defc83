import { describe, expect, it } from 'vitest';
import { toDecimal, toText } from '#domain/core/decimal';
import { toLots, toUsd } from '#domain/core/units';
import type { OrderStatus } from '#domain/trading/order';
import { realised } from '#domain/trading/profit';
import type { TicketInput } from '#domain/trading/ticketInput';
import { held } from '../support/scriptedHttp';
import { ScriptedTabs } from '../support/scriptedTabs';
import { sameAmount, TestServer } from '../support/testServer';
import {
  createTestWorker,
  instrumentRow,
  MemoryStorage,
  type TestWorker,
  type TestWorkerOptions,
} from '../support/testWorker';
import { TICKET } from '../support/ticket';

const ROWS = [instrumentRow(1, 'EURUSD'), instrumentRow(2, 'NZDUSD')];
const DEAL = '/v1/api/forex/my_deal';
const DETAIL = '/v1/api/main/account/forexDetail';
const SUBMIT = '/v1/api/forex/submit';
const CLOSE = '/v1/api/forex/close';
const KEY = '6f1f0a52-4c2f-4a57-9c7a-2f2f8e0f7a11';
const SEEN = { id: 1, lots: toLots('0.1') };

interface Play {
  worker: TestWorker;
  testServer: TestServer;
}

/** A worker whose user logged in on an earlier visit and has orders of these statuses. */
async function begun(
  statuses: number[] = [],
  prepare: (testServer: TestServer) => void = () => {},
  options: TestWorkerOptions = {},
): Promise<Play> {
  const storage = new MemoryStorage();
  await storage.set('token', 'secret');
  const worker = createTestWorker(ROWS, { storage, ...options });
  const testServer = new TestServer(worker, ROWS);
  for (const status of statuses)
    testServer.open({ forex_id: '1', status: `${status}`, cont: '0.1', target_price: '1.05' });
  prepare(testServer);
  worker.start();
  await worker.clock.advance(1000);
  return { worker, testServer };
}

async function ids(
  { workerApi }: TestWorker,
  status: OrderStatus,
  from = 0,
  to = 100,
): Promise<number[]> {
  const result = await workerApi.orders(status, from, to);
  if (!result.ok) throw new Error(JSON.stringify(result.failure));
  return result.data.orders.map(({ id }) => id);
}

const closedIds = ({ shown }: TestWorker) =>
  shown.events.flatMap((event) => (event.type === 'order-closed' ? [event.order.id] : []));

describe('a refresh that fails', () => {
  const failure = { kind: 'transport', code: '503' };
  const failures = ({ shown }: TestWorker) => shown.events.filter(({ type }) => type === 'failure');
  const broken = ({ server }: TestWorker) => {
    const works = server.routes.get(DEAL);
    server.on(DEAL, () => ({ status: 503 }));
    return () => works && server.on(DEAL, works);
  };

  it('keeps the open orders, reports the failure, and tries again', async () => {
    const { worker } = await begun([1, 0]);
    expect(await worker.workerApi.orders('holding', 0, 9)).toMatchObject({
      data: { total: 1, failure: undefined },
    });
    const repair = broken(worker);
    const { ordersRevision } = worker.shown;
    await worker.workerApi.refreshOrders();
    await worker.clock.advance(200);
    expect(worker.shown.ordersRevision).toBeGreaterThan(ordersRevision);
    expect(await worker.workerApi.orders('holding', 0, 9)).toMatchObject({
      ok: true,
      data: { total: 1, failure },
    });
    await worker.clock.advance(10_000);
    expect(failures(worker)).toEqual([{ type: 'failure', failure }]);
    repair();
    await worker.clock.advance(20_000);
    expect(await worker.workerApi.orders('holding', 0, 9)).toMatchObject({
      data: { total: 1, failure: undefined },
    });
  });

  it('after a reconnect is reported once', async () => {
    const { worker } = await begun([1]);
    const repair = broken(worker);
    worker.sockets.last.drop();
    await worker.clock.advance(20_000);
    expect(failures(worker)).toEqual([{ type: 'failure', failure }]);
    expect(await ids(worker, 'holding')).toEqual([1]);
    repair();
  });

  it('leaves the history as it was', async () => {
    const { worker, testServer } = await begun([1, 1], (server) => void server.end(1, 'user'));
    expect(await ids(worker, 'closed')).toEqual([1]);
    const repair = broken(worker);
    testServer.end(2, 'user');
    testServer.push();
    await worker.clock.advance(100);
    const result = await worker.workerApi.orders('closed', 0, 9);
    expect(result).toMatchObject({ ok: true, data: { total: 1, failure } });
    await worker.workerApi.orders('closed', 0, 9);
    await worker.clock.advance(100);
    expect(failures(worker)).toEqual([{ type: 'failure', failure }]);
    repair();
    expect(await ids(worker, 'closed')).toEqual([2, 1]);
  });
});

describe('logging in', () => {
  it('logs the socket in, subscribes the private topics and fetches orders and account', async () => {
    const { worker } = await begun([1, 0]);
    expect(worker.sockets.last.asked).toEqual(
      expect.arrayContaining([
        { type: 'login', token: 'secret' },
        { type: 'sub', topic: 'FOREX_TRADE' },
        { type: 'sub', topic: 'FOREX_CLOSED' },
      ]),
    );
    expect(await ids(worker, 'holding')).toEqual([1]);
    expect(await ids(worker, 'pending')).toEqual([2]);
    expect(worker.server.to(DEAL)[0]?.params).toMatchObject({ limit: '500', page: '1' });
    expect(worker.shown.account).toMatchObject({ marginInUse: '215', profit: '0.000000' });
    expect(worker.shown.ordersRevision).toBeGreaterThan(0);
  });

  it('fetches them once, also for a screen that is opened meanwhile', async () => {
    const { worker } = await begun([1, 0]);
    await worker.workerApi.refreshOrders(true);
    expect(await ids(worker, 'holding')).toEqual([1]);
    expect(worker.server.to(DEAL).map(({ params }) => params['status'])).toEqual(['0', '1']);
    expect(worker.server.to('/v1/api/main/account/forexDetail')).toHaveLength(1);
    await worker.clock.advance(2000);
    await worker.workerApi.refreshOrders(true);
    expect(worker.server.to(DEAL)).toHaveLength(4);
  });

  it('fetches them once for a screen that is opened before the socket is logged in, too', async () => {
    const storage = new MemoryStorage();
    await storage.set('token', 'secret');
    const worker = createTestWorker(ROWS, { storage });
    new TestServer(worker, ROWS);
    worker.sockets.reachable = false;
    worker.start();
    await worker.workerApi.refreshOrders(true);
    await worker.clock.advance(1000);
    expect(worker.server.to(DEAL)).toHaveLength(2);
    expect(worker.server.to(DETAIL)).toHaveLength(1);
  });

  it('fetches them once after a reconnect', async () => {
    const { worker } = await begun([1, 0]);
    const paths = [DEAL, '/v1/api/main/account/forexDetail'];
    const fetched = () => paths.map((path) => worker.server.to(path).length);
    const [lists = 0, balances = 0] = fetched();
    worker.sockets.last.drop();
    await worker.clock.advance(3000);
    expect(fetched()).toEqual([lists + 2, balances + 1]);
  });

  it('fetches them again for a screen that is opened right after a reconnect', async () => {
    const { worker } = await begun([1, 0]);
    await worker.clock.advance(5000);
    worker.sockets.last.drop();
    await worker.clock.advance(3000);
    const fetched = () => worker.server.to('/v1/api/main/account/forexDetail').length;
    const before = fetched();
    expect(before).toBeGreaterThan(1);
    await worker.workerApi.refreshOrders(true);
    expect(fetched()).toBe(before + 1);
  });

  it('with a demo account brings its orders', async () => {
    const worker = createTestWorker(ROWS);
    const testServer = new TestServer(worker, ROWS);
    worker.server.on('/api/user/createAccountDemoForU', () => ({
      data: { token: 'secret', user: { id: 7, uid: '7', is_demo: 1 } },
    }));
    worker.start();
    await worker.clock.advance(1000);
    expect(worker.server.to(DEAL)).toEqual([]);
    expect(await worker.workerApi.orders('holding', 0, 9)).toMatchObject({
      ok: true,
      data: { total: 0, loading: false },
    });
    testServer.open({ forex_id: '1', status: '1', cont: '0.1' });
    expect(await worker.workerApi.signInDemo()).toMatchObject({ ok: true, data: { demo: true } });
    await worker.clock.advance(1000);
    expect(await ids(worker, 'holding')).toEqual([1]);
    expect(worker.shown.account).toMatchObject({ balance: '99999.5', marginInUse: '110' });
  });

  it('waits for the list if a tab is requested before it', async () => {
    const { worker } = await begun([1], (testServer) => {
      testServer.held = true;
    });
    let answer: unknown;
    void worker.workerApi.orders('holding', 0, 9).then((result) => {
      answer = result;
    });
    await worker.clock.advance(100);
    expect(answer).toBeUndefined();
  });

  it('reports why a tab cannot be listed, and lists it once it can', async () => {
    const { worker, testServer } = await begun([1], (booked) => {
      booked.held = true;
    });
    const asked = worker.workerApi.orders('holding', 0, 9);
    while (testServer.requests.length > 0) {
      testServer.deliver(0, true);
      await worker.clock.advance(0);
    }
    expect(await asked).toEqual({ ok: false, failure: { kind: 'transport', code: 'ERR_NETWORK' } });
    // No user asked for the list, so no failure is shown.
    expect(worker.shown.events).toEqual([]);
    const { ordersRevision } = worker.shown;
    testServer.release();
    await worker.clock.advance(2000);
    expect(worker.shown.ordersRevision).toBeGreaterThan(ordersRevision);
    expect(await ids(worker, 'holding')).toEqual([1]);
    expect(worker.shown.account).toMatchObject({ marginInUse: '110' });
  });
});

describe('orders', () => {
  it('are all listed, page by page', async () => {
    const { worker } = await begun(Array.from({ length: 1203 }, () => 1));
    expect(await ids(worker, 'holding', 0, 2000)).toHaveLength(1203);
    expect(await ids(worker, 'holding', 600, 603)).toEqual([603, 602, 601]);
    expect(await worker.workerApi.orders('holding', 600, 603)).toMatchObject({
      ok: true,
      data: { total: 1203, from: 600 },
    });
  });

  it('are read again if pages shift meanwhile', async () => {
    const { worker, testServer } = await begun();
    for (let i = 0; i < 600; i++) testServer.open({ forex_id: '1', status: '1', cont: '0.1' });
    const before = worker.server.to(DEAL).length;
    worker.server.on(DEAL, ({ params }) => {
      // Without a push, an order of the first page ends and one of the second page moves up.
      if (params['page'] === '2' && worker.server.to(DEAL).length < before + 4)
        testServer.orders.delete(600);
      const rows = testServer.of(Number(params['status'])).sort((a, b) => b.Id - a.Id);
      const from = (Number(params['page']) - 1) * 500;
      return { data: { data: rows.slice(from, from + 500), total: rows.length } };
    });
    const refreshed = worker.workerApi.refreshOrders();
    await worker.clock.advance(100);
    expect(await refreshed).toMatchObject({ ok: true });
    expect(await ids(worker, 'holding', 0, 1000)).toHaveLength(599);
  });

  it('are updated by pushes, each reported once', async () => {
    const { worker, testServer } = await begun([0]);
    testServer.fill(1);
    await worker.clock.advance(1000);
    expect(await ids(worker, 'holding')).toEqual([1]);
    expect(worker.shown.events).toMatchObject([
      { type: 'order-changed', order: { id: 1, status: 'holding' } },
    ]);
    testServer.end(1, 'take_profit');
    await worker.clock.advance(1000);
    expect(await ids(worker, 'holding')).toEqual([]);
    expect(worker.shown.events.at(-1)).toMatchObject({
      type: 'order-closed',
      order: { id: 1, status: 'closed', closeReason: 'take_profit' },
    });
    expect(await ids(worker, 'closed')).toEqual([1]);
  });

  it('of another user are ignored', async () => {
    const { worker, testServer } = await begun([1]);
    worker.sockets.onSent = undefined;
    await worker.workerApi.signOut();
    testServer.end(1, 'user');
    await worker.clock.advance(1000);
    expect(worker.shown.events).toEqual([]);
    expect(worker.workerApi.ordersOf(1)).toEqual([]);
  });

  it('handle invalid pushes', async () => {
    const { worker } = await begun([1]);
    for (const type of ['FOREX_TRADE', 'FOREX_CLOSED'])
      for (const data of [null, 7, 'x', [], {}, { Id: '__proto__' }, { Id: 9, Order: { Id: 1 } }])
        worker.sockets.last.receive({ type, data });
    await worker.clock.advance(1000);
    expect(await ids(worker, 'holding')).toEqual([1]);
    expect(worker.shown.events).toEqual([]);
  });

  it('end even if the push of their end is invalid', async () => {
    const { worker, testServer } = await begun([1, 1]);
    worker.sockets.onSent = undefined;
    testServer.drop();
    testServer.end(1, 'stop_loss');
    await worker.clock.advance(100);
    worker.sockets.last.receive({ type: 'login', code: 1 });
    worker.sockets.last.receive({ type: 'FOREX_CLOSED', data: { Id: 1, Order: { Id: 1 } } });
    await worker.clock.advance(1000);
    expect(await ids(worker, 'holding')).toEqual([2]);
    expect(closedIds(worker)).toEqual([1]);
  });

  it('keep the quotes of their instruments subscribed, out of sight and in a long list', async () => {
    const rows = Array.from({ length: 150 }, (_, i) => instrumentRow(i + 1, `CODE${i + 1}`));
    const storage = new MemoryStorage();
    await storage.set('token', 'secret');
    const worker = createTestWorker(rows, { storage });
    const testServer = new TestServer(worker, rows);
    testServer.open({ forex_id: '140', status: '1', cont: '0.1' });
    testServer.open({ forex_id: '7', status: '0', cont: '0.1', target_price: '1' });
    worker.start();
    worker.workerApi.watch({ instruments: { add: [3], remove: [] } });
    await worker.clock.advance(1000);
    const asked = () => {
      const last = worker.sockets.last.asked.findLast(
        (message) => message.type === 'sub' && message.topic === 'DAY_MARKET',
      );
      return last && 'codes' in last ? [...(last.codes ?? [])].sort() : undefined;
    };
    expect(asked()).toEqual(['CODE140', 'CODE3', 'CODE7']);
    testServer.end(1, 'user');
    await worker.clock.advance(5000);
    expect(asked()).toEqual(['CODE3', 'CODE7']);
  });

  it('of one instrument are sent to its chart, at the latest price', async () => {
    const { worker, testServer } = await begun([1, 0]);
    testServer.open({ forex_id: '2', status: '1', cont: '0.1' });
    testServer.tick(1, '1.2');
    await worker.clock.advance(100);
    const orders = worker.workerApi.ordersOf(1);
    expect(orders.map(({ id }) => id)).toEqual([2, 1]);
    expect(orders.map(({ updatePrice }) => toText(updatePrice))).toEqual(['1.2', '1.2']);
    expect(orders.map(({ profit }) => toText(profit))).toEqual(['0', '1000']);
  });
});

describe('after a loss of the connection', () => {
  it('orders and account are fetched again, and missed ends are reported', async () => {
    const { worker, testServer } = await begun([0, 1, 1]);
    testServer.held = true;
    testServer.fill(1);
    testServer.end(2, 'stop_out');
    testServer.stops(3, '1.01', '0');
    testServer.open({ forex_id: '2', status: '1', cont: '0.3' });
    testServer.held = false;
    testServer.drop();
    await worker.clock.advance(2000);
    expect(worker.sockets.all).toHaveLength(2);
    expect(await ids(worker, 'holding')).toEqual([4, 3, 1]);
    expect(await ids(worker, 'pending')).toEqual([]);
    expect(worker.workerApi.ordersOf(1).map(({ stopLoss }) => toText(stopLoss))).toEqual([
      '1.01',
      '0',
    ]);
    expect(closedIds(worker)).toEqual([2]);
    expect(sameAmount(worker.shown.account?.equity, testServer.detail().net_value)).toBe(true);
  });

  it('an answer from before it does not delay the new ones', async () => {
    const { worker, testServer } = await begun([1]);
    testServer.held = true;
    void worker.workerApi.refreshOrders();
    await worker.clock.advance(10);
    expect(testServer.requests.length).toBeGreaterThan(0);
    testServer.held = false;
    testServer.open({ forex_id: '1', status: '1', cont: '0.1' });
    testServer.drop();
    await worker.clock.advance(2000);
    expect(await ids(worker, 'holding')).toEqual([2, 1]);
    expect(worker.shown.account).toMatchObject({ marginInUse: '220' });
  });
});

describe('the user', () => {
  it('submits: the quote seen, stops only where they are set', async () => {
    const { worker } = await begun();
    const result = await worker.workerApi.submit(
      { ...TICKET, targetPrice: '1.1', stopLoss: '1.09', deviation: '0.0005' },
      KEY,
    );
    expect(result).toMatchObject({ ok: true, data: { data: { id: 1, status: 'holding' } } });
    const [asked] = worker.server.to(SUBMIT);
    const { t: _, valid_until: until, ...params } = asked?.params ?? {};
    expect(Number(until) - worker.clock.now()).toBe(5000);
    expect(params).toEqual({
      type: '1',
      forex_id: '1',
      cont: '0.1',
      status: '1',
      target_price: '1.1',
      stop_loss_price: '1.09',
      target_profit_price: '0',
      multiple: '100',
      deviation: '0.0005',
    });
    expect(asked?.headers['idempotency-key']).toBe(KEY);
    await worker.clock.advance(1000);
    expect(await ids(worker, 'holding')).toEqual([1]);
    // The popup reports it; the server's text is not shown.
    expect(worker.shown.events.map(({ type }) => type)).toEqual(['order-changed']);
    expect(worker.shown.account).toMatchObject({ balance: '99999.5', marginInUse: '110' });
  });

  it('submits at the latest price where the form names none, and a pending order at its target', async () => {
    const { worker, testServer } = await begun();
    testServer.tick(1, '1.2');
    await worker.workerApi.submit({ ...TICKET, side: 'sell' }, KEY);
    await worker.workerApi.submit(
      { ...TICKET, type: 'pending', targetPrice: '1.15', deviation: '1' },
      KEY.replace('1', '2'),
    );
    expect(worker.server.to(SUBMIT).map(({ params }) => params)).toMatchObject([
      { type: '2', status: '1', target_price: '1.2' },
      { type: '1', status: '0', target_price: '1.15' },
    ]);
    expect(worker.server.to(SUBMIT)[1]?.params['deviation']).toBeUndefined();
  });

  it.each<[string, Partial<TicketInput>]>([
    ['noPrice', { instrumentId: 99 }],
    ['lotsRequired', { lots: '' }],
    ['lotsStep', { lots: '0.015' }],
    ['leverageRequired', { leverage: '' }],
    ['leverageUnknown', { leverage: '7' }],
    ['priceRequired', { type: 'pending' }],
    ['stopLossNotBelow', { stopLoss: '1.1' }],
    ['priceMoved', { targetPrice: '1.09', deviation: '0.001' }],
  ])('reports a broken rule before anything is sent: %s', async (key, change) => {
    const { worker } = await begun();
    const result = await worker.workerApi.submit({ ...TICKET, ...change }, KEY);
    expect(result).toMatchObject({ ok: false, failure: { kind: 'invalid', message: { key } } });
    await worker.clock.advance(100);
    expect(worker.server.to(SUBMIT)).toEqual([]);
    expect(worker.shown.events).toMatchObject([{ type: 'failure', failure: { kind: 'invalid' } }]);
  });

  it('leaves the check of the balance to the server', async () => {
    const { worker } = await begun();
    await worker.workerApi.submit({ ...TICKET, lots: '1000' }, KEY);
    expect(worker.server.to(SUBMIT)).toHaveLength(1);
  });

  it('closes, cancels and edits stops, and reads the answers', async () => {
    const { worker } = await begun([1, 0, 1]);
    const { workerApi } = worker;
    await workerApi.closeOrder(SEEN, KEY);
    const stops = { stopLoss: '', takeProfit: '1.5', trailing: '0.02' };
    // The caller shows them, with an offer to take the change back.
    expect([
      await workerApi.cancelOrder(2, KEY.replace('1', '2')),
      await workerApi.setExits(3, stops, KEY.replace('1', '3')),
    ]).toMatchObject([{ data: { text: 'Cancelled' } }, { data: { text: 'Saved' } }]);
    await worker.clock.advance(1000);
    expect(
      worker.shown.events.flatMap((event) => (event.type === 'notice' ? event.text : [])),
    ).toEqual(['Closed']);
    expect(worker.server.to('/v1/api/forex/set_stop_price')[0]?.params).toMatchObject({
      stop_loss_price: '0',
      target_profit_price: '1.5',
      trailing: '0.02',
    });
    expect(await ids(worker, 'holding')).toEqual([3]);
    expect(await ids(worker, 'pending')).toEqual([]);
    expect((await ids(worker, 'closed')).sort()).toEqual([1, 2]);
  });

  it('closes a part, and holds what remains', async () => {
    const { worker, testServer } = await begun([1]);
    testServer.tick(1, '1.2');
    expect(await worker.workerApi.closePart(SEEN, '0.05', KEY)).toMatchObject({ ok: true });
    await worker.clock.advance(100);
    expect(worker.server.to(CLOSE)[0]).toMatchObject({
      params: { id: '1', cont: '0.05' },
      headers: { 'idempotency-key': KEY },
    });
    const held = await worker.workerApi.orders('holding', 0, 9);
    expect(held.ok && held.data.orders.map(({ lots }) => toText(lots))).toEqual(['0.05']);
    expect(await ids(worker, 'closed')).toEqual([2]);
    const [notice] = worker.shown.events.filter(({ type }) => type === 'notice');
    expect(notice).toMatchObject({
      text: 'Closed',
      closed: { id: 2, profit: toUsd('500.000000') },
    });
  });

  it('tells only a server that checks it which lots the user saw', async () => {
    const sent = [];
    for (const features of [['partial_close'], ['partial_close', 'seen_quantity']]) {
      const { worker } = await begun([1], (testServer) => {
        testServer.features = features;
      });
      await worker.workerApi.closePart(SEEN, '0.05', KEY);
      await worker.workerApi.closeOrder(SEEN, KEY.replace('1', '2'));
      const calls = worker.server.to(CLOSE);
      sent.push(calls.map(({ params }) => params['seen_quantity']));
    }
    expect(sent).toEqual([
      [undefined, undefined],
      ['0.1', '0.1'],
    ]);
  });

  it('names the profit of a closed part, also of an equal one before, where the push comes after the answer', async () => {
    const { worker, testServer } = await begun([1]);
    const notices = () => worker.shown.events.filter(({ type }) => type === 'notice');
    for (const [price, key] of [
      ['1.2', KEY],
      ['1.3', KEY.replace('1', '2')],
    ] as const) {
      testServer.tick(1, price);
      testServer.held = true;
      const closing = worker.workerApi.closePart(SEEN, '0.02', key);
      await worker.clock.advance(100);
      testServer.process(0);
      testServer.deliver(0);
      expect(await closing).toMatchObject({ ok: true });
      await worker.clock.advance(100);
      const before = notices().length;
      testServer.release();
      await worker.clock.advance(100);
      expect(notices()).toHaveLength(before + 1);
    }
    expect(notices()).toMatchObject([
      { text: 'Closed', closed: { profit: toUsd('200.000000') } },
      { text: 'Closed', closed: { profit: toUsd('400.000000') } },
    ]);
  });

  it('gets a message about a closed part without its profit where no push comes', async () => {
    const { worker, testServer } = await begun([1]);
    testServer.drop();
    expect(await worker.workerApi.closePart(SEEN, '0.05', KEY)).toMatchObject({ ok: true });
    await worker.clock.advance(1000);
    const [notice] = worker.shown.events.filter(({ type }) => type === 'notice');
    expect(notice).toEqual({ type: 'notice', tone: 'info', text: 'Closed' });
  });

  it('has placed an order whose answer can’t be read, and fetches the lists', async () => {
    const { worker } = await begun();
    worker.server.on(SUBMIT, () => ({ data: null }));
    const before = worker.server.to(DEAL).length;
    const placed = await worker.workerApi.submit(TICKET, KEY);
    expect(placed).toEqual({ ok: true, data: { data: undefined, text: '' } });
    await worker.clock.advance(1000);
    expect(worker.server.to(DEAL).length).toBeGreaterThan(before);
    expect(worker.shown.events).toEqual([]);
  });

  it('gets a notice of a refusal, unless it is one of many', async () => {
    const { worker } = await begun([0]);
    const refused = { ok: false, failure: { kind: 'refused', text: 'Not holding' } };
    expect(await worker.workerApi.closeOrder(SEEN, KEY, true)).toMatchObject(refused);
    await worker.clock.advance(100);
    expect(worker.shown.events).toEqual([]);
    expect(await worker.workerApi.closeOrder(SEEN, KEY.replace('1', '2'))).toMatchObject(refused);
    await worker.clock.advance(100);
    expect(worker.shown.events).toEqual([{ type: 'notice', tone: 'error', text: 'Not holding' }]);
  });

  it('closes many without notices', async () => {
    const { worker } = await begun([1, 1]);
    await worker.workerApi.closeOrder(SEEN, KEY, true);
    await worker.clock.advance(100);
    expect(worker.shown.events.map(({ type }) => type)).toEqual(['order-closed']);
  });

  it('resets a demo account', async () => {
    const { worker } = await begun([1, 0]);
    const reset = worker.workerApi.resetDemo(KEY);
    await worker.clock.advance(1000);
    expect(await reset).toEqual({ ok: true, data: { data: '100000', text: 'Reset' } });
    expect(worker.shown.account).toMatchObject({ balance: '100000', marginInUse: '0' });
    expect(await ids(worker, 'holding')).toEqual([]);
    expect(closedIds(worker).sort()).toEqual([1, 2]);
  });
});

/** Keys of the calls whose answer is not known. */
const unanswered = ({ shown }: TestWorker) => shown.unanswered.map(({ key }) => key);

describe('a lost answer', () => {
  it('is found by the same key, and checking until then', async () => {
    const { worker, testServer } = await begun();
    testServer.held = true;
    const submitted = worker.workerApi.submit(TICKET, KEY);
    await worker.clock.advance(10);
    testServer.process(0);
    testServer.deliver(0, true);
    await worker.clock.advance(100);
    expect(unanswered(worker)).toEqual([KEY]);
    testServer.release();
    await worker.clock.advance(2000);
    expect(await submitted).toMatchObject({ ok: true, data: { data: { id: 1 } } });
    expect(unanswered(worker)).toEqual([]);
    expect(testServer.orders.size).toBe(1);
    expect(await ids(worker, 'holding')).toEqual([1]);
  });

  it('is waited for while the first request is still running', async () => {
    const { worker } = await begun();
    const replies = [
      { code: 409, msg: 'Under way' },
      { code: 409, msg: 'Under way' },
    ];
    const { route, release } = held();
    worker.server.on(SUBMIT, (asked) => replies.pop() ?? route(asked));
    const submitted = worker.workerApi.submit(TICKET, KEY);
    await worker.clock.advance(5000);
    expect(unanswered(worker)).toEqual([KEY]);
    release({ code: 2, msg: 'Too late' });
    await worker.clock.advance(100);
    expect(await submitted).toMatchObject({ ok: false, failure: { kind: 'refused', code: 2 } });
    // Reported by its name, because the user may have gone on meanwhile.
    expect(worker.shown.events).toEqual([
      {
        type: 'request-settled',
        subject: { kind: 'submit', order: { side: 'buy', lots: TICKET.lots, name: 'EURUSD' } },
        text: '',
        failure: { kind: 'refused', code: 2, text: 'Too late' },
      },
    ]);
    expect(unanswered(worker)).toEqual([]);
  });

  it('is requested immediately when the connection is back', async () => {
    const { worker, testServer } = await begun([1]);
    testServer.held = true;
    const closed = worker.workerApi.closeOrder(SEEN, KEY);
    await worker.clock.advance(10);
    testServer.process(0);
    testServer.held = false;
    testServer.drop();
    await worker.clock.advance(1000);
    expect(await closed).toMatchObject({ ok: true });
    expect(worker.server.to(CLOSE)).toHaveLength(2);
    expect(await ids(worker, 'holding')).toEqual([]);
  });

  it('is never requested as another user', async () => {
    const { worker, testServer } = await begun([1]);
    testServer.held = true;
    const closed = worker.workerApi.closeOrder(SEEN, KEY);
    await worker.clock.advance(10);
    testServer.deliver(0, true);
    await worker.clock.advance(100);
    const sent = worker.server.to(CLOSE).length;
    await worker.workerApi.signOut();
    worker.server.on('/api/user/createAccountDemoForU', () => ({
      data: { token: 'other', user: { id: 8, uid: '8', is_demo: 1 } },
    }));
    await worker.workerApi.signInDemo();
    await worker.clock.advance(60_000);
    expect(await closed).toEqual({ ok: false, failure: { kind: 'signed-out' } });
    expect(worker.server.to(CLOSE)).toHaveLength(sent);
    expect(unanswered(worker)).toEqual([]);
  });
});

describe('logging out', () => {
  const everything = async ({ worker }: Play) => {
    const open = [...worker.workerApi.ordersOf(1), ...worker.workerApi.ordersOf(2)];
    const tabs = await Promise.all(
      (['holding', 'pending', 'closed'] as const).map((status) => ids(worker, status)),
    );
    return [...open.map(({ id }) => id), ...tabs.flat()];
  };

  it('clears user, orders, account and ticket immediately', async () => {
    const play = await begun([1, 0, 1]);
    const { worker, testServer } = play;
    testServer.end(3, 'user');
    worker.workerApi.setTicket(TICKET);
    worker.workerApi.watchOrders({ add: [1], remove: [] });
    await worker.clock.advance(1000);
    // 100,000 - 110 - 105 of margin - 2 × 0.50 of fees, at 1,105 a lot
    expect(worker.shown.ticket?.maxLots).toBe('90.3');
    const { ordersRevision } = worker.shown;
    const { route } = held();
    worker.server.on('/api/user/logout', route);
    void worker.workerApi.signOut();
    await worker.clock.advance(100);
    expect(worker.server.to('/api/user/logout')[0]?.headers['authorization']).toBe('secret');
    expect(worker.sockets.last.asked.at(-1)).toEqual({ type: 'logout' });
    expect(await everything(play)).toEqual([]);
    expect(worker.shown.user).toBeNull();
    expect(worker.shown.account).toBeNull();
    expect(worker.shown.ticket).toMatchObject({ price: '1.1', margin: '110' });
    expect(worker.shown.ticket?.maxLots).toBeUndefined();
    expect(worker.shown.ticket?.availableAfter).toBeUndefined();
    expect(worker.shown.ordersRevision).toBeGreaterThan(ordersRevision);
    expect(await worker.storage.get('token')).toBeUndefined();
    testServer.tick(1, '1.3');
    await worker.clock.advance(10_000);
    expect(worker.shown.account).toBeNull();
    expect(worker.sockets.last.asked).toEqual(
      expect.arrayContaining([
        { type: 'unsub', topic: 'FOREX_TRADE' },
        { type: 'unsub', topic: 'FOREX_CLOSED' },
      ]),
    );
  });

  it.each([true, false])('by code 999 clears them as well; initial: %s', async (initial) => {
    const play = await begun([1]);
    const { worker, testServer } = play;
    testServer.token = 'another';
    if (initial) testServer.drop();
    else void worker.workerApi.closeOrder(SEEN, KEY);
    await worker.clock.advance(2000);
    expect(worker.shown.events).toEqual([{ type: 'signed-out', initial }]);
    expect(worker.shown.account).toBeNull();
    expect(await everything(play)).toEqual([]);
  });

  it('drops answers to requests from before it', async () => {
    const play = await begun([1]);
    const { worker, testServer } = play;
    testServer.held = true;
    const asked = [
      worker.workerApi.refreshOrders(),
      worker.workerApi.orders('closed', 0, 9),
      worker.workerApi.setExits(1, { stopLoss: '1', takeProfit: '', trailing: '' }, KEY),
    ];
    await worker.clock.advance(10);
    await worker.workerApi.signOut();
    testServer.release();
    await Promise.all(asked);
    await worker.clock.advance(1000);
    expect(await everything(play)).toEqual([]);
    expect(worker.shown.account).toBeNull();
  });

  it('in another tab logs out here too, and so does logging in', async () => {
    const tabs = new ScriptedTabs();
    const play = await begun([1], () => {}, { tabs });
    const { worker } = play;
    const other = tabs.tab();
    other.publishToken('');
    await worker.clock.advance(100);
    expect(await everything(play)).toEqual([]);
    other.publishToken('secret');
    await worker.clock.advance(1000);
    expect(await everything(play)).toEqual([1, 1]);
  });
});

describe('the history', () => {
  async function ended(count: number): Promise<Play> {
    return begun(
      Array.from({ length: count }, () => 1),
      (testServer) => {
        for (let id = 1; id <= count; id++) {
          testServer.prices.set(1, id % 2 ? '1.2' : '1.1');
          testServer.end(id, 'user');
        }
      },
    );
  }
  const asked = ({ worker }: Play) =>
    worker.server.to(DEAL).filter(({ params }) => params['status'] === '3');

  it('is loaded by pages, as far as it is scrolled', async () => {
    const play = await ended(250);
    expect(asked(play)).toEqual([]);
    expect(await ids(play.worker, 'closed', 0, 64)).toEqual(
      Array.from({ length: 64 }, (_, i) => 250 - i),
    );
    expect(await play.worker.workerApi.orders('closed', 0, 1)).toMatchObject({
      ok: true,
      data: { total: 250, profit: '124875.000000', fees: '125' },
    });
    expect(asked(play)).toHaveLength(1);
    expect(await ids(play.worker, 'closed', 150, 160)).toEqual(
      Array.from({ length: 10 }, (_, i) => 100 - i),
    );
    expect(asked(play)).toHaveLength(2);
  });

  it('is loaded completely in as few requests as possible', async () => {
    const play = await ended(1203);
    expect(await ids(play.worker, 'closed', 0, 64)).toHaveLength(64);
    const all = await ids(play.worker, 'closed', 0, 1203);
    expect(new Set(all).size).toBe(1203);
    expect(asked(play)).toHaveLength(4);
  });

  it('loses an order that the broker opens again, wherever it was in it', async () => {
    const { worker, testServer } = await ended(250);
    await ids(worker, 'closed', 0, 250);
    testServer.reopen(3);
    await worker.clock.advance(100);
    const closed = await ids(worker, 'closed', 0, 250);
    expect([closed.length, closed.includes(3)]).toEqual([249, false]);
    expect(await ids(worker, 'holding', 0, 10)).toEqual([3]);
  });

  it('loses what a server that was set back to a backup has lost', async () => {
    const { worker, testServer } = await ended(250);
    await ids(worker, 'closed', 0, 250);
    for (const id of [249, 250]) testServer.orders.delete(id);
    testServer.drop();
    await worker.clock.advance(2000);
    expect(await ids(worker, 'closed', 0, 250)).toEqual(
      Array.from({ length: 248 }, (_, i) => 248 - i),
    );
  });

  it.each([
    ['voided', { CloseReason: 'busted', FactProfits: '0.000000', TradeFee: '0.00' }],
    ['given another price', { CloseReason: 'user', FactProfits: '500.000000' }],
    ['opened again', { Status: 1, CloseReason: '', CompleteTimeHandler: '' }],
  ] as const)('has no older order as it was before the broker has %s it unseen', async (_, row) => {
    const { worker, testServer } = await ended(250);
    await ids(worker, 'closed', 0, 250);
    const order = testServer.orders.get(3);
    if (order) order.row = { ...order.row, ...row };
    testServer.drop();
    await worker.clock.advance(2000);
    const listed = await worker.workerApi.orders('closed', 0, 250);
    if (!listed.ok) throw new Error('no list');
    const { orders, profit, fees } = listed.data;
    const sums = realised(orders);
    expect([profit, fees].map((sum) => sum && toText(toDecimal(sum)))).toEqual(
      [sums.net, sums.fees].map(toText),
    );
    expect(orders.find(({ id }) => id === 3)?.closeReason).toBe(row.CloseReason || undefined);
  });

  it('loads only the first page again when an order has ended', async () => {
    const play = await ended(250);
    const { worker, testServer } = play;
    await ids(worker, 'closed', 0, 250);
    const before = asked(play).length;
    testServer.open({ forex_id: '1', status: '1', cont: '0.1' });
    testServer.end(251, 'user');
    await worker.clock.advance(100);
    expect(await ids(worker, 'closed', 0, 400)).toEqual(
      Array.from({ length: 251 }, (_, i) => 251 - i),
    );
    expect(asked(play)).toHaveLength(before + 1);
  });

  it('is loaded again if more orders have ended than a page holds', async () => {
    const play = await ended(50);
    const { worker, testServer } = play;
    await ids(worker, 'closed', 0, 50);
    testServer.held = true;
    for (let id = 51; id <= 700; id++) {
      testServer.open({ forex_id: '1', status: '1', cont: '0.1' });
      testServer.end(id, 'user');
    }
    testServer.held = false;
    testServer.drop();
    await worker.clock.advance(2000);
    expect(await ids(worker, 'closed', 0, 700)).toEqual(
      Array.from({ length: 700 }, (_, i) => 700 - i),
    );
  });

  it('ends at the last row of the server, whatever its total says', async () => {
    const play = await ended(30);
    play.worker.server.on(DEAL, ({ params }) => {
      const rows = params['page'] === '1' ? [...play.testServer.of(3), { Id: 'x' }] : [];
      return { data: { data: rows, total: 9000, all_fact_profits: '0', balance: '0' } };
    });
    expect(await play.worker.workerApi.orders('closed', 0, 200)).toMatchObject({
      ok: true,
      data: { total: 30 },
    });
  });

  it('that cannot be loaded reports why, and is requested again', async () => {
    const play = await ended(3);
    const { worker } = play;
    const fails = () => ({ status: 503 });
    const route = worker.server.routes.get(DEAL) ?? fails;
    worker.server.on(DEAL, fails);
    expect(await worker.workerApi.orders('closed', 0, 9)).toMatchObject({
      ok: false,
      failure: { kind: 'transport' },
    });
    worker.server.on(DEAL, route);
    expect(await ids(worker, 'closed')).toEqual([3, 2, 1]);
  });
});

describe('a server that ignores the limit', () => {
  it('has its orders and its history listed nevertheless', async () => {
    const { worker, testServer } = await begun(
      Array.from({ length: 70 }, (_, i) => (i < 45 ? 1 : 0)),
    );
    const route = worker.server.routes.get(DEAL);
    if (!route) throw new Error('no route');
    worker.server.on(DEAL, (asked) => {
      const { limit: _, ...params } = asked.params;
      return route({ ...asked, params });
    });
    const expected = await ids(worker, 'holding');
    testServer.drop();
    await worker.clock.advance(2000);
    expect(await ids(worker, 'holding')).toEqual(expected);
    expect(expected).toHaveLength(45);
    expect(await ids(worker, 'pending')).toHaveLength(25);
    for (let id = 1; id <= 45; id++) testServer.end(id, 'user');
    await worker.clock.advance(2000);
    expect(await ids(worker, 'closed', 0, 64)).toEqual(
      Array.from({ length: 45 }, (_, i) => 45 - i),
    );
    expect(await ids(worker, 'holding')).toEqual([]);
  });
});

describe('a refresh by the user', () => {
  it('fetches orders and balances', async () => {
    const { worker, testServer } = await begun([1]);
    testServer.locked = toDecimal('50');
    const before = [worker.server.to(DEAL).length, worker.server.to(DETAIL).length];
    expect(await worker.workerApi.refreshOrders()).toEqual({ ok: true, data: undefined });
    await worker.clock.advance(100);
    expect(worker.server.to(DEAL)).toHaveLength((before[0] ?? 0) + 2);
    expect(worker.server.to(DETAIL)).toHaveLength((before[1] ?? 0) + 1);
    expect(worker.shown.account?.lockBalance).toBe('160');
  });

  it('shares a running request', async () => {
    const { worker, testServer } = await begun([1]);
    const before = worker.server.to(DEAL).length;
    testServer.held = true;
    const first = worker.workerApi.refreshOrders();
    await worker.clock.advance(10);
    const second = worker.workerApi.refreshOrders();
    await worker.clock.advance(10);
    testServer.held = false;
    testServer.release();
    expect(await Promise.all([first, second])).toMatchObject([{ ok: true }, { ok: true }]);
    expect(worker.server.to(DEAL)).toHaveLength(before + 2);
  });

  it('that fails is reported once', async () => {
    const { worker } = await begun([1]);
    for (const path of [DEAL, DETAIL]) worker.server.on(path, () => ({ fault: 'ERR_NETWORK' }));
    expect(await worker.workerApi.refreshOrders()).toMatchObject({ ok: false });
    await worker.clock.advance(100);
    expect(worker.shown.events).toEqual([
      { type: 'failure', failure: { kind: 'transport', code: 'ERR_NETWORK' } },
    ]);
  });

  it('that is refused has the server’s sentence', async () => {
    const { worker } = await begun([1]);
    worker.server.on(DETAIL, () => ({ code: 7, msg: 'Not now' }));
    await worker.workerApi.refreshOrders();
    await worker.clock.advance(100);
    expect(worker.shown.events).toEqual([{ type: 'notice', tone: 'error', text: 'Not now' }]);
  });

  it('does nothing for a visitor', async () => {
    const worker = createTestWorker(ROWS);
    worker.start();
    await worker.clock.advance(100);
    expect(await worker.workerApi.refreshOrders()).toEqual({ ok: true, data: undefined });
    expect(worker.server.to(DEAL)).toEqual([]);
  });
});

describe('what is sent between page and worker', () => {
  it('can be cloned', async () => {
    const { worker } = await begun([1, 0]);
    worker.workerApi.setTicket(TICKET);
    worker.workerApi.watchOrders({ add: [1, 2], remove: [] });
    await worker.clock.advance(1000);
    for (const frame of worker.shown.frames) structuredClone(frame);
    structuredClone(await worker.workerApi.orders('holding', 0, 9));
    structuredClone(worker.workerApi.ordersOf(1));
  });
});
