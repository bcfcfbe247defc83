import { describe, expect, it } from 'vitest';
import { add, toDecimal, toFixed } from '#domain/core/decimal';
import { SUMMARY } from '../support/accountSummary';
import type { Route } from '../support/scriptedHttp';
import { sameAmount, TestServer } from '../support/testServer';
import {
  createTestWorker,
  instrumentRow,
  MemoryStorage,
  type TestWorker,
} from '../support/testWorker';

const ROWS = [instrumentRow(1, 'EURUSD'), instrumentRow(2, 'NZDUSD')];
const DETAIL = '/v1/api/main/account/forexDetail';
const DEAL = '/v1/api/forex/my_deal';
const DRAW = '/api/account/draw';
const KEY = '6f1f0a52-4c2f-4a57-9c7a-2f2f8e0f7a11';

type Prepare = (testServer: TestServer, worker: TestWorker) => void;

async function begun(statuses: number[], prepare: Prepare = () => {}) {
  const storage = new MemoryStorage();
  await storage.set('token', 'secret');
  const worker = createTestWorker(ROWS, { storage });
  const testServer = new TestServer(worker, ROWS);
  for (const status of statuses)
    testServer.open({ forex_id: '1', status: `${status}`, cont: '0.1', target_price: '1.05' });
  prepare(testServer, worker);
  worker.start();
  await worker.clock.advance(1000);
  return { worker, testServer };
}

function expectSame({ shown }: TestWorker, testServer: TestServer): void {
  const detail = testServer.detail();
  for (const [mine, theirs] of Object.entries(SUMMARY)) {
    const text = shown.account?.[mine as keyof typeof SUMMARY];
    expect(sameAmount(text, detail[theirs]), `${mine}: ${text}, ${detail[theirs]}`).toBe(true);
  }
  const balance = toFixed(add(toDecimal(detail.balance), toDecimal(detail.caution_money)), 6);
  expect(sameAmount(shown.account?.balance, balance), `balance: ${balance}`).toBe(true);
  expect(shown.account?.riskRate ?? '--').toBe(detail.risk_rate);
  expect(shown.account?.marginLevel ?? '--').toBe(detail.prepayment_ratio);
}

