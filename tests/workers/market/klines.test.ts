import { describe, expect, it } from 'vitest';
import type { KlineRow } from '#domain/api/market';
import { toUnixSeconds } from '#domain/core/time';
import type { CandlesKey } from '#domain/market/candles';
import { type Bar, type ChartPeriod, foldBars, sourcePeriod } from '#domain/market/kline';
import { PERIOD_SECONDS, type Period } from '#domain/market/period';
import { inTurn } from '../../helpers/samples';
import { klineRow } from '../support/klineRow';
import { PageChart } from '../support/pageChart';
import { held } from '../support/scriptedHttp';
import { createTestWorker, instrumentRow, type TestWorker } from '../support/testWorker';

const KLINE = '/v1/api/forex/kline';
const MINUTE: CandlesKey = { instrumentId: 1, period: '1min' };
/** The beginning of an hour. */
const T0 = 1_700_000_400 - (1_700_000_400 % 3600);

function row(minute: number, close = 10, volume = 5, more: Partial<KlineRow> = {}): KlineRow {
  const price = `${close}`;
  return {
    Time: T0 + minute * 60,
    Open: price,
    High: price,
    Low: price,
    Close: price,
    Volume: `${volume}`,
    ...more,
  };
}

const rows = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => row(from + i));

/** Serves one-minute bars, 500 a page. */
function minutes({ server }: TestWorker, served: () => KlineRow[]): void {
  server.on(KLINE, ({ params }) => {
    if (params['period'] !== '1min') return { data: [] };
    const before = Number(params['before'] ?? Number.POSITIVE_INFINITY);
    return {
      data: served()
        .filter(({ Time }) => Time < before)
        .slice(-500),
    };
  });
}

async function started(): Promise<TestWorker> {
  const worker = createTestWorker([instrumentRow(1, 'EURUSD'), instrumentRow(2, 'NZDUSD')]);
  worker.start();
  await worker.clock.advance(100);
  return worker;
}

const watch = (worker: TestWorker, ...add: CandlesKey[]) =>
  worker.workerApi.watch({ candles: { add, remove: [] } });
const unwatch = (worker: TestWorker, ...remove: CandlesKey[]) =>
  worker.workerApi.watch({ candles: { add: [], remove } });
const live = (worker: TestWorker, data: unknown, code = 'EURUSD') =>
  worker.sockets.last.receive({ type: `KLINE.${code}`, data });

function chart({ shown }: TestWorker, { instrumentId, period }: CandlesKey = MINUTE): PageChart {
  const page = new PageChart();
  for (const candles of shown.candles)
    if (candles.instrumentId === instrumentId && candles.period === period) page.apply(candles);
  return page;
}

const minutesOf = (page: PageChart) => page.bars.map(({ time }) => (time - T0) / 60);

