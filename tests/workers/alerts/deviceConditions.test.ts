import { expect, it } from 'vitest';
import { toUnixMs } from '#domain/core/time';
import type { Condition } from '#domain/trading/condition';
import type { AlertForm } from '#domain/worker/alerts';
import { TestServer } from '../support/testServer';
import { createTestWorker, instrumentRow, MemoryStorage } from '../support/testWorker';
import { tickRow, ticks } from '../support/ticks';

const ROWS = [instrumentRow(1, 'EURUSD')];
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
  const tick = async (price: string, after = 1000) => {
    await worker.clock.advance(after);
    const row = { ...tickRow(1, 'EURUSD', price), Time: worker.clock.now() };
    worker.sockets.last.receive(ticks(row));
    await worker.clock.advance(100);
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
  return { worker, tick, add, told };
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

it('an indicator is judged when a bar closes, by the bars of the server', async () => {
  const { worker, tick, add, told } = await visited();
  await tick('1.1');
  const minute = Math.floor(worker.clock.now() / MINUTE) * 60;
  const closes = new Map<number, number>();
  worker.server.on('/v1/api/forex/kline', ({ params }) => ({
    data: [...closes]
      .filter(([time]) => params['before'] === undefined || time < Number(params['before']))
      .map(([Time, close]) => ({
        ...{ Time, Open: String(close), High: String(close), Low: String(close) },
        ...{ Close: String(close), Volume: '1' },
      })),
  }));
  for (let i = -5; i <= 0; i++) closes.set(minute + i * 60, 1.1);
  await add({
    ...{ kind: 'indicator', name: 'sma', settings: [2], output: 'average', period: '1min' },
    ...{ level: 1.15, other: undefined, cross: 'up' },
  });
  await tick('1.1001');
  closes.set(minute + 60, 1.3);
  await tick('1.3', MINUTE);
  expect(told()).toEqual([]);
  await tick('1.31', MINUTE);
  await tick('1.32', 3000);
  // Its code is imported, and bars are fetched.
  await expect
    .poll(async () => {
      await worker.clock.advance(10);
      return told();
    })
    .toEqual(['indicator true']);
  await tick('1.33', MINUTE);
  expect(told()).toHaveLength(1);
});
