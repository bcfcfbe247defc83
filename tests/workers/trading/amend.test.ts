import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toDecimal, toText, ZERO } from '#domain/core/decimal';
import { toUnixMs } from '#domain/core/time';
import { largeCount, samples, seed } from '../../helpers/samples';
import type { Reply, Route } from '../support/scriptedHttp';
import { ScriptedTabs } from '../support/scriptedTabs';
import { TestServer } from '../support/testServer';
import { createTestWorker, instrumentRow, MemoryStorage } from '../support/testWorker';

const ROWS = [instrumentRow(1, 'EURUSD')];
const AMEND = '/v1/api/forex/amend';
const KEY = 'key-of-the-amendment';
const TERMS = { lots: '0.3', targetPrice: '1.04', stopLoss: '1', takeProfit: '', trailing: '' };
const ORDER = { side: 'buy', lots: '0.2', name: 'EURUSD' };
const UNTIL = toUnixMs(9e12);

/** A user with a pending buy of 0.2 lots at 1.05, and a position. */
async function begun(features = ['amend', 'expiry', 'trailing_stop']) {
  const storage = new MemoryStorage();
  await storage.set('token', 'secret');
  const tabs = new ScriptedTabs();
  const worker = createTestWorker(ROWS, { storage, tabs });
  const server = new TestServer(worker, ROWS);
  server.features = features;
  server.open({ forex_id: '1', status: '0', cont: '0.2', target_price: '1.05' });
  server.open({ forex_id: '1', status: '1', cont: '0.1' });
  worker.start();
  await worker.clock.advance(1000);
  const { clock, sockets } = worker;
  /** The page is gone; the same user opens another one. */
  async function reload() {
    const next = createTestWorker(ROWS, { storage, tabs, clock, sockets });
    for (const [path, route] of worker.server.routes) next.server.on(path, route);
    for (const path of worker.server.routes.keys()) {
      worker.server.on(path, () => new Promise(() => {}));
    }
    tabs.end(1);
    next.start();
    await clock.advance(1000);
    return next;
  }
  const sent = () => worker.server.to(AMEND);
  return { worker, server, storage, sent, reload };
}

const invalid = (key: string) => ({ ok: false, failure: { kind: 'invalid', message: { key } } });

describe('amending a pending order', () => {
  it('sends all terms once, and applies the answer', async () => {
    const { worker, sent } = await begun();
    const result = await worker.workerApi.amendOrder(1, { ...TERMS, until: UNTIL }, KEY);
    expect(result).toMatchObject({
      ok: true,
      data: { text: 'Changed', data: { id: 1, status: 'pending', until: UNTIL } },
    });
    expect(sent()).toHaveLength(1);
    const [{ params, headers } = { params: {}, headers: {} }] = sent();
    expect(headers).toMatchObject({ 'idempotency-key': KEY });
    expect(params).toMatchObject({
      ...{ id: '1', cont: '0.3', target_price: '1.04', until: String(UNTIL) },
      ...{ stop_loss_price: '1', target_profit_price: '0' },
    });
    const orders = await worker.workerApi.ordersOf(1);
    const [amended] = orders.filter(({ id }) => id === 1);
    expect(amended && [amended.lots, amended.margin].map(toText)).toEqual(['0.3', '312']);
    await worker.clock.advance(1000);
    expect(worker.shown.account).toMatchObject({ marginInUse: '422' });
    expect(worker.shown.unanswered).toEqual([]);
  });

  it.each([
    ['no price', { targetPrice: '' }, 'priceRequired'],
    ['a price of 0', { targetPrice: '0' }, 'priceNotPositive'],
    ['a negative price', { targetPrice: '-1' }, 'priceNotPositive'],
    ['too fine a price', { targetPrice: '1.0400001' }, 'priceTooFine'],
    ['no lots', { lots: '' }, 'lotsRequired'],
    ['lots off the step', { lots: '0.015' }, 'lotsStep'],
    ['a stop-loss on the target', { stopLoss: '1.04' }, 'stopLossNotBelow'],
    ['a negative distance', { trailing: '-1' }, 'distanceNotPositive'],
    ['an expiry in the past', { until: toUnixMs(1) }, 'expiryPast'],
  ])('sends nothing with %s', async (_, change, key) => {
    const { worker, sent } = await begun();
    worker.sockets.last.receive({ type: 'pong', now: worker.clock.steady });
    const result = await worker.workerApi.amendOrder(1, { ...TERMS, ...change }, KEY);
    expect(result).toMatchObject(invalid(key));
    expect(sent()).toEqual([]);
  });

  it('sends nothing to a server that has no amendments, and no expiry to one without these', async () => {
    for (const [features, until] of [
      [['expiry', 'trailing_stop'], undefined],
      [['amend'], UNTIL],
    ] as const) {
      const { worker, sent } = await begun([...features]);
      const result = worker.workerApi.amendOrder(1, { ...TERMS, until }, KEY);
      await worker.clock.advance(1000);
      expect(await result).toMatchObject(invalid('notOffered'));
      expect(sent()).toEqual([]);
    }
  });

  it('repeats a call whose answer is lost with its key, on the next page too', async () => {
    const { worker, server, reload } = await begun();
    const works = worker.server.routes.get(AMEND) as Route;
    const LOST: Reply = { fault: 'ERR_NETWORK' };
    worker.server.on(AMEND, (asked) => {
      works(asked);
      return LOST;
    });
    void worker.workerApi.amendOrder(1, TERMS, KEY);
    await worker.clock.advance(1500);
    const unanswered = { key: KEY, subject: { kind: 'amend', order: ORDER }, state: 'asking' };
    expect(worker.shown.unanswered).toEqual([unanswered]);
    worker.server.on(AMEND, works);
    const next = await reload();
    await next.clock.advance(3000);
    expect(next.shown.unanswered).toEqual([]);
    expect(next.shown.events).toContainEqual({
      ...{ type: 'request-settled', subject: unanswered.subject, text: 'Changed' },
    });
    expect(server.amended).toBe(1);
  });

  it('tells the refusal of an order that was filled meanwhile, and shows the position', async () => {
    const { worker, server } = await begun();
    server.held = true;
    const result = worker.workerApi.amendOrder(1, TERMS, KEY);
    await worker.clock.advance(10);
    server.fill(1);
    server.process(0);
    server.release();
    await worker.clock.advance(1000);
    expect(await result).toMatchObject({ ok: false, failure: { kind: 'refused' } });
    const orders = await worker.workerApi.ordersOf(1);
    expect(orders.map(({ id, status }) => [id, status])).toContainEqual([1, 'holding']);
  });
});