describe('a chart', () => {
  it('is subscribed first, then fetched', async () => {
    const worker = await started();
    const order: string[] = [];
    worker.sockets.onSent = (message) =>
      'topic' in message && order.push(`${message.type} ${message.topic}`);
    worker.server.on(KLINE, () => {
      order.push('fetch');
      return { data: [] };
    });
    watch(worker, MINUTE);
    await worker.clock.advance(100);
    expect(order).toEqual(['sub KLINE.EURUSD', 'fetch']);
  });

  it('is loading before the answer, and empty after an answer without bars', async () => {
    const worker = await started();
    const answer = held();
    worker.server.on(KLINE, answer.route);
    watch(worker, MINUTE);
    live(worker, row(0));
    await worker.clock.advance(1000);
    expect(worker.shown.candles).toEqual([]);
    answer.release({ data: [] });
    await worker.clock.advance(100);
    expect(minutesOf(chart(worker))).toEqual([0]);
    watch(worker, { instrumentId: 2, period: '1min' });
    await worker.clock.advance(100);
    answer.release({ data: [] });
    await worker.clock.advance(100);
    expect(worker.shown.candles.at(-1)).toMatchObject({
      instrumentId: 2,
      change: 'replace',
      bars: new Float64Array(),
    });
  });

  it('sends only the bars that change', async () => {
    const worker = await started();
    minutes(worker, () => rows(0, 300));
    watch(worker, MINUTE);
    await worker.clock.advance(100);
    const before = worker.shown.candles.length;
    live(worker, row(299, 11, 6));
    await worker.clock.advance(100);
    live(worker, row(299, 12, 7));
    live(worker, row(300, 13, 1));
    await worker.clock.advance(100);
    const sent = worker.shown.candles.slice(before);
    expect(sent.map(({ change, bars }) => [change, bars.length / 6])).toEqual([
      ['update', 1],
      ['update', 2],
    ]);
    expect(
      chart(worker)
        .bars.slice(-2)
        .map(({ close }) => close),
    ).toEqual([12, 13]);
  });

  it('applies the final values of a bar that arrive after the next one began', async () => {
    const worker = await started();
    minutes(worker, () => rows(0, 5));
    watch(worker, MINUTE, { instrumentId: 1, period: '5min' });
    await worker.clock.advance(100);
    live(worker, row(5, 20, 1));
    await worker.clock.advance(100);
    live(worker, row(4, 15, 9));
    live(worker, row(3, 99, 2));
    await worker.clock.advance(100);
    expect(chart(worker).bars.map(({ close }) => close)).toEqual([10, 10, 10, 10, 15, 20]);
    expect(chart(worker, { instrumentId: 1, period: '5min' }).bars).toMatchObject([
      { close: 15, volume: 29 },
      { close: 20 },
    ]);
  });

  it('ignores invalid bars, and bars older than all known ones', async () => {
    const worker = await started();
    const bad = [{ ...row(20), High: '1' }, { ...row(21), Close: 'x' }, null, 'bar'];
    worker.server.on(KLINE, () => ({ data: [...rows(10, 20), ...bad] }));
    watch(worker, MINUTE);
    await worker.clock.advance(100);
    const before = chart(worker).bars;
    for (const message of [
      null,
      [],
      7,
      {},
      row(3),
      { ...row(22), Low: '11' },
      { ...row(22), Time: T0 + 1 },
      { ...row(22), Volume: '-1' },
      { ...row(22), Open: '' },
      { ...row(22), Time: 'NaN' },
    ])
      live(worker, message);
    await worker.clock.advance(100);
    expect(chart(worker).bars).toEqual(before);
    expect(minutesOf(chart(worker))).toEqual([10, 11, 12, 13, 14, 15, 16, 17, 18, 19]);
  });

  it('counts a placeholder only where all its siblings are placeholders', async () => {
    const worker = await started();
    worker.server.on(KLINE, () => ({ data: [] }));
    const five: CandlesKey = { instrumentId: 1, period: '5min' };
    watch(worker, five);
    await worker.clock.advance(100);
    live(worker, row(0, 50, 0));
    await worker.clock.advance(100);
    expect(chart(worker, five).bars).toMatchObject([{ open: 50, volume: 0 }]);
    live(worker, row(1, 10, 2));
    live(worker, row(2, 90, 0));
    await worker.clock.advance(100);
    expect(chart(worker, five).bars).toMatchObject([
      { open: 10, high: 10, low: 10, close: 10, volume: 2 },
    ]);
  });

  it('shows a larger period immediately, and exactly when its minutes are loaded', async () => {
    const worker = await started();
    const hour: CandlesKey = { instrumentId: 1, period: '60min' };
    const open = row(0, 10, 100, { High: '30' });
    const answer = held();
    worker.server.on(KLINE, (asked) =>
      asked.params['period'] === '60min' ? { data: [row(-60), open] } : answer.route(asked),
    );
    watch(worker, hour);
    await worker.clock.advance(100);
    expect(chart(worker, hour).bars).toHaveLength(2);
    live(worker, row(30, 40, 50));
    await worker.clock.advance(100);
    expect(chart(worker, hour).bars[1]).toMatchObject({ high: 30, close: 10 });
    answer.release({ data: [row(0, 10, 80, { High: '30' }), row(20, 12, 30)] });
    await worker.clock.advance(100);
    expect(chart(worker, hour).bars[1]).toMatchObject({
      open: 10,
      high: 40,
      close: 40,
      volume: 160,
    });
  });
});

