import { expect, it } from 'vitest';
import { toUnixMs, type UnixMs } from '#domain/core/time';
import { foldBars } from '#domain/market/kline';
import { conditionParams, type IndicatorCondition } from '#domain/trading/condition';
import { barCrossings } from '#domain/trading/indicatorCrossings';
import { AlertWatch } from '../../../server/alerts/alertWatch';
import { BarWatch } from '../../../server/alerts/barWatch';
import { alerts, notices } from '../../../server/db/schema';
import { inTurn, seed } from '../../helpers/samples';
import { SeededRandom } from '../../workers/simulation/seededRandom';
import { testOutbox } from '../push/testOutbox';
import { onEachDatabase } from '../support/database';
import { FailingMarket } from '../support/failingMarket';
import { FakeClock } from '../support/fakeClock';
import { instrument } from '../support/scriptedMarket';
import { TestTrading } from '../trading/testTrading';

const ALERTS = 60;
/** Fewer than alerts: those of one condition are judged together, each from where it is. */
const CONDITIONS = 12;
const MINUTES = 240;
const LEVEL = 1.1;

function drawnCondition(random: SeededRandom): IndicatorCondition {
  return {
    ...{ kind: 'indicator', name: random.chance(0.5) ? 'sma' : 'ema', output: 'average' },
    settings: [random.between(1, 6)],
    period: random.chance(0.5) ? '1min' : '5min',
    ...(random.chance(0.5)
      ? { level: LEVEL + random.between(-20, 20) / 10_000, other: undefined }
      : { level: undefined, other: 'price' as const }),
    cross: random.pick(['up', 'down', 'any'] as const),
  };
}

onEachDatabase((database) => {
  inTurn(it)(
    'tells of each crossing of an indicator once, whatever a process that dies has judged or failed to write',
    async () => {
      const random = new SeededRandom(seed);
      const market = new FailingMarket([instrument(1, 'EURUSD')]);
      let price = LEVEL;
      await market.tick([1, price]);
      const log = { info() {}, warn() {}, error() {} };
      const open = async () => {
        const watch = new AlertWatch({
          market,
          outbox: testOutbox(),
          now: () => toUnixMs(0),
          onTrigger() {},
        });
        const trading = await TestTrading.open(database.db, market, 'per-lot', watch);
        const { transactions } = trading;
        const bars = new BarWatch({ market, transactions, clock: new FakeClock(), log, watch });
        return { trading, bars };
      };
      let process = await open();
      const userId = await process.trading.addUser();
      const conditions = Array.from({ length: CONDITIONS }, () => drawnCondition(random));
      const watched = new Map<
        number,
        { condition: IndicatorCondition; repeat: boolean; since: UnixMs }
      >();
      const add = async () => {
        const repeat = random.chance(0.5);
        const condition = random.pick(conditions);
        const since = market.time;
        const [row] = await database.db
          .insert(alerts)
          .values({
            ...{ userId, feed: market.feed, instrumentId: 1, code: 'EURUSD', precision: 5 },
            ...{ kind: 'indicator', params: conditionParams(condition), price: '0', note: '' },
            ...{ above: true, repeat, waits: '', ended: false },
            ...{ since: new Date(since), createdAt: new Date(since) },
          })
          .returning();
        watched.set(row?.id ?? 0, { condition, repeat, since });
        process.trading.engine.forget();
      };
      for (let i = 0; i < ALERTS / 2; i++) await add();

      for (let minute = 0; minute < MINUTES; minute++) {
        for (let tick = random.between(1, 3); tick > 0; tick--) {
          price += (random.between(-12, 12) + Math.sign(LEVEL - price)) / 10_000;
          await market.tick([1, Number(price.toFixed(5))]);
        }
        market.pass(60_000 - (market.time % 60_000));
        // In the moment in which a bar ends: the alert does not count its crossing.
        if (watched.size < ALERTS && random.chance(0.5)) await add();
        if (random.chance(0.15)) {
          process.trading.close();
          process = await open();
        }
        market.failing = random.chance(0.1);
        if (random.chance(0.7)) await process.bars.look().catch(() => {});
        if (random.chance(0.1)) await process.bars.stop().catch(() => {});
        market.failing = false;
      }
      const until = market.time;
      process.trading.close();
      process = await open();
      // One crossing of an alert a look: the next one follows it.
      for (let look = 0; look < MINUTES; look++) await process.bars.look();
      process.trading.close();

      const bars = await market.bars(1, '1min', 10_000);
      const expected = [...watched].flatMap(([id, { condition, repeat, since }]) => {
        const all = barCrossings(
          condition,
          condition.period === '1min' ? bars : foldBars(bars, '5min'),
          since,
          until,
        );
        return (repeat ? all : all.slice(0, 1)).map(({ price: at }) => `${id} ${at.toFixed(5)}`);
      });
      const written = await database.db.select().from(notices);
      const found = written.map(({ subject, price: at }) => `${subject} ${Number(at).toFixed(5)}`);
      expect(expected.length).toBeGreaterThan(ALERTS);
      expect(market.failures).toBeGreaterThan(0);
      expect(found.sort()).toEqual(expected.sort());
    },
  );
});
