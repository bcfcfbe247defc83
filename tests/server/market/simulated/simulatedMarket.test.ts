import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toUnixMs, toUnixSeconds } from '#domain/core/time';
import { type Bar, barFromTick, barStart, foldBars, foldTick } from '#domain/market/kline';
import { PERIODS } from '#domain/market/period';
import type { Tick } from '../../../../server/market/market';
import {
  SimulatedMarket,
  type SimulatedOptions,
} from '../../../../server/market/simulated/simulatedMarket';
import { inTurn } from '../../../helpers/samples';
import { FakeClock } from '../../support/fakeClock';
import { RecordingListener, RecordingLog } from '../recordingListener';
import { FRIDAY } from './testInstruments';

const NOON = FRIDAY + 12 * 3_600_000;
const MINUTE = 60_000;

async function open(time: number, options: Partial<SimulatedOptions> = {}) {
  const clock = new FakeClock(toUnixMs(time));
  const journal = new RecordingLog();
  const market = new SimulatedMarket(
    { seed: '1', instruments: 40, ticksPerSecond: 20, feeType: 'per-lot', ...options },
    clock,
    journal,
  );
  const recorder = new RecordingListener();
  market.listen(recorder);
  await market.start();
  return { market, clock, recorder, journal };
}

function idOf(market: SimulatedMarket, code: string): number {
  return market.instruments.find((instrument) => instrument.code === code)?.id ?? 0;
}

function foldAll(ticks: readonly Tick[], id: number): Bar[] {
  const bars: Bar[] = [];
  for (const { instrumentId, price, volume, time } of ticks) {
    if (instrumentId !== id) continue;
    const start = barStart('1min', toUnixSeconds(time / 1000));
    const last = bars.at(-1);
    if (last?.time === start) foldTick(last, price, volume);
    else bars.push(barFromTick(start, price, volume));
  }
  return bars;
}