describe('older bars', () => {
  it('are loaded on demand, 500 at a time, until there are no more', async () => {
    const worker = await started();
    minutes(worker, () => rows(0, 1200));
    watch(worker, MINUTE);
    await worker.clock.advance(100);
    expect(minutesOf(chart(worker))[0]).toBe(700);
    for (const first of [200, 0]) {
      // Scrolling calls it more than once.
      void worker.workerApi.loadOlder(MINUTE);
      expect(await worker.workerApi.loadOlder(MINUTE)).toEqual({ ok: true, data: undefined });
      await worker.clock.advance(100);
      expect(minutesOf(chart(worker))[0]).toBe(first);
      expect(worker.shown.candles.at(-1)?.change).toBe('prepend');
    }
    expect(chart(worker).more).toBe(true);
    await worker.workerApi.loadOlder(MINUTE);
    await worker.clock.advance(100);
    expect(chart(worker)).toMatchObject({ more: false, replaced: 1 });
    expect(minutesOf(chart(worker))).toEqual([...Array(1200).keys()]);
    expect(worker.server.to(KLINE)).toHaveLength(4);
  });

  inTurn(it)('reach back 60 days of minutes, stay in place, and end at a limit', async () => {
    const worker = await started();
    const last = 200_000;
    worker.server.on(KLINE, ({ params }) => {
      const before = (Number(params['before'] ?? T0 + last * 60) - T0) / 60;
      return { data: params['period'] === '1min' ? rows(before - 500, before) : [] };
    });
    watch(worker, MINUTE);
    await worker.clock.advance(100);
    let shown = chart(worker);
    for (let pages = 1; shown.more && pages < 1000; pages++) {
      const frames = worker.shown.candles.length;
      await worker.workerApi.loadOlder(MINUTE);
      await worker.clock.advance(100);
      const sent = worker.shown.candles.slice(frames);
      expect(sent.map(({ change, bars }) => [change, bars.length / 6])[0]).toEqual([
        'prepend',
        500,
      ]);
      shown.more = sent.at(-1)?.more ?? false;
    }
    shown = chart(worker);
    expect(shown.replaced).toBe(1);
    expect(minutesOf(shown)).toEqual(Array.from({ length: 100_000 }, (_, i) => last - 100_000 + i));
    expect(60 * 1440).toBeLessThan(100_000);
    const asked = worker.server.to(KLINE).length;
    live(worker, row(last));
    await worker.clock.advance(100);
    expect(worker.shown.candles.at(-1)).toMatchObject({ change: 'update', more: false });
    expect(worker.server.to(KLINE)).toHaveLength(asked);
  });

  it.each(['1min', '60min'] as const)(
    'of %s are forgotten when the chart is left, and can be loaded again',
    async (period) => {
      const worker = await started();
      const key: CandlesKey = { instrumentId: 1, period };
      const step = period === '1min' ? 1 : 60;
      worker.server.on(KLINE, ({ params }) => {
        const all = Array.from({ length: 1200 }, (_, i) => row((i - 1199) * step));
        const before = Number(params['before'] ?? Number.POSITIVE_INFINITY);
        const asked = params['period'] === period ? all : [row(0)];
        return { data: asked.filter(({ Time }) => Time < before).slice(-500) };
      });
      const older = async () => {
        await worker.workerApi.loadOlder(key);
        await worker.clock.advance(100);
      };
      watch(worker, key);
      await worker.clock.advance(100);
      for (let pages = 0; pages < 3; pages++) await older();
      expect(chart(worker, key)).toMatchObject({ more: false });
      const whole = minutesOf(chart(worker, key));
      expect(whole).toHaveLength(1200);
      unwatch(worker, key);
      watch(worker, key);
      await worker.clock.advance(100);
      expect(minutesOf(chart(worker, key))).toEqual(whole.slice(-500));
      expect(chart(worker, key).more).toBe(true);
      for (let pages = 0; pages < 3; pages++) await older();
      expect(minutesOf(chart(worker, key))).toEqual(whole);
      expect(chart(worker, key).more).toBe(false);
    },
  );

  it('that cannot be loaded are a failure of that call only', async () => {
    const worker = await started();
    minutes(worker, () => rows(0, 600));
    watch(worker, MINUTE);
    await worker.clock.advance(100);
    worker.server.on(KLINE, () => ({ status: 503 }));
    expect(await worker.workerApi.loadOlder(MINUTE)).toMatchObject({ ok: false });
    await worker.clock.advance(100);
    expect(chart(worker)).toMatchObject({ more: true, failure: undefined });
    expect(worker.shown.events).toEqual([]);
  });

  it('of an empty chart are empty', async () => {
    const worker = await started();
    expect(await worker.workerApi.loadOlder(MINUTE)).toEqual({ ok: true, data: undefined });
  });
});

