import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toNumber, ZERO } from '#domain/core/decimal';
import { toUnixMs } from '#domain/core/time';
import type { OrderStatus } from '#domain/trading/order';
import { largeCount, samples, seed, tally } from '../../helpers/samples';
import { sameAmount, TestServer } from '../support/testServer';
import {
  createTestWorker,
  instrumentRow,
  MemoryStorage,
  type TestWorker,
} from '../support/testWorker';
import { TICKET } from '../support/ticket';

const ROWS = [instrumentRow(1, 'EURUSD'), instrumentRow(2, 'NZDUSD')];

/** What may happen next, to the user's orders or to messages in flight. */
const STEPS = [
  'submit',
  'close',
  'part',
  'cancel',
  'stops',
  'amend',
  'fill',
  'expire',
  'stopOut',
  'stopsElsewhere',
  'tick',
  'push',
  'push',
  'push',
  'process',
  'process',
  'process',
  'answer',
  'answer',
  'answer',
  'lose',
  'drop',
  'wait',
  'refresh',
  'history',
] as const;

const steps = fc.array(fc.record({ what: fc.constantFrom(...STEPS), which: fc.nat(1000) }), {
  minLength: 5,
  maxLength: 60,
});

interface Play {
  worker: TestWorker;
  testServer: TestServer;
  keys: number;
}

async function begun(): Promise<Play> {
  const storage = new MemoryStorage();
  await storage.set('token', 'secret');
  const worker = createTestWorker(ROWS, { storage });
  const testServer = new TestServer(worker, ROWS);
  for (const status of ['0', '0', '1', '1'])
    testServer.open({
      forex_id: status === '0' ? '1' : '2',
      status,
      cont: '0.2',
      target_price: '1.05',
    });
  worker.start();
  await worker.clock.advance(1000);
  testServer.held = true;
  return { worker, testServer, keys: 0 };
}

/** Some of them follow the price. */
const stopsOf = (which: number) => ({
  stopLoss: `0.${which + 1}`,
  takeProfit: '',
  trailing: which % 2 ? `0.0${which}` : '',
});

/** Some of them expire. */
const termsOf = (which: number) => ({
  ...stopsOf(0),
  lots: `0.${(which % 9) + 1}`,
  targetPrice: `1.0${which % 9}`,
  takeProfit: '9',
  until: which % 2 ? toUnixMs(9e12 + which) : undefined,
});

async function step(play: Play, what: (typeof STEPS)[number], which: number): Promise<void> {
  const { worker, testServer } = play;
  const { workerApi, clock } = worker;
  const key = () => `6f1f0a52-4c2f-4a57-9c7a-${String(play.keys++).padStart(12, '0')}`;
  const open = [...testServer.of(0), ...testServer.of(1)];
  const id = open[which % open.length]?.Id;
  switch (what) {
    case 'submit':
      void workerApi.submit(
        which % 2 ? TICKET : { ...TICKET, type: 'pending', targetPrice: '1.05', side: 'sell' },
        key(),
      );
      break;
    case 'close':
      if (id) void workerApi.closeOrder({ id, lots: ZERO }, key());
      break;
    case 'part':
      if (id) void workerApi.closePart({ id, lots: ZERO }, `0.0${(which % 9) + 1}`, key());
      break;
    case 'cancel':
      if (id) void workerApi.cancelOrder(id, key());
      break;
    case 'stops':
      if (id) void workerApi.setExits(id, stopsOf(which), key());
      break;
    case 'amend':
      if (id) void workerApi.amendOrder(id, termsOf(which), key());
      break;
    case 'expire':
      if (id && testServer.of(0).some(({ Id }) => Id === id)) testServer.end(id, 'expired');
      break;
    case 'fill':
      if (id) testServer.fill(id);
      break;
    case 'stopOut':
      if (id) testServer.end(id, 'stop_out');
      break;
    case 'stopsElsewhere':
      if (id) testServer.stops(id, `0.${which + 1}`, '9');
      break;
    case 'tick':
      testServer.tick((which % 2) + 1, `1.${1000 + which}`);
      break;
    case 'push':
      testServer.push();
      break;
    case 'process':
      testServer.process(which);
      break;
    case 'answer':
      testServer.deliver(which);
      break;
    case 'lose':
      testServer.deliver(which, true);
      break;
    case 'drop':
      testServer.drop();
      break;
    case 'wait':
      await clock.advance(which * 3);
      break;
    case 'refresh':
      void workerApi.refreshOrders();
      break;
    case 'history':
      void workerApi.orders('closed', 0, 20);
      break;
  }
  await clock.advance(which % 3);
}

