import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toText } from '#domain/core/decimal';
import type { Db } from '../../../../server/db/database';
import type { MarketListener } from '../../../../server/market/market';
import { inTurn } from '../../../helpers/samples';
import { onEachDatabase } from '../../support/database';
import type { FakeClock } from '../../support/fakeClock';
import {
  ended,
  expectBarsOf,
  fold,
  idOf,
  MIDNIGHT,
  open,
  pass,
  type Quote,
  type Replay,
  record,
  recordText,
  until,
} from './recording';

/** Some minutes of two codes with a few ticks each, with gaps, equal times and repeated prices. */
const recording = fc
  .array(
    fc.record({
      wait: fc.oneof(fc.constant(0), fc.integer({ max: 30_000 }), fc.integer({ max: 400_000 })),
      code: fc.constantFrom('EURUSD', 'ACME'),
      bid: fc.integer({ min: 1, max: 40 }).map((points) => `1.${points + 10}`),
    }),
    { minLength: 1, maxLength: 120 },
  )
  .map((steps) => {
    let time = MIDNIGHT;
    return steps.map(({ wait, code, bid }): Quote => {
      time += Math.abs(wait);
      return { time, code, bid };
    });
  });

/** Blocks the feed forever after a number of ticks, like a killed process. */
function killer(after: number, clock: FakeClock): MarketListener & { dead: boolean } {
  let seen = 0;
  return {
    dead: false,
    blocksSource: true,
    ticks(ticks) {
      seen += ticks.length;
      // Wall time passes, so that positions are saved at various points.
      clock.jump(400);
      if (seen < after) return undefined;
      this.dead = true;
      return new Promise(() => {});
    },
    status: () => {},
    barClosed: () => {},
  };
}

