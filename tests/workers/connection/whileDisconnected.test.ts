import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { KlineRow } from '#domain/api/market';
import type { CandlesKey } from '#domain/market/candles';
import { PERIODS } from '#domain/market/period';
import { samples, seed } from '../../helpers/samples';
import { createAccountWorker } from '../account/accountWorker';
import { PageChart } from '../support/pageChart';
import type { ScriptedSocket } from '../support/scriptedSocket';
import { instrumentRow } from '../support/testWorker';

const LIST = '/v1/api/forex/trade_list';
const KLINE = '/v1/api/forex/kline';
const LOGIN = { login_type: 'email', account: 'ann@example.com', password: 'secret123' } as const;
const bar = (Time: number, price: string): KlineRow => ({
  ...{ Time, Open: price, High: price, Low: price, Close: price },
  Volume: '1',
});
/** More than are subscribed without a quote filter. */
const ROWS = Array.from({ length: 120 }, (_, index) => instrumentRow(index + 1, `C${index + 1}`));

/** What the server at the other end of a socket knows of its client. */
function known({ asked }: ScriptedSocket) {
  let token = '';
  const topics = new Map<string, object>();
  for (const message of asked) {
    if (message.type === 'login') token = message.token;
    else if (message.type === 'logout') token = '';
    else if (message.type === 'unsub') topics.delete(message.topic);
    else if (message.type === 'sub') {
      const { type: _type, topic, ...how } = message;
      topics.set(topic, how.codes ? { ...how, codes: [...how.codes].sort() } : how);
    }
  }
  return { token, topics: Object.fromEntries([...topics].sort()) };
}

async function started() {
  const worker = createAccountWorker();
  worker.server.on(LIST, () => ({ data: ROWS }));
  worker.server.on(KLINE, () => ({ data: [bar(1_699_999_200, '10')] }));
  worker.sockets.onSent = (message, socket) => {
    if (message.type === 'login') socket.receive({ type: 'login', code: 1 });
  };
  await worker.begin();
  const { workerApi, sockets, clock } = worker;
  const charts = (change: Partial<Record<'add' | 'remove', CandlesKey[]>>) =>
    workerApi.watch({ candles: { add: [], remove: [], ...change } });
  return {
    worker,
    charts,
    rows: (add: number[], remove: number[] = []) =>
      workerApi.watch({ instruments: { add, remove } }),
    /** The socket is lost, and no other one opens before the connection is back. */
    lose() {
      sockets.reachable = false;
      sockets.last.drop();
    },
    async restore() {
      sockets.reachable = true;
      // Longer than an attempt, a retry, and what lingers.
      await clock.advance(30_000);
    },
    known: () => known(sockets.last),
  };
}

type Started = Awaited<ReturnType<typeof started>>;

describe('what changes while there is no connection, the server knows after it', () => {
  it('the rows in sight, and how often their quotes are wanted', async () => {
    const { worker, rows, lose, restore, known } = await started();
    rows([1, 2]);
    await worker.clock.advance(1000);
    lose();
    await worker.clock.advance(1000);
    rows([3], [1]);
    worker.workerApi.setDataSaver(true);
    await worker.clock.advance(10_000);
    await restore();
    expect(worker.sockets.all.length).toBeGreaterThan(1);
    expect(known().topics).toEqual({ DAY_MARKET: { codes: ['C2', 'C3'], interval: 1000 } });
    lose();
    rows([], [2, 3]);
    await restore();
    expect(known().topics).toEqual({});
  });

  it('the chart and its period, whose bars are fetched', async () => {
    const { worker, charts, lose, restore, known } = await started();
    const former: CandlesKey = { instrumentId: 1, period: '1min' };
    const next: CandlesKey = { instrumentId: 2, period: '60min' };
    charts({ add: [former] });
    await worker.clock.advance(1000);
    expect(known().topics).toEqual({ 'KLINE.C1': {} });
    lose();
    worker.server.on(KLINE, () => ({ fault: 'ERR_NETWORK' }));
    charts({ remove: [former], add: [next] });
    await worker.clock.advance(10_000);
    worker.server.on(KLINE, () => ({ data: [bar(1_699_999_200, '12')] }));
    await restore();
    expect(known().topics).toEqual({ 'KLINE.C2': {} });
    const page = new PageChart();
    for (const candles of worker.shown.candles) {
      if (candles.instrumentId === 2 && candles.period === '60min') page.apply(candles);
    }
    expect(page.bars.map(({ close }) => close)).toEqual([12]);
  });

  it('the account: another one, and none', async () => {
    const { worker, lose, restore, known } = await started();
    const orders = { FOREX_CLOSED: {}, FOREX_TRADE: {} };
    await worker.workerApi.signInDemo();
    await worker.clock.advance(1000);
    expect(known()).toEqual({ token: 'demo-token', topics: orders });
    lose();
    await worker.workerApi.signIn(LOGIN);
    await restore();
    expect(known()).toEqual({ token: 'token', topics: orders });
    lose();
    await worker.workerApi.signOut();
    await restore();
    expect(known()).toEqual({ token: '', topics: {} });
  });
});

type Step = (on: Started, charted: Set<string>, seen: Set<number>) => unknown;

/** The same for each run: shows what is hidden, and hides what is shown. */
const toggleRow =
  (id: number): Step =>
  ({ rows }, _charted, seen) =>
    seen.delete(id) ? rows([], [id]) : rows([...seen.add(id)].slice(-1));
const toggleChart =
  (key: CandlesKey): Step =>
  ({ charts }, charted) => {
    const name = JSON.stringify(key);
    if (charted.delete(name)) return charts({ remove: [key] });
    charted.add(name);
    return charts({ add: [key] });
  };

const change: fc.Arbitrary<Step> = fc.oneof(
  fc.integer({ min: 1, max: 5 }).map(toggleRow),
  fc
    .record({ instrumentId: fc.integer({ min: 1, max: 3 }), period: fc.constantFrom(...PERIODS) })
    .map(toggleChart),
  fc.boolean().map(
    (saver): Step =>
      ({ worker }) =>
        worker.workerApi.setDataSaver(saver),
  ),
  fc
    .constantFrom(
      ({ worker }: Started) => worker.workerApi.signIn(LOGIN),
      ({ worker }: Started) => worker.workerApi.signInDemo(),
      ({ worker }: Started) => worker.workerApi.signOut(),
    )
    .map((step): Step => step),
);

it('whatever changes with and without a connection: the server knows at the end what it would know without a loss', async () => {
  const moment = fc.record({
    change,
    ms: fc.constantFrom(0, 100, 400, 5000),
    link: fc.constantFrom('stays', 'stays', 'lost', 'back'),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(moment, { minLength: 1, maxLength: 12 }), async (moments) => {
      const both = await Promise.all([started(), started()]);
      const [cut, whole] = both;
      const shown = both.map(() => [new Set<string>(), new Set<number>()] as const);
      for (const { change, ms, link } of moments) {
        if (link === 'lost') cut.lose();
        if (link === 'back') cut.worker.sockets.reachable = true;
        for (const [index, each] of both.entries()) {
          const [charted, seen] = shown[index] ?? [new Set<string>(), new Set<number>()];
          await change(each, charted, seen);
          await each.worker.clock.advance(ms);
        }
      }
      cut.lose();
      for (const each of both) await each.restore();
      expect(cut.known()).toEqual(whole.known());
    }),
    { numRuns: samples(40, 2_000), seed },
  );
});