/** The fields of an order that must be equal on both sides. */
async function shown({ workerApi }: TestWorker, status: OrderStatus) {
  const result = await workerApi.orders(status, 0, 1000);
  if (!result.ok) throw new Error(`${status}: ${JSON.stringify(result.failure)}`);
  return result.data.orders.map(
    ({ id, lots, margin, fee, profit, stopLoss, trailing, until, originPrice }) => [
      id,
      until ?? 0,
      toNumber(originPrice),
      ...[lots, margin, fee].map(toNumber),
      Number(profit.digits) / 10 ** profit.scale,
      Number(stopLoss.digits) / 10 ** stopLoss.scale,
      toNumber(trailing),
    ],
  );
}

function booked(testServer: TestServer, status: number) {
  return testServer
    .of(status)
    .map((row) => [
      row.Id,
      row.Until ?? 0,
      Number(row.OriginPrice),
      ...[row.Quantity, row.CautionMoney, row.TradeFee].map(Number),
      Number(row.FactProfits),
      Number(row.TargetLossPrice),
      Number(row.Trailing),
    ]);
}

const byId = (a: number[], b: number[]) => (a[0] ?? 0) - (b[0] ?? 0);

const RUNS = samples(150, 10_000);

it(
  'ends in the state of the server after late, repeated, reordered and lost messages',
  {
    timeout: samples(180_000, 3_600_000),
  },
  () =>
    largeCount('races of orders, answers and pushes', RUNS, async () => {
      const happened = new Map([
        ['ends', 0],
        ['holding', 0],
        ['reconnect', 0],
        ['part', 0],
        ['amended', 0],
        ['expired', 0],
      ]);
      const count = (what: string) => happened.set(what, (happened.get(what) ?? 0) + 1);
      await fc.assert(
        fc.asyncProperty(steps, async (sequence) => {
          const play = await begun();
          const { worker, testServer } = play;
          for (const { what, which } of sequence) await step(play, what, which);
          testServer.release();
          await worker.clock.advance(60_000);
          for (const id of [1, 2]) testServer.tick(id, '1.23456');
          await worker.clock.advance(100);

          expect((await shown(worker, 'pending')).sort(byId)).toEqual(
            booked(testServer, 0).sort(byId),
          );
          expect((await shown(worker, 'holding')).sort(byId)).toEqual(
            booked(testServer, 1).sort(byId),
          );
          expect((await shown(worker, 'closed')).sort(byId)).toEqual(
            booked(testServer, 3).sort(byId),
          );

          const account = worker.shown.account;
          const detail = testServer.detail();
          expect(account).toBeTruthy();
          for (const [mine, theirs] of [
            ['lockBalance', 'lock_balance'],
            ['marginInUse', 'caution_money'],
            ['profit', 'fact_profits'],
            ['equity', 'net_value'],
            ['available', 'free_balance'],
          ] as const)
            expect(
              sameAmount(account?.[mine], detail[theirs]),
              `${mine} ${account?.[mine]}, not ${detail[theirs]}`,
            ).toBe(true);
          expect(account?.marginLevel ?? '--').toBe(detail.prepayment_ratio);
          expect(account?.riskRate ?? '--').toBe(detail.risk_rate);

          // One order for each submitted key, and each end is reported once.
          const ends = worker.shown.events.flatMap((event) =>
            event.type === 'order-closed' ? [event.order.id] : [],
          );
          expect(new Set(ends).size).toBe(ends.length);
          expect(worker.shown.unanswered).toEqual([]);
          if (ends.length > 0) count('ends');
          if (testServer.of(1).length > 0) count('holding');
          if (worker.sockets.all.length > 1) count('reconnect');
          if (testServer.parts > 0) count('part');
          if (testServer.amended > 0) count('amended');
          if (testServer.of(3).some(({ CloseReason }) => CloseReason === 'expired'))
            count('expired');
        }),
        { numRuns: RUNS, seed },
      );
      for (const [what, times] of happened) expect(times, what).toBeGreaterThan(0);
      return `in the end as the server has it; ${tally(happened)}`;
    }),
);