describe('the summary of the account', () => {
  it('equal forexDetail at every price, without a request', async () => {
    const { worker, testServer } = await begun([1, 1, 0]);
    testServer.open({ forex_id: '2', type: '2', status: '1', cont: '3.17' });
    testServer.locked = toDecimal('12.34');
    await worker.workerApi.refreshOrders();
    await worker.clock.advance(1000);
    const asked = worker.server.to(DETAIL).length;
    const moves = ['1.10001', '1.2', '0.9', '1.1', '1.49999', '0.00001', '2.5'];
    for (const [index, price] of moves.entries()) {
      testServer.tick((index % 2) + 1, price);
      await worker.clock.advance(100);
      expectSame(worker, testServer);
    }
    expect(worker.server.to(DETAIL)).toHaveLength(asked);
  });

  it('is asked for again soon where it does not fit the orders, however long the network failed before', async () => {
    let failed = 0;
    const { worker, testServer } = await begun([1], (_, { server }) => {
      const detail = server.routes.get(DETAIL) as Route;
      server.on(DETAIL, (asked) => {
        failed += 1;
        if (failed <= 6) return { fault: 'ERR_NETWORK' };
        server.on(DETAIL, detail);
        const { data } = detail(asked) as { data: object };
        // As it was before the last order.
        return { data: { ...data, caution_money: '0' } };
      });
    });
    while (failed < 7) await worker.clock.advance(500);
    await worker.clock.advance(1000);
    expectSame(worker, testServer);
  });

  it('have the price of each instrument at which the account is stopped out, which follows the other one', async () => {
    const { worker, testServer } = await begun([1, 1, 0]);
    testServer.open({ forex_id: '2', type: '2', status: '1', cont: '0.5' });
    testServer.balance = toDecimal('5000');
    await worker.workerApi.refreshOrders();
    await worker.clock.advance(1000);
    const stopOutOf = (id: number) => worker.shown.account?.stopOutPrices[id] ?? '';
    // 5,000 + 875 + 20,000 × (P - 1.1) = 20 % of the margin in use, 875
    expect(stopOutOf(1)).toBe('0.815');
    testServer.tick(2, '1.105');
    await worker.clock.advance(100);
    // The other position has lost 250: this one has less left.
    expect(stopOutOf(1)).toBe('0.8275');
    const level = async (price: string) => {
      testServer.tick(1, price);
      await worker.clock.advance(100);
      return worker.shown.account?.marginLevel;
    };
    expect(await level('0.82751')).toBe('20.02');
    // A move of its own price alone does not change it.
    expect(stopOutOf(1)).toBe('0.8275');
    expect(await level('0.8275')).toBe('20.00');
  });

  it('are sent only while a screen shows them, and again when another one does', async () => {
    const { worker, testServer } = await begun([1]);
    const { account } = worker.shown;
    worker.workerApi.watch({ account: false });
    testServer.tick(1, '1.2');
    await worker.clock.advance(100);
    expect(worker.shown.account).toBe(account);
    worker.workerApi.watch({ account: true });
    await worker.clock.advance(100);
    expectSame(worker, testServer);
    expect(worker.shown.account).not.toEqual(account);
  });

  it('have no ratios without margin in use', async () => {
    const { worker, testServer } = await begun([]);
    expectSame(worker, testServer);
    expect(worker.shown.account).toMatchObject({
      equity: '100000',
      riskRate: undefined,
      marginLevel: undefined,
    });
  });

  it('are not shown before orders and balance are known', async () => {
    const { worker, testServer } = await begun([1], (booked) => {
      booked.held = true;
    });
    const deliver = async (path: string) => {
      testServer.requests
        .filter(({ asked }) => asked.path === path)
        .forEach(() => {
          const index = testServer.requests.findIndex(({ asked }) => asked.path === path);
          testServer.process(
            testServer.requests.slice(0, index).filter(({ reply }) => !reply).length,
          );
          testServer.deliver(index);
        });
      await worker.clock.advance(200);
    };
    await deliver(DETAIL);
    expect(worker.shown.account ?? null).toBeNull();
    await deliver(DEAL);
    expectSame(worker, testServer);
  });

  it('never mix an order with a balance from before it', async () => {
    const { worker, testServer } = await begun([1]);
    testServer.tick(1, '1.2');
    await worker.clock.advance(100);
    const before = worker.shown.frames.length;
    const nets = new Set([Number(testServer.detail().net_value)]);
    testServer.held = true;
    testServer.end(1, 'take_profit');
    nets.add(Number(testServer.detail().net_value));
    testServer.open({ forex_id: '1', status: '1', cont: '5' });
    nets.add(Number(testServer.detail().net_value));
    while (testServer.outbox.length > 0 || testServer.requests.length > 0) {
      testServer.push();
      await worker.clock.advance(60);
      testServer.process(0);
      testServer.deliver(0);
      await worker.clock.advance(60);
    }
    expectSame(worker, testServer);
    const shown = worker.shown.frames.slice(before).flatMap(({ account }) => account ?? []);
    expect(shown.length).toBeGreaterThan(0);
    for (const { equity } of shown) expect([...nets]).toContain(Number(equity));
  });

  it('do not take a balance from before the fill with the profit after it', async () => {
    const { worker, testServer } = await begun([0]);
    testServer.held = true;
    void worker.workerApi.refreshOrders();
    await worker.clock.advance(10);
    // The answers are from before the fill and arrive after its push.
    while (testServer.requests.some(({ reply }) => !reply)) testServer.process(0);
    testServer.fill(1);
    testServer.push();
    testServer.tick(1, '1.3');
    const before = worker.shown.frames.length;
    while (testServer.requests.length > 0) {
      testServer.process(0);
      testServer.deliver(0);
      await worker.clock.advance(60);
    }
    expectSame(worker, testServer);
    const shown = worker.shown.frames.slice(before).flatMap(({ account }) => account ?? []);
    expect(new Set(shown.map(({ equity }) => Number(equity)))).toEqual(
      new Set([Number(testServer.detail().net_value)]),
    );
  });

  it('are requested again when money has moved in another way', async () => {
    const { worker, testServer } = await begun([1]);
    worker.server.on(DRAW, () => {
      testServer.balance = toDecimal('90000');
      testServer.locked = toDecimal('500');
      return { data: { id: 1 } };
    });
    const drawn = worker.workerApi.api(
      'wallet.submitWithdrawal',
      { draw_currency_id: 1, number: '500', draw_method_id: 1 },
      { key: KEY },
    );
    // The code of the call is loaded first.
    await drawn;
    await worker.clock.advance(1000);
    expectSame(worker, testServer);
    expect(worker.shown.account?.lockBalance).toBe('610');
  });

  it('are requested again at growing intervals while they fail', async () => {
    const { worker, testServer } = await begun([1]);
    const route = worker.server.routes.get(DETAIL);
    worker.server.on(DETAIL, () => ({ status: 502 }));
    void worker.workerApi.refreshOrders();
    await worker.clock.advance(600_000);
    const tries = worker.server.to(DETAIL).length;
    expect(tries).toBeGreaterThan(30);
    expect(tries).toBeLessThan(60);
    if (route) worker.server.on(DETAIL, route);
    testServer.balance = toDecimal('5');
    await worker.clock.advance(15_000);
    expectSame(worker, testServer);
  });

  it('detect a lost push', async () => {
    const { worker, testServer } = await begun([1, 1]);
    // The order ends without a push.
    testServer.orders.delete(1);
    testServer.open({ forex_id: '2', status: '1', cont: '0.1' });
    await worker.clock.advance(5000);
    expectSame(worker, testServer);
    const orders = await worker.workerApi.orders('holding', 0, 9);
    expect(orders).toMatchObject({ ok: true, data: { total: 2, orders: [{ id: 3 }, { id: 2 }] } });
  });

  it('are the server’s if the two do not agree', async () => {
    const { worker, testServer } = await begun([1]);
    const detail = { ...testServer.detail(), caution_money: '777', balance: '1000' };
    worker.server.on(DETAIL, () => ({ data: detail }));
    const stops = { stopLoss: '1', takeProfit: '', trailing: '' };
    await worker.workerApi.setExits(1, stops, '6f1f0a52-4c2f-4a57-9c7a-2f2f8e0f7a11');
    await worker.clock.advance(30_000);
    expect(worker.shown.account).toMatchObject({ balance: '1777', marginInUse: '777' });
    expect(worker.server.to(DEAL).length).toBeLessThan(30);
    const { length } = worker.server.to(DETAIL);
    await worker.clock.advance(600_000);
    expect(worker.server.to(DETAIL)).toHaveLength(length);
  });
});