describe('a chart that cannot be loaded', () => {
  it('reports the failure, and is retried by itself and by the user', async () => {
    const worker = await started();
    worker.server.on(KLINE, () => ({ fault: 'ERR_NETWORK' }));
    watch(worker, MINUTE);
    await worker.clock.advance(100);
    expect(chart(worker).failure).toEqual({ kind: 'transport', code: 'ERR_NETWORK' });
    const failed = worker.server.to(KLINE).length;
    await worker.clock.advance(1000);
    expect(worker.server.to(KLINE).length).toBe(failed + 1);
    minutes(worker, () => rows(0, 3));
    worker.workerApi.reloadCandles(MINUTE);
    await worker.clock.advance(100);
    expect(chart(worker)).toMatchObject({ failure: undefined });
    expect(minutesOf(chart(worker))).toEqual([0, 1, 2]);
    expect(worker.shown.events).toEqual([]);
  });

  it('keeps its bars', async () => {
    const worker = await started();
    minutes(worker, () => rows(0, 3));
    watch(worker, MINUTE);
    await worker.clock.advance(100);
    worker.server.on(KLINE, () => ({ status: 500 }));
    worker.sockets.last.drop();
    await worker.clock.advance(5000);
    expect(chart(worker)).toMatchObject({ failure: undefined, replaced: 1 });
    minutes(worker, () => rows(0, 9));
    await worker.clock.advance(30_000);
    expect(minutesOf(chart(worker))).toEqual([...Array(9).keys()]);
  });
});

describe('after a loss', () => {
  it.each([1, 40, 700, 1600])('a gap of %i minutes is filled', async (gap) => {
    const worker = await started();
    let now = 100;
    minutes(worker, () => rows(0, now));
    watch(worker, MINUTE);
    await worker.clock.advance(100);
    now += gap;
    worker.sockets.last.drop();
    await worker.clock.advance(1000);
    expect(minutesOf(chart(worker))).toEqual([...Array(100 + gap).keys()]);
    expect(chart(worker).replaced).toBe(1);
  });

  it('a gap of weeks loads the chart again, without a gap in it', async () => {
    const worker = await started();
    let from = 0;
    minutes(worker, () => rows(from, from + 10_000));
    watch(worker, MINUTE);
    await worker.clock.advance(100);
    from = 50_000;
    worker.sockets.last.drop();
    await worker.clock.advance(1000);
    const shown = minutesOf(chart(worker));
    expect(shown.at(-1)).toBe(59_999);
    expect(shown).toEqual(Array.from(shown, (_, i) => (shown[0] ?? 0) + i));
    expect(chart(worker).replaced).toBe(2);
  });

  it('live bars wait until the earlier ones are loaded', async () => {
    const worker = await started();
    minutes(worker, () => rows(0, 10));
    watch(worker, MINUTE);
    await worker.clock.advance(100);
    const answer = held();
    worker.server.on(KLINE, answer.route);
    worker.sockets.last.drop();
    await worker.clock.advance(1000);
    live(worker, row(15));
    await worker.clock.advance(1000);
    expect(minutesOf(chart(worker)).at(-1)).toBe(9);
    answer.release({ data: rows(0, 15) });
    await worker.clock.advance(100);
    expect(minutesOf(chart(worker))).toEqual([...Array(16).keys()]);
  });

  it('bars of a market that was set back are dropped', async () => {
    const worker = await started();
    const at = (Time: number) => ({
      data: [
        instrumentRow(1, 'EURUSD', {
          ForexQuotations: { Open: '1', Close: '1', Change: '0', Time },
        }),
      ],
    });
    worker.server.on('/v1/api/forex/trade_list', () => at(T0 * 1000));
    await worker.workerApi.refreshList();
    let from = 1000;
    minutes(worker, () => rows(from, from + 5));
    watch(worker, MINUTE);
    await worker.clock.advance(100);
    from = 0;
    worker.server.on('/v1/api/forex/trade_list', () => at((T0 - 90_000) * 1000));
    worker.sockets.last.drop();
    await worker.clock.advance(1000);
    expect(minutesOf(chart(worker))).toEqual([0, 1, 2, 3, 4]);
  });
});

