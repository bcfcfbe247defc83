import { expect, it } from 'vitest';
import { toUnixMs } from '#domain/core/time';
import { type Condition, conditionParams, type MovingCondition } from '#domain/trading/condition';
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
import { MovingModel } from './movingModel';

const ALERTS = 200;
/** More than two hours, a tick or a few in each second or so. */
const BATCHES = 600;
const STEP_MS = 15_000;
const POINTS = 100_000;
const HOUR = 3_600_000;

onEachDatabase((database) => {
  inTurn(it)(
    'triggers at each crossing of a line or a change once, whatever the process has missed or failed to write',
    async () => {
      const random = new SeededRandom(seed);
      const market = new FailingMarket([instrument(1, 'EURUSD')]);
      let points = 110_000;
      await market.tick([1, points / POINTS]);
      const begin = market.time;
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
      const model = new Map<number, MovingModel>();
      /** The first price of each hour, as ticks give it. */
      const opens = new Map<number, number>([[Math.floor(begin / HOUR), points / POINTS]]);
      const since = new Date(begin);

      function drawn(): { condition: MovingCondition; model: (repeat: boolean) => MovingModel } {
        if (random.chance(0.3)) {
          const change = (random.chance(0.5) ? 1 : -1) * (random.between(5, 60) / 100);
          const levelAt = (at: number) => {
            const opened = opens.get(Math.floor(at / HOUR));
            return opened === undefined ? undefined : opened * (1 + change / 100);
          };
          const counts = (side: number) => change > 0 === side < 0;
          const side = change > 0 ? -1 : 1;
          return {
            condition: { kind: 'percent', change, window: 'hour' },
            model: (repeat) => new MovingModel(levelAt, side, repeat, counts),
          };
        }
        const t1 = begin + random.between(-HOUR, 2 * HOUR);
        const t2 = t1 + random.between(1, 2 * HOUR) * (random.chance(0.2) ? -1 : 1);
        const price = () => (110_000 + random.between(-600, 600)) / POINTS;
        const [p1, p2] = [price(), price()];
        const extend = (['none', 'left', 'right', 'both'] as const)[random.between(0, 3)] ?? 'both';
        const scale = random.chance(0.5) ? 'linear' : 'log';
        const [first, last] = [Math.min(t1, t2), Math.max(t1, t2)];
        const levelAt = (at: number) => {
          if (at < first && (extend === 'none' || extend === 'right')) return undefined;
          if (at > last && (extend === 'none' || extend === 'left')) return undefined;
          const part = (at - t1) / (t2 - t1);
          const level = scale === 'log' ? p1 * (p2 / p1) ** part : p1 + (p2 - p1) * part;
          return Number.isFinite(level) && level > 0 ? level : undefined;
        };
        // Half of those that begin later were set when they had begun: ticks from before were still under way.
        const level = levelAt(random.chance(0.5) ? begin : Math.max(begin, first));
        const side = level === undefined ? 0 : Math.sign(points / POINTS - level);
        return {
          condition: {
            kind: 'line',
            ...{ t1: toUnixMs(t1), p1, t2: toUnixMs(t2), p2, scale, extend },
          },
          model: (repeat) => new MovingModel(levelAt, side, repeat),
        };
      }

      const SIDES = new Map([
        [-1, 'rise'],
        [0, ''],
        [1, 'fall'],
      ] as const);
      const known = new Map<number, Condition>();
      for (let i = 0; i < ALERTS; i++) {
        const { condition, model: make } = drawn();
        const repeat = random.chance(0.5);
        const made = make(repeat);
        const waits = SIDES.get(made['side'] as -1 | 0 | 1) ?? '';
        const [row] = await database.db
          .insert(alerts)
          .values({
            ...{ userId, feed: market.feed, instrumentId: 1, code: 'EURUSD', precision: 5 },
            ...{ kind: condition.kind, params: conditionParams(condition), price: '0', note: '' },
            ...{ above: true, repeat, waits, ended: false, since, createdAt: since },
          })
          .returning();
        model.set(row?.id ?? 0, made);
        known.set(row?.id ?? 0, condition);
      }
      trading.engine.forget();

      let down = 0;
      for (let batch = 0; batch < BATCHES; batch++) {
        if (down === 0 && random.chance(0.1)) {
          trading.close();
          down = random.between(1, 3);
        } else if (down > 0 && --down === 0) trading = await open();
        market.failing = random.chance(0.05) && down === 0;
        market.pass(STEP_MS);
        const ticks = Array.from({ length: random.between(1, 4) }, () => {
          points += random.chance(0.03) ? random.between(-150, 150) : random.between(-12, 12);
          points += Math.sign(110_000 - points) * 2;
          return [1, points / POINTS] as [number, number];
        });
        await market.tick(...ticks);
        market.failing = false;
        ticks.forEach(([, price], later) => {
          const at = market.time + later;
          const hour = Math.floor(at / HOUR);
          if (!opens.has(hour)) opens.set(hour, price);
          for (const alert of model.values()) alert.tick(price, at);
        });
      }
      if (down > 0) trading = await open();
      await market.tick([1, points / POINTS]);
      for (const alert of model.values()) alert.tick(points / POINTS, market.time);
      trading.close();

      const expected = [...model].flatMap(([id, { triggered }]) =>
        triggered.map(({ price }) => `${known.get(id)?.kind} ${id} ${price.toFixed(5)}`),
      );
      const written = await database.db.select().from(notices);
      const found = written.map(
        ({ subject, price }) =>
          `${known.get(subject)?.kind} ${subject} ${Number(price).toFixed(5)}`,
      );
      expect(expected.length).toBeGreaterThan(ALERTS / 2);
      expect(expected.some((each) => each.startsWith('percent'))).toBe(true);
      expect(market.failures).toBeGreaterThan(0);
      expect(found.sort()).toEqual(expected.sort());
      expect(told.length).toBe(expected.length);
    },
  );
});
