import { beforeEach, expect, it } from 'vitest';
import { toUnixMs } from '#domain/core/time';
import { toUsd } from '#domain/core/units';
import { conditionParams } from '#domain/trading/condition';
import { AlertWatch } from '../../../server/alerts/alertWatch';
import { MarginAlerts } from '../../../server/alerts/marginAlerts';
import { alerts, notices } from '../../../server/db/schema';
import { MarginWatch } from '../../../server/push/marginWatch';
import type { PushSubscriptions } from '../../../server/push/pushSubscriptions';
import { adjustmentEntry } from '../../../server/wallet/entries';
import { testOutbox } from '../push/testOutbox';
import { onEachDatabase } from '../support/database';
import { FakeClock } from '../support/fakeClock';
import { instrument, ScriptedMarket } from '../support/scriptedMarket';
import { emptyTables } from '../support/tables';
import { market as order, TestTrading } from './testTrading';

const EUR = 1;
const log = { info() {}, warn() {}, error: (text: string) => expect.fail(text) };

/** Every command of the operator that moves money is rolled back once, to show what it would do (D155). */
onEachDatabase((database) => {
  let market: ScriptedMarket;
  let watch: AlertWatch;
  let trading: TestTrading;
  let userId: number;
  beforeEach(async () => {
    await emptyTables(database.db);
    market = new ScriptedMarket([instrument(EUR, 'EURUSD')]);
    await market.tick([EUR, 1.1]);
    watch = new AlertWatch({
      ...{ market, outbox: testOutbox(), now: () => toUnixMs(0) },
      onTrigger() {},
    });
    trading = await TestTrading.open(database.db, market, 'per-lot', watch);
    userId = await trading.addUser();
  });

  const adjust = (usd: string) =>
    trading.run((work) =>
      trading.ledger.post(work, [adjustmentEntry(userId, toUsd(usd), 'Correction')]),
    );
  const rolledBack = async (usd: string) => {
    const shown = trading.run(async (work) => {
      await trading.ledger.post(work, [adjustmentEntry(userId, toUsd(usd), 'Correction')]);
      throw new Error('unconfirmed');
    });
    await expect(shown).rejects.toThrow('unconfirmed');
  };
  /** One look of a task. */
  const look = async (task: (clock: FakeClock) => MarginAlerts | MarginWatch) => {
    const clock = new FakeClock();
    const looking = task(clock);
    looking.start();
    clock.pass(1000);
    await looking.stop();
  };
  const told = async () => (await database.db.select().from(notices)).map(({ kind }) => kind);

  it('triggers no alert on the margin level', async () => {
    await trading.submit(userId, EUR, order());
    await database.db.insert(alerts).values({
      ...{ userId, feed: market.feed, instrumentId: 0, code: '', precision: 2, price: '0' },
      ...{ kind: 'margin', params: conditionParams({ kind: 'margin', level: 7000 }) },
      ...{ waits: 'fall', above: false, repeat: false, note: '', ended: false },
      ...{ since: new Date(market.now()), createdAt: new Date(market.now()) },
    });
    watch.forget();
    await market.tick([EUR, 1.1]);
    const judge = () =>
      look((clock) => {
        const { engine, transactions } = trading;
        return new MarginAlerts({ market, transactions, clock, log, watch, engine });
      });
    await rolledBack('-50000');
    await judge();
    expect(await told()).toEqual([]);
    await adjust('-50000');
    await judge();
    expect(await told()).toEqual(['alerts']);
  });

  it('warns of no margin, and ends no warning', async () => {
    await trading.submit(userId, EUR, order({ lots: '50' }));
    const { db } = database;
    const subscriptions = { ready: async () => {}, usersOf: () => [userId] };
    const clock = new FakeClock();
    const warnings = new MarginWatch({
      ...{ db, clock, log, transactions: trading.transactions, outbox: testOutbox() },
      subscriptions: subscriptions as unknown as PushSubscriptions,
      engine: trading.engine,
    });
    warnings.start();
    const judge = async () => {
      clock.pass(1000);
      await expect.poll(() => clock.awaited).toBe(true);
    };
    await market.tick([EUR, 1.0855]);
    await judge();
    expect(await told()).toEqual(['margin']);
    await rolledBack('100000');
    await judge();
    await market.tick([EUR, 1.0855]);
    await judge();
    expect(await told()).toEqual(['margin']);
    await warnings.stop();
  });
});