describe('the topic of a chart', () => {
  const sent = (worker: TestWorker) =>
    worker.sockets.last.asked.map(
      (message) => `${message.type} ${'topic' in message ? message.topic : ''}`,
    );

  it('is shared by its periods, lingers, and is unsubscribed', async () => {
    const worker = await started();
    minutes(worker, () => rows(0, 10));
    for (const period of ['1min', '5min', '1day'] as Period[])
      watch(worker, { instrumentId: 1, period });
    await worker.clock.advance(100);
    for (const period of ['1min', '5min', '1day'] as Period[])
      unwatch(worker, { instrumentId: 1, period });
    await worker.clock.advance(2900);
    expect(sent(worker)).toEqual(['sub KLINE.EURUSD']);
    await worker.clock.advance(200);
    expect(sent(worker)).toEqual(['sub KLINE.EURUSD', 'unsub KLINE.EURUSD']);
    const frames = worker.shown.candles.length;
    live(worker, row(11));
    await worker.clock.advance(100);
    expect(worker.shown.candles.length).toBe(frames);
  });

  it('is kept when the period changes, and a chart left for a moment is shown immediately', async () => {
    const worker = await started();
    minutes(worker, () => rows(0, 10));
    watch(worker, MINUTE);
    await worker.clock.advance(100);
    unwatch(worker, MINUTE);
    await worker.clock.advance(1000);
    live(worker, row(10));
    const fetched = worker.server.to(KLINE).length;
    watch(worker, MINUTE);
    await worker.clock.advance(100);
    expect(sent(worker)).toEqual(['sub KLINE.EURUSD']);
    expect(worker.server.to(KLINE).length).toBe(fetched);
    expect(worker.shown.candles.at(-1)).toMatchObject({ change: 'replace' });
    expect(minutesOf(chart(worker))).toEqual([...Array(11).keys()]);
  });

  it('is subscribed when the code of its instrument is known', async () => {
    const worker = createTestWorker([instrumentRow(1, 'EURUSD')]);
    const list = held();
    worker.server.on('/v1/api/forex/trade_list', list.route);
    minutes(worker, () => rows(0, 3));
    worker.start();
    watch(worker, MINUTE);
    await worker.clock.advance(500);
    expect(minutesOf(chart(worker))).toEqual([0, 1, 2]);
    expect(sent(worker)).toEqual([]);
    list.release({ data: [instrumentRow(1, 'EURUSD')] });
    await worker.clock.advance(500);
    expect(sent(worker)).toEqual(['sub KLINE.EURUSD']);
    live(worker, row(3));
    await worker.clock.advance(100);
    expect(minutesOf(chart(worker))).toEqual([0, 1, 2, 3]);
  });

  it('sends bars only to watchers', async () => {
    const worker = await started();
    minutes(worker, () => rows(0, 3));
    watch(worker, MINUTE, { instrumentId: 2, period: '1min' });
    await worker.clock.advance(100);
    unwatch(worker, MINUTE);
    const frames = worker.shown.candles.length;
    live(worker, row(3));
    live(worker, row(3), 'NZDUSD');
    await worker.clock.advance(100);
    expect(worker.shown.candles.slice(frames).map(({ instrumentId }) => instrumentId)).toEqual([2]);
  });
});

