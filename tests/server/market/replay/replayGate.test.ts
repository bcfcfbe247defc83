import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PlausibilityLimits } from '#domain/market/plausibility';
import { onEachDatabase } from '../../support/database';
import {
  expectBarsOf,
  idOf,
  MIDNIGHT,
  open,
  pass,
  type Quote,
  record,
  recordText,
  served,
} from './recording';

const limits: PlausibilityLimits = {
  jump: 10,
  floor: 0.005,
  spread: 10,
  silence: 30,
  confirmations: 3,
};

const walk = fc.array(
  fc.record({
    wait: fc.nat(20_000),
    code: fc.constantFrom('EURUSD', 'ACME'),
    points: fc.integer({ min: -20, max: 20 }),
    isWrong: fc.integer({ min: 0, max: 9 }).map((draw) => draw === 0),
  }),
  { minLength: 2, maxLength: 100 },
);

onEachDatabase((database) => {
  describe('a replay whose prices are judged', () => {
    it('has the bars and ticks of the file without its wrong prices, told while the market was open', async () => {
      await fc.assert(
        fc.asyncProperty(walk, async (steps) => {
          let time = MIDNIGHT;
          const seen = new Set<string>();
          const right: Quote[] = [];
          const all = steps.flatMap(({ wait, code, points, isWrong }) => {
            time += wait;
            const quote = { time, code, bid: (1 + points / 100_000).toFixed(5) };
            right.push(quote);
            // The first price of a code is never in doubt.
            const isFirst = !seen.has(code);
            seen.add(code);
            return isWrong && !isFirst ? [{ time, code, bid: '1.50000' }, quote] : [quote];
          });
          const replay = await open(database.db, { file: record(all), limits });
          const { market, listener } = replay;
          const told: boolean[] = [];
          market.listen({
            ticks: (ticks) =>
              void told.push(
                ...ticks.map(({ instrumentId }) => market.quote(instrumentId)?.marketOpen === true),
              ),
            status: () => {},
            barClosed: () => {},
          });
          await market.start();
          await replay.clock.until(() => listener.ticked.length >= right.length);
          await market.stop();
          await expectBarsOf(replay, right);
          expect(listener.ticked.map(({ price }) => price)).toEqual(
            right.map(({ bid }) => Number(bid)),
          );
          expect(told.every(Boolean)).toBe(true);
          const halts = all.length - right.length;
          expect(
            replay.log.warnings.filter((line) => line.includes('trading is halted')),
          ).toHaveLength(halts);
        }),
        { numRuns: 30 },
      );
    });

    it('tells prices of a confirmed crash in the minute in which they were', async () => {
      const second = (at: number, bid: string) => ({
        time: MIDNIGHT + at * 1000,
        code: 'ACME',
        bid,
      });
      const quotes = [
        ...[0, 20, 40].map((at) => second(at, '1.00000')),
        ...[58, 59, 61].map((at, i) => second(at, `0.9000${i}`)),
        second(62, '0.90003'),
      ];
      const replay = await open(database.db, { file: record(quotes), limits });
      await replay.market.start();
      await replay.clock.until(() => replay.listener.ticked.length === quotes.length);
      const bars = await served(replay, idOf(replay, 'ACME'), '1min');
      expect(bars).toMatchObject([
        { low: 1, close: 1, volume: 3 },
        { open: 0.9, high: 0.90003, close: 0.90003, volume: 4 },
      ]);
      const crash = replay.listener.ticked.slice(3);
      expect(crash.map(({ price }) => price)).toEqual([0.9, 0.90001, 0.90002, 0.90003]);
      expect(new Set(crash.map(({ time }) => time))).toEqual(new Set([MIDNIGHT + 62_000]));
      await replay.market.stop();
    });

    it('has no price to trade at while it is silent for longer than is usual', async () => {
      const quoteAt = (seconds: number) => ({
        time: MIDNIGHT + seconds * 1000,
        code: 'ACME',
        bid: '1.00000',
      });
      const file = record([...Array.from({ length: 10 }, (_, i) => quoteAt(i)), quoteAt(200)]);
      const replay = await open(database.db, { file, limits, speed: 1 });
      const { market, clock, listener } = replay;
      await market.start();
      const id = market.instruments[0]?.id ?? 0;
      const ages: { age: number; stale: boolean }[] = [];
      await clock.until(() => listener.ticked.length === 10);
      while (listener.ticked.length < 11) {
        const quote = market.quote(id);
        if (quote) ages.push({ age: market.now() - quote.time, stale: quote.stale === true });
        await pass(replay, 1_000);
      }
      expect(ages.some(({ stale }) => stale)).toBe(true);
      expect(ages.every(({ age, stale }) => stale === age > 60_000)).toBe(true);
      await market.stop();
    });

    it('judges by the last price of the run before', async () => {
      const at = (minute: number, bid: string) => ({
        time: MIDNIGHT + minute * 60_000,
        code: 'ACME',
        bid,
      });
      const file = record([
        at(0, '1.00000'),
        at(1, '1.00010'),
        at(2, '1.40000'),
        at(3, '1.00020'),
        at(9, '1.00020'),
      ]);
      const first = await open(database.db, { file, limits, speed: 1 });
      await first.market.start();
      await first.clock.until(() => first.listener.ticked.length === 2);
      await first.market.stop();
      const second = await open(database.db, { file, limits, speed: 1 });
      await second.market.start();
      await second.clock.until(() => second.listener.statusChanges.length > 0);
      expect(second.market.quote(1)).toMatchObject({
        price: 1.0001,
        marketOpen: false,
        closedReason: 'doubt',
      });
      await second.clock.until(() => second.listener.ticked.length > 0);
      expect(second.listener.ticked.map(({ price }) => price)).toEqual([1.0002]);
      expect(second.market.quote(1)).toMatchObject({ price: 1.0002, marketOpen: true });
      await second.market.stop();
    });

    it('leaves out a minute of the file that has a wrong price in it', async () => {
      const file = recordText(
        [
          'time,code,bid,ask,volume',
          `${MIDNIGHT},ACME,1.00000,1.00001,1`,
          `#bar,${MIDNIGHT + 60_000},ACME,1,1.5,1,1,5`,
          `${MIDNIGHT + 120_000},ACME,1.00010,1.00011,1`,
          '',
        ].join('\n'),
      );
      const replay = await open(database.db, { file, limits });
      await replay.market.start();
      await replay.clock.until(() => replay.listener.ticked.length === 2);
      const bars = await served(replay, idOf(replay, 'ACME'), '1min');
      expect(bars.map(({ high }) => high)).toEqual([1, 1.0001]);
      await replay.market.stop();
    });
  });
});
