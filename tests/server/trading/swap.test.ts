import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toUnixMs } from '#domain/core/time';
import { toUsd } from '#domain/core/units';
import type { Db } from '../../../server/db/database';
import { orders } from '../../../server/db/schema/trading';
import { audit } from '../../../server/ledger/audit';
import { financialRecords } from '../../../server/ledger/records';
import { noWatch } from '../../../server/trading/tickWatch';
import { lots } from '../../domain/support/instruments';
import { onEachDatabase } from '../support/database';
import { instrument } from '../support/scriptedMarket';
import { SerialMarket } from '../support/serialMarket';
import { emptyTables } from '../support/tables';
import { market as buyMarket, pending, TestTrading } from './testTrading';

const EUR = 1;
/** Without swap. */
const GBP = 2;
const SWAP = 19;
/** Tuesday. */
const EVENING = toUnixMs(Date.UTC(2026, 11, 1, 20));
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The last step of each of its transactions may fail. */
class FailingMarket extends SerialMarket {
  fails = false;

  override async savePosition(): Promise<void> {
    if (this.fails) throw new Error('no position');
    await super.savePosition();
  }
}

onEachDatabase((database) => {
  let db: Db;
  let market: FailingMarket;
  let trading: TestTrading;
  let user: number;

  beforeEach(async () => {
    db = database.db;
    await emptyTables(db);
    const swap = { long: toUsd('-6.5'), short: toUsd('1.25'), triple: 4 };
    market = new FailingMarket(
      [instrument(EUR, 'EURUSD', { swap }), instrument(GBP, 'GBPUSD')],
      EVENING,
    );
    await market.tick([EUR, 1.1], [GBP, 1.3]);
    trading = await TestTrading.open(db, market);
    user = await trading.addUser();
  });
  afterEach(async () => {
    trading.close();
    expect(trading.errors).toEqual([]);
    expect(await audit(db)).toEqual([]);
  });

  const restart = async (charged = true) => {
    trading.close();
    trading = await TestTrading.open(db, market, 'per-lot', noWatch, 0, charged);
  };
  const charges = async () => {
    const { list } = await financialRecords(db, user, { page: 1, limit: 100 }, 'en');
    return list.filter(({ Type }) => Type === SWAP).reverse();
  };
  const values = async () => (await charges()).map(({ Value }) => Value);
  const balance = async () => (await trading.portfolio.summary(user)).balance;
  const swaps = async (status: number) =>
    (await trading.rows(user, status)).map(({ Swap }) => Swap);

  describe('a position', () => {
    it('is charged before the first tick of the new day, with a record, once', async () => {
      const { id } = await trading.submit(user, EUR, buyMarket({ lots: '2' }));
      const before = Number(await balance());
      market.pass(3 * HOUR);
      await market.tick([EUR, 1.1]);
      expect(await charges()).toEqual([]);
      market.pass(HOUR);
      await market.tick([EUR, 1.1]);
      await market.tick([EUR, 1.11]);
      await trading.engine.settleNow();
      expect(await charges()).toMatchObject([
        { Value: '-13.000000', MemoTran: `Swap of order ${id}, EUR/USD, 2026-12-02` },
      ]);
      expect(Number(await balance()) - before).toBe(-13);
      expect(await swaps(1)).toEqual(['-13.00']);
      // Profit is of the price alone: the balance has paid the night already.
      expect(await trading.rows(user, 1)).toMatchObject([{ FactProfits: '2000.000000' }]);
      expect(trading.published.at(-1)).toMatchObject({ id, status: 'holding' });
    });

    it('is charged without a tick too, and a closed market does not wait', async () => {
      await trading.submit(user, EUR, buyMarket({ side: 'sell' }));
      market.setOpen(EUR, false);
      market.pass(4 * HOUR);
      await trading.engine.settleNow();
      expect(await values()).toEqual(['1.250000']);
    });

    it('counts three nights at the weekday of the instrument', async () => {
      await trading.submit(user, EUR, buyMarket());
      market.pass(3 * DAY);
      await trading.engine.settleNow();
      // To Wednesday, Thursday, Friday.
      expect(await values()).toEqual(['-6.500000', '-19.500000', '-6.500000']);
    });

    it('that is closed before the first tick of the day has paid the night', async () => {
      const { id } = await trading.submit(user, EUR, buyMarket());
      const before = Number(await balance());
      market.pass(4 * HOUR);
      const closed = await trading.run((work) => trading.engine.close(work, user, id));
      expect(closed.swap).toEqual(toUsd('-6.50'));
      expect(Number(await balance()) - before).toBe(1100 - 6.5);
      await market.tick([EUR, 1.2]);
      expect(await values()).toEqual(['-6.500000']);
      expect((await trading.portfolio.page(user, 3, 1, 20)).all_swap).toBe('-6.50');
    });

    it('pays no night before its fill', async () => {
      await trading.submit(user, EUR, pending('1.2'));
      market.pass(4 * HOUR - 2000);
      // At 00:00.
      await market.tick([EUR, 1.2]);
      expect(market.time % DAY).toBe(0);
      expect(await trading.rows(user, 1)).toHaveLength(1);
      market.pass(HOUR);
      await trading.engine.settleNow();
      expect(await values()).toEqual([]);
      market.pass(DAY);
      await trading.engine.settleNow();
      expect(await values()).toEqual(['-19.500000']);
    });

    it('that a tick of the last day fills after the night was charged has missed it', async () => {
      await trading.submit(user, GBP, buyMarket());
      await trading.submit(user, EUR, buyMarket());
      await trading.submit(user, EUR, pending('1.2', { lots: '2' }));
      market.pass(4 * HOUR);
      await trading.engine.settleNow();
      const late = { instrumentId: EUR, price: 1.2, volume: 1, time: toUnixMs(EVENING + HOUR) };
      await market.exclusively(() => market.turn([late]));
      expect(await trading.rows(user, 1)).toHaveLength(3);
      market.pass(DAY);
      await trading.engine.settleNow();
      expect((await values()).sort()).toEqual(['-19.500000', '-39.000000', '-6.500000']);
    });

    it('that a late tick fills and closes is of no time before its order, and pays no night before it', async () => {
      market.pass(5 * HOUR);
      await market.tick([EUR, 1.1]);
      const createdAt = market.time;
      await trading.submit(user, EUR, pending('1.2'));
      await trading.submit(user, EUR, pending('1.2', { takeProfit: '1.3' }));
      const late = (price: number) =>
        market.exclusively(() =>
          market.turn([{ instrumentId: EUR, price, volume: 1, time: toUnixMs(EVENING + HOUR) }]),
        );
      await late(1.2);
      await late(1.3);
      await trading.engine.settleNow();
      expect(await values()).toEqual([]);
      const rows = await db.select().from(orders);
      expect(rows.map(({ filledAt }) => filledAt)).toEqual([createdAt, createdAt]);
      expect(rows.map(({ completedAt }) => completedAt).sort()).toEqual([createdAt, null]);
    });

    it('of an instrument without swap pays none', async () => {
      await trading.submit(user, GBP, buyMarket());
      market.pass(2 * DAY);
      await trading.engine.settleNow();
      expect(await charges()).toEqual([]);
      expect(await swaps(1)).toEqual(['0.00']);
    });

    it('takes its share to the part that is closed, to the cent', async () => {
      const { id } = await trading.submit(user, EUR, buyMarket({ lots: '0.03' }));
      market.pass(DAY);
      await trading.engine.settleNow();
      expect(await swaps(1)).toEqual(['-0.20']);
      await trading.run((work) => trading.engine.close(work, user, id, lots('0.01')));
      expect(await swaps(1)).toEqual(['-0.13']);
      expect(await swaps(3)).toEqual(['-0.07']);
      market.pass(DAY);
      await trading.engine.settleNow();
      // 0.02 lots, three nights.
      expect(await swaps(1)).toEqual(['-0.52']);
    });

    it('is stopped out by the next tick where the night leaves too little', async () => {
      // 99,600 of margin, then a loss that leaves just more than a fifth of it.
      await trading.submit(user, EUR, buyMarket({ lots: '90' }));
      await market.tick([EUR, 1.09113]);
      const level = async () => (await trading.portfolio.summary(user)).prepayment_ratio;
      expect(Number(await level())).toBeGreaterThan(20);
      market.pass(4 * HOUR);
      await trading.engine.settleNow();
      expect(Number(await level())).toBeLessThan(20);
      expect(await trading.rows(user, 3)).toEqual([]);
      await market.tick([GBP, 1.3]);
      expect(await trading.rows(user, 3)).toMatchObject([
        { CloseReason: 'stop_out', Swap: '-585.00' },
      ]);
    });
  });

  describe('nights that were missed', () => {
    it('are charged after a downtime, each once, over restarts', async () => {
      await trading.submit(user, EUR, buyMarket());
      market.pass(4 * DAY);
      await restart();
      await restart();
      await market.tick([EUR, 1.1]);
      await restart();
      await market.tick([EUR, 1.1]);
      const nights = ['-6.500000', '-19.500000', '-6.500000', '-6.500000'];
      expect(await values()).toEqual(nights);
      const dates = (await charges()).map(({ MemoTran }) => MemoTran.slice(-10));
      expect(dates).toEqual(['2026-12-02', '2026-12-03', '2026-12-04', '2026-12-05']);
    });

    it.each([
      ['of orders', 'orders'],
      ['of postings', 'postings'],
      ['of balances', 'ledger_accounts'],
    ])('are charged once where the writing %s fails', async (_, table) => {
      await trading.submit(user, EUR, buyMarket());
      market.pass(DAY);
      await db.execute(sql.raw(`alter table ${table} rename to elsewhere`));
      await market.tick([EUR, 1.1]);
      await expect(trading.engine.settleNow()).rejects.toThrow();
      await db.execute(sql.raw(`alter table elsewhere rename to ${table}`));
      expect(trading.errors.splice(0)).toHaveLength(1);
      expect(await charges()).toEqual([]);
      await trading.engine.settleNow();
      await market.tick([EUR, 1.1]);
      expect(await values()).toEqual(['-6.500000']);
    });

    it('are charged once where the commit fails', async () => {
      await trading.submit(user, EUR, buyMarket());
      market.pass(DAY);
      market.fails = true;
      await market.tick([EUR, 1.1]);
      market.fails = false;
      expect(trading.errors.splice(0)).toHaveLength(1);
      expect(await charges()).toEqual([]);
      await market.tick([EUR, 1.1]);
      expect(await values()).toEqual(['-6.500000']);
    });

    it('are those alone that pass while the server charges them', async () => {
      await restart(false);
      await trading.submit(user, EUR, buyMarket());
      market.pass(DAY);
      await market.tick([EUR, 1.1]);
      await restart();
      await market.tick([EUR, 1.1]);
      expect(await charges()).toEqual([]);
      market.pass(DAY);
      await market.tick([EUR, 1.1]);
      expect(await values()).toEqual(['-19.500000']);
      await restart(false);
      market.pass(DAY);
      await market.tick([EUR, 1.1]);
      await restart();
      market.pass(DAY);
      await market.tick([EUR, 1.1]);
      expect(await values()).toEqual(['-19.500000', '-6.500000']);
    });
  });

  it('a demo account that is reset has its starting balance', async () => {
    await trading.submit(user, EUR, buyMarket());
    market.pass(DAY);
    await trading.run((work) => trading.engine.reset(work, user));
    expect(await balance()).toBe('100000.000000');
    expect(await swaps(3)).toEqual(['-6.50']);
  });
});
