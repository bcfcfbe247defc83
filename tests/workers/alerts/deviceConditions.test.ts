import { expect, it } from 'vitest';
import { toUnixMs } from '#domain/core/time';
import type { Condition } from '#domain/trading/condition';
import type { AlertForm } from '#domain/worker/alerts';
import { TestServer } from '../support/testServer';
import { createTestWorker, instrumentRow, MemoryStorage } from '../support/testWorker';
import { tickRow, ticks } from '../support/ticks';

const ROWS = [instrumentRow(1, 'EURUSD'), instrumentRow(2, 'GBPUSD')];
const KEY = '6f1f0a52-4c2f-4a57-9c7a-2f2f8e0f7a11';
const MINUTE = 60_000;

/** The worker of a visitor. */
async function visited(storage = new MemoryStorage()) {
  const worker = createTestWorker(ROWS, { storage });
  new TestServer(worker, ROWS);
  worker.server.on('/api/basicSet/getBasicInfo', () => ({
    data: { features: ['alerts', 'conditions'] },
  }));
  worker.start();
  await worker.clock.advance(5000);
  const tick = async (price: string, after = 1000, [id, code] = [1, 'EURUSD']) => {
    await worker.clock.advance(after);
    const row = { ...tickRow(id, code, price), Time: worker.clock.now() };
    worker.sockets.last.receive(ticks(row));
    await worker.clock.advance(100);
  };
  /** Waits for code that is imported, and bars that are fetched. */
  const expectTold = (expected: string[]) =>
    expect
      .poll(async () => {
        await worker.clock.advance(10);
        return told();
      })
      .toEqual(expected);
  /** Serves six minutes at 1.1 up to now, and the closes that a test adds, by their minutes. */
  const serveBars = () => {
    const minute = Math.floor(worker.clock.now() / MINUTE) * 60;
    const closes = new Map<number, number>();
    for (let i = -5; i <= 0; i++) closes.set(minute + i * 60, 1.1);
    worker.server.on('/v1/api/forex/kline', ({ params }) => ({
      data: [...closes]
        .filter(([time]) => params['before'] === undefined || time < Number(params['before']))
        .map(([Time, close]) => ({
          ...{ Time, Open: String(close), High: String(close), Low: String(close) },
          ...{ Close: String(close), Volume: '1' },
        })),
    }));
    return { minute, closes };
  };
  const add = (condition: Condition | undefined, more: Partial<AlertForm> = {}) =>
    worker.workerApi.addAlert(
      {
        ...{ instrumentId: 1, price: '', quote: '1.1', repeat: false, note: '', until: undefined },
        ...(condition && { condition }),
        ...more,
      },
      KEY,
    );
  const told = () =>
    worker.shown.events.flatMap((event) =>
      event.type === 'alert-triggered'
        ? [`${event.alert.condition.kind} ${event.alert.above}`]
        : [],
    );
  return { worker, tick, add, told, expectTold, serveBars };
}

it('a visitor’s alerts are watched on the device, and stay over a restart', async () => {
  const storage = new MemoryStorage();
  const first = await visited(storage);
  await first.tick('1.1');
  await first.add(undefined, { price: '1.2' });
  await first.add({ kind: 'percent', change: 50, window: 'day' });
  const next = await visited(storage);
  const list = await next.worker.workerApi.alerts(false);
  expect(list.ok && list.data.watchedBy).toBe('device');
  expect(list.ok && list.data.alerts.map(({ condition }) => condition.kind)).toEqual([
    'percent',
    'price',
  ]);
  await next.tick('1.1');
  await next.tick('1.21');
  expect(next.told()).toEqual(['price true']);
});

it('a line is judged at each tick, at its time', async () => {
  const { worker, tick, add, told } = await visited();
  await tick('1.1');
  const t1 = worker.clock.now();
  await add({
    ...{ kind: 'line', t1: toUnixMs(t1), p1: 1.11, t2: toUnixMs(t1 + MINUTE), p2: 1.12 },
    ...{ scale: 'linear', extend: 'right' },
  });
  await tick('1.1001');
  await tick('1.1002');
  expect(told()).toEqual([]);
  await tick('1.1145', MINUTE / 2);
  expect(told()).toEqual([]);
  await tick('1.117');
  await tick('1.1');
  expect(told()).toEqual(['line true']);
});

it('an alert on a line that does not go on ends with its last point, and is refused once that is past', async () => {
  const { worker, tick, add } = await visited();
  await tick('1.1');
  const end = worker.clock.now() + MINUTE;
  const line = (t2: number): Condition => ({
    ...{ kind: 'line', t1: toUnixMs(t2 - MINUTE), p1: 1.11, t2: toUnixMs(t2), p2: 1.12 },
    ...{ scale: 'linear', extend: 'left' },
  });
  const count = async (past: boolean) => {
    const list = await worker.workerApi.alerts(past);
    return list.ok ? list.data.alerts.length : Number.NaN;
  };
  expect(await add(line(worker.clock.now() - MINUTE))).toEqual({
    ok: false,
    failure: { kind: 'invalid', message: { key: 'alertEndPast' } },
  });
  expect(await add(line(end))).toMatchObject({ ok: true });
  expect(await count(false)).toBe(1);
  await worker.clock.advance(MINUTE + 1000);
  expect([await count(false), await count(true)]).toEqual([0, 1]);
});

