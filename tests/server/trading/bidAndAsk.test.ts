import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toFixed, ZERO } from '#domain/core/decimal';
import type { Db } from '../../../server/db/database';
import { audit } from '../../../server/ledger/audit';
import { noWatch } from '../../../server/trading/tickWatch';
import { price } from '../../domain/support/instruments';
import { onEachDatabase } from '../support/database';
import { instrument } from '../support/scriptedMarket';
import { SerialMarket } from '../support/serialMarket';
import { emptyTables } from '../support/tables';
import { market as atMarket, pending, refusalOf, TestTrading } from './testTrading';

const EUR = 1;

onEachDatabase((database) => {
  let db: Db;
  let market: SerialMarket;
  let trading: TestTrading;
  let user: number;

  const open = () => TestTrading.open(db, market, 'per-lot', noWatch, 2);
  const tick = (close: number, bid?: number, ask?: number) =>
    market.tick([EUR, close, 1, bid === undefined || ask === undefined ? undefined : { bid, ask }]);
  const rows = async (status: number) =>
    (await trading.rows(user, status)).map(({ Price, UpdatePrice, FactProfits, CloseReason }) =>
      [Price, UpdatePrice, FactProfits, CloseReason].filter((value) => value),
    );

  beforeEach(async () => {
    db = database.db;
    await emptyTables(db);
    market = new SerialMarket([instrument(EUR, 'EURUSD')]);
    await tick(1.1, 1.0999, 1.1002);
    trading = await open();
    user = await trading.addUser();
  });
  afterEach(async () => {
    trading.close();
    expect(trading.errors).toEqual([]);
    expect(await audit(db)).toEqual([]);
  });

  describe('where bid and ask decide everything (domain.md#fill-at-bid-and-ask)', () => {
    it('a position opens at its own side, and is worth what it would close at', async () => {
      await trading.submit(user, EUR, atMarket({ stopLoss: '1.0998' }));
      await trading.submit(user, EUR, atMarket({ side: 'sell', stopLoss: '1.1003' }));
      expect(await rows(1)).toEqual([
        ['1.09990', '1.10020', '-30.000000'],
        ['1.10020', '1.09990', '-30.000000'],
      ]);
      expect(await refusalOf(trading.submit(user, EUR, atMarket({ stopLoss: '1.0999' })))).toBe(
        'rules.stopLossNotBelow',
      );
      // The latest price alone moves nothing.
      await tick(1.1001, 1.0999, 1.1002);
      expect(await rows(1)).toHaveLength(2);
      await tick(1.1001, 1.0998, 1.1003);
      expect(await rows(3)).toEqual([
        ['1.09990', '1.10030', '-40.000000', 'stop_loss'],
        ['1.10020', '1.09980', '-40.000000', 'stop_loss'],
      ]);
    });

    it('a pending order waits for its own side, and fills at it', async () => {
      await trading.submit(user, EUR, pending('1.0995'));
      await trading.submit(user, EUR, pending('1.1005', { side: 'sell' }));
      await tick(1.0994, 1.0994, 1.0996);
      await tick(1.1006, 1.1004, 1.1006);
      expect(await rows(1)).toEqual([]);
      await tick(1.0994, 1.0993, 1.0995);
      await tick(1.1006, 1.1005, 1.1007);
      expect(await rows(1)).toEqual([
        ['1.10050', '1.10070', '-20.000000'],
        ['1.09950', '1.10050', '100.000000'],
      ]);
    });

    it('a missing side is the latest price', async () => {
      await tick(1.1, 1.0999, 0);
      await trading.submit(user, EUR, atMarket());
      await tick(1.1, 0, 1.1002);
      await trading.submit(user, EUR, atMarket({ side: 'sell' }));
      expect(await rows(1)).toEqual([
        ['1.10000', '1.10020', '-20.000000'],
        ['1.10000', '1.10000', '0.000000'],
      ]);
    });

    it('no distance between them is no loss', async () => {
      await tick(1.1, 1.1, 1.1);
      await trading.submit(user, EUR, atMarket());
      expect(await rows(1)).toEqual([['1.10000', '1.10000', '0.000000']]);
    });

    it('with the bid above the ask nothing is traded, with the reason', async () => {
      const held = await trading.submit(
        user,
        EUR,
        atMarket({ stopLoss: '1.09', takeProfit: '1.2' }),
      );
      const waiting = await trading.submit(user, EUR, pending('1.0995'));
      for (const [bid, ask] of [
        [1.3, 1.05],
        [1.08, 1.07],
      ] as const) {
        await tick(1.1, bid, ask);
        expect(await refusalOf(trading.submit(user, EUR, atMarket()))).toBe('rules.bookCrossed');
        const close = trading.run((work) => trading.engine.close(work, user, held.id));
        expect(await refusalOf(close)).toBe('rules.bookCrossed');
        // What waits may be placed, changed and cancelled.
        const other = await trading.submit(user, EUR, pending('1.09'));
        await trading.run((work) => trading.engine.cancel(work, user, other.id));
      }
      expect(await rows(1)).toEqual([['1.10020', '1.09990', '-30.000000']]);
      expect(await rows(0)).toHaveLength(1);
      await tick(1.1, 1.0994, 1.0995);
      expect(await trading.rows(user, 1)).toHaveLength(2);
      expect((await trading.rows(user, 1)).map(({ Id }) => Id)).toContain(waiting.id);
    });

    it('a stop follows the side that it would close at, also while the server is down', async () => {
      await trading.submit(user, EUR, atMarket({ trailing: '0.001' }));
      await trading.submit(user, EUR, atMarket({ side: 'sell', trailing: '0.001' }));
      const stops = async () =>
        (await trading.rows(user, 1)).map(({ TargetLossPrice }) => TargetLossPrice);
      expect(await stops()).toEqual(['1.10120', '1.09890']);
      await tick(1.1008, 1.1001, 1.1002);
      expect(await stops()).toEqual(['1.10120', '1.09910']);
      trading.close();
      await tick(1.1, 1.1003, 1.1005);
      await tick(1.1, 1.0995, 1.0998);
      trading = await open();
      expect(await stops()).toEqual(['1.10080', '1.09930']);
    });

    it('an account is stopped out by what its positions would close at', async () => {
      const { margin } = await trading.submit(user, EUR, atMarket({ lots: '10' }));
      const { balance, caution_money } = await trading.portfolio.summary(user);
      expect(caution_money).toBe(toFixed(margin, 2));
      // A million units: where 80 % of the margin and what is left are lost.
      const floor = 1.1002 - (Number(balance) + 0.8 * Number(caution_money)) / 1_000_000;
      const beyond = (distance: number) => Number((floor + distance).toFixed(5));
      await tick(1.1, beyond(0.0001), 1.1002);
      expect(await rows(1)).toHaveLength(1);
      // The latest price alone stops nothing out.
      await tick(0.9, beyond(0.0001), 1.1002);
      expect(await rows(1)).toHaveLength(1);
      await tick(1.1, beyond(-0.0001), 1.1002);
      expect((await rows(3)).map((row) => row.at(-1))).toEqual(['stop_out']);
    });

    it('exits are set against the side that closes', async () => {
      const held = await trading.submit(user, EUR, atMarket());
      const set = (stopLoss: string) =>
        trading.run((work) =>
          trading.engine.setExits(work, user, held.id, {
            stopLoss: price(stopLoss),
            takeProfit: ZERO,
            trailing: ZERO,
          }),
        );
      expect(await refusalOf(set('1.0999'))).toBe('rules.stopLossNotBelow');
      expect((await set('1.0998')).status).toBe('holding');
    });
  });
});
