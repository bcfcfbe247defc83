import { asc, eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OrderPageRow, OrderRow } from '#domain/api/trading';
import type { BalanceRow, RecordPageRow } from '#domain/api/wallet';
import { toDecimal, toFixed } from '#domain/core/decimal';
import { toDurationMs } from '#domain/core/time';
import { adminActions, ledgerAccounts, notices, orders, users } from '../../../server/db/schema';
import { audit } from '../../../server/ledger/audit';
import { admin, adminTool } from '../admin/adminCommand';
import { onEachDatabase } from '../support/database';
import { expectReplayed } from '../support/replayed';
import { emptyTables } from '../support/tables';
import { as, TestServer } from '../support/testServer';
import { EUR, TestExchange, type Trader, XAU } from './testExchange';

const MINUTE = toDurationMs(60_000);

onEachDatabase((database) => {
  let exchange: TestExchange;
  let trader: Trader;

  beforeEach(async () => {
    await emptyTables(database.db);
    exchange = await TestExchange.open(database.db, '--no-traders', '--swap');
    trader = await exchange.demo();
  });
  afterEach(async () => {
    expect(await audit(database.db)).toEqual([]);
    await expectReplayed(database);
    await exchange.close();
  });

  const at = (time: number) => new Date(time).toISOString();
  const now = () => exchange.market.now();
  /** A minute passes, so that what follows is outside of what was. */
  async function later(price = 1.1): Promise<number> {
    exchange.market.pass(MINUTE);
    await exchange.market.tick([EUR, price], [XAU, 2000]);
    return now();
  }
  const submit = async (params = {}, by = trader) => {
    const { code, msg, data } = await by.submit<OrderRow>(params);
    if (code !== 1) throw new Error(msg);
    return data;
  };
  const close = (id: number, more = {}, by = trader) =>
    by.data<OrderRow>('/v1/api/forex/close', { id, ...more });
  const list = async (status: number, by = trader) =>
    (await by.data<OrderPageRow>('/v1/api/forex/my_deal', { status })).data;
  const balance = async (by = trader) =>
    (await by.data<BalanceRow>('/v1/api/main/wallet/getBalance')).balance;
  const records = async (by = trader) =>
    (await by.data<RecordPageRow>('/v1/api/main/accountLog/forexChange')).list;
  const bust = (from: number, to: number, ...more: string[]) =>
    admin(exchange.directory, [
      ...['bust', '--instrument', 'EURUSD', '--from', at(from), '--to', at(to)],
      ...['--reason', 'Wrong price', ...more],
    ]);
  const essence = ({ Id, Status, CloseReason, FactProfits, TradeFee }: OrderRow) => [
    ...[Id, Status, CloseReason, FactProfits, TradeFee],
  ];
  const all = async () => ({
    orders: await database.db.select().from(orders).orderBy(asc(orders.id)),
    accounts: await database.db
      .select()
      .from(ledgerAccounts)
      .orderBy(ledgerAccounts.owner, ledgerAccounts.kind),
  });

  describe('fills that are undone', () => {
    it('leave no trace of the order in the balance, while it is held', async () => {
      const before = await submit();
      const from = await later();
      const wrong = await submit({ cont: '2' });
      const to = await later(1.2);
      const kept = await submit({ cont: '0.1' });
      const socket = await trader.connect();
      const planned = await bust(from, to);
      expect(planned.code).toBe(2);
      expect(planned.out).toContain(`EURUSD from ${at(from)} to ${at(to)}\n`);
      const [account] = await database.db.select().from(users).where(eq(users.id, trader.id));
      expect(planned.out.split('\n').slice(1)).toEqual([
        'user       orders  gains USD  lifted USD  balance then',
        `${account?.uid}       1   6.000000    0.000000  98776.700000`,
        'Orders of 1 users would be changed: 1 annulled. Customers gain 6.000000 USD in all.',
        'The broker lifts 0.000000 USD.',
      ]);
      expect(await list(1)).toHaveLength(3);
      const done = await bust(from, to, '--confirm');
      expect(done.out).toContain('Orders of 1 users are changed: 1 annulled.');
      expect((await list(1)).map(({ Id }) => Id)).toEqual([kept.Id, before.Id]);
      expect((await list(3)).map(essence)).toEqual([[wrong.Id, 3, 'busted', '0.000000', '0.00']]);
      // Margins of one lot and of a tenth, and their fees, are gone.
      expect(await balance()).toBe('98776.700000');
      expect((await records())[0]).toMatchObject({
        Value: '2206.000000',
        Type: 20,
        MemoTran: `Order ${wrong.Id}, EUR/USD, voided by the broker: Wrong price`,
      });
      await socket.settled();
      expect(socket.data('FOREX_CLOSED')).toMatchObject([
        { Id: wrong.Id, Order: { CloseReason: 'busted' } },
      ]);
      const told = await database.db.select().from(notices).where(eq(notices.userId, trader.id));
      expect(told.map(({ subject, reason }) => [subject, reason])).toEqual([[wrong.Id, 'busted']]);
      const [logged] = await database.db.select().from(adminActions);
      expect(logged).toMatchObject({ action: 'bust', subject: 'EURUSD', reason: 'Wrong price' });
    });

    it('give back what the position has lost or won, after it has closed, with its parts and nights', async () => {
      const from = await later();
      const { Id } = await submit({ cont: '1' });
      const to = await later(1.2);
      await close(Id, { cont: '0.4' });
      exchange.market.pass(toDurationMs(86_400_000));
      await later(1.3);
      await close(Id);
      expect(await balance()).not.toBe('100000.000000');
      const { out } = await bust(from, to, '--confirm');
      expect(out).toContain('2 annulled');
      expect(await balance()).toBe('100000.000000');
      expect((await list(3)).map(({ CloseReason }) => CloseReason)).toEqual(['busted', 'busted']);
    });

    it('of a close open the position again, as it was', async () => {
      const { Id } = await submit({ stop_loss_price: '1.05', cont: '1' });
      const held = (await list(1))[0];
      const from = await later(1.04);
      const to = await later();
      expect((await list(3)).map(essence)).toEqual([[Id, 3, 'stop_loss', '-6000.000000', '3.00']]);
      const socket = await trader.connect();
      await later();
      const { out } = await bust(from, to, '--confirm');
      expect(out).toContain('1 opened again. Customers gain 6000.000000 USD in all.');
      expect(await list(1)).toEqual([held]);
      expect(await list(3)).toEqual([]);
      expect(await balance()).toBe('98897.000000');
      expect((await records())[0]).toMatchObject({
        Value: '4900.000000',
        Type: 21,
        MemoTran: `Order ${Id}, EUR/USD, corrected by the broker: Wrong price`,
      });
      await socket.settled();
      expect(socket.data('FOREX_TRADE')).toMatchObject([{ Id, Status: 1 }]);
      // It is matched again.
      await later(1.05);
      expect((await list(3)).map(essence)).toEqual([[Id, 3, 'stop_loss', '-5000.000000', '3.00']]);
    });

    it('of a close by a trailing stop that a wrong price has moved let the stop begin anew', async () => {
      const { Id } = await submit({ cont: '1', trailing: '0.02' });
      const held = await submit({ forex_id: XAU, cont: '0.1' });
      const from = await later(1.3);
      const to = await later(1.1);
      expect((await list(3)).map(essence)).toEqual([[Id, 3, 'stop_loss', '0.000000', '3.00']]);
      await later(1.11);
      // A night that is due changes another instrument's order first.
      exchange.market.pass(toDurationMs(86_400_000));
      // It has closed at a right price.
      expect(await bust(from, to, '--price', '1.2', '--confirm')).toMatchObject({ code: 1 });
      await bust(from, to, '--confirm');
      expect((await list(1)).find((order) => order.Id === Id)?.TargetLossPrice).toBe('1.09000');
      await expectReplayed(database);
      await later(1.105);
      await later(1.12);
      expect((await list(1)).map((order) => order.Id)).toEqual([held.Id, Id]);
      await later(1.1);
      expect((await list(3))[0]).toMatchObject({ Id, UpdatePrice: '1.10000' });
    });

    it('are those until the first right price, and none that it has led to', async () => {
      const { Id: stopped } = await submit({ stop_loss_price: '1.095', cont: '1' });
      const from = await later(1.3);
      exchange.market.pass(toDurationMs(1000));
      const { Id: wrong } = await submit();
      const to = await later(1.09);
      const { Id: right } = await submit();
      await later();
      await bust(from, to, '--confirm');
      const ends = new Map((await list(3)).map(({ Id, CloseReason }) => [Id, CloseReason]));
      expect(ends).toEqual(
        new Map([
          [stopped, 'stop_loss'],
          [wrong, 'busted'],
        ]),
      );
      expect((await list(1)).map(({ Id }) => Id)).toEqual([right]);
    });

    it('of a close by a trailing stop that a wrong price has reached leave the stop', async () => {
      const { Id } = await submit({ cont: '1', trailing: '0.05', stop_loss_price: '1.09' });
      const from = await later(1.04);
      const to = await later(1.1);
      await bust(from, to, '--confirm');
      expect(await list(1)).toMatchObject([{ Id, TargetLossPrice: '1.09000' }]);
    });

    it('of a partial close make a position of the part, which can be divided again', async () => {
      const { Id } = await submit({ cont: '1' });
      const from = await later(1.2);
      await close(Id, { cont: '0.5' });
      const to = await later();
      await bust(from, to, '--confirm');
      const [part, rest] = await list(1);
      expect([part?.Quantity, rest?.Quantity]).toEqual(['0.5', '0.5']);
      expect(await balance()).toBe('98897.000000');
      exchange.market.pass(toDurationMs(86_400_000));
      await later();
      await close(part?.Id ?? 0, { cont: '0.2' });
      expect(await audit(database.db)).toEqual([]);
      const annulled = await bust(0, from, '--confirm');
      expect(annulled.out).toContain('3 annulled');
      expect(await balance()).toBe('100000.000000');
    });
  });

  describe('fills that are corrected', () => {
    it('post the difference of what they came to', async () => {
      const { Id } = await submit({ cont: '1' });
      const from = await later(1.2);
      await close(Id);
      const to = await later();
      const { out } = await bust(from, to, '--price', '1.15', '--confirm');
      expect(out).toContain('1 corrected. Customers gain -5000.000000 USD in all.');
      expect((await list(3))[0]).toMatchObject({
        UpdatePrice: '1.15000',
        FactProfits: '5000.000000',
        CloseReason: 'user',
      });
      expect(await balance()).toBe('104997.000000');
      const [logged] = await database.db.select().from(adminActions);
      expect(logged).toMatchObject({
        action: 'bust',
        result: expect.stringContaining('1 corrected at 1.15. '),
      });
      expect((await records())[0]).toMatchObject({ Value: '-5000.000000', Type: 21 });
      const told = await database.db.select().from(notices).where(eq(notices.userId, trader.id));
      expect(told.map(({ subject, reason }) => [subject, reason])).toEqual([[Id, 'corrected']]);
    });

    it('leave the price of a close after that time', async () => {
      const from = await later();
      const { Id } = await submit({ cont: '1' });
      const to = await later(1.2);
      await close(Id);
      await bust(from, to, '--price', '1.15', '--confirm');
      expect((await list(3))[0]).toMatchObject({ Price: '1.15000', UpdatePrice: '1.20000' });
    });

    it('change the entry of a position; margin and fee stay', async () => {
      const from = await later();
      const { Id } = await submit({ cont: '1' });
      const to = await later();
      await bust(from, to, '--price', '1.09', '--confirm');
      expect((await list(1))[0]).toMatchObject({
        ...{ Id, Price: '1.09000', FactProfits: '1000.000000' },
        ...{ CautionMoney: '1100.00', TradeFee: '3.00' },
      });
      await later(1.09);
      await close(Id);
      expect(await balance()).toBe('99997.000000');
    });
  });

  it('done again, nothing happens', async () => {
    const from = await later();
    const { Id } = await submit();
    await close((await submit()).Id);
    const to = await later(1.2);
    await close(Id);
    for (const more of [['--price', '1.11'], []]) {
      expect((await bust(from, to, ...more, '--confirm')).code).toBe(0);
      const once = await all();
      const again = await bust(from, to, ...more, '--confirm');
      expect(again).toEqual({
        code: 1,
        out: `There are no such fills, or they are done. The market's clock: ${at(now())}`,
      });
      expect(await all()).toEqual(once);
    }
  });

  it('a loss that the broker has lifted is not paid twice', async () => {
    const from = await later();
    const { Id } = await submit({ cont: '80' });
    const to = await later();
    await later(1.08);
    // 88,000 of margin and 240 of fee: the loss of 160,000 is more than there is.
    expect((await list(3)).map(({ Id: ended }) => ended)).toEqual([Id]);
    expect(await balance()).toBe('0.000000');
    await bust(from, to, '--confirm');
    expect(await balance()).toBe('100000.000000');
    expect((await records()).map(({ Type }) => Type).slice(0, 2)).toEqual([6, 20]);
  });

  it('what cannot be taken back any more is lifted, and a holder goes below zero', async () => {
    const rich = await exchange.demo();
    const { Id } = await submit({ cont: '1' }, rich);
    const from = await later(2);
    await close(Id, {}, rich);
    // The profit is lost elsewhere.
    const to = await later(2);
    const lost = await submit({ forex_id: XAU, cont: '45', multiple: 100 }, rich);
    exchange.market.pass(MINUTE);
    await exchange.market.tick([XAU, 1962]);
    await close(lost.Id, {}, rich);
    await exchange.market.tick([EUR, 1.1], [XAU, 2000]);
    expect(await balance(rich)).toBe('18862.000000');
    const { out } = await bust(from, to, '--price', '1.1', '--confirm');
    expect(out).toContain('1 corrected');
    expect(out).toContain('The broker lifts 71138.000000 USD.');
    expect(await balance(rich)).toBe('0.000000');
    expect((await records(rich)).map(({ Type }) => Type).slice(0, 2)).toEqual([6, 21]);
  });

  it('who holds something else is below zero until that is stopped out', async () => {
    const { Id } = await submit({ cont: '1' });
    const from = await later(2);
    await close(Id);
    const to = await later(1.1);
    // The profit is margin now.
    const held = await submit({ forex_id: XAU, cont: '90', multiple: 100 });
    await bust(from, to, '--price', '0.2', '--confirm');
    expect(await balance()).toBe('-170273.000000');
    expect(await list(1)).toHaveLength(1);
    await later();
    expect((await list(3))[0]).toMatchObject({ Id: held.Id, CloseReason: 'stop_out' });
  });

  describe('while the last price is a wrong one', () => {
    let stopped: number;
    let held: number;
    let from: number;
    const market = (verb: string) =>
      admin(exchange.directory, ['market', verb, 'EURUSD', '--confirm']);
    beforeEach(async () => {
      stopped = (await submit({ cont: '18' })).Id;
      held = (await submit({ forex_id: XAU, cont: '5' })).Id;
      from = await later(1.0475);
      expect(await list(3)).toMatchObject([{ Id: stopped, CloseReason: 'stop_out' }]);
    });
    const rest = async () => (await list(1)).map(({ Id }) => Id);

    it('nothing is undone that its users would be stopped out by, and then they are not', async () => {
      await market('close');
      await later(1.1);
      const before = await all();
      for (const more of [[], ['--confirm']]) {
        expect(await bust(from, from + 1, ...more)).toEqual({
          code: 1,
          out: 'Users will hold EURUSD, which is closed: its last price could stop them out. Open it first, once its price is right.',
        });
      }
      expect(await all()).toEqual(before);
      await market('open');
      expect((await bust(from, from + 1, '--confirm')).out).toContain('1 opened again');
      await later();
      expect(await rest()).toEqual([held, stopped]);
    });

    it('nor while it is open', async () => {
      exchange.market.pass(MINUTE);
      expect(await bust(from, from + 1, '--confirm')).toEqual({
        code: 1,
        out: 'Users will hold EURUSD, whose latest price is of this time: it could stop them out. Repeat this after the next price.',
      });
      await later();
      expect((await bust(from, from + 1, '--confirm')).code).toBe(0);
      await later();
      expect(await rest()).toEqual([held, stopped]);
    });

    it('a close gets its right price, which nobody is judged by', async () => {
      await market('close');
      exchange.market.pass(MINUTE);
      const { out } = await bust(from, from + 1, '--price', '1.1', '--confirm');
      expect(out).toContain('1 corrected');
      await exchange.market.tick([XAU, 2000]);
      expect(await rest()).toEqual([held]);
      await market('open');
    });
  });

  it('takes a time that is over, to the millisecond', async () => {
    await submit();
    const refused = { code: 1, out: '--to has to be in the past.' };
    expect(await bust(0, now() + 1)).toEqual(refused);
    expect((await bust(0, now())).out).not.toBe(refused.out);
  });

  it('an account that was reset since keeps its balance', async () => {
    const from = await later();
    await close((await submit()).Id);
    const to = await later();
    await trader.data('/v1/api/main/user/resetForexDemoAccount');
    expect(await bust(from, to, '--confirm')).toMatchObject({ code: 1 });
    expect(await balance()).toBe('100000.000000');
  });

  it('an account that was closed since stays as it is', async () => {
    const from = await later();
    await close((await submit()).Id);
    const to = await later();
    await database.db.update(users).set({ closedAt: new Date() }).where(eq(users.id, trader.id));
    expect(await bust(from, to, '--confirm')).toMatchObject({ code: 1 });
  });

  it.each([
    [['--from', '2026-11-29'], '--from needs a time in UTC'],
    [['--to', 'now'], '--to needs a time in UTC'],
    [['--from', '2026-11-31T14:05Z'], '--from needs a time in UTC'],
    [['--to', '9999-01-01T00:00:00Z'], '--to has to be in the past'],
    [
      ['--from', '2026-11-30T00:00:00Z', '--to', '2026-11-29T00:00:00Z'],
      '--to has to be after --from',
    ],
    [['--instrument', 'EURUSS'], 'no instrument EURUSS. Nearest: EURUSD'],
    [['--price', '0'], 'is no price'],
    [['--price', '-1.1'], 'is no price'],
    [['--price', '1.123456'], 'is no price with up to 5 decimals'],
    [['--reason', ' '], 'needs --reason'],
    [['--reason', 'two\nlines'], 'is one line'],
    [['--reason', 'x'.repeat(201)], 'up to 200 characters'],
    [['--all', 'yes'], 'not --all'],
    [['--price'], 'not --price'],
  ])('%j is refused', async (changes, message) => {
    const options = new Map([
      ['--instrument', 'EURUSD'],
      ['--from', '2020-01-01T00:00:00Z'],
      ['--to', '2020-01-02T00:00:00Z'],
      ['--reason', 'why'],
    ]);
    const words = changes.length % 2 === 1 ? changes : [];
    for (let i = 0; i + 1 < changes.length; i += 2)
      options.set(changes[i] ?? '', changes[i + 1] ?? '');
    const { code, out } = await admin(exchange.directory, [
      'bust',
      ...[...options].flat(),
      ...words,
    ]);
    expect([code, out]).toEqual([1, expect.stringContaining(message)]);
  });

  it('is a command line with options that no other command takes', async () => {
    const from = await later();
    await submit();
    const to = await later();
    const words = [
      '--from',
      at(from),
      '--to',
      at(to),
      '--instrument',
      'EUR/USD',
      '--reason',
      'A spike',
    ];
    const planned = await adminTool(exchange.directory, ['bust', ...words]);
    expect(planned).toMatchObject({ code: 2, out: expect.stringContaining('1 annulled') });
    const done = await adminTool(exchange.directory, ['bust', ...words, '--confirm']);
    expect(done).toMatchObject({
      code: 0,
      out: expect.stringContaining('are changed: 1 annulled'),
    });
    expect(await adminTool(exchange.directory, ['list', '--price', '1'])).toEqual({
      code: 1,
      out: 'Only bust takes --price.',
    });
    expect(toFixed(toDecimal(await balance()), 2)).toBe('100000.00');
  });
});

