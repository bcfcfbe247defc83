import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { toText } from '#domain/core/decimal';
import { toUnixMs } from '#domain/core/time';
import type { Usd } from '#domain/core/units';
import { demoAccount } from '../../../server/account/demo';
import { AttemptLimits } from '../../../server/account/limits/attemptLimits';
import { UNDIVIDED } from '../../../server/account/otherEngines';
import type { Db } from '../../../server/db/database';
import { audit } from '../../../server/ledger/audit';
import {
  BROKER,
  type Entry,
  feeEntry,
  freezeMarginEntry,
  openingEntry,
  releaseMarginEntry,
} from '../../../server/ledger/entries';
import { Ledger } from '../../../server/ledger/ledger';
import { financialRecords } from '../../../server/ledger/records';
import { redemptionEntry, subscriptionEntry } from '../../../server/mining/entries';
import { usd } from '../../domain/support/instruments';
import { onEachDatabase } from '../support/database';
import { emptyTables, work } from '../support/tables';

const DEMO = '00000000-0000-4000-8000-000000000001';

onEachDatabase((database) => {
  const ledger = new Ledger(() => toUnixMs(Date.UTC(2026, 0, 5)));
  let db: Db;
  let userId: number;
  beforeEach(async () => {
    db = database.db;
    await emptyTables(db);
    await ledger.prepare(db);
    userId = (await openDemo()).id;
  });
  const openDemo = () => {
    const now = () => toUnixMs(0);
    return demoAccount(
      { db, ledger, limits: new AttemptLimits(now), otherEngines: UNDIVIDED, now },
      DEMO,
      '127.0.0.1',
    );
  };
  const order = () => ({ id: 0, userId, name: 'EUR/USD' });
  const texts = async () => {
    const { available, frozen } = await ledger.balances(db, userId);
    return [toText(available), toText(frozen)];
  };

  describe('posting', () => {
    it('moves exact amounts between accounts, and returns the new balance', async () => {
      const published: string[] = [];
      ledger.onBalance((_, user, balance) => published.push(`${user} ${toText(balance)}`));
      await work(db, async (w) => {
        await ledger.post(w, [
          freezeMarginEntry(order(), usd('0.000001')),
          freezeMarginEntry(order(), usd('1107.58')),
          feeEntry(order(), usd('7')),
        ]);
      });
      expect(await texts()).toEqual(['98885.419999', '1107.580001']);
      expect(published).toEqual([`${userId} 98885.419999`]);
    });

    it('gives ids after those that another process has written meanwhile, once it is told', async () => {
      const post = () => work(db, (w) => ledger.post(w, [feeEntry(order(), usd('1'))]));
      const other = new Ledger(() => toUnixMs(0));
      await post();
      await work(db, (w) => other.post(w, [feeEntry(order(), usd('1'))]));
      ledger.forget();
      await post();
      expect(await texts()).toEqual(['99997', '0']);
    });

    it('books nothing for amounts of zero', async () => {
      await work(db, (w) => ledger.post(w, [feeEntry(order(), usd('0'))]));
      expect((await financialRecords(db, userId, { page: 1 }, 'en')).total).toBe(1);
    });

    it('refuses legs that do not add up to zero', async () => {
      const lopsided: Entry = {
        ...openingEntry(userId, usd('1')),
        legs: [
          { owner: BROKER, kind: 'capital', amount: usd('-1') },
          { owner: userId, kind: 'available', amount: usd('1.000001') },
        ],
      };
      await expect(work(db, (w) => ledger.post(w, [lopsided]))).rejects.toThrow(/zero/);
      expect(await texts()).toEqual(['100000', '0']);
    });

    it('never makes a frozen margin negative', async () => {
      const back = releaseMarginEntry(order(), usd('1'), 'released');
      await expect(work(db, (w) => ledger.post(w, [back]))).rejects.toThrow();
      expect(await texts()).toEqual(['100000', '0']);
    });

    it('rolls back all of a transaction that fails', async () => {
      const failing = work(db, async (w) => {
        await ledger.post(w, [freezeMarginEntry(order(), usd('5'))]);
        throw new Error('after all');
      });
      await expect(failing).rejects.toThrow('after all');
      expect(await texts()).toEqual(['100000', '0']);
      expect(await audit(db)).toEqual([]);
    });

    it('posts thousands of entries in one call', async () => {
      const entries = Array.from({ length: 6_000 }, () => freezeMarginEntry(order(), usd('0.01')));
      await work(db, (w) => ledger.post(w, entries));
      expect(await texts()).toEqual(['99940', '60']);
    });
  });

  describe('financial records', () => {
    it('are the postings on the balance, newest first, in the language', async () => {
      await work(db, (w) =>
        ledger.post(w, [
          freezeMarginEntry({ ...order(), id: 12 }, usd('10')),
          feeEntry(order(), usd('7')),
        ]),
      );
      const { list, total } = await financialRecords(db, userId, { page: 1 }, 'en');
      expect(total).toBe(3);
      expect(list.map(({ Value, Type, MemoTran }) => [Value, Type, MemoTran])).toEqual([
        ['-7.000000', 4, 'Handling fee of order 0, EUR/USD'],
        ['-10.000000', 2, 'Margin of order 12, EUR/USD, frozen'],
        ['100000.000000', 1, 'Starting balance'],
      ]);
      expect(list[0]?.CreatedAtTran).toBe('2026-01-05T00:00:00.000Z');
      expect(list.map(({ Id }) => Id)).toEqual(list.map(({ Id }) => Id).sort((a, b) => b - a));
    });

    it('have an amount as the language writes it, and the reason as the broker wrote it', async () => {
      const subscription = { id: 3, userId, amount: usd('24690') };
      const busted = { order: 7, name: 'EUR/USD', reason: '2024' };
      await work(db, (w) =>
        ledger.post(w, [
          subscriptionEntry(subscription),
          redemptionEntry(subscription, usd('1234.5')),
          { ...feeEntry(order(), usd('7')), kind: 'busted', params: busted },
        ]),
      );
      const { list } = await financialRecords(db, userId, { page: 1, limit: 2 }, 'de');
      expect(list.map(({ MemoTran }) => MemoTran)).toEqual([
        'Order 7, EUR/USD, vom Broker annulliert: 2024',
        'Zeichnung 3 vorzeitig zurückgegeben, Abschlag 1.234,50 USD',
      ]);
    });

    it('come in pages of twenty', async () => {
      await work(db, (w) =>
        ledger.post(
          w,
          Array.from({ length: 30 }, (_, i) => feeEntry(order(), usd(i + 1))),
        ),
      );
      const pages = await Promise.all(
        [1, 2, 3].map((p) => financialRecords(db, userId, { page: p }, 'en')),
      );
      expect(pages.map(({ list }) => list.length)).toEqual([20, 11, 0]);
      expect(pages.map(({ total }) => total)).toEqual([31, 31, 31]);
    });
  });

  describe('the audit', () => {
    const tampered: [what: string, statement: ReturnType<typeof sql>, check: RegExp][] = [
      [
        'a balance',
        sql`update ledger_accounts set balance = balance + 1 where kind = 'available'`,
        /sum of its postings/,
      ],
      [
        'a posting',
        sql`update postings set amount = amount * 2 where owner <> 0`,
        /add up to zero/,
      ],
      ['a lost posting', sql`delete from postings`, /every entry has legs/],
      [
        'margin of no order',
        sql`update ledger_accounts set balance = 5 where kind = 'margin'`,
        /open orders/,
      ],
      [
        'a negative balance',
        sql`update ledger_accounts set balance = -1 where kind = 'available'`,
        /negative/,
      ],
      [
        'an order without postings',
        sql`insert into orders (user_id, feed, instrument_id, code, name, precision, units_per_lot, side, lots, multiplier, origin_price, approach, price, margin, fee, stop_loss, take_profit, status, close_price, profit, close_reason, created_at)
            select id, 'x', 1, 'X', 'X', 5, 1, 'buy', 1, 1, 0, '', 1, 5, 1, 0, 0, 'holding', 0, 0, '', now() from users`,
        /margin, its fee, its swap and its profit/,
      ],
      ['an entry of no order', sql`update journal_entries set order_id = 99`, /orders that exist/],
    ];
    it.each(tampered)('reports %s', async (_, statement, check) => {
      expect(await audit(db)).toEqual([]);
      await db.execute(statement);
      const found = await audit(db);
      expect(found.map((difference) => difference.check).join()).toMatch(check);
      expect(found.every(({ where, expected, found: f }) => where && expected !== f)).toBe(true);
    });
  });

  it('one demo id has one account', async () => {
    const again = await openDemo();
    expect(again.id).toBe(userId);
    expect((await ledger.available(db, [userId, 999])).size).toBe(1);
    expect(toText((await ledger.available(db, [userId])).get(userId) as Usd)).toBe('100000');
  });

  it('a user without accounts has no balance', async () => {
    await expect(ledger.balances(db, 999)).rejects.toThrow('user 999 has no accounts');
    expect(await ledger.available(db, [])).toEqual(new Map());
  });
});