describe('a period that the server does not have', () => {
  /** A market of so many bars of the source period, in pages of `size`; the last one is open. */
  async function market(period: ChartPeriod, count: number, size: number) {
    const worker = await started();
    const source = sourcePeriod(period);
    const step = PERIOD_SECONDS[source];
    const last = Math.floor(T0 / step) * step;
    const bars = Array.from({ length: count }, (_, index): Bar => {
      const close = 100 + ((index * 37) % 61);
      const time = toUnixSeconds(last - (count - 1 - index) * step);
      return { time, open: close - 1, high: close + 3, low: close - 4, close, volume: 60 };
    });
    const newest = bars.at(-1) as Bar;
    const asked: unknown[] = [];
    worker.server.on(KLINE, ({ params }) => {
      asked.push(params['period']);
      const before = Number(params['before'] ?? Number.POSITIVE_INFINITY);
      const served =
        params['period'] === '1min' ? [newest] : params['period'] === source ? bars : [];
      return {
        data: served
          .filter(({ time }) => time < before)
          .slice(-size)
          .map(klineRow),
      };
    });
    const key: CandlesKey = { instrumentId: 1, period };
    watch(worker, key);
    await worker.clock.advance(200);
    return { worker, key, bars, asked, newest, truth: () => foldBars(bars, period) };
  }

  const PERIODS_AND_PAGES = (['240min', '1week', '1month'] as const).flatMap((period) =>
    [7, 45, 500].map((size) => [period, size] as const),
  );

  it.each(PERIODS_AND_PAGES)(
    '%s shows only whole bars, page by page of %d',
    async (period, size) => {
      const { worker, key, asked, truth } = await market(period, 700, size);
      const all = truth();
      let shown = chart(worker, key);
      expect(shown.bars.length).toBeGreaterThan(0);
      expect(shown.bars).toEqual(all.slice(-shown.bars.length));
      expect(shown.bars.length).toBeLessThan(all.length);
      for (let pages = 0; shown.more; pages++) {
        expect(pages).toBeLessThan(700 / size + 2);
        await worker.workerApi.loadOlder(key);
        await worker.clock.advance(100);
        shown = chart(worker, key);
        expect(shown.bars).toEqual(all.slice(-shown.bars.length));
      }
      expect(shown.bars).toEqual(all);
      expect(shown.replaced).toBe(1);
      expect(new Set(asked)).toEqual(new Set(['1min', sourcePeriod(period)]));
    },
  );

  it.each(['240min', '1week', '1month'] as const)(
    '%s shows a history shorter than one bar, and says that it begins there',
    async (period) => {
      const { worker, key, truth } = await market(period, 1, 500);
      expect(chart(worker, key)).toMatchObject({ bars: truth(), more: false });
    },
  );

  it.each(['240min', '1week', '1month'] as const)(
    '%s follows live minutes, corrects, and forgets what was scrolled to',
    async (period) => {
      const { worker, key, bars, newest, truth } = await market(period, 700, 500);
      const tick = { ...newest, high: 999, close: 500, volume: 70 };
      live(worker, klineRow(tick));
      bars[bars.length - 1] = tick;
      await worker.clock.advance(100);
      const first = chart(worker, key).bars;
      expect(first.at(-1)).toEqual(truth().at(-1));
      const later = { ...tick, time: toUnixSeconds(newest.time + 60), low: 1, close: 2, volume: 5 };
      live(worker, klineRow(later));
      live(worker, klineRow({ ...tick, high: 2000, volume: 71 }));
      bars[bars.length - 1] = { ...tick, high: 2000, low: 1, close: 2, volume: 76 };
      await worker.clock.advance(100);
      expect(chart(worker, key).bars).toEqual(truth().slice(-first.length));
      await worker.workerApi.loadOlder(key);
      await worker.clock.advance(100);
      expect(chart(worker, key).bars.length).toBeGreaterThan(first.length);
      unwatch(worker, key);
      const seen = worker.shown.candles.length;
      watch(worker, key);
      await worker.clock.advance(100);
      const again = new PageChart();
      for (const candles of worker.shown.candles.slice(seen)) again.apply(candles);
      expect(again).toMatchObject({ bars: truth().slice(-again.bars.length), more: true });
      expect(again.bars.length).toBe(first.length);
    },
  );
});

