import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { secondOf, toUnixMs } from '#domain/core/time';
import type { Database } from '../../../../server/db/database';
import { LiveMarket } from '../../../../server/market/live/liveMarket';
import type { LiveOptions } from '../../../../server/market/live/liveOptions';
import { eventually } from '../../../helpers/eventually';
import { inTurn } from '../../../helpers/samples';
import { emptyDatabase } from '../../support/database';
import { FakeClock } from '../../support/fakeClock';
import { RecordingListener, RecordingLog } from '../recordingListener';
import { liveOptions, passUntil, settled } from './opening';
import { ScriptedKraken } from './scriptedKraken';

const START = Date.UTC(2026, 10, 23, 10, 30, 10);
const MINUTE = 60_000;
/** The start of the minute in which the tests begin, s. */
const M0 = Date.UTC(2026, 10, 23, 10, 30) / 1000;

let kraken: ScriptedKraken;
let clock: FakeClock;
let log: RecordingLog;
let database: Database;
let market: LiveMarket;
let seen: RecordingListener;

beforeEach(async () => {
  kraken = await ScriptedKraken.start();
  clock = new FakeClock(toUnixMs(START));
  log = new RecordingLog();
  database = await emptyDatabase();
  // Two minutes that are over and the beginning of the present one.
  kraken.rows.set(1, [
    [M0 - 120, 98, 99, 97, 98.5, 1.5],
    [M0 - 60, 98.5, 100, 98.5, 99, 2.25],
    [M0, 99, 99.5, 98, 99.5, 0.25],
  ]);
});

afterEach(async () => {
  await Promise.all([market.stop(), passing()]);
  await kraken.stop();
  await database.close();
});

const passing = async () => clock.advance(2_000);

/** Moves time on, in steps in which messages come, until `done`. */
async function until(done: () => boolean, step = 100, silent = false): Promise<void> {
  await passUntil(clock, done, step, () => {
    if (!silent) kraken.send({ channel: 'heartbeat' });
  });
}

async function open(options: Partial<LiveOptions> = {}): Promise<void> {
  market = await settled(
    LiveMarket.open(liveOptions(kraken.port, options), database.db, clock, log),
    until,
  );
  seen = new RecordingListener();
  market.listen(seen);
  await market.start();
}

const isOpen = () => market.quote(1)?.marketOpen === true;
/** Time does not stand at the start of a test: waiting for connections moves it. */
const now = () => clock.now();