onEachDatabase((database) => {
  describe('a replay', () => {
    inTurn(it)(
      'has exactly the bars of its ticks, in every period, wherever it was killed',
      async () => {
        await fc.assert(
          fc.asyncProperty(
            recording,
            fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 3 }),
            fc.boolean(),
            async (quotes, kills, gzip) => {
              const file = record(quotes, { gzip });
              let seen = 0;
              for (const after of kills) {
                const killed = await open(database.db, { file });
                const kill = killer(after, killed.clock);
                killed.market.listen(kill);
                await killed.market.start();
                await until(
                  () =>
                    kill.dead || killed.listener.statusChanges.length > 0 || seen >= quotes.length,
                );
                seen += killed.listener.ticked.length;
                if (!kill.dead) break;
              }
              const last = await open(database.db, { file });
              await last.market.start();
              await ended(last);
              await expectBarsOf(last, quotes);
              for (const { id, code } of last.market.instruments) {
                const quote = quotes.findLast((other) => other.code === code);
                expect(last.market.quote(id)).toEqual({
                  price: Number(quote?.bid),
                  open: fold(quotes, code, '1day').at(-1)?.open,
                  time: quote?.time,
                  marketOpen: false,
                  nextOpen: undefined,
                });
              }
              await last.market.stop();
            },
          ),
          { numRuns: 25 },
        );
      },
    );

    inTurn(it)('repeats and skips nothing over a graceful stop', async () => {
      const quotes = Array.from({ length: 300 }, (_, i): Quote => {
        return {
          time: MIDNIGHT + i * 7000,
          code: 'EURUSD',
          bid: (1.39 + (i % 17) / 1e4).toFixed(5),
        };
      });
      const file = record(quotes);
      const times: number[] = [];
      for (let run = 0; run < 5; run++) {
        const replay = await open(database.db, { file, speed: 10 });
        await replay.market.start();
        await replay.clock.until(() => replay.listener.ticked.length >= 60);
        await replay.market.stop();
        await expectBarsOf(replay, quotes.slice(0, times.length + replay.listener.ticked.length));
        times.push(...replay.listener.ticked.map(({ time }) => time));
      }
      expect(times).toEqual(quotes.slice(0, times.length).map(({ time }) => time));
      expect(times.length).toBeGreaterThanOrEqual(299);
    });

    it('emits each closed bar, and the last ones at the end', async () => {
      const quotes: Quote[] = [
        { time: MIDNIGHT + 1000, code: 'EURUSD', bid: '1.39' },
        { time: MIDNIGHT + 59_999, code: 'EURUSD', bid: '1.40' },
        { time: MIDNIGHT + 60_000, code: 'NZDUSD', bid: '0.87' },
        { time: MIDNIGHT + 60_000, code: 'NZDUSD', bid: '0.86' },
        { time: MIDNIGHT + 200_000, code: 'EURUSD', bid: '1.38' },
      ];
      const replay = await open(database.db, { file: record(quotes) });
      const order: string[] = [];
      replay.market.listen({
        ticks: (ticks) => void order.push(`${ticks.length} ticks`),
        barClosed: (id, { time }) => void order.push(`bar ${id} ${time - MIDNIGHT / 1000}`),
        status: (ids) => void order.push(`status ${[...ids].sort()}`),
      });
      await replay.market.start();
      await ended(replay);
      const [eur, nzd] = [idOf(replay, 'EURUSD'), idOf(replay, 'NZDUSD')];
      expect(order).toEqual([
        '2 ticks',
        `bar ${eur} 0`,
        '2 ticks',
        `bar ${nzd} 60`,
        '1 ticks',
        `bar ${eur} 180`,
        `status ${[eur, nzd].sort()}`,
      ]);
      for (const { id, bar } of replay.listener.closed) {
        const code = id === eur ? 'EURUSD' : 'NZDUSD';
        expect(fold(quotes, code, '1min')).toContainEqual(bar);
      }
      await replay.market.stop();
    });

    it('stays closed, with its quotes, when it is opened again after its end', async () => {
      const quotes: Quote[] = [{ time: MIDNIGHT, code: 'EURUSD', bid: '1.39' }];
      const file = record(quotes);
      const first = await open(database.db, { file });
      await first.market.start();
      await ended(first);
      await first.market.stop();
      const again = await open(database.db, { file });
      expect(again.market.quote(1)).toMatchObject({ price: 1.39, marketOpen: false });
      await again.market.start();
      await turn();
      expect(again.listener.ticked).toEqual([]);
      expect(again.market.now()).toBe(MIDNIGHT);
      await again.market.stop();
    });

    it('has its instruments before the first tick, with the precision of the data', async () => {
      const replay = await open(database.db, {
        file: record([
          { time: MIDNIGHT, code: 'ACME', bid: '12.5' },
          { time: MIDNIGHT, code: 'EURUSD', bid: '1.4' },
          { time: MIDNIGHT, code: 'GBPSEK', bid: '13.104' },
          { time: MIDNIGHT, code: 'ACME', bid: '12.125' },
          { time: MIDNIGHT, code: 'PEPEUSDT', bid: '0.0000123' },
          { time: MIDNIGHT, code: 'XAUUSD', bid: '1300.125' },
        ]),
        wait: true,
      });
      const { instruments, categories } = replay.market;
      const seen = instruments.map(({ id, code, name, precision, categoryId }) => {
        return [id, code, name, precision, categories.find((c) => c.id === categoryId)?.key];
      });
      expect(seen).toEqual([
        [2, 'EURUSD', 'EUR/USD', 5, 'forex'],
        [3, 'GBPSEK', 'GBP/SEK', 3, 'forex'],
        [5, 'XAUUSD', 'Gold', 3, 'metals'],
        [4, 'PEPEUSDT', 'PEPEUSDT', 7, 'crypto'],
        [1, 'ACME', 'ACME', 3, 'stocks'],
      ]);
      expect(categories.map(({ key }) => key)).toEqual(['forex', 'metals', 'crypto', 'stocks']);
      for (const instrument of instruments) {
        expect(Number(toText(instrument.unitsPerLot))).toBeGreaterThan(0);
        expect(instrument.leverages.length).toBeGreaterThan(0);
      }
      expect(replay.market.quote(1)).toBeUndefined();
      expect(await replay.market.bars(1, '1min', 500)).toEqual([]);
      expect(replay.market.now()).toBe(MIDNIGHT);
      await replay.market.stop();
    });
  });

  describe('the pace of a replay', () => {
    const minute = (i: number): Quote => ({
      time: MIDNIGHT + i * 60_000,
      code: 'EURUSD',
      bid: `1.${i + 100}`,
    });

    it('is the recorded one times the speed, and its clock never passes the next tick', async () => {
      const replay = await open(database.db, {
        file: record([minute(0), minute(1), minute(2), minute(60)]),
        speed: 60,
      });
      const { market, clock, listener } = replay;
      await market.start();
      await pass(replay, 500);
      expect(market.now()).toBe(MIDNIGHT + 30_000);
      expect(listener.ticked).toHaveLength(1);
      await pass(replay, 500);
      expect(listener.ticked).toHaveLength(2);
      await pass(replay, 1500);
      expect(listener.ticked).toHaveLength(3);
      expect(market.now()).toBe(MIDNIGHT + 150_000);
      clock.jump(80_000);
      expect(market.now()).toBe(minute(60).time);
      expect(listener.ticked).toHaveLength(3);
      await pass(replay, 1);
      await ended(replay);
      expect(market.now()).toBe(minute(60).time);
      clock.jump(80_000);
      expect(market.now()).toBe(minute(60).time);
      await market.stop();
    });

    it('emits its history without delay, and only the first time', async () => {
      const file = record([minute(0), minute(1), minute(2), minute(3)]);
      const first = await open(database.db, { file, speed: 1, historyMs: 60_000 });
      await first.market.start();
      await first.clock.until(() => first.listener.ticked.length === 2);
      expect(first.clock.now()).toBe(1_700_000_000_000);
      await pass(first, 59_999);
      expect(first.listener.ticked).toHaveLength(2);
      await pass(first, 1);
      expect(first.listener.ticked).toHaveLength(3);
      await first.market.stop();
      const second = await open(database.db, { file, speed: 1, historyMs: 60_000 });
      await second.market.start();
      await pass(second, 59_999);
      expect(second.listener.ticked).toEqual([]);
      await pass(second, 1);
      expect(second.listener.ticked.map(({ time }) => time)).toEqual([minute(3).time]);
      await second.market.stop();
    });

    it('repeats the file without end, later in time, also after restarts', async () => {
      const file = record([minute(0), minute(1), minute(2)]);
      const times: number[] = [];
      for (const count of [2, 3, 5]) {
        const replay = await open(database.db, { file, speed: 60, repeatEveryMs: 600_000 });
        await replay.market.start();
        await replay.clock.until(() => replay.listener.ticked.length >= count);
        expect(replay.market.quote(1)?.marketOpen).toBe(true);
        await replay.market.stop();
        times.push(...replay.listener.ticked.map(({ time }) => (time - MIDNIGHT) / 60_000));
        expect(replay.log.warnings).toEqual([]);
      }
      expect(times).toEqual([0, 1, 2, 10, 11, 12, 20, 21, 22, 30]);
    });

    it('is paused until it is released', async () => {
      const replay = await open(database.db, {
        file: record([minute(0), minute(1), minute(2)]),
        speed: 1,
        wait: true,
      });
      const { market, clock, listener } = replay;
      await market.start();
      await clock.advance(600_000);
      expect(listener.ticked).toEqual([]);
      expect(market.now()).toBe(MIDNIGHT);
      market.onFirstSubscriber();
      market.onFirstSubscriber();
      await pass(replay, 59_999);
      expect(listener.ticked).toHaveLength(1);
      await pass(replay, 1);
      expect(listener.ticked).toHaveLength(2);
      await market.stop();
    });

    it('waits at --speed max for the slowest listener, otherwise only for listeners that hold the feed', async () => {
      const file = () => record(Array.from({ length: 10 }, (_, i) => minute(i)));
      for (const [speed, blocksSource, expected] of [
        ['max', false, 1],
        ['max', true, 1],
        [1e6, true, 1],
        [1e6, false, 10],
      ] as const) {
        const { market, clock, listener } = await open(database.db, {
          file: file(),
          speed,
        });
        let release = () => {};
        market.listen({
          blocksSource,
          ticks: () =>
            new Promise((resolve) => {
              release = resolve;
            }),
          status: () => {},
          barClosed: () => {},
        });
        await market.start();
        await clock.until(() => listener.ticked.length >= expected);
        for (let i = 0; i < 30; i++) await clock.advance(10);
        expect(listener.ticked).toHaveLength(expected);
        if (expected === 1) {
          release();
          await clock.until(() => listener.ticked.length === 2);
        }
        const stopped = market.stop();
        release();
        await stopped;
      }
    });

    it('delivers no batch while other work runs between two batches', async () => {
      const { market, listener } = await open(database.db, {
        file: record([minute(0), minute(1), minute(2)]),
      });
      let finish = () => {};
      const work = market.exclusively(async () => {
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
        return listener.ticked.length;
      });
      await market.start();
      for (let i = 0; i < 50; i++) await turn();
      finish();
      expect(await work).toBe(0);
      await until(() => listener.ticked.length === 3);
      await market.stop();
    });
  });

  describe('the position of a replay', () => {
    const quotes = Array.from({ length: 50 }, (_, i): Quote => {
      return { time: MIDNIGHT + i * 21_000, code: 'EURUSD', bid: `1.${100 + (i % 7)}` };
    });

    /** Runs `during` while the feed is in the middle of a batch, then abandons the process. */
    async function interrupted(
      file: string,
      during: (replay: Replay) => Promise<void>,
    ): Promise<number> {
      const replay = await open(database.db, { file });
      let done = false;
      replay.market.listen({
        blocksSource: true,
        async ticks() {
          if (replay.listener.ticked.length < 20) return;
          await during(replay);
          done = true;
          await new Promise(() => {});
        },
        status: () => {},
        barClosed: () => {},
      });
      await replay.market.start();
      await until(() => done);
      return replay.listener.ticked.length;
    }

    it('is committed with a transaction of its listener, bars and all', async () => {
      const file = record(quotes);
      const seen = await interrupted(file, ({ market }) =>
        database.db.transaction((tx) => market.savePosition(tx)),
      );
      const again = await open(database.db, { file });
      await expectBarsOf(again, quotes.slice(0, seen));
      await again.market.start();
      await ended(again);
      expect(again.listener.ticked).toHaveLength(quotes.length - seen);
      await expectBarsOf(again, quotes);
      await again.market.stop();
    });

    it('is rolled back with it', async () => {
      const file = record(quotes.map((quote) => ({ ...quote, bid: `2${quote.bid}` })));
      await interrupted(file, async ({ market }) => {
        const failing = database.db.transaction(async (tx) => {
          await market.savePosition(tx);
          throw new Error('no');
        });
        await expect(failing).rejects.toThrow('no');
      });
      const again = await open(database.db, { file });
      expect(await again.market.bars(1, '1min', 500)).toEqual([]);
      await again.market.start();
      await ended(again);
      expect(again.listener.ticked).toHaveLength(quotes.length);
      await again.market.stop();
    });

    it('waits for a store that fails, and loses nothing', async () => {
      let failures = 3;
      const failing = new Proxy(database.db, {
        get(target, key, receiver) {
          if (key !== 'transaction' || failures === 0) return Reflect.get(target, key, receiver);
          return async () => {
            failures -= 1;
            throw new Error('connection lost');
          };
        },
      }) as Db;
      const file = record(quotes.map((quote) => ({ ...quote, bid: `3${quote.bid}` })));
      // The first reading stores the feed, in the working database.
      await (await open(database.db, { file })).market.stop();
      const replay = await open(failing, { file });
      await replay.market.start();
      await replay.clock.until(() => replay.listener.statusChanges.length > 0);
      expect(replay.log.errors).toHaveLength(3);
      await replay.market.stop();
      const again = await open(database.db, { file });
      await expectBarsOf(
        again,
        quotes.map((quote) => ({ ...quote, bid: `3${quote.bid}` })),
      );
    });
  });

  describe('the file of a replay', () => {
    it('is read in full once, and again only when it has changed', async () => {
      const quotes: Quote[] = [{ time: MIDNIGHT, code: 'EURUSD', bid: '1.51' }];
      const file = record(quotes);
      const first = await open(database.db, { file });
      expect(first.log.infos).toHaveLength(1);
      const second = await open(database.db, { file });
      expect(second.log.infos).toHaveLength(0);
      expect(second.market.feed).toBe(first.market.feed);
      copyFileSync(file, `${file}.copy`);
      const copy = await open(database.db, { file: `${file}.copy` });
      expect(copy.market.feed).toBe(first.market.feed);
      writeFileSync(file, `${MIDNIGHT},OTHER,1.52,1.53\n`);
      const changed = await open(database.db, { file });
      expect(changed.market.feed).not.toBe(first.market.feed);
      expect(changed.market.instruments.map(({ code }) => code)).toEqual(['OTHER']);
    });

    it('has its malformed lines skipped and reported once by number', async () => {
      const good = (seconds: number, code = 'EURUSD') =>
        `${MIDNIGHT + seconds * 1000},${code},1.6${seconds},2`;
      const lines = [
        'time,code,bid,ask',
        good(10),
        'rubbish',
        good(20, 'NZDUSD'),
        good(15),
        good(12),
        good(70),
        good(30, 'NZDUSD'),
        good(70),
        good(80, 'NZDUSD'),
      ];
      const replay = await open(database.db, { file: recordText(lines.join('\n')) });
      await replay.market.start();
      await ended(replay);
      expect(replay.log.warnings.map((text) => /line (\d+)/.exec(text)?.[1])).toEqual([
        '3',
        '6',
        '8',
      ]);
      expect(replay.listener.ticked.map(({ time }) => (time - MIDNIGHT) / 1000)).toEqual([
        10, 20, 15, 70, 70, 80,
      ]);
      await replay.market.stop();
    });

    it.each([
      ['is missing', '/nowhere/at/all.csv', /\/nowhere\/at\/all\.csv can't be used: ENOENT/],
      ['is empty', recordText(''), /no line of the form time,code,bid,ask/],
      ['holds nothing of use', recordText('a,b\n1,2\n'), /no line of the form/],
      ['is a directory', '/tmp', /\/tmp can't be used/],
    ])('is refused with a reason if it %s', async (_, file, words) => {
      await expect(open(database.db, { file })).rejects.toThrow(words);
    });

    it.each([
      ['seconds', ['1399420800,EURUSD,1.1,1.2'], 'line 1: time "1399420800" is not unix milli'],
      ['times in words', ['2014-05-07 00:00,EURUSD,1.1,1.2'], 'is not unix milliseconds'],
      ['other separators', ['1399420800000;EURUSD;1.1;1.2'], 'line 1: 1 columns instead of 4'],
      [
        'other columns',
        ['time,code,ask,bid', '1399420800000,EURUSD,1.2,1.1'],
        'its columns are time,code,ask,bid, not time,code,bid,ask,volume',
      ],
    ])('is refused in one sentence where it has %s', async (_, lines, words) => {
      const opening = open(database.db, { file: recordText(lines.join('\n')) });
      await expect(opening).rejects.toThrow(words);
    });

    it('closes an instrument from a price of 0 or less to its next one, over a restart too', async () => {
      const at = (second: number, code: string, bid: string) => ({
        ...{ time: MIDNIGHT + second * 1000, code, bid },
      });
      const file = record([
        ...[at(0, 'WTI', '0.10'), at(0, 'EURUSD', '1.1'), at(10, 'WTI', '-37.63')],
        ...[at(20, 'EURUSD', '1.2'), at(30, 'WTI', '-0.01'), at(40, 'WTI', '5.00')],
        at(100, 'EURUSD', '1.3'),
      ]);
      const first = await open(database.db, { file, speed: 1 });
      await first.market.start();
      const quote = ({ market }: Replay) => market.quote(idOf(first, 'WTI'));
      await pass(first, 5_000);
      expect(quote(first)).toMatchObject({ price: 0.1, marketOpen: true });
      first.listener.statusChanges.length = 0;
      await pass(first, 10_000);
      const closed = { price: 0.1, marketOpen: false, closedReason: 'price' };
      expect(quote(first)).toMatchObject(closed);
      expect(first.market.quote(idOf(first, 'EURUSD'))).toMatchObject({ marketOpen: true });
      expect(first.log.warnings).toEqual([
        expect.stringMatching(/line 4: WTI costs -37.63, and is closed until its next price/),
      ]);
      await first.market.stop();

      const second = await open(database.db, { file, speed: 1 });
      await second.market.start();
      expect(quote(second)).toMatchObject(closed);
      second.listener.statusChanges.length = 0;
      for (let step = 0; step < 40 && !quote(second)?.marketOpen; step++) {
        second.listener.statusChanges.length = 0;
        await pass(second, 1_000);
      }
      expect(quote(second)).toMatchObject({ price: 5, marketOpen: true });
      expect(quote(second)).not.toHaveProperty('closedReason');
      await second.market.stop();
    });

    it('closes the market if it can no longer be read', async () => {
      const file = record([{ time: MIDNIGHT, code: 'EURUSD', bid: '1.7' }]);
      const replay = await open(database.db, { file });
      rmSync(file);
      await replay.market.start();
      await ended(replay);
      expect(replay.log.errors).toEqual([expect.stringContaining('broke off')]);
      await replay.market.stop();
    });

    it('is refused if its gzip is cut off', async () => {
      const whole = record(
        Array.from({ length: 500 }, (_, i) => ({
          time: MIDNIGHT + i * 999,
          code: 'A',
          bid: i + 1,
        })),
        { gzip: true },
      );
      const cut = recordText('');
      writeFileSync(cut, readFileSync(whole).subarray(0, 700));
      await expect(open(database.db, { file: cut })).rejects.toThrow(
        /can't be used: unexpected end/,
      );
    });
  });
});