describe('the simulated market', () => {
  inTurn(it)('emits ticks that fold into exactly the bars that it closes and serves', async () => {
    const { market, clock, recorder } = await open(NOON);
    await clock.advance(20 * MINUTE + 30_000);
    for (const { id } of market.instruments) {
      const folded = foldAll(recorder.ticked, id).filter(
        ({ time }) => time < (NOON + 20 * MINUTE) / 1000,
      );
      expect(recorder.barsOf(id)).toEqual(folded);
      const served = await market.bars(id, '1min', 30);
      const since = served.filter(({ time }) => time >= NOON / 1000);
      expect(since).toEqual(foldAll(recorder.ticked, id));
    }
    expect(recorder.closed.length).toBeGreaterThan(200);
    await market.stop();
  });

  it('has the hours of a session once, however many instruments trade in it', async () => {
    const { market } = await open(NOON);
    expect(new Set(market.instruments.map(({ hours }) => hours)).size).toBeLessThanOrEqual(5);
    await market.stop();
  });

  it('emits nothing before its time or out of order', async () => {
    const { market, clock, recorder } = await open(NOON + 17_500);
    await clock.advance(3 * MINUTE);
    const times = recorder.ticked.map(({ time }) => time);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(times[0]).toBeGreaterThan(NOON + 17_500);
    expect(times.at(-1)).toBeLessThanOrEqual(clock.now());
    let delivered = 0;
    for (const size of recorder.batches) {
      const minutes = new Set(
        times.slice(delivered, delivered + size).map((time) => Math.floor(time / MINUTE)),
      );
      expect(minutes.size).toBe(1);
      delivered += size;
    }
    await market.stop();
  });

  inTurn(it)('has open bars folded from the ticks, in every period', async () => {
    const midnight = FRIDAY;
    const { market, clock, recorder } = await open(midnight - 1);
    const id = idOf(market, 'BTCUSD');
    for (let i = 0; i < 12; i++) {
      await clock.advance(7 * MINUTE + 13_777);
      const minutes = foldAll(recorder.ticked, id);
      for (const period of PERIODS) {
        const served = await market.bars(id, period, 500);
        const since = served.filter(({ time }) => time >= midnight / 1000);
        expect(since).toEqual(foldBars(minutes, period));
      }
      expect(market.currentBar(id)).toEqual(minutes.at(-1));
      const last = recorder.ticked.findLast(({ instrumentId }) => instrumentId === id);
      expect(market.quote(id)).toMatchObject({
        price: last?.price,
        time: last?.time,
        open: minutes[0]?.open,
        marketOpen: true,
      });
    }
    await market.stop();
  });

  inTurn(it)('continues after a restart as if it had never stopped', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 10_080 }),
        fc.integer({ min: 1, max: 4 * MINUTE }),
        fc.string({ maxLength: 5 }),
        async (minutes, ran, seed) => {
          // A market sends no tick from before its start, not even one at that millisecond.
          const begin = FRIDAY - minutes * MINUTE - 1;
          const restart = begin + ran;
          const through = await open(begin, { seed });
          await through.clock.advance(ran + 2 * MINUTE);
          const before = await open(begin, { seed });
          await before.clock.advance(ran);
          // Without stop(), as after a crash.
          const after = await open(restart, { seed });
          const all = through.recorder.ticked;
          for (const { id } of after.market.instruments) {
            const mine = all.filter((tick) => tick.instrumentId === id && tick.time <= restart);
            const last = mine.at(-1);
            if (last) {
              expect(after.market.quote(id)).toMatchObject({ price: last.price, time: last.time });
            }
            const minute = barStart('1min', toUnixSeconds(restart / 1000));
            const bar = foldAll(mine, id).find(({ time }) => time === minute);
            expect(after.market.currentBar(id)).toEqual(bar);
            const since = toUnixMs(begin + Math.floor(ran / 3));
            const prices = mine.flatMap(({ time, price }) => (time > since ? [price] : []));
            expect(after.market.priceRange(id, since)).toEqual(
              prices.length > 0
                ? { low: Math.min(...prices), high: Math.max(...prices) }
                : undefined,
            );
          }
          await after.clock.advance(2 * MINUTE);
          const settled = restart + 2 * MINUTE - 1000;
          const upTo = (ticks: readonly Tick[]) => ticks.filter(({ time }) => time < settled);
          expect(before.recorder.ticked).toEqual(all.slice(0, before.recorder.ticked.length));
          expect(upTo(after.recorder.ticked)).toEqual(
            upTo(all).filter(({ time }) => time > restart),
          );
        },
      ),
      // The example has a tick in the first millisecond of a minute.
      { numRuns: 12, examples: [[8442, 18, 'zH/ag']] },
    );
  });

  it('has past bars page by page without gap or overlap, and never changes them', async () => {
    const { market, clock } = await open(NOON);
    const id = idOf(market, 'EURUSD');
    const recent = await market.bars(id, '5min', 300);
    const older = await market.bars(id, '5min', 200, recent[0]?.time);
    const together = await market.bars(id, '5min', 500);
    expect([...older, ...recent]).toEqual(together);
    await clock.advance(11 * MINUTE);
    const closed = together.slice(0, -1);
    const later = await market.bars(id, '5min', 500);
    const known = later.filter(({ time }) => time < (together.at(-1)?.time ?? 0));
    expect(known).toEqual(closed.slice(-known.length));
    expect(known.length).toBeGreaterThan(490);
    await market.stop();
  });

  it.each([
    ['on a busy afternoon', FRIDAY + 15 * 3_600_000, 40, 20],
    ['at night', FRIDAY + 3 * 3_600_000, 40, 20],
    ['at the weekend', FRIDAY + 86_400_000 + 5 * 3_600_000, 40, 20],
    ['with thousands a second', NOON, 40, 3000],
    ['with many instruments', NOON, 3000, 600],
    ['with fewer ticks than instruments', NOON, 2000, 5],
  ])('emits as many ticks a second as configured, %s', async (_, time, instruments, rate) => {
    const { market, clock, recorder } = await open(time, { instruments, ticksPerSecond: rate });
    const minutes = rate > 100 ? 2 : 20;
    await clock.advance(minutes * MINUTE);
    const measured = recorder.ticked.length / (minutes * 60);
    expect(measured / rate).toBeGreaterThan(0.9);
    expect(measured / rate).toBeLessThan(1.1);
    await market.stop();
  });

  inTurn(it)(
    'opens and closes with its sessions, emits the status, and has the time of the next opening',
    async () => {
      const evening = FRIDAY + 20.5 * 3_600_000;
      const { market, clock, recorder } = await open(evening);
      const [eurusd, us500, bitcoin] = ['EURUSD', 'US500', 'BTCUSD'].map((c) =>
        idOf(market, c),
      ) as [number, number, number];
      expect(market.quote(us500)?.marketOpen).toBe(true);
      expect(market.quote(us500)?.nextOpen).toBeUndefined();
      await clock.advance(31 * MINUTE);
      expect(recorder.statusChanges).toHaveLength(1);
      expect(recorder.statusChanges[0]).toContain(us500);
      expect(recorder.statusChanges[0]).not.toContain(eurusd);
      const closed = market.quote(us500);
      expect(closed?.marketOpen).toBe(false);
      expect(closed?.nextOpen).toBe(FRIDAY + 3 * 86_400_000 + 14.5 * 3_600_000);
      await clock.advance(60 * MINUTE);
      expect(market.quote(eurusd)).toMatchObject({
        marketOpen: false,
        nextOpen: FRIDAY + 2 * 86_400_000 + 22 * 3_600_000,
      });
      expect(market.quote(bitcoin)?.marketOpen).toBe(true);
      const ticks = recorder.ticked.length;
      const quote = market.quote(eurusd);
      await clock.advance(5 * MINUTE);
      const after = recorder.ticked.slice(ticks);
      expect(after.length).toBeGreaterThan(0);
      expect(after.some(({ instrumentId }) => instrumentId === eurusd)).toBe(false);
      expect(market.quote(eurusd)).toEqual(quote);
      await market.stop();
    },
  );

  it('continues from the present after the machine slept, and completes its open bars', async () => {
    const { market, clock, recorder } = await open(NOON + 20_000);
    await clock.advance(10_000);
    const id = idOf(market, 'BTCUSD');
    const opened = market.currentBar(id) as Bar;
    clock.jump(3 * 3_600_000);
    await clock.advance(2_000);
    const now = await open(clock.now());
    for (const instrument of market.instruments) {
      expect(market.quote(instrument.id)).toEqual(now.market.quote(instrument.id));
    }
    const bars = await market.bars(id, '1min', 500);
    const slept = bars.filter(({ time }) => time >= opened.time);
    const beforeOpen = toUnixMs(opened.time * 1000 - 1);
    expect(market.priceRange(id, beforeOpen)).toEqual({
      low: Math.min(...slept.map(({ low }) => low)),
      high: Math.max(...slept.map(({ high }) => high)),
    });
    expect(recorder.skips).toBe(1);
    expect(recorder.barsOf(id)).toEqual([bars.find(({ time }) => time === opened.time)]);
    expect(recorder.statusChanges.flat()).toContain(idOf(market, 'US500'));
    await market.stop();
  });

  it('waits for matching, and for other work between two batches', async () => {
    const { market, clock } = await open(NOON);
    const seen: string[] = [];
    let release = () => {};
    market.listen({
      blocksSource: true,
      ticks: (ticks) => {
        seen.push(`${ticks.length > 0}`);
        return new Promise((resolve) => {
          release = resolve;
        });
      },
      status: () => {},
      barClosed: () => {},
    });
    await clock.advance(5000);
    expect(seen).toHaveLength(1);
    release();
    await clock.advance(5000);
    expect(seen).toHaveLength(2);

    let finish = () => {};
    const between = market.exclusively(
      () =>
        new Promise<number>((resolve) => {
          finish = () => resolve(7);
        }),
    );
    release();
    await clock.advance(5000);
    expect(seen).toHaveLength(2);
    finish();
    await expect(between).resolves.toBe(7);
    await clock.advance(5000);
    expect(seen.length).toBeGreaterThan(2);
    release();
    await market.stop();
  });

  it('goes on after a listener fails', async () => {
    const { market, clock, recorder, journal } = await open(NOON);
    market.listen({
      ticks: () => {
        throw new Error('broken');
      },
      status: () => {},
      barClosed: async () => Promise.reject(new Error('broken later')),
    } as never);
    await clock.advance(2 * MINUTE);
    expect(journal.errors.length).toBeGreaterThan(0);
    expect(recorder.ticked.length).toBeGreaterThan(500);
    await market.stop();
  });

  it('stops', async () => {
    const { market, clock, recorder } = await open(NOON);
    await clock.advance(1000);
    await market.stop();
    const count = recorder.ticked.length;
    await clock.advance(MINUTE);
    expect(recorder.ticked).toHaveLength(count);
  });
});