onEachDatabase((database) => {
  it('waits for a decision on the withdrawal that has frozen what the user would lack', async () => {
    const server = await TestServer.open(database.db, {
      args: ['--no-draw-verify', '--no-auto-review'],
    });
    const operator = (...words: string[]) => admin(server.directory, words);
    const { token, user } = await server.realUser();
    const balance = async () =>
      (await server.get('/v1/api/main/wallet/getBalance', as(token))).data.balance;
    const later = async (price: number) => {
      server.market.pass(MINUTE);
      await server.market.tick([1, price]);
      return new Date(server.market.now()).toISOString();
    };
    await operator('credit', user.uid, '500', 'test', '--confirm');
    await later(1.1);
    const terms = 'forex_id=1&type=1&status=1&cont=0.1&multiple=100';
    const { Id } = (await server.get(`/v1/api/forex/submit?${terms}`, as(token))).data;
    const from = await later(1.2);
    await server.get(`/v1/api/forex/close?id=${Id}`, as(token));
    const to = await later(1.1);
    // A profit of 1,000 less the fee.
    expect(await balance()).toBe('1499.700000');
    const coin = { draw_id: 1, type: 1, dc_address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' };
    const method = (await server.post('/api/wallet/bind_draw_method', coin, as(token))).data.id;
    const all = { draw_currency_id: 1, number: '1499.7', memo: '', draw_method_id: method };
    const withdrawal = (await server.post('/api/account/draw', all, as(token))).data.id;
    expect(await balance()).toBe('0.000000');

    const window = ['--instrument', 'EURUSD', '--from', from, '--to', to];
    const bust = (...more: string[]) =>
      operator('bust', ...window, '--reason', 'Wrong price', ...more);
    const refused = {
      code: 1,
      out: `Under review, of users who would lack money: withdrawal ${withdrawal} of 1499.70 USD (${user.uid}). Lock these users, decide, then repeat this.`,
    };
    // Opened again, nothing is lifted before it closes.
    for (const more of [[], ['--price', '1.1'], ['--price', '1.1', '--confirm']])
      expect(await bust(...more)).toEqual(refused);
    await operator('reject', 'withdrawal', String(withdrawal), 'Not now', '--confirm');
    expect((await bust('--price', '1.1', '--confirm')).out).toContain(
      'The broker lifts 0.000000 USD.',
    );
    expect(await balance()).toBe('499.700000');
    expect(await audit(database.db)).toEqual([]);
    await expectReplayed(database);
    await server.close();
  });
});