describe('the preview of an amendment', () => {
  it('is that of a new order, with the margin of the former one returned', async () => {
    const { worker } = await begun();
    worker.workerApi.setChange({ id: 1, terms: TERMS });
    await worker.clock.advance(1000);
    // 100,000 - 110 - 0.5 of the position, 312 of margin and 1.5 of fee.
    expect(worker.shown.change).toMatchObject({
      ...{ margin: '312', fee: '1.5', availableAfter: '99577.5', problem: undefined },
    });
    worker.workerApi.setChange({ id: 1, terms: { ...TERMS, lots: '100' } });
    await worker.clock.advance(1000);
    const problem = { field: 'balance', message: { key: 'availableTooLow' } };
    expect(worker.shown.change).toMatchObject({ problem });
    worker.workerApi.setChange(undefined);
  });

  const runs = samples(60, 5_000);
  it(`is what the server books, in ${runs} runs`, () =>
    largeCount('previews of amendments equal to what is booked', runs, async () => {
      const { worker, server } = await begun();
      let key = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 1, max: 20_000 }),
          fc.integer({ min: 1, max: 300_000 }),
          async (hundredths, points) => {
            const terms = {
              ...TERMS,
              lots: toText(toDecimal((hundredths / 100).toFixed(2))),
              targetPrice: (points / 100_000).toFixed(5),
              stopLoss: '',
            };
            worker.workerApi.setChange({ id: 1, terms });
            await worker.clock.advance(1000);
            const preview = worker.shown.change;
            if (!preview || preview.problem) {
              expect(['availableTooLow', 'priceFarOff', 'marginTooSmall']).toContain(
                preview?.problem?.message.key,
              );
              return;
            }
            key += 1;
            const result = worker.workerApi.amendOrder(1, terms, `k-${key}`);
            await worker.clock.advance(1000);
            expect(await result).toMatchObject({ ok: true });
            const [row] = server.of(0);
            expect([Number(row?.CautionMoney), Number(row?.TradeFee)]).toEqual([
              Number(preview.margin),
              Number(preview.fee),
            ]);
            expect(Number(worker.shown.account?.available)).toBe(Number(preview.availableAfter));
          },
        ),
        { numRuns: runs, seed },
      );
      expect(server.amended).toBeGreaterThan(runs / 20);
      expect(server.balance).not.toEqual(ZERO);
      return `${server.amended} amended`;
    }));
});