describe('a live market', () => {
  it('has a clock that is never before a price that it has told, for those who look what they missed', async () => {
    await open();
    await until(isOpen);
    const since = market.now();
    const ahead = toUnixMs(now() + 5_000);
    kraken.trades([{ time: ahead, price: 101.5, volume: 0.5 }]);
    await until(() => market.quote(1)?.price === 101.5, 1);
    expect(market.now()).toBe(ahead);
    expect(market.priceRange(1, since)).toEqual({ low: 101.5, high: 101.5 });
  });

  inTurn(it)('opens with the exchange’s own bars, and makes the next ones of trades', async () => {
    await open();
    expect(market.feed).toBe('live:kraken');
    expect(market.instruments).toMatchObject([
      { id: 1, code: 'BTC/USD', name: 'BTC/USD', precision: 1, logo: '/logos/btcusd.svg' },
    ]);
    await until(isOpen);
    expect(kraken.subscribed).toEqual(['trade BTC/USD', 'ticker BTC/USD']);
    expect(market.quote(1)).toMatchObject({ price: 99.5 });
    expect(await market.bars(1, '1min', 10)).toMatchObject([
      { time: M0 - 120, close: 98.5, volume: 1.5 },
      { time: M0 - 60, close: 99, volume: 2.25 },
      { time: M0, open: 99, high: 99.5, low: 98, volume: 0.25 },
    ]);

    kraken.trades([{ time: now() + 1, price: 101.5, volume: 0.5 }]);
    await until(() => market.quote(1)?.price === 101.5, 1);
    expect(market.currentBar(1)).toMatchObject({ open: 99, high: 101.5, close: 101.5 });

    // The minute was not seen as a whole: the exchange's bar decides, two seconds after its end.
    const whole = [M0, 99, 102, 98, 101, 3];
    kraken.rows.get(1)?.splice(2, 1, whole);
    await until(() => seen.closed.some(({ bar }) => bar.time === M0), 500);
    expect(now()).toBeGreaterThanOrEqual(M0 * 1000 + MINUTE + 2_000);
    expect(seen.barsOf(1).at(-1)).toEqual({
      time: M0,
      open: 99,
      high: 102,
      low: 98,
      close: 101,
      volume: 3,
    });

    // The next one is made of trades: repeated and late ones, in whatever order.
    const next = (M0 + 60) * 1000;
    const calls = kraken.calls.length;
    await until(() => now() >= next + 20_000, 500);
    kraken.trades([
      { time: next + 20_000, price: 103, volume: 0.1, id: 1003 },
      { time: next + 19_500, price: 102, volume: 0.2, id: 1001 },
      { time: next + 20_000, price: 103, volume: 0.1, id: 1003 },
      { time: next + 19_700, price: 104, volume: 0.3, id: 1002 },
    ]);
    await until(() => market.quote(1)?.price === 103, 1);
    await until(() => now() > next + MINUTE + 500, 500);
    kraken.trades([{ time: next + MINUTE + 200, price: 105, volume: 1, id: 1005 }]);
    await until(() => market.quote(1)?.price === 105, 1);
    kraken.trades([{ time: next + 59_999, price: 101, volume: 0.7, id: 1004 }]);
    await until(() => seen.closed.some(({ bar }) => bar.time === M0 + 60));
    expect(seen.barsOf(1).at(-1)).toEqual({
      time: M0 + 60,
      open: 102,
      high: 104,
      low: 101,
      close: 101,
      volume: 1.3,
    });
    // The price of the late trade is not the market's any more.
    expect(market.quote(1)?.price).toBe(105);
    expect(kraken.calls.slice(calls).filter((call) => call.includes('interval=1&'))).toEqual([]);
    // Longer periods are folded from minutes.
    expect((await market.bars(1, '5min', 1))[0]).toMatchObject({
      time: M0,
      open: 99,
      high: 105,
      close: 105,
    });
  });

  inTurn(it)(
    'has the decimals of the finest price, where the exchange makes its step finer',
    async () => {
      await open();
      await until(isOpen);
      const [bitcoin] = market.instruments;
      expect(bitcoin?.precision).toBe(1);
      kraken.trades([{ time: now() + 1, price: 99.7, volume: 1 }]);
      await until(() => market.quote(1)?.price === 99.7, 1);
      expect(bitcoin?.precision).toBe(1);
      kraken.trades([{ time: now() + 1, price: 99.14922, volume: 1 }]);
      await until(() => market.quote(1)?.price === 99.14922, 1);
      expect(bitcoin?.precision).toBe(5);
      // An older bar of the exchange.
      kraken.rows.get(1)?.splice(0, 2);
      await until(() => seen.closed.some(({ bar }) => bar.time === M0), 500);
      expect(bitcoin?.precision).toBe(5);
    },
  );

  inTurn(it)('goes by the exchange’s clock, however wrong the machine’s is', async () => {
    const ahead = 3_600_000;
    kraken.rows.clear();
    const theirs = () => now() - ahead;
    let id = 0;
    const opened = open();
    await opened;
    await until(() => {
      kraken.trades([{ time: theirs(), price: 100, volume: 1, id: ++id }]);
      return isOpen();
    });
    expect(Math.abs(market.now() - theirs())).toBeLessThan(1_000);
    expect(market.quote(1)?.stale).toBeUndefined();
    const minute = Math.floor(theirs() / MINUTE) * 60 + 60;
    await until(() => theirs() > minute * 1000 + 5_000, 500);
    kraken.trades([{ time: minute * 1000 + 5_000, price: 101, volume: 0.5, id: ++id }]);
    await until(() => theirs() > (minute + 60) * 1000 + 1_000, 500);
    kraken.trades([{ time: minute * 1000 + 59_000, price: 102, volume: 0.5, id: ++id }]);
    await until(() => seen.closed.some(({ bar }) => bar.time === minute));
    expect(seen.barsOf(1).at(-1)).toMatchObject({ open: 101, close: 102, volume: 1 });
  });

  it('tells what prices were missed while there was no server, before the first one after it', async () => {
    await open();
    await until(isOpen);
    await until(() => seen.closed.length >= 2);
    expect(seen.skips).toBe(0);
    // It writes what followed the prices with the bars.
    await until(() => seen.saved > 0);
    await Promise.all([market.stop(), passing()]);
    const down = now();
    clock.pass(3 * MINUTE);
    const minute = Math.floor(now() / MINUTE) * 60;
    kraken.rows.set(1, [
      [M0, 99, 99.5, 98, 99.5, 0.25],
      [minute - 120, 99, 150, 98, 110, 5],
      [minute - 60, 110, 111, 60, 100, 5],
      [minute, 100, 104, 100, 104, 5],
    ]);
    await open();
    expect(market.priceRange(1, toUnixMs(down))).toBeUndefined();
    await until(isOpen);
    await until(() => seen.ticked.length > 0);
    expect(seen.skips).toBe(1);
    expect(seen.skippedBefore).toBe(0);
    expect(market.priceRange(1, toUnixMs(down))).toEqual({ low: 60, high: 150 });
    expect(market.priceRange(1, toUnixMs((minute - 1) * 1000))).toEqual({ low: 100, high: 104 });
  });

  it('closes when the connection is lost, and fills the gap before it opens again', async () => {
    await open();
    await until(isOpen);
    const lostAt = now();
    kraken.drop();
    await until(() => !isOpen(), 1);
    const { closedReason } = market.quote(1) ?? {};
    expect(closedReason).toMatchObject({ feed: 'Kraken' });
    expect(seen.statusChanges.at(-1)).toEqual([1]);
    kraken.rows.get(1)?.splice(2, 1, [M0, 99, 150, 98, 120, 9], [M0 + 60, 120, 121, 119, 121, 4]);
    const ticks = seen.ticked.length;
    await until(isOpen);
    expect(now() - lostAt).toBeLessThan(5_000);
    expect(kraken.connections).toBe(2);
    expect(seen.ticked.slice(ticks).map(({ price }) => price)).toEqual([121]);
  });

  it('closes after ten seconds of silence; heartbeats are no silence', async () => {
    await open();
    await until(isOpen);
    for (let second = 0; second < 20; second++) {
      kraken.send({ channel: 'heartbeat' });
      await clock.advance(500);
      await clock.advance(500);
    }
    expect(isOpen()).toBe(true);
    const quietSince = now();
    await until(() => !isOpen(), 1_000, true);
    expect(now() - quietSince).toBeGreaterThanOrEqual(8_000);
    expect(now() - quietSince).toBeLessThan(14_000);
  });

  it('has a stale price when neither trade nor book is younger than the limit', async () => {
    await open({ quoteAge: 60 });
    await until(isOpen);
    kraken.trades([{ time: now(), price: 100, volume: 1 }]);
    await until(() => market.quote(1)?.price === 100, 1);
    expect(market.quote(1)?.stale).toBeUndefined();
    const beat = () => kraken.send({ channel: 'heartbeat' });
    for (let second = 0; second < 62; second++) {
      beat();
      await clock.advance(1_000);
    }
    expect(market.quote(1)).toMatchObject({ marketOpen: true, stale: true });
    kraken.topOfBook(99.9, 100.1);
    await until(() => market.quote(1)?.bid === 99.9, 1);
    expect(market.quote(1)).toMatchObject({ ask: 100.1 });
    expect(market.quote(1)?.stale).toBeUndefined();
  });

  it('tells bid and ask with the price, or by themselves once a second', async () => {
    await open();
    await until(isOpen);
    kraken.topOfBook(99.9, 100.1);
    await until(() => market.quote(1)?.bid === 99.9, 1);
    kraken.topOfBook(99.8, 100.1);
    await until(() => seen.books.length > 0);
    expect(market.quote(1)).toMatchObject({ bid: 99.8, ask: 100.1 });
    // The same again is no change.
    kraken.topOfBook(99.8, 100.1);
    await until(() => now() % 1_000 < 100);
    await until(() => now() % 1_000 > 800);
    await until(() => now() % 1_000 < 100);
    expect(seen.books).toEqual([[1]]);
    // A trade tells the book too.
    kraken.topOfBook(99.7, 100.2);
    kraken.trades([{ time: now(), price: 100, volume: 1 }]);
    await until(() => market.quote(1)?.price === 100, 1);
    await until(() => now() % 1_000 > 800);
    await until(() => now() % 1_000 < 100);
    expect(seen.books).toEqual([[1]]);
    kraken.drop();
    await until(() => !isOpen(), 1);
    expect(market.quote(1)?.bid).toBeUndefined();
  });

  it('has a stale quote when bid and ask are old, where orders fill at them', async () => {
    await open({ quoteAge: 60, fillsAtQuote: true });
    await until(isOpen);
    kraken.topOfBook(99.9, 100.1);
    await until(() => market.quote(1)?.bid === 99.9, 1);
    const minute = async () => {
      for (let second = 0; second < 62; second++) {
        kraken.send({ channel: 'heartbeat' });
        await clock.advance(1_000);
      }
    };
    await minute();
    // Beyond the ask: it stands no more.
    kraken.trades([{ time: now(), price: 101, volume: 1 }]);
    await until(() => market.quote(1)?.price === 101, 1);
    expect(market.quote(1)).toMatchObject({ stale: true });
    kraken.trades([{ time: now(), price: 100, volume: 1 }]);
    await until(() => market.quote(1)?.price === 100, 1);
    expect(market.quote(1)?.stale).toBeUndefined();
  });

  it('is not disturbed by messages that make no sense', async () => {
    await open();
    await until(isOpen);
    const before = market.quote(1)?.price;
    for (const text of ['', '{', '{"channel":"trade","type":"update","data":[{}]}', '[1]'])
      kraken.send(text);
    // From the far future.
    kraken.trades([{ time: now() + 86_400_000, price: 1, volume: 1 }]);
    kraken.trades([{ time: now(), price: 77, volume: 1 }]);
    await until(() => market.quote(1)?.price === 77, 1);
    expect(seen.ticked.map(({ price }) => price)).toEqual([before, 77]);
    expect(log.warnings.filter((line) => line.includes('not understood'))).toHaveLength(4);
  });

  inTurn(it)(
    'goes on at another exchange, with no bar of both, and back when the first one lasts',
    async () => {
      await open({ exchanges: ['kraken', 'binance'], codes: ['BTC/USD'] });
      expect(market.feed).toBe('live:kraken');
      await until(isOpen);
      await until(() => kraken.binance.size === 1);
      kraken.trades([{ time: now(), price: 100, volume: 1 }]);
      await until(() => market.quote(1)?.price === 100, 1);
      // What the second one says meanwhile is nothing to us.
      kraken.binanceTrade(now(), 555, 1, 1);
      await clock.advance(100);
      expect(market.quote(1)?.price).toBe(100);

      const minute = (start: number, price: number) => [
        start * 1000,
        ...Array(4).fill(`${price}`),
        '7',
      ];
      kraken.binanceRows = [minute(M0, 200)];
      kraken.refusing = true;
      kraken.drop();
      await until(() => market.quote(1)?.price === 200, 50);
      expect(isOpen()).toBe(true);
      expect(seen.statusChanges.slice(-2)).toEqual([[1], [1]]);
      kraken.binanceTrade(now(), 201, 1, 2);
      await until(() => market.quote(1)?.price === 201, 1);
      kraken.binanceRows = [minute(M0, 202), minute(M0 + 60, 203)];
      await until(() => seen.closed.some(({ bar }) => bar.time === M0), 500);
      expect(seen.barsOf(1).at(-1)).toMatchObject({ open: 202, low: 202, high: 202, volume: 7 });

      kraken.refusing = false;
      kraken.rows.set(1, [[M0 + 60, 110, 111, 109, 110, 3]]);
      await until(() => market.quote(1)?.price === 110, 250);
      kraken.trades([{ time: now(), price: 112, volume: 1 }]);
      await until(() => market.quote(1)?.price === 112, 1);
    },
  );

  it('stays open at the other exchange until the first one has lasted, and its bars are here', async () => {
    await open({ exchanges: ['kraken', 'binance'], codes: ['BTC/USD'] });
    await until(isOpen);
    await until(() => kraken.binance.size === 1);
    kraken.binanceRows = [[M0 * 1000, '200', '200', '200', '200', '7']];
    kraken.drop();
    await until(() => market.quote(1)?.price === 200, 50);
    kraken.rows.set(1, [[M0 + 60, 110, 111, 109, 110, 3]]);
    // Its trades tell that the other one is alive.
    let id = 1;
    let wasClosed = false;
    const pass = (ms: number) => {
      const end = now() + ms;
      return until(() => {
        wasClosed ||= !isOpen();
        kraken.binanceTrade(now(), 201, 1, ++id);
        return now() >= end;
      }, 500);
    };
    const subscribed = async () => {
      const { length } = kraken.subscribed;
      await until(() => kraken.subscribed.length > length, 50);
    };
    if (kraken.sockets.size === 0) await subscribed();
    await pass(20_000);
    kraken.drop();
    await subscribed();
    kraken.restStatus = 503;
    const { length } = kraken.calls;
    await pass(20_000);
    // The first connection would have lasted so long by now.
    expect(kraken.calls.slice(length)).toEqual([]);
    await pass(30_000);
    expect(kraken.calls.slice(length).length).toBeGreaterThan(0);
    expect(market.quote(1)?.price).toBe(201);
    kraken.restStatus = 200;
    await until(() => {
      wasClosed ||= !isOpen();
      kraken.binanceTrade(now(), 201, 1, ++id);
      return market.quote(1)?.price === 110;
    }, 500);
    expect(wasClosed).toBe(false);
  });

  it('goes back to the first exchange also where the other one has never opened', async () => {
    await open({ exchanges: ['kraken', 'binance'], codes: ['BTC/USD'] });
    await until(isOpen);
    await until(() => kraken.binance.size === 1);
    kraken.binanceRows = [[M0 * 1000, '200', '200', '200', '200', '7']];
    kraken.rows.set(1, [[M0, 110, 111, 109, 110, 3]]);
    kraken.restStatus = 503;
    kraken.drop();
    await until(() => !isOpen(), 1);
    const began = now();
    await until(() => now() > began + 40_000, 500);
    expect(isOpen()).toBe(false);
    kraken.restStatus = 200;
    await until(isOpen, 500);
    expect(market.quote(1)?.price).toBe(110);
  });

  it('goes over to the first exchange where another one has begun before', async () => {
    kraken.binanceRows = [[M0 * 1000, '200', '200', '200', '200', '7']];
    await open({ exchanges: ['kraken', 'binance'], codes: ['BTC/USD'] });
    await until(() => kraken.binance.size === 1 && kraken.subscribed.length === 2);
    // Its trades tell its clock, which the first one waits for.
    let id = 0;
    await until(() => {
      kraken.binanceTrade(now(), 201, 1, ++id);
      return isOpen();
    });
    expect(market.quote(1)?.price).toBeGreaterThanOrEqual(200);
    await until(() => market.quote(1)?.price === 99.5, 500);
    expect(isOpen()).toBe(true);
  });

  it('names the exchange that is out', async () => {
    await open({ exchanges: ['kraken', 'binance'], codes: ['BTC/USD'] });
    await until(isOpen);
    await until(() => kraken.binance.size === 1);
    kraken.binanceRows = [[M0 * 1000, '200', '200', '200', '200', '7']];
    kraken.refusing = true;
    kraken.drop();
    await until(() => !isOpen(), 1);
    expect(market.quote(1)?.closedReason).toMatchObject({ feed: 'Kraken' });
    await until(isOpen, 50);
    for (const socket of kraken.binance) socket.terminate();
    await until(() => !isOpen(), 1);
    expect(market.quote(1)?.closedReason).toMatchObject({ feed: 'Binance' });
  });

  it('opens what is traded most first, and says how long the others take', async () => {
    // The last one listed is traded most.
    kraken.pairs = Array.from({ length: 300 }, (_, index) => `P${index}/USD`);
    kraken.turnoverOf = (index) => index;
    const codes = ['P1/USD', 'P299/USD', 'P150/USD'];
    await open({ codes });
    await until(() => market.instruments.every(({ id }) => market.quote(id)?.marketOpen));
    const asked = kraken.calls.filter((call) => call.includes('interval=1&')).slice(0, 3);
    const pairs = asked.map((call) => new URL(call, 'http://x').searchParams.get('pair'));
    expect(pairs).toEqual(['P299/USD', 'P150/USD', 'P1/USD']);
    expect(log.infos.join()).not.toContain('the last in some');
    await Promise.all([market.stop(), passing()]);
    await open({ codes: kraken.pairs });
    expect(log.infos.join()).toContain('300 pairs open one after the other, the last in some 8 s');
  });

  it('tells a gap that is longer than the exchange tells, and makes no longer bar of a part', async () => {
    await open();
    await until(isOpen);
    await until(() => seen.closed.length >= 2);
    await Promise.all([market.stop(), passing()]);
    clock.pass(20 * 3_600_000);
    const hour = Math.floor(now() / 3_600_000) * 3600;
    const first = Math.floor((now() - 719 * MINUTE) / MINUTE) * 60;
    const minutes = Array.from({ length: 719 }, (_, index) => [
      first + index * 60,
      ...[50, 50, 50, 50, 1],
    ]);
    kraken.rows.set(1, minutes);
    const cut = Math.floor(first / 3600) * 3600;
    kraken.rows.set(60, [
      [cut, 40, 60, 40, 50, 60],
      [hour, 50, 50, 50, 50, 1],
    ]);
    await open();
    await until(isOpen);
    expect(log.warnings.join()).toMatch(
      /BTC\/USD: the minutes from 2026-11-23T10:30 to .* UTC were missed/,
    );
    await eventually(async () => {
      await clock.advance(100);
      const bars = await market.bars(1, '60min', 50);
      expect(bars.find(({ time }) => time === cut)).toMatchObject({ open: 40, volume: 60 });
    });
    const bars = await market.bars(1, '1min', 2_000);
    expect(bars.filter(({ time }) => time > M0 && time < first)).toEqual([]);
    expect(bars.filter(({ time }) => time >= first).length).toBeGreaterThan(700);
  });

  it('counts each minute once in longer bars of a new instrument, which are the exchange’s where they began before its minutes', async () => {
    const today = Date.UTC(2026, 10, 23) / 1000;
    const [hour, minute] = [today + 20 * 3600, today + 20 * 3600 + 30 * 60];
    clock.pass(10 * 60 * MINUTE);
    const rows = (length: number, count: number, end: number, volume: number) =>
      Array.from({ length: count }, (_, index) => [
        end - (count - 1 - index) * length,
        ...[50, 50, 50, 50, volume],
      ]);
    kraken.rows.set(1, rows(60, 1_230, minute, 1));
    kraken.rows.set(60, rows(3600, 30, hour, 60));
    kraken.rows.set(1440, rows(86_400, 3, today, 1440));
    await open();
    const isRead = () => kraken.calls.some((call) => call.includes('interval=5&'));
    await until(() => isOpen() && isRead(), 20);
    const minutes = await market.bars(1, '1min', 2_000);
    const first = minutes[0]?.time ?? 0;
    expect(first).toBeGreaterThan(today);
    expect(first % 3600).toBeGreaterThan(0);
    const since = async (period: '60min' | '1day', from: number) => {
      const bars = await market.bars(1, period, 100);
      return bars.filter(({ time }) => time >= from).map(({ volume }) => volume);
    };
    // The minutes of this hour, with the one that is open.
    expect(await since('60min', today)).toEqual([...Array(20).fill(60), 31]);
    expect(await since('1day', today - 86_400)).toEqual([1440, 20 * 60 + 31]);
    await until(() => seen.closed.some(({ bar }) => bar.time === minute), 500);
    expect(await since('1day', today)).toEqual([20 * 60 + 31]);
    // Of these the exchange has none.
    const [half] = await market.bars(1, '30min', 100);
    expect(half?.time).toBeGreaterThan(first);
  });

  it('keeps its bars, and instruments their numbers, over a restart', async () => {
    kraken.pairs = ['ETH/USD', 'BTC/USD'];
    await open({ codes: ['BTC/USD'] });
    await until(isOpen);
    await until(() => seen.closed.length >= 2);
    await Promise.all([market.stop(), passing()]);
    kraken.rows.clear();
    await open({ codes: ['ETH/USD', 'BTC/USD'] });
    expect(market.instruments.map(({ id, code }) => [id, code])).toEqual([
      [2, 'ETH/USD'],
      [1, 'BTC/USD'],
    ]);
    expect(market.quote(1)).toMatchObject({ price: 99, marketOpen: false });
    expect(market.quote(1)?.closedReason).toMatchObject({ feed: 'Kraken' });
    expect(await market.bars(1, '1min', 10, secondOf(toUnixMs(M0 * 1000)))).toMatchObject([
      { time: M0 - 120 },
      { time: M0 - 60 },
    ]);
  });

  it('keeps its instruments over a restart, whatever is traded most by then', async () => {
    kraken.pairs = Array.from({ length: 102 }, (_, index) => `C${index}/USD`);
    await open();
    const names = () => market.instruments.map(({ code }) => code);
    expect(names()).toEqual(kraken.pairs.slice(0, 100));
    await Promise.all([market.stop(), passing()]);
    // The last one is traded most, the first two are listed no more.
    kraken.turnoverOf = (index) => index;
    kraken.pairs = kraken.pairs.slice(2);
    await open();
    expect(names()).toHaveLength(100);
    expect(names().slice(0, 3)).toEqual(['C101/USD', 'C100/USD', 'C99/USD']);
    await Promise.all([market.stop(), passing()]);
    kraken.pairs = ['NEW/USD', ...kraken.pairs];
    await open();
    expect(names()).not.toContain('NEW/USD');
    expect(names()).toHaveLength(100);
  });

  it('refuses codes that the exchange does not list, and a start without network', async () => {
    await expect(open({ codes: ['NOPE/USD'] })).rejects.toThrow('Kraken does not list NOPE/USD');
    kraken.restStatus = 451;
    await expect(open()).rejects.toThrow("can't be reached");
    expect(log.warnings.at(-1)).toContain('does not serve this place (HTTP 451)');
    kraken.restStatus = 200;
    await open();
  });
});
