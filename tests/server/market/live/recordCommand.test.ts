import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { eventually } from '../../../helpers/eventually';
import { inTurn } from '../../../helpers/samples';
import { RealTimeExchange } from '../../../programs/fakeExchange/realTime';
import { dataDirectory } from '../../support/dataDirectory';
import { ServerProcess, serverBundle } from '../../support/serverProcess';

const bundle = serverBundle();
let kraken: RealTimeExchange;
let path: string;
const running: ServerProcess[] = [];

beforeEach(async () => {
  kraken = await RealTimeExchange.start('kraken', { tradesPerSecond: 100 });
  path = join(dataDirectory(), 'ticks.csv.gz');
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => each.kill()));
  await kraken.stop();
});

const record = (...more: string[]) => {
  const options = ['--live', 'kraken', ...kraken.serverOptions, '--codes', 'BTC/USD', '--to', path];
  const recorder = new ServerProcess(bundle(), dataDirectory(), 'record', ...options, ...more);
  running.push(recorder);
  return recorder;
};
/** The lines of the file; those of a last part that a kill has left half are not there yet. */
const lines = () => {
  if (!existsSync(path)) return [];
  try {
    return gunzipSync(readFileSync(path)).toString().trimEnd().split('\n');
  } catch {
    return [];
  }
};
const ROW = /^(?:\d+,BTC\/USD,[\d.]+,[\d.]+,[\d.]+|#bar,\d+,BTC\/USD(?:,[\d.]+){5})$/;

/** All lines are whole, none is there twice, and their times do not go back. */
function expectWhole(): void {
  const [head, ...rows] = lines();
  expect(head).toBe('time,code,bid,ask,volume');
  expect(rows.filter((row) => !ROW.test(row))).toEqual([]);
  const times = rows.map((row) => Number(row.replace('#bar,', '').split(',')[0]));
  expect(times).toEqual([...times].sort((a, b) => a - b));
}

inTurn(it)(
  'a recording that is killed again and again has no broken line, and goes on where it was',
  async () => {
    let before = 0;
    for (let kill = 0; kill < 2; kill++) {
      const recorder = record();
      await eventually(() => expect(lines().length, recorder.output).toBeGreaterThan(before + 20));
      await recorder.kill();
      before = lines().length;
    }
    const last = record();
    await eventually(() => expect(lines().length, last.output).toBeGreaterThan(before));
    last.child.kill('SIGTERM');
    expect(await last.exit, last.output).toBe(0);
    expectWhole();
  },
);

inTurn(it)('a recording ends cleanly at Ctrl-C, and after the time it was given', async () => {
  const interrupted = record();
  await eventually(() => expect(lines().length, interrupted.output).toBeGreaterThan(5));
  interrupted.child.kill('SIGINT');
  expect(await interrupted.exit, interrupted.output).toBe(0);
  expectWhole();
  const timed = record('--for', '1');
  expect(await timed.exit, timed.output).toBe(0);
  expectWhole();
});