it('a line that comes to a price which stays is judged at the next tick of this price', async () => {
  const { worker, tick, add, expectTold, told } = await visited();
  await tick('1.1');
  const t1 = worker.clock.now();
  await add({
    ...{ kind: 'line', t1: toUnixMs(t1), p1: 1.09, t2: toUnixMs(t1 + MINUTE), p2: 1.11 },
    ...{ scale: 'linear', extend: 'right' },
  });
  await tick('1.1');
  // No tick has come: nobody knows whether this is a price still.
  await worker.clock.advance(MINUTE);
  expect(told()).toEqual([]);
  await tick('1.1');
  await worker.clock.advance(1000);
  await expectTold(['line false']);
});

const SMA: Condition = {
  ...{ kind: 'indicator', name: 'sma', settings: [2], output: 'average', period: '1min' },
  ...{ level: 1.15, other: undefined, cross: 'up' },
};

it('an indicator is judged when a bar closes, by the bars of the server', async () => {
  const { tick, add, told, expectTold, serveBars } = await visited();
  await tick('1.1');
  const { minute, closes } = serveBars();
  await add(SMA);
  await tick('1.1001');
  closes.set(minute + 60, 1.3);
  await tick('1.3', MINUTE);
  expect(told()).toEqual([]);
  await tick('1.31', MINUTE);
  await tick('1.32', 6000);
  await expectTold(['indicator true']);
  await tick('1.33', MINUTE);
  expect(told()).toHaveLength(1);
});

it('a bar is judged although no price has come since, and not before a late trade could change it', async () => {
  const { worker, tick, add, told, expectTold, serveBars } = await visited();
  await tick('1.1');
  const { minute, closes } = serveBars();
  await add(SMA);
  closes.set(minute + 60, 1.3);
  await tick('1.3', MINUTE);
  const left = (minute + 120) * 1000 - worker.clock.now();
  await tick('1.5', left + 3000, [2, 'GBPUSD']);
  await worker.clock.advance(1500);
  await new Promise((resolve) => setImmediate(resolve));
  expect(told()).toEqual([]);
  await tick('1.6', 2000, [2, 'GBPUSD']);
  await worker.clock.advance(1000);
  await expectTold(['indicator true']);
});

it('the bars of a halt are judged once it is over, and one before it at once', async () => {
  const { worker, tick, add, told, expectTold, serveBars } = await visited();
  await tick('1.1');
  const { minute, closes } = serveBars();
  await add({ ...SMA, settings: [1], cross: 'any' }, { repeat: true });
  await tick('1.1', 2 * MINUTE);
  closes.set(minute + 60, 1.3);
  const last = tickRow(1, 'EURUSD', '1.3', { Time: worker.clock.now() });
  const status = (more: object) => {
    const row = { ...ROWS[0], ...more };
    worker.server.on('/v1/api/forex/trade_list', () => ({ data: [row, ROWS[1]] }));
    worker.sockets.last.receive(ticks({ ...last, ...more }));
  };
  status({ MarketStatus: 0, ClosedReason: 'Trading is suspended.' });
  await worker.clock.advance(6000);
  await expectTold(['indicator true']);
  for (let i = 0; i < 4; i++) {
    await tick('1.1', MINUTE, [2, 'GBPUSD']);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(told()).toHaveLength(1);
  closes.set(minute + 120, 1.3);
  closes.set(minute + 180, 1.1);
  closes.set(minute + 240, 1.1);
  status({ MarketStatus: 1, ClosedReason: '', Time: worker.clock.now() });
  await worker.clock.advance(6000);
  await expectTold(['indicator true', 'indicator false']);
});

it('crossings of two bars a minute apart are both told, however late the first one was', async () => {
  const { worker, tick, add, expectTold, serveBars } = await visited();
  await tick('1.1');
  const { minute, closes } = serveBars();
  await add({ ...SMA, settings: [1], cross: 'any' }, { repeat: true });
  closes.set(minute + 60, 1.3);
  closes.set(minute + 120, 1.1);
  await tick('1.3', MINUTE);
  const left = (minute + 120) * 1000 - worker.clock.now();
  // The first one is told 50 s late, the second one 5 s.
  await tick('1.2', left + 50_000);
  await expectTold(['indicator true']);
  await tick('1.1', 16_000);
  await worker.clock.advance(1000);
  await expectTold(['indicator true', 'indicator false']);
});