describe('a visit without a network', () => {
  const DAY: CandlesKey = { instrumentId: 1, period: '1day' };

  /** Looks at both charts, and leaves. */
  async function earlierVisit(): Promise<TestWorker> {
    const worker = await started();
    worker.server.on(KLINE, ({ params }) => ({
      data: params['period'] === '1min' ? rows(0, 600).slice(-500) : [row(0, 7)],
    }));
    watch(worker, MINUTE, DAY);
    await worker.clock.advance(100);
    live(worker, row(600, 12, 9));
    await worker.clock.advance(100);
    await worker.clock.advance(2000);
    return worker;
  }

  it('shows the bars of the last one, with the failure, until they are loaded', async () => {
    const { storage } = await earlierVisit();
    const worker = createTestWorker([instrumentRow(1, 'EURUSD')], { storage });
    worker.start();
    await worker.clock.advance(100);
    worker.server.on(KLINE, () => ({ fault: 'ERR_NETWORK' }));
    watch(worker, MINUTE);
    await worker.clock.advance(100);
    const shown = chart(worker);
    expect(shown).toMatchObject({ failure: { kind: 'transport' }, more: false });
    expect(shown.bars).toHaveLength(500);
    expect(shown.bars.at(-1)).toMatchObject({ close: 12 });

    minutes(worker, () => rows(700, 710));
    await worker.clock.advance(2000);
    expect(chart(worker).failure).toBeUndefined();
    expect(minutesOf(chart(worker))).toEqual(rows(700, 710).map((_, at) => 700 + at));
  });

  it('shows the bars that have come where no frame was sent since the failure', async () => {
    const { storage } = await earlierVisit();
    const worker = createTestWorker([instrumentRow(1, 'EURUSD')], { storage });
    worker.start();
    await worker.clock.advance(100);
    worker.workerApi.setVisible(false);
    worker.server.on(KLINE, () => ({ fault: 'ERR_NETWORK' }));
    watch(worker, MINUTE);
    await worker.clock.advance(100);
    minutes(worker, () => rows(700, 710));
    worker.workerApi.reloadCandles(MINUTE);
    await worker.clock.advance(100);
    worker.workerApi.setVisible(true);
    await worker.clock.advance(100);
    expect(chart(worker).failure).toBeUndefined();
    expect(minutesOf(chart(worker))).toEqual(rows(700, 710).map((_, at) => 700 + at));
  });

  it('stores none when the page is hidden, and those that have come once it is shown', async () => {
    const worker = await started();
    minutes(worker, () => rows(0, 600).slice(-500));
    worker.workerApi.setVisible(false);
    watch(worker, MINUTE);
    await worker.clock.advance(100);
    live(worker, row(600, 12, 9));
    await worker.clock.advance(60_000);
    expect([...worker.storage.values.keys()]).not.toContain('bars');
    worker.workerApi.setVisible(true);
    await worker.clock.advance(2000);
    const stored = () => structuredClone(worker.storage.values.get('bars'));
    const shown = stored();
    expect(shown).toBeDefined();
    live(worker, row(601, 13, 9));
    worker.workerApi.setVisible(false);
    await worker.clock.advance(60_000);
    expect(stored()).toEqual(shown);
  });

  it('stores them as soon as they are loaded', async () => {
    const worker = await started();
    minutes(worker, () => rows(0, 600).slice(-500));
    watch(worker, MINUTE);
    await worker.clock.advance(100);
    expect([...worker.storage.values.keys()]).toContain('bars');
  });

  it('does not show those of another period or instrument', async () => {
    const { storage } = await earlierVisit();
    const worker = createTestWorker([instrumentRow(1, 'GBPUSD'), instrumentRow(2, 'EURUSD')], {
      storage,
    });
    worker.start();
    await worker.clock.advance(100);
    worker.server.on(KLINE, () => ({ fault: 'ERR_NETWORK' }));
    const hour: CandlesKey = { instrumentId: 2, period: '60min' };
    watch(worker, MINUTE, hour);
    await worker.clock.advance(100);
    for (const key of [MINUTE, hour]) {
      expect(chart(worker, key)).toMatchObject({ failure: { kind: 'transport' }, bars: [] });
    }
  });
});
