import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OrderRow } from '#domain/api/trading';
import { add, type Decimal, decimal, toDecimal, toText, ZERO } from '#domain/core/decimal';
import { timeAfter, toDurationMs } from '#domain/core/time';
import { toLots, toUnitsPerLot, toUsd } from '#domain/core/units';
import type { Db } from '../../../server/db/database';
import { notices } from '../../../server/db/schema';
import { audit } from '../../../server/ledger/audit';
import { financialRecords } from '../../../server/ledger/records';
import { adjustmentEntry } from '../../../server/wallet/entries';
import { lots, price } from '../../domain/support/instruments';
import { samples, seed } from '../../helpers/samples';
import { onEachDatabase } from '../support/database';
import { instrument } from '../support/scriptedMarket';
import { SerialMarket } from '../support/serialMarket';
import { emptyTables } from '../support/tables';
import { market as buyMarket, pending, refusalOf, TestTrading } from './testTrading';

const EUR = 1;
const XAU = 2;

const hundredths = (count: number) => toText(decimal(count, 2));

onEachDatabase((database) => {
  let db: Db;
  let market: SerialMarket;
  let trading: TestTrading;
  let user: number;

  beforeEach(async () => {
    db = database.db;
    await emptyTables(db);
    market = new SerialMarket([
      instrument(EUR, 'EURUSD'),
      instrument(XAU, 'XAUUSD', { precision: 2, unitsPerLot: toUnitsPerLot(100) }),
    ]);
    await market.tick([EUR, 1.1], [XAU, 2000]);
    trading = await TestTrading.open(db, market);
    user = await trading.addUser();
  });
  afterEach(async () => {
    trading.close();
    expect(trading.errors).toEqual([]);
    expect(await audit(db)).toEqual([]);
  });

  const summary = () => trading.portfolio.summary(user);
  const history = async () =>
    (await trading.rows(user, 3)).map(({ Id, CloseReason, Price, UpdatePrice, FactProfits }) => [
      Id,
      CloseReason,
      Price,
      UpdatePrice,
      FactProfits,
    ]);
  const ends = async () => (await history()).map((row) => row.slice(0, 2));
  const restart = async () => {
    trading.close();
    trading = await TestTrading.open(db, market);
  };

  it('a balance that a failed change has moved counts as before', async () => {
    await trading.submit(user, EUR, buyMarket());
    const available = () => trading.run((work) => trading.engine.available(work, user));
    const before = toText(await available());
    const failed = trading.run(async (work) => {
      await trading.ledger.post(work, [adjustmentEntry(user, toUsd('500'), 'a correction')]);
      throw new Error('what follows fails');
    });
    await expect(failed).rejects.toThrow('what follows fails');
    expect(toText(await available())).toBe(before);
  });

  it('notices are written of orders that a tick has ended, and of no others', async () => {
    const { id } = await trading.submit(user, EUR, pending('1.12', { stopLoss: '1.11' }));
    await market.tick([EUR, 1.13]);
    expect(trading.noticed).toEqual([]);
    await market.tick([EUR, 1.1]);
    expect(trading.noticed.map((order) => order.id)).toEqual([id]);
  });

  it('any number of orders can end at one tick', async () => {
    const { id: held } = await trading.submit(user, EUR, buyMarket({ stopLoss: '1.09' }));
    const until = timeAfter(market.now(), toDurationMs(1));
    const { id: first } = await trading.submit(user, EUR, { ...pending('1.05'), until });
    const count = 9400;
    await db.execute(sql`
      insert into orders
      select (jsonb_populate_record(o, jsonb_build_object('id', id + n, 'margin', 0))).*
      from orders o, generate_series(1, ${count}::integer) n where id = ${first}`);
    trading.engine.forget();
    await market.tick([EUR, 1.1]);
    expect(await db.$count(notices)).toBe(count + 1);
    await market.tick([EUR, 1.08]);
    expect(trading.noticed).toHaveLength(count + 2);
    expect(trading.noticed.at(-1)).toMatchObject({ id: held, closeReason: 'stop_loss' });
  });

  it('balances of any number of users are read at once', async () => {
    const ids = Array.from({ length: 70_000 }, (_, index) => index + 1);
    expect([...(await trading.ledger.available(db, ids)).keys()]).toEqual([user]);
  });

  it('an order of a change that has failed is unknown', async () => {
    let id = 0;
    const failed = trading.run(async (work) => {
      id = (await trading.engine.submit(work, user, EUR, buyMarket())).id;
      throw new Error('what follows fails');
    });
    await expect(failed).rejects.toThrow('what follows fails');
    const close = trading.run((work) => trading.engine.close(work, user, id));
    expect(await refusalOf(close)).toBe('server.orderUnknown');
  });

  describe('a market order', () => {
    it('fills at the price, freezes its margin and pays its fee', async () => {
      const order = await trading.submit(user, EUR, buyMarket({ target: '1.0999' }));
      expect(await trading.rows(user, 1)).toEqual([
        {
          Id: order.id,
          ForexTradeLists: { Id: EUR, Code: 'EURUSD', ShowCode: 'EUR/USD', PricePrecision: 5 },
          OrderType: 1,
          Quantity: '1',
          Multiple: '100',
          OriginPrice: '1.09990',
          Price: '1.10000',
          UpdatePrice: '1.10000',
          FactProfits: '0.000000',
          CautionMoney: '1100.00',
          TradeFee: '3.00',
          Swap: '0.00',
          TargetLossPrice: '0',
          TargetProfitPrice: '0',
          Trailing: '0',
          Until: 0,
          Status: 1,
          CreateTimeHandler: new Date(market.now()).toISOString(),
          CompleteTimeHandler: '',
          CloseReason: '',
        },
      ]);
      expect(await summary()).toEqual({
        balance: '98897.000000',
        lock_balance: '1100.000000',
        caution_money: '1100.00',
        fact_profits: '0.000000',
        net_value: '99997.000000',
        free_balance: '98897.000000',
        risk_rate: '1.10',
        prepayment_ratio: '9090.64',
      });
      expect(trading.published.map(({ id, status }) => [id, status])).toEqual([
        [order.id, 'holding'],
      ]);
    });

    it('floats with the price, and settles when it is closed', async () => {
      const { id } = await trading.submit(user, EUR, buyMarket());
      await market.tick([EUR, 1.10123]);
      expect((await summary()).fact_profits).toBe('123.000000');
      expect((await trading.portfolio.page(user, 1, 1, 20)).all_fact_profits).toBe('123.000000');
      const closed = await trading.run((work) => trading.engine.close(work, user, id));
      expect(closed.completedAt).toBe(market.now());
      expect(await history()).toEqual([[id, 'user', '1.10000', '1.10123', '123.000000']]);
      expect(await summary()).toMatchObject({
        balance: '100120.000000',
        lock_balance: '0.000000',
        risk_rate: '--',
        prepayment_ratio: '--',
      });
      expect(trading.published.map(({ status }) => status)).toEqual(['holding', 'closed']);
    });

    it('is closed in parts, each with its share of margin, fee and profit', async () => {
      const { id } = await trading.submit(user, EUR, buyMarket());
      await market.tick([EUR, 1.10123]);
      const close = (lots: string) =>
        trading.run((work) => trading.engine.close(work, user, id, toLots(lots)));
      const rest = await close('0.3');
      expect([rest.id, toText(rest.lots), Number(toText(rest.margin))]).toEqual([id, '0.7', 770]);
      expect(await history()).toEqual([[id + 1, 'user', '1.10000', '1.10123', '36.900000']]);
      expect((await summary()).balance).toBe('99263.900000');
      expect(trading.published.map((order) => [order.id, order.status])).toEqual([
        [id, 'holding'],
        [id + 1, 'closed'],
        [id, 'holding'],
      ]);
      expect(await refusalOf(close('0.71'))).toBe('rules.lotsAboveMaximum');
      expect(await refusalOf(close('0.695'))).toBe('rules.lotsStep');
      await restart();
      await close('0');
      expect((await history()).map(([order]) => order)).toEqual([id + 1, id]);
      expect((await summary()).balance).toBe('100120.000000');
    });

    it('moves the same money in parts as in whole, to the cent', async () => {
      const sizes = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 2, maxLength: 5 });
      const options = fc.record({ side: fc.constantFrom('buy', 'sell'), points: fc.nat(2000) });
      await fc.assert(
        fc.asyncProperty(sizes, options, async (parts, { side, points }) => {
          const inParts = await trading.addUser();
          const whole = await trading.addUser();
          const lots = hundredths(parts.reduce((sum, part) => sum + part));
          await market.tick([EUR, 1.09337]);
          const placed = [];
          for (const owner of [inParts, whole])
            placed.push(await trading.submit(owner, EUR, buyMarket({ side, lots })));
          const [first, second] = placed;
          await market.tick([EUR, 1.09 + points / 1e5]);
          const close = (owner: number, id: number, size: string) =>
            trading.run((work) => trading.engine.close(work, owner, id, toLots(size)));
          for (const part of parts) await close(inParts, first?.id ?? 0, hundredths(part));
          await close(whole, second?.id ?? 0, '0');
          const moved = async (owner: number) => {
            const rows = await trading.rows(owner, 3);
            const { balance } = await trading.portfolio.summary(owner);
            const sum = (amount: (row: OrderRow) => string) =>
              toText(
                rows.reduce<Decimal>((total, row) => add(total, toDecimal(amount(row))), ZERO),
              );
            return {
              balance,
              lots: sum((row) => row.Quantity),
              margin: sum((row) => row.CautionMoney),
              fee: sum((row) => row.TradeFee),
              profit: sum((row) => row.FactProfits),
            };
          };
          expect(await moved(inParts)).toEqual(await moved(whole));
          expect(await trading.rows(inParts, 3)).toHaveLength(parts.length);
        }),
        { numRuns: samples(5, 100), seed },
      );
    });

    it('leaves nothing behind when it is refused', async () => {
      expect(await refusalOf(trading.submit(user, EUR, buyMarket({ lots: '1000' })))).toBe(
        'rules.availableTooLow',
      );
      expect((await summary()).balance).toBe('100000.000000');
      expect((await financialRecords(db, user, { page: 1 }, 'en')).total).toBe(1);
      expect(trading.published).toEqual([]);
    });

    it('is refused for what is not traded, and in a closed market', async () => {
      expect(await refusalOf(trading.submit(user, 99, buyMarket()))).toBe(
        'server.instrumentUnknown',
      );
      market.setOpen(EUR, false);
      expect(await refusalOf(trading.submit(user, EUR, buyMarket()))).toBe('rules.marketClosed');
      expect(await refusalOf(trading.submit(user, EUR, pending('1')))).toBe('rules.marketClosed');
    });
  });

  describe('a pending order', () => {
    it('fills from below at the price that crosses, with margin and fee of its target', async () => {
      const { id } = await trading.submit(user, EUR, pending('1.11', { side: 'sell' }));
      expect(await summary()).toMatchObject({
        balance: '98890.000000',
        lock_balance: '1110.000000',
      });
      await market.tick([EUR, 1.1099]);
      expect(await trading.rows(user, 0)).toMatchObject([
        { Id: id, Price: '0', UpdatePrice: '1.10990', FactProfits: '0.000000', TradeFee: '3.00' },
      ]);
      await market.tick([EUR, 1.12]);
      expect(await trading.rows(user, 0)).toEqual([]);
      expect(await trading.rows(user, 1)).toMatchObject([
        { Id: id, OriginPrice: '1.11000', Price: '1.12000', CautionMoney: '1110.00' },
      ]);
      expect((await summary()).balance).toBe('98887.000000');
    });

    it('fills from above, and not from the side on which the price already was', async () => {
      await trading.submit(user, EUR, pending('1.05'));
      await market.tick([EUR, 1.2]);
      expect(await trading.rows(user, 0)).toHaveLength(1);
      await market.tick([EUR, 1.04]);
      expect(await trading.rows(user, 1)).toMatchObject([{ Price: '1.04000' }]);
    });

    it('fills immediately if the price is its target', async () => {
      await trading.submit(user, EUR, pending('1.10'));
      expect(await trading.rows(user, 1)).toMatchObject([{ Price: '1.10000', Status: 1 }]);
      expect((await summary()).balance).toBe('98897.000000');
    });

    it('is cancelled with a record if the balance cannot pay its fee at the target', async () => {
      await trading.submit(user, EUR, buyMarket({ lots: '80' }));
      const { id } = await trading.submit(user, EUR, pending('1.0985', { lots: '1' }));
      await market.tick([EUR, 1.0985]);
      expect(await history()).toMatchObject([[id, 'cancelled', '0', '1.09850', '0.000000']]);
      const [record] = (await financialRecords(db, user, { page: 1 }, 'en')).list;
      expect(record).toMatchObject({
        Type: 3,
        Value: '1098.500000',
        MemoTran: `Order ${id}, EUR/USD, cancelled when its price was reached: insufficient funds. Margin released`,
      });
      expect(trading.published.at(-1)).toMatchObject({ id, closeReason: 'cancelled' });
    });

    it('is cancelled by its user, once, also in a closed market', async () => {
      const { id } = await trading.submit(user, EUR, pending('1.05'));
      market.setOpen(EUR, false);
      const cancel = () => trading.run((work) => trading.engine.cancel(work, user, id));
      expect((await cancel()).status).toBe('closed');
      expect(await refusalOf(cancel())).toBe('rules.orderNotPending');
      expect((await summary()).balance).toBe('100000.000000');
    });
  });

  describe('stops', () => {
    it('close at the price that crossed, stop-loss before take-profit', async () => {
      const wish = { lots: '0.1', stopLoss: '1.09', takeProfit: '1.11' };
      const first = await trading.submit(user, EUR, buyMarket(wish));
      const second = await trading.submit(user, EUR, buyMarket({ ...wish, stopLoss: '1.08' }));
      await market.tick([EUR, 1.085]);
      expect(await history()).toEqual([
        [first.id, 'stop_loss', '1.10000', '1.08500', '-150.000000'],
      ]);
      await market.tick([EUR, 1.12]);
      expect((await history())[0]).toEqual([
        second.id,
        'take_profit',
        '1.10000',
        '1.12000',
        '200.000000',
      ]);
    });

    it('close an order in the tick that fills it', async () => {
      const { id } = await trading.submit(user, EUR, pending('1.09', { stopLoss: '1.085' }));
      await market.tick([EUR, 1.08]);
      expect(await history()).toEqual([[id, 'stop_loss', '1.08000', '1.08000', '0.000000']]);
      // Each change is published once, as it was committed.
      expect(trading.published.map(({ status }) => status)).toEqual(['pending', 'closed']);
      expect((await summary()).balance).toBe('99997.000000');
    });

    it('follow the best price at a distance, never back, also over a restart', async () => {
      const { id } = await trading.submit(
        user,
        EUR,
        buyMarket({ trailing: '0.01', stopLoss: '1.085' }),
      );
      const set = (stopLoss: string, trailing: string) =>
        trading.run((work) =>
          trading.engine.setExits(work, user, id, {
            stopLoss: price(stopLoss),
            takeProfit: price('0'),
            trailing: price(trailing),
          }),
        );
      const stop = async () => (await trading.rows(user, 1))[0]?.TargetLossPrice;
      expect(await stop()).toBe('1.09000');
      await market.tick([EUR, 1.12], [EUR, 1.111]);
      expect(await stop()).toBe('1.11000');
      await restart();
      expect(await stop()).toBe('1.11000');
      await set('0', '0.01');
      expect(await stop()).toBe('1.11000');
      await set('0', '0.02');
      expect(await stop()).toBe('1.09100');
      await set('1.1', '0.02');
      await market.tick([EUR, 1.115]);
      expect(await stop()).toBe('1.10000');
      await trading.run((work) => trading.engine.close(work, user, id, lots('0.4')));
      expect(await trading.rows(user, 1)).toMatchObject([
        { Quantity: '0.6', TargetLossPrice: '1.10000', Trailing: '0.02000' },
      ]);
      await market.tick([EUR, 1.13], [EUR, 1.11]);
      expect((await trading.rows(user, 3))[0]).toMatchObject({
        CloseReason: 'stop_loss',
        TargetLossPrice: '1.11000',
        UpdatePrice: '1.11000',
      });
    });

    it('follow from the price of the fill', async () => {
      await trading.submit(user, EUR, pending('1.12', { side: 'sell', trailing: '0.005' }));
      await market.tick([EUR, 1.05]);
      expect(await trading.rows(user, 0)).toMatchObject([
        { TargetLossPrice: '0', Trailing: '0.00500' },
      ]);
      await market.tick([EUR, 1.13], [EUR, 1.125]);
      expect(await trading.rows(user, 1)).toMatchObject([{ TargetLossPrice: '1.13000' }]);
      await restart();
      expect(await trading.rows(user, 1)).toMatchObject([{ TargetLossPrice: '1.13000' }]);
      await market.tick([EUR, 1.13]);
      expect((await history()).map(([, reason]) => reason)).toEqual(['stop_loss']);
    });

    it('follow from the next price of the same millisecond on, also over a restart', async () => {
      await trading.submit(user, EUR, pending('1.12', { side: 'sell', trailing: '0.005' }));
      market.pass(1_000);
      const at = (price: number) => ({ instrumentId: EUR, price, volume: 1, time: market.time });
      await market.turn([at(1.13), at(1.1)]);
      expect(await trading.rows(user, 1)).toMatchObject([{ TargetLossPrice: '1.10500' }]);
      await restart();
      expect(await trading.rows(user, 1)).toMatchObject([{ TargetLossPrice: '1.10500' }]);
    });

    it('follow the first tick after a reload, whose price the market shows already', async () => {
      await trading.submit(user, EUR, buyMarket({ trailing: '0.01' }));
      trading.engine.forget();
      await market.tick([EUR, 1.2]);
      expect(await trading.rows(user, 1)).toMatchObject([{ TargetLossPrice: '1.19000' }]);
    });

    it('follow no tick after a reload before it is its turn', async () => {
      await trading.submit(user, EUR, buyMarket({ trailing: '0.01' }));
      trading.engine.forget();
      await market.tick([EUR, 1.095], [EUR, 1.2], [EUR, 1.195]);
      expect(await trading.rows(user, 1)).toMatchObject([{ TargetLossPrice: '1.19000' }]);
    });

    it('follow what they have missed in a gap of the prices', async () => {
      await trading.submit(user, EUR, buyMarket({ trailing: '0.01' }));
      market.pass(1_000);
      market.skip(EUR, 1.2);
      market.pass(1_000);
      await market.tick([EUR, 1.185]);
      expect((await history()).map(([, reason]) => reason)).toEqual(['stop_loss']);
    });

    it('are told as they follow, but not with every tick', async () => {
      await trading.submit(user, EUR, buyMarket({ trailing: '0.01' }));
      for (let i = 1; i <= 20; i++) await market.tick([EUR, 1.1 + i / 1000]);
      const told = trading.published.map(({ stopLoss }) => toText(stopLoss));
      expect(told.slice(0, 2)).toEqual(['1.09', '1.091']);
      expect(told.length).toBeLessThan(10);
    });

    it.each([
      ['-0.01', 'distanceNotPositive'],
      ['0.000001', 'priceTooFine'],
      ['1.1', 'distanceNotBelow'],
    ])('do not follow at a distance of %s', async (trailing, rule) => {
      const refused = trading.submit(user, EUR, buyMarket({ trailing }));
      expect(await refusalOf(refused)).toBe(`rules.${rule}`);
    });

    it('are edited and removed, on the right side only', async () => {
      const { id } = await trading.submit(user, EUR, buyMarket({ stopLoss: '1.05' }));
      const set = (stopLoss: string, takeProfit: string) =>
        trading.run((work) =>
          trading.engine.setExits(work, user, id, {
            stopLoss: price(stopLoss),
            takeProfit: price(takeProfit),
            trailing: price('0'),
          }),
        );
      expect(await refusalOf(set('1.1', '0'))).toBe('rules.stopLossNotBelow');
      expect(await refusalOf(set('0', '1.1'))).toBe('rules.takeProfitNotAbove');
      await set('1.09', '1.12');
      expect(await trading.rows(user, 1)).toMatchObject([
        { TargetLossPrice: '1.09000', TargetProfitPrice: '1.12000' },
      ]);
      await set('0', '0');
      await market.tick([EUR, 1.06]);
      expect(await history()).toEqual([]);
      expect(trading.published.map(({ status }) => status)).toEqual([
        'holding',
        'holding',
        'holding',
      ]);
    });
  });

  describe('a stop-out', () => {
    it('closes the worst first, until the ratio is above 20 %', async () => {
      // Margins 33,000 and 22,000; balance 100,000 − 55,000 − 150 = 44,850.
      const large = await trading.submit(user, EUR, buyMarket({ lots: '30' }));
      const small = await trading.submit(user, EUR, buyMarket({ lots: '20' }));
      // 44,850 + 55,000 − 5,000,000 × 0.01777 = 11,000 = 20 %
      await market.tick([EUR, 1.08224]);
      expect(await history()).toEqual([]);
      await market.tick([EUR, 1.08223]);
      expect(await history()).toEqual([
        [large.id, 'stop_out', '1.10000', '1.08223', '-53310.000000'],
      ]);
      expect(await trading.rows(user, 1)).toMatchObject([{ Id: small.id }]);
    });

    it('sets a negative balance to zero when the last order closes, with its own record', async () => {
      await trading.submit(user, EUR, buyMarket({ lots: '80' }));
      await market.tick([EUR, 1.05]);
      expect(await summary()).toMatchObject({ balance: '0.000000', lock_balance: '0.000000' });
      const { list } = await financialRecords(db, user, { page: 1 }, 'en');
      expect(list[0]).toMatchObject({ Type: 6, Value: '300240.000000' });
    });

    it('skips closed markets, and closes their orders when they open', async () => {
      const gold = await trading.submit(user, XAU, buyMarket({ lots: '5' }));
      const euro = await trading.submit(user, EUR, buyMarket({ lots: '70' }));
      market.setOpen(XAU, false);
      await market.tick([EUR, 1.05]);
      // 100,000 - 10,015 - 210 - 350,000: the gold order remains, with a balance far below zero.
      expect(await ends()).toEqual([[euro.id, 'stop_out']]);
      expect((await summary()).balance).toBe('-260225.000000');
      await market.tick([EUR, 1.06]);
      expect(await trading.rows(user, 1)).toHaveLength(1);
      market.setOpen(XAU, true);
      // Any tick closes it, because the ratio is still too low.
      await market.tick([EUR, 1.06]);
      expect((await ends())[0]).toEqual([gold.id, 'stop_out']);
      expect((await summary()).balance).toBe('0.000000');
    });

    it('remembers an account in a closed market over a restart', async () => {
      await trading.submit(user, XAU, buyMarket({ lots: '5' }));
      await trading.submit(user, EUR, buyMarket({ lots: '70' }));
      market.setOpen(XAU, false);
      await market.tick([EUR, 1.05]);
      await restart();
      market.setOpen(XAU, true);
      await market.tick([EUR, 1.05]);
      expect(await trading.rows(user, 1)).toEqual([]);
    });
  });

  describe('a tick', () => {
    it('fills pending orders by id, then checks positions at the same price', async () => {
      const sell = await trading.submit(user, EUR, pending('1.09', { side: 'sell', lots: '0.1' }));
      const buy = await trading.submit(user, EUR, buyMarket({ lots: '0.1', stopLoss: '1.09' }));
      const last = await trading.submit(user, EUR, pending('1.095', { lots: '0.1' }));
      trading.published.length = 0;
      await market.tick([EUR, 1.09]);
      expect(trading.published.map(({ id, status }) => [id, status])).toEqual([
        [sell.id, 'holding'],
        [last.id, 'holding'],
        [buy.id, 'closed'],
      ]);
    });

    it('checks each price of a batch in order', async () => {
      const { id } = await trading.submit(user, EUR, buyMarket({ takeProfit: '1.12' }));
      await market.tick([EUR, 1.11], [EUR, 1.125], [EUR, 1.05]);
      expect(await history()).toEqual([[id, 'take_profit', '1.10000', '1.12500', '2500.000000']]);
    });

    it('commits the position of the feed only together with its changes', async () => {
      await trading.submit(user, EUR, buyMarket({ takeProfit: '1.12' }));
      const before = market.positions;
      await market.tick([EUR, 1.11]);
      expect(market.positions).toBe(before);
      await market.tick([EUR, 1.13]);
      expect(market.positions).toBe(before + 1);
    });
  });

  describe('over a restart', () => {
    it('open orders, their profits and their triggers are as before', async () => {
      await trading.submit(user, EUR, pending('1.11', { side: 'sell' }));
      await trading.submit(user, EUR, buyMarket({ takeProfit: '1.12' }));
      await market.tick([EUR, 1.105]);
      const before = await summary();
      await restart();
      expect(await summary()).toEqual(before);
      await market.tick([EUR, 1.12]);
      expect(await trading.rows(user, 1)).toMatchObject([{ OrderType: 2, Price: '1.12000' }]);
      expect(await ends()).toEqual([[2, 'take_profit']]);
    });

    it('an order of another feed has no price and a closed market', async () => {
      const held = await trading.submit(user, EUR, buyMarket());
      const waiting = await trading.submit(user, EUR, pending('1.05'));
      await db.execute(sql`update orders set feed = 'another'`);
      await restart();
      await market.tick([EUR, 0.5]);
      expect(await trading.rows(user, 1)).toMatchObject([
        { UpdatePrice: '0', FactProfits: '0.000000' },
      ]);
      const close = trading.run((work) => trading.engine.close(work, user, held.id));
      expect(await refusalOf(close)).toBe('rules.marketClosed');
      await trading.run((work) => trading.engine.cancel(work, user, waiting.id));
      await trading.run((work) => trading.engine.reset(work, user));
      expect((await summary()).balance).toBe('100000.000000');
    });

    it('a closed order has the id that its instrument has now, and none of another feed', async () => {
      const first = await trading.submit(user, EUR, buyMarket({ lots: '0.1' }));
      const last = await trading.submit(user, EUR, buyMarket({ lots: '0.1' }));
      for (const { id } of [first, last]) {
        await trading.run((work) => trading.engine.close(work, user, id));
      }
      await db.execute(sql`update orders set feed = 'another' where id = ${first.id}`);
      await db.execute(sql`update orders set instrument_id = ${XAU} where id = ${last.id}`);
      await restart();
      const rows = await trading.rows(user, 3);
      expect(rows.map(({ Id, ForexTradeLists }) => [Id, ForexTradeLists.Id])).toEqual([
        [last.id, EUR],
        [first.id, 0],
      ]);
      expect(rows[1]?.ForexTradeLists).toMatchObject({ Code: 'EURUSD', PricePrecision: 5 });
    });
  });

  describe('a reset', () => {
    it('ends all orders and restores the starting balance', async () => {
      const held = await trading.submit(user, EUR, buyMarket());
      const waiting = await trading.submit(user, XAU, pending('1900', { lots: '0.1' }));
      await market.tick([EUR, 1.2]);
      trading.published.length = 0;
      await trading.run((work) => trading.engine.reset(work, user));
      expect(await summary()).toMatchObject({ balance: '100000.000000', lock_balance: '0.000000' });
      expect(await history()).toEqual([
        [waiting.id, 'reset', '0', '2000.00', '0.000000'],
        [held.id, 'reset', '1.10000', '1.20000', '10000.000000'],
      ]);
      expect(trading.published.map(({ closeReason }) => closeReason)).toEqual(['reset', 'reset']);
    });
  });

  describe('users', () => {
    it('cannot touch the orders of others', async () => {
      const { id } = await trading.submit(user, EUR, buyMarket());
      const other = await trading.addUser();
      for (const act of [
        trading.run((work) => trading.engine.close(work, other, id)),
        trading.run((work) => trading.engine.cancel(work, other, id)),
        trading.run((work) =>
          trading.engine.setExits(work, other, id, {
            stopLoss: price('0'),
            takeProfit: price('0'),
            trailing: price('0'),
          }),
        ),
      ]) {
        expect(await refusalOf(act)).toBe('server.orderUnknown');
      }
      expect(await trading.rows(other, 1)).toEqual([]);
      expect(await trading.rows(user, 1)).toHaveLength(1);
    });
  });

  describe('several steps of one unit of work', () => {
    const both = () =>
      trading.run(async (work) => {
        const { id } = await trading.engine.submit(work, user, EUR, buyMarket());
        await trading.engine.submit(work, user, EUR, pending('1.05'));
        await trading.engine.setExits(work, user, id, {
          stopLoss: price('1'),
          takeProfit: price('0'),
          trailing: price('0'),
        });
        expect(toText(await trading.engine.available(work, user))).toBe('97847');
      });

    it('see the changes of earlier ones', async () => {
      await both();
      expect(await trading.rows(user, 1)).toMatchObject([{ TargetLossPrice: '1.00000' }]);
      expect(await trading.rows(user, 0)).toHaveLength(1);
      expect(trading.published.map(({ status }) => status)).toEqual([
        'holding',
        'pending',
        'holding',
      ]);
    });

    it('leave nothing behind when a later one is refused', async () => {
      const refused = trading.run(async (work) => {
        await trading.engine.submit(work, user, EUR, buyMarket());
        await trading.engine.submit(work, user, EUR, buyMarket({ lots: '1000' }));
      });
      expect(await refusalOf(refused)).toBe('rules.availableTooLow');
      expect(await trading.rows(user, 1)).toEqual([]);
      expect((await summary()).balance).toBe('100000.000000');
      expect(trading.published).toEqual([]);
      await both();
    });
  });

  it('reads memory from the database again when a transaction fails', async () => {
    await trading.submit(user, EUR, buyMarket({ takeProfit: '1.12' }));
    await db.execute(sql`alter table orders rename to elsewhere`);
    await market.tick([EUR, 1.13]);
    await db.execute(sql`alter table elsewhere rename to orders`);
    expect(trading.errors.splice(0)).toHaveLength(1);
    expect(trading.published).toHaveLength(1);
    // A change that was rolled back is not visible.
    expect(await trading.rows(user, 1)).toMatchObject([{ Status: 1, UpdatePrice: '1.13000' }]);
    await market.tick([EUR, 1.13]);
    expect(await ends()).toEqual([[1, 'take_profit']]);
    expect((await summary()).balance).toBe('102997.000000');
  });
});
