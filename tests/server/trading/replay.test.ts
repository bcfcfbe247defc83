import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../server/core/clock';
import { audit } from '../../../server/ledger/audit';
import { createMarket } from '../../../server/market/createMarket';
import type { Market, Tick } from '../../../server/market/market';
import { onEachDatabase } from '../support/database';
import { emptyTables } from '../support/tables';
import { market as buyMarket, TestTrading } from './testTrading';

const BEGIN = Date.UTC(2014, 4, 7, 8);
const STEP_MS = 20_000;
/**
 * Low for a hundred ticks, then high, then low again: a stop placed in between is newer than some
 * ticks. Highest for one tick after it, which a stop that follows the price must not forget.
 */
const PRICES = [
  ...Array(100).fill(1.0),
  ...Array(55).fill(1.1),
  1.15,
  ...Array(44).fill(1.12),
  1.0,
];
const PLACED_AT = BEGIN + 150 * STEP_MS;
const SAVED_AT = BEGIN + 156 * STEP_MS;
const CRASHED_AT = BEGIN + 160 * STEP_MS;

onEachDatabase((database) => {
  let directory: string;
  let file: string;
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'fulcrum-replay-'));
    file = join(directory, 'ticks.csv');
    const lines = PRICES.map((price, i) => `${BEGIN + i * STEP_MS},EURUSD,${price},${price}`);
    writeFileSync(file, ['time,code,bid,ask', ...lines, ''].join('\n'));
    await emptyTables(database.db);
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  const replay = (): Promise<Market> =>
    createMarket(
      {
        seed: '1',
        instruments: 1,
        ticksPerSecond: 1,
        feeType: 'per-lot',
        replay: { file, speed: 'max', wait: false },
        log: console,
      },
      database.db,
      systemClock,
    );

  describe('a replay that is killed', () => {
    it('matches an order with every tick after it, and with none before it', async () => {
      const first = await replay();
      const trading = await TestTrading.open(database.db, first);
      const user = await trading.addUser();
      const order = await new Promise<number>((resolve) => {
        let placed: Promise<number> | undefined;
        first.listen({
          // After the crash nothing is delivered and nothing is committed.
          ticks(ticks: readonly Tick[]) {
            const { time } = ticks.at(-1) as Tick;
            // With the position of the feed, which is after the highest price.
            if (time >= SAVED_AT) void trading.run(async () => {});
            if (time >= PLACED_AT && !placed) {
              placed = trading
                .submit(user, 1, buyMarket({ leverage: '100', stopLoss: '1.05', trailing: '0.04' }))
                .then(({ id }) => id);
            }
            if (time < CRASHED_AT) return;
            void placed?.then(resolve);
            return new Promise(() => {});
          },
          status() {},
          barClosed() {},
        });
        void first.start();
      });

      const second = await replay();
      const again = await TestTrading.open(database.db, second);
      const seen: number[] = [];
      const ended = new Promise<void>((resolve) => {
        second.listen({
          ticks: (ticks) => void seen.push(...ticks.map(({ time }) => time)),
          status: () => resolve(),
          barClosed() {},
        });
      });
      expect(await again.rows(user, 1)).toMatchObject([
        { Id: order, Price: '1.10000', TargetLossPrice: '1.11000' },
      ]);
      await second.start();
      await ended;
      const [row] = await again.rows(user, 3);
      expect(row).toMatchObject({
        Id: order,
        CloseReason: 'stop_loss',
        TargetLossPrice: '1.11000',
        UpdatePrice: '1.00000',
        CompleteTimeHandler: new Date(BEGIN + 200 * STEP_MS).toISOString(),
      });
      expect(seen[0]).toBeGreaterThan(PLACED_AT);
      expect(seen).toEqual(
        Array.from({ length: seen.length }, (_, i) => BEGIN + (201 - seen.length + i) * STEP_MS),
      );
      await second.stop();
      expect([...trading.errors, ...again.errors]).toEqual([]);
      expect(await audit(database.db)).toEqual([]);
    });
  });
});
