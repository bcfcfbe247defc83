import { afterEach, describe, expect, it, vi } from 'vitest';
import { toText } from '#domain/core/decimal';
import { toDurationMs, toUnixMs, toUnixSeconds } from '#domain/core/time';
import { toUsd } from '#domain/core/units';
import { BAR_STRIDE } from '#domain/market/candles';
import type { Bar } from '#domain/market/kline';
import { PERIOD_SECONDS, type Period } from '#domain/market/period';
import type { PracticeRequest, PracticeState } from '#domain/worker/practice';
import { UNREAD } from '../../../workers/core/ports';
import { klineRow } from '../support/klineRow';
import { ScriptedLocks } from '../support/scriptedLocks';
import { createTestWorker, instrumentRow, MemoryStorage } from '../support/testWorker';
import { TICKET } from '../support/ticket';

const KLINE = '/v1/api/forex/kline';
const INFO = '/api/basicSet/getBasicInfo';
const DAY = toUnixMs(Date.UTC(2026, 5, 3));
const BEGIN = DAY / 1000;
const START: PracticeRequest = {
  ...{ do: 'start', instrumentId: 1, day: DAY, days: 1, balance: '10000' },
};
const ROWS = [
  instrumentRow(1, 'EURUSD', {
    ForexQuotations: {
      ...{ Open: '1', Close: '1.1', Change: '10', Time: 0 },
      ...{ Bid: '1.09998', Ask: '1.10002' },
    },
  }),
];
const MARKET = { ...TICKET, instrumentId: -1 };

/** Bars of a period around the day: 300 before it, then all of it. Each rises by 0.0001, after a dip of 0.0002. */
function barsFrom(first: number, period: Period): Bar[] {
  const seconds = PERIOD_SECONDS[period];
  return Array.from({ length: Math.floor((BEGIN + 2 * 86_400 - first) / seconds) }, (_, index) => {
    const open = Math.round(110_000 + index * 10) / 100_000;
    return {
      time: toUnixSeconds(first + index * seconds),
      open,
      high: Math.round(open * 100_000 + 30) / 100_000,
      low: Math.round(open * 100_000 - 20) / 100_000,
      close: Math.round(open * 100_000 + 10) / 100_000,
      volume: 12,
    };
  });
}

interface Scene {
  storage?: MemoryStorage;
  /** The first bar of each period that the server has. */
  firsts?: Partial<Record<Period, number>>;
  features?: string[];
}

async function begun({ storage = new MemoryStorage(), firsts, features = [] }: Scene = {}) {
  const worker = createTestWorker(ROWS, { storage });
  const { server, clock, workerApi, shown } = worker;
  const begins = firsts ?? { '1min': BEGIN - 300 * 60 };
  server.on(KLINE, ({ params }) => {
    const period = params['period'] as Period;
    const first = begins[period];
    const all = first === undefined ? [] : barsFrom(first, period);
    const before = Number(params['before'] ?? Number.POSITIVE_INFINITY);
    return {
      data: all
        .filter(({ time }) => time < before)
        .slice(-500)
        .map(klineRow),
    };
  });
  server.on(INFO, () => ({
    data: { features, trade_fee_type: 1, fill_at_quote: 2 },
  }));
  worker.start();
  await clock.advance(1000);
  const state = () => {
    const frames = shown.frames.filter(({ practice }) => practice !== undefined);
    return frames.at(-1)?.practice as PracticeState;
  };
  const ask = async (request: PracticeRequest) => {
    const result = await workerApi.practice(request);
    await clock.advance(100);
    return result;
  };
  /** The bars of the session's chart. */
  const bars = () => {
    const drawn = new Map<number, number[]>();
    for (const { instrumentId, change, bars: packed } of shown.candles) {
      if (instrumentId !== -1) continue;
      if (change === 'replace') drawn.clear();
      for (let at = 0; at < packed.length; at += BAR_STRIDE)
        drawn.set(packed[at] ?? 0, [...packed.subarray(at + 1, at + BAR_STRIDE)]);
    }
    return drawn;
  };
  await ask({ do: 'show' });
  return { ...worker, storage, state, ask, bars };
}

afterEach(() => vi.unstubAllGlobals());

