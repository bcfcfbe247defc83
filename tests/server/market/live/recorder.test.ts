import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toUnixMs } from '#domain/core/time';
import { PERIODS } from '#domain/market/period';
import type { Database } from '../../../../server/db/database';
import { CODECS } from '../../../../server/market/live/codecs/codecs';
import { LiveMarket } from '../../../../server/market/live/liveMarket';
import { Recorder } from '../../../../server/market/live/recorder';
import { TickFile } from '../../../../server/market/live/tickFile';
import { ReplayMarket } from '../../../../server/market/replay/replayMarket';
import { inTurn } from '../../../helpers/samples';
import { emptyDatabase } from '../../support/database';
import { dataDirectory } from '../../support/dataDirectory';
import { FakeClock } from '../../support/fakeClock';
import { RecordingListener, RecordingLog } from '../recordingListener';
import { passUntil, settled } from './opening';
import { ScriptedKraken } from './scriptedKraken';

const START = Date.UTC(2026, 10, 23, 10, 30, 10);
const M0 = Date.UTC(2026, 10, 23, 10, 30) / 1000;

let kraken: ScriptedKraken;
let clock: FakeClock;
let log: RecordingLog;
let database: Database;
let path: string;
const ends: (() => unknown)[] = [];

beforeEach(async () => {
  kraken = await ScriptedKraken.start();
  clock = new FakeClock(toUnixMs(START));
  log = new RecordingLog();
  database = await emptyDatabase();
  path = join(dataDirectory(), 'ticks.csv.gz');
});

afterEach(async () => {
  await Promise.all(ends.splice(0).map((end) => end()));
  await kraken.stop();
  await database.close();
});

async function until(done: () => boolean, step = 250): Promise<void> {
  await passUntil(clock, done, step, () => kraken.send({ channel: 'heartbeat' }));
}

const soon = (done: () => boolean) => until(done, 100);

const addresses = () => ({
  exchanges: ['kraken' as const],
  codes: ['BTC/USD'],
  websocket: `ws://127.0.0.1:${kraken.port}`,
  rest: `http://127.0.0.1:${kraken.port}`,
});
const record = async () => {
  const recorder = await settled(
    Recorder.open({ ...addresses(), to: path, raw: '' }, clock, log),
    soon,
  );
  recorder.start();
  ends.push(() => recorder.stop());
  return recorder;
};
const lines = () => gunzipSync(readFileSync(path)).toString().trimEnd().split('\n');
const passed = (second: number) => until(() => clock.now() >= second * 1000);

