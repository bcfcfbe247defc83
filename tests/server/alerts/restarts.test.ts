import { expect, it } from 'vitest';
import { toUnixMs } from '#domain/core/time';
import type { AlertState } from '../../../server/alerts/alertState';
import { AlertWatch } from '../../../server/alerts/alertWatch';
import { alerts, notices } from '../../../server/db/schema';
import { inTurn, seed } from '../../helpers/samples';
import { SeededRandom } from '../../workers/simulation/seededRandom';
import { testOutbox } from '../push/testOutbox';
import { onEachDatabase } from '../support/database';
import { FailingMarket } from '../support/failingMarket';
import { instrument } from '../support/scriptedMarket';
import { TestTrading } from '../trading/testTrading';
import { ModelAlert } from './modelAlert';

const ALERTS = 200;
const BATCHES = 400;
/** Prices in points, so that the model needs no decimals. */
const POINTS = 100_000;

onEachDatabase((database) => {
  inTurn(it)(
    'triggers at each crossing once, whatever the process has missed or failed to write',
    async () => {
      const random = new SeededRandom(seed);
      const market = new FailingMarket([instrument(1, 'EURUSD'), instrument(2, 'GBPUSD')]);
      const points = new Map([
        [1, 110_000],
        [2, 130_000],
      ]);
      await market.tick([1, 1.1], [2, 1.3]);
      const told: AlertState[] = [];
      const open = () => {
        const watch = new AlertWatch({
          market,
          outbox: testOutbox(),
          now: () => toUnixMs(0),
          onTrigger: (alert) => told.push(alert),
        });
        return TestTrading.open(database.db, market, 'per-lot', watch);
      };
      let trading = await open();
      const userId = await trading.addUser();
      const model = new Map<number, ModelAlert>();
      const since = new Date(market.quote(1)?.time ?? 0);
      for (let i = 0; i < ALERTS; i++) {
        const instrumentId = random.between(1, 2);
        const start = points.get(instrumentId) ?? 0;
        const offset = random.between(1, 60) * (random.chance(0.5) ? 1 : -1);
        const repeat = random.chance(0.5);
        const level = start + offset;
        const [row] = await database.db
          .insert(alerts)
          .values({
            ...{
              userId,
              feed: market.feed,
              instrumentId,
              code: instrumentId === 1 ? 'EURUSD' : 'GBPUSD',
            },
            ...{
              precision: 5,
              price: (level / POINTS).toFixed(5),
              above: offset > 0,
              repeat,
              note: '',
            },
            ...{ waits: offset > 0 ? ('rise' as const) : ('fall' as const), ended: false, since },
            createdAt: since,
          })
          .returning();
        model.set(row?.id ?? 0, new ModelAlert(instrumentId, level, start, repeat, 60_000));
      }
      trading.engine.forget();

      let down = 0;
      for (let batch = 0; batch < BATCHES; batch++) {
        if (down === 0 && random.chance(0.1)) {
          trading.close();
          down = random.between(1, 20);
        } else if (down > 0 && --down === 0) trading = await open();
        market.failing = random.chance(0.05) && down === 0;
        const ticks = Array.from({ length: random.between(1, 6) }, () => {
          const id = random.between(1, 2);
          const gap = random.chance(0.03) ? random.between(-40, 40) : random.between(-4, 4);
          points.set(id, (points.get(id) ?? 0) + gap);
          return [id, (points.get(id) ?? 0) / POINTS] as [number, number];
        });
        await market.tick(...ticks);
        market.failing = false;
        const times = new Map<number, number>();
        for (const [id, price] of ticks) {
          const later = times.get(id) ?? 0;
          times.set(id, later + 1);
          const at = market.time + later;
          for (const alert of model.values()) alert.tick(id, Math.round(price * POINTS), at);
        }
      }
      if (down > 0) trading = await open();
      // What failed in the end is found with the next tick.
      await market.tick([1, (points.get(1) ?? 0) / POINTS], [2, (points.get(2) ?? 0) / POINTS]);
      trading.close();

      const expected = [...model].flatMap(([id, { triggered }]) =>
        triggered.map(({ price }) => `${id} ${(price / POINTS).toFixed(5)}`),
      );
      const written = await database.db.select().from(notices);
      const found = written.map(({ subject, price }) => `${subject} ${Number(price).toFixed(5)}`);
      expect(expected.length).toBeGreaterThan(ALERTS / 2);
      expect(market.failures).toBeGreaterThan(0);
      expect(found.sort()).toEqual(expected.sort());
      expect(told.length).toBe(expected.length);
    },
  );
});