describe('a practice session in the worker', () => {
  it('loads the day and what is before it, and shows nothing that is to come', async () => {
    const { ask, state, bars, server, shown } = await begun();
    expect(await ask(START)).toEqual({ ok: true, data: undefined });
    expect(state()).toMatchObject({
      ...{ period: '1min', bars: 1, total: 1440, isOver: false, speed: undefined },
      ...{ time: DAY, start: '10000', open: [], closed: [] },
      instrument: { id: -1, code: 'EURUSD' },
      account: { balance: '10000', equity: '10000', available: '10000' },
    });
    const first = barsFrom(BEGIN - 300 * 60, '1min').find(({ time }) => time === BEGIN) as Bar;
    const drawn = bars();
    expect(drawn.size).toBe(301);
    expect(Math.max(...drawn.keys())).toBe(BEGIN);
    expect(drawn.get(BEGIN)).toEqual([first.open, first.open, first.open, first.open, 0]);
    expect(shown.quotes.get(-1)).toMatchObject({ close: first.open, marketOpen: true });
    expect(shown.frames.flatMap(({ topsOfBook = [] }) => topsOfBook).at(-1)).toEqual({
      id: -1,
      bid: Number((first.open - 0.00002).toFixed(5)),
      ask: Number((first.open + 0.00002).toFixed(5)),
    });
    // Four pages of the day and what is before it, and none before them.
    expect(server.to(KLINE)).toHaveLength(5);
    expect(server.to(KLINE).every(({ params }) => params['forex_id'] === '1')).toBe(true);
  });

  it('plays bar by bar, and at a speed until it is paused', async () => {
    const { ask, state, bars, clock, storage } = await begun();
    await ask(START);
    await ask({ do: 'bar' });
    const [first, second] = barsFrom(BEGIN - 300 * 60, '1min').slice(300) as [Bar, Bar];
    const whole = ({ open, high, low, close, volume }: Bar) => [open, high, low, close, volume];
    expect(bars().get(BEGIN)).toEqual(whole(first));
    expect(state()).toMatchObject({ bars: 1, time: DAY + 45_000 });
    expect(storage.values.get('practice log')).toMatchObject({ played: 4 });
    await ask({ do: 'play', speed: 60 });
    await clock.advance(200);
    expect(bars().get(BEGIN + 60)).toEqual([second.open, second.open, second.open, second.open, 0]);
    // The nearer extreme of the second bar is its low.
    await clock.advance(250);
    expect(bars().get(BEGIN + 60)).toEqual([second.open, second.open, second.low, second.low, 0]);
    await clock.advance(550);
    expect(state()).toMatchObject({ bars: 2, speed: 60, time: DAY + 105_000 });
    await ask({ do: 'pause' });
    await clock.advance(60_000);
    expect(state()).toMatchObject({ bars: 2, speed: undefined });
    await ask({ do: 'play', speed: 1 });
    await clock.advance(14_800);
    expect(state()).toMatchObject({ bars: 2 });
    await clock.advance(300);
    expect(state()).toMatchObject({ bars: 3, speed: 1 });
  });

  it('is traded at its own prices, and sends nothing', async () => {
    const { ask, state, server, shown } = await begun();
    await ask(START);
    const asked = server.asked.length;
    await ask({ do: 'ticket', ticket: MARKET });
    expect(shown.ticket).toMatchObject({ problem: undefined, fee: '0.5', margin: '113' });
    expect(await ask({ do: 'submit', ticket: MARKET })).toMatchObject({ ok: true });
    const [order] = state().open;
    // At the ask: half of a spread of four points above 1.13.
    expect(order && toText(order.price)).toBe('1.13002');
    expect(order && toText(order.profit)).toBe('-0.4');
    expect(state().account).toMatchObject({ marginInUse: '113', balance: '9999.5' });
    const stop = { stopLoss: '1.12', takeProfit: '1.13014', trailing: '' };
    expect(await ask({ do: 'exits', id: -1, ...stop })).toMatchObject({ ok: true });
    await ask({ do: 'bar' });
    const [closed] = state().closed;
    expect(closed).toMatchObject({ id: -1, status: 'closed', closeReason: 'take_profit' });
    // The high of the bar less half of the spread.
    expect(closed && toText(closed.updatePrice)).toBe('1.13028');
    expect(state().account).toMatchObject({ balance: '10002.1', marginInUse: '0' });
    expect(await ask({ do: 'end' })).toMatchObject({ ok: true });
    expect(state().isOver).toBe(true);
    expect(shown.quotes.get(-1)?.marketOpen).toBe(false);
    expect(server.asked.slice(asked)).toEqual([]);
  });

  it('names the rule that a command breaks', async () => {
    const { ask, state } = await begun();
    const invalid = (key: string) => ({
      ok: false,
      failure: { kind: 'invalid', message: { key } },
    });
    expect(await ask({ do: 'cancel', id: -1 })).toEqual(invalid('orderEnded'));
    await ask(START);
    const large = { ...MARKET, lots: '50' };
    expect(await ask({ do: 'submit', ticket: large })).toMatchObject(invalid('availableTooLow'));
    expect(await ask({ do: 'close', id: -9, lots: '' })).toEqual(invalid('orderEnded'));
    await ask({ do: 'end' });
    expect(await ask({ do: 'submit', ticket: MARKET })).toEqual(invalid('marketClosed'));
    expect(state()).toMatchObject({ open: [], closed: [] });
  });

  it('goes on where the app was closed, digit for digit', async () => {
    const first = await begun();
    await first.ask(START);
    await first.ask({ do: 'submit', ticket: { ...MARKET, trailing: '0.0005' } });
    await first.ask({
      do: 'submit',
      ticket: { ...MARKET, type: 'pending', targetPrice: '1.1299' },
    });
    await first.ask({ do: 'bar' });
    await first.ask({ do: 'close', id: -1, lots: '0.04' });
    await first.ask({ do: 'play', speed: 60 });
    await first.clock.advance(20_000);
    const left = first.state();
    expect(left.bars).toBeGreaterThan(20);
    expect(left.closed.length).toBeGreaterThan(0);
    // Its last second may not be stored; the rest is.
    await first.ask({ do: 'pause' });

    const second = await begun({ storage: first.storage });
    second.server.on(KLINE, () => ({ fault: 'ERR_NETWORK' }));
    await second.ask({ do: 'show' });
    expect(second.state()).toEqual(first.state());
    expect([...second.bars()]).toEqual([...first.bars()]);
    await first.ask({ do: 'bar' });
    await second.ask({ do: 'bar' });
    expect(second.state()).toEqual(first.state());

    await second.ask({ do: 'forget' });
    expect(second.state()).toBeNull();
    const third = await begun({ storage: first.storage });
    await third.ask({ do: 'show' });
    expect(third.state()).toBeNull();
  });

  it('is written each second while it is played, for an app that ends without a word', async () => {
    const { ask, clock, storage, state } = await begun();
    await ask(START);
    await ask({ do: 'play', speed: 60 });
    await clock.advance(5000);
    const again = await begun({ storage });
    await again.ask({ do: 'show' });
    expect(state().bars - again.state().bars).toBeLessThanOrEqual(2);
    expect(again.state().bars).toBeGreaterThan(2);
  });

  it('plays longer bars of a day whose minutes the server has no more', async () => {
    const hour = 3600;
    const { ask, state } = await begun({
      firsts: { '1min': BEGIN + 86_400, '5min': BEGIN + 12 * hour, '15min': BEGIN - 20 * hour },
    });
    await ask(START);
    expect(state()).toMatchObject({ period: '15min', total: 96 });
    // Where it has no whole day, the finest bars of a part.
    const partly = await begun({ firsts: { '5min': BEGIN + 12 * hour, '60min': BEGIN + hour } });
    await partly.ask(START);
    expect(partly.state()).toMatchObject({ period: '5min', total: 144 });
  });

  it('says that there are no bars, or that they did not come, and keeps the session before', async () => {
    const { ask, state, server } = await begun();
    await ask(START);
    await ask({ do: 'bar' });
    const before = state();
    const empty = { ...START, day: toUnixMs(Date.UTC(2020, 1, 1)) } as PracticeRequest;
    expect(await ask(empty)).toMatchObject({
      failure: { kind: 'invalid', message: { key: 'noBarsOfDay' } },
    });
    server.on(KLINE, () => ({ fault: 'ERR_NETWORK' }));
    expect(await ask(START)).toMatchObject({ failure: { kind: 'transport' } });
    await ask({ do: 'show' });
    expect(state()).toEqual(before);
  });

  it('drops what is stored and can not be read, and begins anew where the log does not fit', async () => {
    const first = await begun();
    await first.ask(START);
    await first.ask({ do: 'submit', ticket: MARKET });
    await first.ask({ do: 'bar' });
    const day = first.storage.values.get('practice day') as Record<string, unknown>;
    const log = first.storage.values.get('practice log') as Record<string, unknown>;
    const shownOf = async (changes: { day?: unknown; log?: unknown }) => {
      const storage = new MemoryStorage();
      await storage.set('practice day', 'day' in changes ? changes.day : day);
      await storage.set('practice log', 'log' in changes ? changes.log : log);
      const { ask, state } = await begun({ storage });
      await ask({ do: 'show' });
      return state() as PracticeState | null;
    };
    expect(await shownOf({})).toMatchObject({ bars: 1, open: [{ id: -1 }] });
    for (const broken of [
      7,
      [],
      { ...day, bars: new Float64Array(5) },
      { ...day, bars: new Float64Array(0) },
      { ...day, bars: new Float64Array(6).fill(Number.NaN) },
      { ...day, bars: 'x'.repeat(600) },
      { ...day, instrument: { Id: 1 } },
      { ...day, period: '2min' },
      { ...day, balance: '-5' },
      { ...day, spread: '-0.1' },
      { ...day, quoteFill: 9 },
    ])
      expect(await shownOf({ day: broken })).toBeNull();
    const submit = { after: 1, command: { do: 'submit', ticket: MARKET } };
    for (const broken of [
      null,
      { ...log, id: 1 },
      { ...log, played: -1 },
      { ...log, played: 1e15 },
      { ...log, commands: [{ after: 1, command: { do: 'steal' } }] },
      { ...log, commands: [{ ...submit, after: 'x' }] },
      { ...log, commands: [submit, { after: 1, command: { do: 'cancel', id: 1 } }] },
      { ...log, commands: [{ after: 8, command: { do: 'end' } }, submit] },
    ])
      expect(await shownOf({ log: broken })).toMatchObject({ bars: 1, open: [], closed: [] });
  });

  it.each(['practice day', 'practice log'])(
    'is not begun again where the %s can not be read now',
    async (unread) => {
      const first = await begun();
      await first.ask(START);
      await first.ask({ do: 'submit', ticket: MARKET });
      await first.ask({ do: 'bar' });
      const { storage } = first;
      const { get } = storage;
      storage.get = async (key) => (key === unread ? UNREAD : get(key));
      const { ask, state } = await begun({ storage });
      expect(state()).toBeNull();
      await ask({ do: 'bar' });
      storage.get = get;
      await ask({ do: 'show' });
      expect(state()).toEqual(first.state());
    },
  );

  it('is not replaced by another one before its user could see it', async () => {
    const first = await begun();
    await first.ask(START);
    await first.ask({ do: 'bar' });
    const { storage } = first;
    const { get } = storage;
    storage.get = async () => UNREAD;
    const { ask, state } = await begun({ storage });
    expect(state()).toBeNull();
    storage.get = get;
    expect(await ask(START)).toEqual({ ok: true, data: undefined });
    expect(state()).toEqual(first.state());
    await ask(START);
    expect(state()).not.toEqual(first.state());
  });

  it('amends a pending order, which is previewed with its own margin free', async () => {
    const { ask, state, server, shown } = await begun();
    await ask(START);
    const pending = { ...MARKET, type: 'pending', lots: '40', targetPrice: '1.12' } as const;
    expect(await ask({ do: 'submit', ticket: pending })).toMatchObject({ ok: false });
    const small = { ...pending, lots: '4' };
    expect(await ask({ do: 'submit', ticket: small })).toMatchObject({ ok: true });
    const asked = server.asked.length;
    const { margin: before } = state().open[0] ?? {};
    const terms = {
      ...{ lots: '5', targetPrice: '1.125', stopLoss: '1.1', takeProfit: '' },
      ...{ trailing: '', until: toUnixMs(DAY + 3_600_000) },
    };
    await ask({ do: 'change', change: { id: -1, terms } });
    const change = () => shown.frames.flatMap((frame) => frame.change ?? []).at(-1);
    expect(change()).toMatchObject({ problem: undefined, margin: '5625', fee: '25' });
    // More than is left beside its own margin, less than with it.
    const most = { ...terms, lots: '8' };
    await ask({ do: 'change', change: { id: -1, terms: most } });
    expect(change()).toMatchObject({ problem: undefined, margin: '9000' });
    await ask({ do: 'change', change: { id: -1, terms: { ...terms, lots: '9' } } });
    expect(change()?.problem).toMatchObject({ message: { key: 'availableTooLow' } });
    await ask({ do: 'change', change: undefined });

    expect(await ask({ do: 'amend', id: -1, terms })).toMatchObject({ ok: true });
    const [order] = state().open;
    expect(order).toMatchObject({ id: -1, status: 'pending', until: terms.until });
    expect(
      [order?.originPrice, order?.stopLoss, order?.lots].map((value) => value && toText(value)),
    ).toEqual(['1.125', '1.1', '5']);
    expect(before && toText(before)).toBe('4480');
    expect(state().account).toMatchObject({ marginInUse: '5625' });
    const invalid = (key: string) => ({ failure: { kind: 'invalid', message: { key } } });
    const wrong = { ...terms, stopLoss: '1.2' };
    expect(await ask({ do: 'amend', id: -1, terms: wrong })).toMatchObject({ ok: false });
    expect(await ask({ do: 'amend', id: -5, terms })).toMatchObject(invalid('orderEnded'));
    await ask({ do: 'submit', ticket: MARKET });
    expect(await ask({ do: 'amend', id: -2, terms })).toMatchObject(invalid('orderNotAmendable'));
    expect(state().open[0]).toEqual(order);
    expect(server.asked.slice(asked)).toEqual([]);
  });

  it('plays several days, and charges the night between them as the server lists it', async () => {
    const { ask, state, server, storage } = await begun({
      firsts: { '60min': BEGIN - 300 * 3600 },
      features: ['swap'],
    });
    server.on('/v1/api/forex/trade_list', () => ({
      data: [{ ...ROWS[0], SwapLong: '-6.5', SwapShort: '1.25', SwapTriple: 4 }],
    }));
    await ask({ ...START, days: 2 } as PracticeRequest);
    expect(state()).toMatchObject({ period: '60min', total: 48, swap: true });
    await ask({ do: 'submit', ticket: { ...MARKET, lots: '0.3' } });
    for (let bar = 0; bar < 24; bar++) await ask({ do: 'bar' });
    expect(state().open[0] && toText(state().open[0]?.swap ?? toUsd(0))).toBe('0');
    await ask({ do: 'bar' });
    // The night to a Thursday counts three: 0.3 x -6.50 x 3.
    expect(toText(state().open[0]?.swap ?? toUsd(0))).toBe('-5.85');
    await ask({ do: 'pause' });
    const again = await begun({ storage });
    expect(again.state()).toEqual(state());
    const free = await begun();
    await free.ask(START);
    expect(free.state().swap).toBe(false);
  });

  it('loads the session before the day, which pivot points are of', async () => {
    const { ask, bars, shown } = await begun({ firsts: { '1min': BEGIN - 2000 * 60 } });
    await ask({ do: 'indicators', specs: [{ kind: 'pivots', parameters: [] }] });
    await ask(START);
    await ask({ do: 'bar' });
    expect(Math.min(...bars().keys())).toBeLessThanOrEqual(BEGIN - 1440 * 60);
    const values = shown.candles.flatMap(({ indicators = [] }) => indicators);
    expect(values.at(-1)?.values.some(Number.isFinite)).toBe(true);
  });

  it('computes indicators of what was played, and of no bar that is to come', async () => {
    const specs = [{ kind: 'sma', parameters: [3] }] as const;
    const { ask, shown, bars } = await begun();
    await ask({ do: 'indicators', specs });
    await ask(START);
    const lines = () => {
      const drawn: number[] = [];
      for (const { instrumentId, change, indicators = [], bars: packed } of shown.candles) {
        if (instrumentId !== -1) continue;
        const [line] = indicators;
        if (change === 'replace') drawn.length = 0;
        else drawn.pop();
        drawn.push(...(line?.values ?? new Float64Array(packed.length / BAR_STRIDE)));
      }
      return drawn;
    };
    const mean = () => {
      const closes = [...bars().values()].slice(-3).map(([, , , close = 0]) => close);
      return closes.reduce((sum, close) => sum + close, 0) / 3;
    };
    for (let bar = 0; bar < 3; bar++) {
      expect(lines()).toHaveLength(bars().size);
      expect(lines().at(-1)).toBeCloseTo(mean(), 10);
      await ask({ do: 'bar' });
    }
    await ask({ do: 'play', speed: 60 });
    await ask({ do: 'pause' });
    // The page shows its chart again: all values come with all bars.
    await ask({ do: 'show' });
    expect(lines()).toHaveLength(bars().size);
    expect(lines().at(-1)).toBeCloseTo(mean(), 10);
    await ask({ do: 'indicators', specs: [] });
    expect(shown.candles.at(-1)?.indicators ?? []).toEqual([]);
  });
});