describe('a recording', () => {
  inTurn(it)('replayed has the bars of the live market, bit for bit, over a gap too', async () => {
    const live = await settled(
      LiveMarket.open(
        { ...addresses(), quoteAge: 60, fillsAtQuote: false, feeType: 'per-lot' },
        database.db,
        clock,
        log,
      ),
      soon,
    );
    const seen = new RecordingListener();
    live.listen(seen);
    await live.start();
    await record();
    await until(() => kraken.subscribed.length === 4);
    kraken.rows.set(1, [[M0, 100, 100.5, 99, 100.1, 0.3]]);
    await passed(M0 + 63);

    // A minute of trades, out of order, whose volumes have other sums in other orders.
    await passed(M0 + 90);
    const at = (M0 + 89) * 1000;
    kraken.trades([
      { time: at + 20, price: 101.2, volume: 0.3, id: 13 },
      { time: at, price: 101.1, volume: 0.1, id: 11 },
      { time: at + 10, price: 101.4, volume: 0.2, id: 12 },
      { time: at + 20, price: 101.2, volume: 0.3, id: 13 },
      { time: at + 20, price: 101.3, volume: 0.7, id: 14 },
    ]);
    await passed(M0 + 130);
    kraken.trades([{ time: (M0 + 129) * 1000, price: 102, volume: 0.4, id: 15 }]);
    await passed(M0 + 140);
    const connections = kraken.connections;
    kraken.rows.set(1, [[M0 + 120, 102, 103, 101.5, 102.5, 5.25]]);
    kraken.drop();
    await until(() => kraken.connections === connections + 2);
    await passed(M0 + 200);
    kraken.trades([{ time: (M0 + 199) * 1000, price: 104, volume: 0.6, id: 19 }]);
    await passed(M0 + 245);
    await until(() => lines().some((line) => line.includes(',104,')));
    expect(lines()).toEqual([
      'time,code,bid,ask,volume',
      `#bar,${(M0 + 60) * 1000 - 1},BTC/USD,100,100.5,99,100.1,0.3`,
      `${at},BTC/USD,101.1,101.1,0.1`,
      `${at + 10},BTC/USD,101.4,101.4,0.2`,
      `${at + 20},BTC/USD,101.2,101.2,0.3`,
      `${at + 20},BTC/USD,101.3,101.3,0.7`,
      `${(M0 + 129) * 1000},BTC/USD,102,102,0.4`,
      `#bar,${(M0 + 180) * 1000 - 1},BTC/USD,102,103,101.5,102.5,5.25`,
      `${(M0 + 199) * 1000},BTC/USD,104,104,0.6`,
    ]);

    const replay = await ReplayMarket.open(
      { file: path, speed: 'max', wait: false, feeType: 'per-lot' },
      database.db,
      clock,
      log,
    );
    const replayed = new RecordingListener();
    replay.listen(replayed);
    await replay.start();
    await until(() => replay.quote(1)?.marketOpen === false);
    expect(log.warnings.filter((line) => line.includes('skipped'))).toEqual([]);
    expect(replay.instruments).toMatchObject([{ code: 'BTC/USD', categoryId: 3, precision: 1 }]);
    for (const period of PERIODS) {
      expect(await replay.bars(1, period, 500)).toEqual(await live.bars(1, period, 500));
    }
    expect(replayed.ticked.reduce((sum, { volume }) => sum + volume, 0)).toBeCloseTo(2.3, 9);
    await replay.stop();
    await Promise.all([live.stop(), clock.advance(2_000)]);
  });

  inTurn(it)('has the kline of a minute that ended while the connection was dead', async () => {
    await record();
    await until(() => kraken.subscribed.length > 0);
    await passed(M0 + 90);
    kraken.trades([{ time: (M0 + 89) * 1000, price: 101, volume: 0.1 }]);
    await passed(M0 + 115);
    kraken.rows.set(1, [[M0 + 60, 101, 103, 101, 102.5, 5.25]]);
    const { connections } = kraken;
    await passUntil(
      clock,
      () => kraken.connections > connections,
      250,
      () => {},
    );
    const kline = `#bar,${(M0 + 120) * 1000 - 1},BTC/USD,101,103,101,102.5,5.25`;
    await until(() => lines().includes(kline));
  });

  inTurn(it)(
    'keeps trades that come late where the replay plays them, and tells of the others',
    async () => {
      const recorder = await record();
      await until(() => kraken.subscribed.length === 2);
      await passed(M0 + 75);
      const at = (M0 + 70) * 1000;
      kraken.trades([{ time: at, price: 101, volume: 1, id: 1 }]);
      await until(() => lines().length === 2);
      await passed(M0 + 85);
      kraken.trades([
        { time: at + 5000, price: 102, volume: 1, id: 2 },
        { time: at - 1000, price: 100, volume: 1, id: 3 },
      ]);
      await until(() => lines().length === 3);
      await passed(M0 + 130);
      kraken.trades([{ time: (M0 + 129) * 1000, price: 104, volume: 1, id: 4 }]);
      await until(() => lines().length === 4);
      kraken.trades([{ time: at + 6000, price: 103, volume: 1, id: 5 }]);
      await passed(M0 + 140);
      recorder.stop();
      expect(lines().slice(1)).toEqual([
        `${at},BTC/USD,101,101,1`,
        `${at + 5000},BTC/USD,102,102,1`,
        `${(M0 + 129) * 1000},BTC/USD,104,104,1`,
      ]);
      expect(log.infos.at(-1)).toBe(
        'Recorded 3 trades and 0 minutes from klines, until 2026-11-23T10:32:09.000Z; too late for the file: 2 of BTC/USD.',
      );
    },
  );

  inTurn(it)(
    'writes a code of any script, which the replay reads, and which a broken end does not spoil',
    async () => {
      const code = '币安人生/USDT';
      kraken.pairs = ['BTC/USD', code];
      const named = { ...addresses(), codes: [code], to: path, raw: '' };
      const recorder = await settled(Recorder.open(named, clock, log), soon);
      recorder.start();
      ends.push(() => recorder.stop());
      await until(() => kraken.subscribed.length === 2);
      kraken.rows.set(1, [[M0, 1.4, 1.5, 1.4, 1.5, 0.3]]);
      await passed(M0 + 75);
      kraken.trades([{ time: (M0 + 75) * 1000, price: 1.5, volume: 1, id: 7, symbol: code }]);
      await until(() => lines().length === 3);
      recorder.stop();
      const whole = readFileSync(path);
      writeFileSync(path, Buffer.concat([whole, whole.subarray(0, 30)]));
      await TickFile.open(path);
      expect(lines().at(-1)).toMatch(/^\d+,币安人生\/USDT,1\.5,1\.5,1$/);
      const replay = await ReplayMarket.open(
        { file: path, speed: 'max', wait: false, feeType: 'per-lot' },
        database.db,
        clock,
        log,
      );
      expect(replay.instruments.map((each) => each.code)).toEqual([code]);
    },
  );

  it('keeps every message as it came, where that is asked for', async () => {
    const raw = join(dataDirectory(), 'messages.ndjson');
    const recorder = await settled(
      Recorder.open({ ...addresses(), to: path, raw }, clock, log),
      soon,
    );
    recorder.start();
    ends.push(() => recorder.stop());
    await until(() => kraken.subscribed.length === 2);
    kraken.send('{"not":');
    kraken.trades([{ time: clock.now(), price: 101, volume: 0.5, id: 7 }]);
    const messages = () =>
      readFileSync(raw, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as { time: number; exchange: string; text: string });
    await until(() => messages().some(({ text }) => text.includes('"trade_id":7')));
    expect(messages().map(({ text }) => text)).toContain('{"not":');
    expect(messages()[0]).toMatchObject({ exchange: 'kraken', time: expect.any(Number) });
    const events = messages().flatMap(({ text }) => CODECS.kraken.decode(text).events);
    expect(events).toContainEqual(expect.objectContaining({ kind: 'trade', price: 101, id: '7' }));
  });

  inTurn(it)('goes on in its file, whose end may be broken, and fills the gap', async () => {
    const first = await record();
    await until(() => kraken.subscribed.length === 2);
    kraken.rows.set(1, [[M0, 100, 100.5, 99, 100.1, 0.3]]);
    await passed(M0 + 75);
    kraken.trades([{ time: (M0 + 75) * 1000, price: 101, volume: 1, id: 1 }]);
    await until(() => lines().length === 3);
    first.stop();
    // As of a full disk: half a gzip member.
    const whole = readFileSync(path);
    writeFileSync(path, Buffer.concat([whole, whole.subarray(0, 30)]));
    kraken.rows.set(1, [
      [M0 + 60, 101, 101.5, 100, 101, 2],
      [M0 + 120, 101, 102, 101, 102, 3],
    ]);
    await passed(M0 + 190);
    const second = await record();
    await passed(M0 + 245);
    second.stop();
    expect(lines().slice(2)).toEqual([
      `${(M0 + 75) * 1000},BTC/USD,101,101,1`,
      `#bar,${(M0 + 120) * 1000 - 1},BTC/USD,101,101.5,100,101,2`,
      `#bar,${(M0 + 180) * 1000 - 1},BTC/USD,101,102,101,102,3`,
    ]);
  });

  inTurn(it)('begins another file at midnight', async () => {
    rmSync(path, { force: true });
    clock = new FakeClock(toUnixMs(Date.UTC(2026, 10, 23, 23, 57, 50)));
    await record();
    await until(() => kraken.subscribed.length === 2);
    const midnight = Date.UTC(2026, 10, 24) / 1000;
    for (const second of [midnight - 30, midnight + 5]) {
      await passed(second);
      kraken.trades([{ time: second * 1000, price: 100, volume: 1 }]);
    }
    await passed(midnight + 12);
    const old = path.replace('.csv.gz', '-2026-11-23.csv.gz');
    expect(gunzipSync(readFileSync(old)).toString()).toBe(
      `time,code,bid,ask,volume\n${(midnight - 30) * 1000},BTC/USD,100,100,1\n`,
    );
    expect(lines()).toEqual([
      'time,code,bid,ask,volume',
      `${(midnight + 5) * 1000},BTC/USD,100,100,1`,
    ]);
  });
});