describe('a practice session in two tabs', () => {
  const elsewhere = 'elsewhere' as unknown as PracticeState;

  async function tabs() {
    vi.stubGlobal('navigator', { locks: new ScriptedLocks() });
    const storage = new MemoryStorage();
    const first = await begun({ storage });
    await first.ask(START);
    await first.ask({ do: 'submit', ticket: MARKET });
    const second = await begun({ storage });
    return { storage, first, second };
  }

  it('is played in one of them, and goes on in the other one where it is', async () => {
    const { first, second } = await tabs();
    expect(second.state()).toEqual(elsewhere);
    // The one that does not play has nothing to say.
    expect(await second.ask({ do: 'end' })).toMatchObject({ ok: false });
    await first.ask({ do: 'play', speed: 60 });
    await first.clock.advance(3300);
    const left = first.state();
    await second.ask({ do: 'take' });
    // Also what was played since the log was written last.
    expect(second.state()).toEqual({ ...left, speed: undefined });
    await first.clock.advance(100);
    expect(first.state()).toEqual(elsewhere);
    await second.ask({ do: 'close', id: -1, lots: '' });
    await first.clock.advance(5000);
    expect(await first.ask({ do: 'bar' })).toMatchObject({ ok: false });
    await first.ask({ do: 'take' });
    expect(first.state()).toMatchObject({ open: [], closed: [{ id: -1 }], bars: left.bars });
    await second.clock.advance(100);
    expect(second.state()).toEqual(elsewhere);
  });

  it('is played where the browser refuses its locks', async () => {
    const request = () => Promise.reject(new DOMException('', 'SecurityError'));
    vi.stubGlobal('navigator', { locks: { request } });
    const { ask, state } = await begun();
    await ask(START);
    await ask({ do: 'leave' });
    await ask({ do: 'take' });
    expect(state()).toMatchObject({ bars: 1 });
  });

  it('may be played by another tab once its screen is left', async () => {
    const { first, second } = await tabs();
    await first.ask({ do: 'bar' });
    const left = first.state();
    await first.ask({ do: 'leave' });
    // What its parts undo as they go tells the page nothing: the next screen would show that there is no session.
    await first.ask({ do: 'ticket', ticket: undefined });
    await first.ask({ do: 'indicators', specs: [] });
    expect(first.state()).toEqual(left);
    await second.ask({ do: 'show' });
    expect(second.state()).toEqual(left);
    await first.ask({ do: 'show' });
    expect(first.state()).toEqual(elsewhere);
  });

  it('stays with a tab whose screen is left and shown again at once', async () => {
    const { first, storage } = await tabs();
    const { workerApi, clock } = first;
    const before = first.state();
    const set = storage.set.bind(storage);
    storage.set = async (key, value) => {
      await new Promise<void>((done) => clock.after(toDurationMs(50), done));
      await set(key, value);
    };
    const asked = (['leave', 'show', 'leave', 'show'] as const).map((what) =>
      workerApi.practice({ do: what }),
    );
    await clock.advance(300);
    await Promise.all(asked);
    await clock.advance(100);
    expect(first.state()).toEqual(before);
  });

  it('is taken from a tab that is frozen, which writes nothing once it wakes', async () => {
    const locks = new ScriptedLocks();
    /** It does not hear that it is asked. */
    const request = (name: string, ...rest: [never]) => {
      const asked = locks.request(name, ...rest);
      return name.endsWith('asked') ? new Promise(() => asked.catch(() => {})) : asked;
    };
    vi.stubGlobal('navigator', { locks: { request } });
    const storage = new MemoryStorage();
    const first = await begun({ storage });
    await first.ask(START);
    await first.ask({ do: 'submit', ticket: MARKET });
    await first.ask({ do: 'play', speed: 60 });
    vi.stubGlobal('navigator', { locks });
    const second = await begun({ storage });
    const taken = second.workerApi.practice({ do: 'take' });
    await second.clock.advance(1900);
    expect(second.state()).toEqual(elsewhere);
    await second.clock.advance(200);
    await taken;
    await second.clock.advance(100);
    expect(second.state()).toMatchObject({ bars: 1, open: [{ id: -1 }] });
    await second.ask({ do: 'bar' });
    await second.ask({ do: 'pause' });
    const stored = storage.values.get('practice log');
    await first.clock.advance(10_000);
    expect(storage.values.get('practice log')).toEqual(stored);
    expect(first.state()).toEqual(elsewhere);
  });
});
