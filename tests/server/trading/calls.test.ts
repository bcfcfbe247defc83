import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AccountSummaryRow, OrderPageRow, OrderRow } from '#domain/api/trading';
import type { BalanceRow, RecordPageRow } from '#domain/api/wallet';
import english from '#locales/en';
import { audit } from '../../../server/ledger/audit';
import { onEachDatabase } from '../support/database';
import { BARE, EUR, NEW, OIL, TestExchange, type Trader, XAU } from './testExchange';

const rules = english.rules;

onEachDatabase((database) => {
  let exchange: TestExchange;
  let trader: Trader;
  beforeAll(async () => {
    exchange = await TestExchange.open(database.db);
  });
  beforeEach(async () => {
    await exchange.market.tick([EUR, 1.1], [XAU, 2000], [OIL, 70], [BARE, 1]);
    trader = await exchange.demo();
  });
  afterAll(async () => {
    expect(await audit(database.db)).toEqual([]);
    await exchange.close();
  });

  const deals = (status: number, params = {}) =>
    trader.data<OrderPageRow>('/v1/api/forex/my_deal', { status, ...params });
  const change = <T>(name: string, params: Record<string, string | number>) =>
    trader.get<T>(`/v1/api/forex/${name}`, params);
  const balance = async () =>
    (await trader.data<BalanceRow>('/v1/api/main/wallet/getBalance')).balance;

  describe('submit', () => {
    it('returns the order, and no sentence', async () => {
      const { code, msg, data } = await trader.submit<OrderRow>({
        cont: '0.50',
        target_price: '1.09',
        stop_loss_price: '1.05',
        target_profit_price: '1.2',
        trailing: '0.06',
      });
      expect([code, msg]).toEqual([1, '']);
      expect(data).toEqual({
        Id: expect.any(Number),
        ForexTradeLists: { Id: EUR, Code: 'EURUSD', ShowCode: 'EUR/USD', PricePrecision: 5 },
        OrderType: 1,
        Quantity: '0.5',
        Multiple: '100',
        OriginPrice: '1.09000',
        Price: '1.10000',
        UpdatePrice: '1.10000',
        FactProfits: '0.000000',
        CautionMoney: '550.00',
        TradeFee: '1.50',
        Swap: '0.00',
        TargetLossPrice: '1.05000',
        TargetProfitPrice: '1.20000',
        Trailing: '0.06000',
        Until: 0,
        Status: 1,
        CreateTimeHandler: new Date(exchange.market.now()).toISOString(),
        CompleteTimeHandler: '',
        CloseReason: '',
      });
      expect((await deals(1)).data).toEqual([data]);
    });

    it('fills nothing at the price of a live market that is too old, and closes nothing', async () => {
      const held = await trader.submit<OrderRow>();
      const quote = exchange.market.quote(EUR);
      if (!quote) throw new Error('it was traded');
      const stale = vi.spyOn(exchange.market, 'quote').mockReturnValue({ ...quote, stale: true });
      const msg = english.server.priceStale;
      const market = await trader.submit();
      const closed = await change('close', { id: held.data.Id });
      const pending = await trader.submit<OrderRow>({ status: 0, target_price: '1.05' });
      const reached = await trader.submit({ status: 0, target_price: '1.1' });
      const terms = { id: pending.data.Id, cont: '1', stop_loss_price: 0, target_profit_price: 0 };
      const amended = await change('amend', { ...terms, target_price: '1.1' });
      const waiting = await change('amend', { ...terms, target_price: '1.06' });
      stale.mockRestore();
      expect([market, closed, reached, amended]).toMatchObject(Array(4).fill({ msg }));
      expect([pending.code, waiting.code]).toEqual([1, 1]);
      expect((await deals(1)).data).toHaveLength(1);
      expect((await change('close', { id: held.data.Id })).code).toBe(1);
    });

    it('closes an order, or a part of it, only as the user saw it', async () => {
      const { data: held } = await trader.submit<OrderRow>({ cont: '0.2' });
      const half = { id: held.Id, cont: '0.1', seen_quantity: '0.20' };
      expect((await change('close', half)).code).toBe(1);
      const before = await trader.get('/v1/api/main/account/forexDetail');
      const msg = 'Lots in the order now: 0.1. Check it and try again.';
      for (const cont of ['0.1', '0.05', '0']) {
        const answer = await change('close', { ...half, cont });
        expect(answer).toMatchObject({ code: 2, msg, data: null });
      }
      expect(await trader.get('/v1/api/main/account/forexDetail')).toEqual(before);
      expect((await deals(1)).data).toMatchObject([{ Id: held.Id, Quantity: '0.1' }]);
      expect((await change('close', { id: held.Id, seen_quantity: '0.1' })).code).toBe(1);
    });

    it('treats missing parameters as not set', async () => {
      const { code, data } = await trader.get<OrderRow>('/v1/api/forex/submit', {
        type: 2,
        cont: 1,
        forex_id: EUR,
        status: 1,
        multiple: '100.0',
      });
      expect(code).toBe(1);
      expect(data).toMatchObject({ OrderType: 2, OriginPrice: '0', TargetLossPrice: '0' });
    });

    it('freezes the fixed margin of MarginMode 1, ignoring the multiplier', async () => {
      const { data } = await trader.submit<OrderRow>({ forex_id: OIL, cont: '0.5', multiple: 77 });
      expect(data).toMatchObject({ Multiple: '0', CautionMoney: '50000.00', Price: '70.00' });
    });

    it('fills a market order within its deviation only', async () => {
      const seen = { target_price: '1.0995', deviation: '0.0004' };
      expect(await trader.submit(seen)).toMatchObject({
        code: 2,
        msg: 'The price has moved to 1.10000, beyond your maximum slippage',
      });
      expect((await trader.submit({ ...seen, deviation: '0.0005' })).code).toBe(1);
      expect((await trader.submit({ ...seen, type: 2, deviation: 0 })).code).toBe(1);
    });

    const refused: [what: string, params: Record<string, string | number>, msg: string][] = [
      ['an instrument that is not traded', { forex_id: 99 }, english.server.instrumentUnknown],
      ['no multipliers', { forex_id: BARE }, rules.noLeverage],
      ['nothing traded yet', { forex_id: NEW }, rules.marketClosed],
      ['no lots', { cont: '' }, rules.lotsRequired],
      ['0 lots', { cont: 0 }, rules.lotsRequired],
      ['negative lots', { cont: -1 }, 'Minimum lots: 0.01'],
      ['lots below the minimum', { cont: '0.001' }, 'Minimum lots: 0.01'],
      ['lots between two steps', { cont: '0.015' }, 'Lots must be a multiple of 0.01'],
      ['lots above 1,000', { cont: '1000.01' }, 'Maximum lots: 1,000'],
      ['no multiplier', { multiple: '' }, rules.leverageRequired],
      ['a multiplier of 0', { multiple: 0 }, rules.leverageRequired],
      ['a multiplier not on the list', { multiple: 75 }, 'Leverage 75 is not offered'],
      ['no target', { status: 0, target_price: '' }, rules.priceRequired],
      ['a target of 0', { status: 0, target_price: 0 }, rules.priceNotPositive],
      ['a negative target', { status: 0, target_price: -1 }, rules.priceNotPositive],
      ['a negative deviation', { deviation: '-0.1' }, rules.deviationNegative],
      [
        'a target too fine',
        { status: 0, target_price: '1.050001' },
        'Prices here have at most 5 decimals',
      ],
      [
        'a stop-loss too fine',
        { stop_loss_price: '1.000001' },
        'Prices here have at most 5 decimals',
      ],
      ['a stop-loss on the price', { stop_loss_price: '1.1' }, 'Stop-loss must be below 1.10000'],
      ['a stop-loss above', { stop_loss_price: '1.2' }, 'Stop-loss must be below 1.10000'],
      ["a sell's below", { type: 2, stop_loss_price: '1' }, 'Stop-loss must be above 1.10000'],
      [
        'a take-profit on the price',
        { target_profit_price: '1.10' },
        'Take-profit must be above 1.10000',
      ],
      ["a sell's above", { type: 2, target_profit_price: 2 }, 'Take-profit must be below 1.10000'],
      [
        "a stop on the wrong side of a pending order's target",
        { status: 0, target_price: '1.2', stop_loss_price: '1.2' },
        'Stop-loss must be below 1.20000',
      ],
      [
        'too little free balance',
        { cont: 100 },
        'Insufficient funds: 110,300.00 USD needed, 100,000.00 USD available',
      ],
    ];
    it.each(refused)('refuses %s, and freezes nothing', async (_, params, msg) => {
      expect(await trader.submit(params)).toEqual({ code: 2, msg, data: null });
      expect(await balance()).toBe('100000.000000');
      expect((await deals(0)).total + (await deals(1)).total).toBe(0);
    });

    it('is refused while 200 orders are open, pending or holding', async () => {
      const place = (status: number) =>
        trader.submit<OrderRow>({ cont: '0.01', status, target_price: status ? 0 : '1.05' });
      const placed = await Promise.all(Array.from({ length: 203 }, (_, i) => place(i % 2)));
      const refused = placed.filter(({ code }) => code !== 1);
      const msg = 'At most 200 orders can be open, please close or cancel one first';
      expect(refused).toEqual(Array(3).fill({ code: 2, msg, data: null }));
      expect([(await deals(0)).total + (await deals(1)).total, (await place(1)).code]).toEqual([
        200, 2,
      ]);
      const id = placed.find(({ data }) => data?.Status === 0)?.data.Id ?? 0;
      await trader.data('/v1/api/forex/cancel_trade', { id });
      expect([(await place(1)).code, (await place(1)).code]).toEqual([1, 2]);
    });

    it.each<Record<string, string | number>>([
      { type: 3 },
      { type: '' },
      { status: 3 },
      { status: 2 },
      { forex_id: 'EURUSD' },
      { forex_id: 0 },
      { cont: '1,5' },
      { cont: '1e2' },
      { cont: 'NaN' },
      { multiple: '0x64' },
      { stop_loss_price: ' 1' },
      { target_price: '1'.repeat(30) },
    ])('finds %j malformed', async (params) => {
      expect(await trader.submit(params)).toMatchObject({ code: 400, data: null });
    });

    it('is refused in a closed market, market order or pending', async () => {
      exchange.market.setOpen(EUR, false);
      const msg = rules.marketClosed;
      expect(await trader.submit()).toEqual({ code: 2, msg, data: null });
      expect((await trader.submit({ status: 0, target_price: 1 })).msg).toBe(msg);
    });
  });

  describe('close, cancel_trade and set_stop_price', () => {
    it('return the order and a sentence', async () => {
      const held = (await trader.submit<OrderRow>()).data;
      const waiting = (await trader.submit<OrderRow>({ status: 0, target_price: '1.05' })).data;
      const exits = { id: held.Id, stop_loss_price: '1.01', target_profit_price: '1.25' };
      expect(await change('set_stop_price', exits)).toEqual({
        code: 1,
        msg: 'Stop-loss and take-profit saved',
        data: { ...held, TargetLossPrice: '1.01000', TargetProfitPrice: '1.25000' },
      });
      await exchange.market.tick([EUR, 1.11]);
      const now = new Date(exchange.market.now()).toISOString();
      expect(await change('close', { id: held.Id })).toMatchObject({
        code: 1,
        msg: 'Order closed',
        data: {
          Id: held.Id,
          Status: 3,
          CloseReason: 'user',
          UpdatePrice: '1.11000',
          FactProfits: '1000.000000',
          CompleteTimeHandler: now,
        },
      });
      expect(await change('cancel_trade', { id: waiting.Id })).toMatchObject({
        code: 1,
        msg: 'Order cancelled',
        data: { Status: 3, CloseReason: 'cancelled', Price: '0', FactProfits: '0.000000' },
      });
      expect(await balance()).toBe('100997.000000');
    });

    it('close a part of the lots, return the rest, and push both orders', async () => {
      const client = await trader.connect();
      const held = (await trader.submit<OrderRow>({ cont: '0.03', stop_loss_price: '1.05' })).data;
      const margin = held.CautionMoney;
      const rest = { Id: held.Id, Status: 1, Quantity: '0.02', CautionMoney: '22.00' };
      expect(margin).toBe('33.00');
      expect(await change('close', { id: held.Id, cont: '0.01' })).toMatchObject({
        code: 1,
        msg: 'Part of the order closed',
        data: { ...rest, TargetLossPrice: '1.05000', CreateTimeHandler: held.CreateTimeHandler },
      });
      const [part] = (await deals(3)).data;
      expect(part).toMatchObject({ Quantity: '0.01', CautionMoney: '11.00', CloseReason: 'user' });
      expect(part?.Id).toBeGreaterThan(held.Id);
      await client.settled();
      expect(client.data('FOREX_CLOSED')).toEqual([{ Id: part?.Id, Order: part }]);
      expect(client.data('FOREX_TRADE').at(-1)).toMatchObject(rest);
      expect((await deals(1)).data).toMatchObject([rest]);
      expect(await change('close', { id: held.Id, cont: '0.02' })).toMatchObject({
        code: 1,
        msg: 'Order closed',
        data: { Id: held.Id, Status: 3, Quantity: '0.02' },
      });
    });

    it.each([
      ['more than there is', '0.06', 'Maximum lots: 0.05'],
      ['less than the minimum', '0.005', 'Minimum lots: 0.01'],
      ['between two steps', '0.015', 'Lots must be a multiple of 0.01'],
      ['all but less than the minimum', '0.045', 'Lots must be a multiple of 0.01'],
      ['a negative part', '-0.01', 'Minimum lots: 0.01'],
    ])('refuse to close %s', async (_, cont, msg) => {
      const held = (await trader.submit<OrderRow>({ cont: '0.05' })).data;
      expect(await change('close', { id: held.Id, cont })).toMatchObject({ code: 2, msg });
      expect((await deals(1)).data).toEqual([held]);
    });

    it('answer a repeated key with the rest of that time, and close no second part', async () => {
      const held = (await trader.submit<OrderRow>({ cont: '0.05' })).data;
      const again = { 'idempotency-key': randomUUID() };
      const close = (cont: string) =>
        trader.get<OrderRow>('/v1/api/forex/close', { id: held.Id, cont }, again);
      const first = await close('0.01');
      await change('close', { id: held.Id, cont: '0.02' });
      expect(await close('0.01')).toEqual(first);
      expect(await close('0.02')).toMatchObject({ code: 422 });
      expect((await deals(1)).data.map(({ Quantity }) => Quantity)).toEqual(['0.02']);
    });

    it('set_stop_price checks the stops of a pending order against its target, and 0 removes a stop', async () => {
      const { Id: id } = (await trader.submit<OrderRow>({ status: 0, target_price: '1.05' })).data;
      const set = (stop_loss_price: string | number, target_profit_price: string | number) =>
        change<OrderRow>('set_stop_price', { id, stop_loss_price, target_profit_price });
      expect((await set('1.05', 0)).msg).toBe('Stop-loss must be below 1.05000');
      expect((await set('1.0499', '1.0501')).data).toMatchObject({ TargetLossPrice: '1.04990' });
      expect((await set(0, '')).data).toMatchObject({
        TargetLossPrice: '0',
        TargetProfitPrice: '0',
      });
    });

    it('refuse orders in another status, and unknown orders', async () => {
      const held = (await trader.submit<OrderRow>()).data.Id;
      const waiting = (await trader.submit<OrderRow>({ status: 0, target_price: 1 })).data.Id;
      expect((await change('cancel_trade', { id: held })).msg).toBe(rules.orderNotPending);
      expect((await change('close', { id: waiting })).msg).toBe(rules.orderNotHolding);
      await change('close', { id: held });
      expect((await change('close', { id: held })).msg).toBe(rules.orderNotHolding);
      expect((await change('set_stop_price', { id: held })).msg).toBe(rules.orderEnded);
      const stranger = await exchange.demo();
      for (const name of ['close', 'cancel_trade', 'set_stop_price']) {
        const answer = await stranger.get(`/v1/api/forex/${name}`, { id: waiting });
        expect(answer).toEqual({ code: 2, msg: english.server.orderUnknown, data: null });
        expect((await change(name, {})).code).toBe(400);
        expect((await change(name, { id: 'x' })).code).toBe(400);
      }
    });

    it('close is refused in a closed market; cancelling and stops are not', async () => {
      const held = (await trader.submit<OrderRow>()).data.Id;
      const waiting = (await trader.submit<OrderRow>({ status: 0, target_price: 1 })).data.Id;
      exchange.market.setOpen(EUR, false);
      expect((await change('close', { id: held })).msg).toBe(rules.marketClosed);
      expect((await change('set_stop_price', { id: held, stop_loss_price: 1 })).code).toBe(1);
      expect((await change('cancel_trade', { id: waiting })).code).toBe(1);
    });
  });

  describe('my_deal', () => {
    it('comes in pages, newest first, with totals over all pages', async () => {
      const ids: number[] = [];
      for (let i = 0; i < 23; i++) {
        ids.push((await trader.submit<OrderRow>({ cont: '0.01' })).data.Id);
      }
      await exchange.market.tick([EUR, 1.1001]);
      const pages = await Promise.all([1, 2, 3].map((page) => deals(1, { page })));
      expect(pages.map(({ data }) => data.length)).toEqual([20, 3, 0]);
      expect(pages.flatMap(({ data }) => data.map(({ Id }) => Id))).toEqual(ids.toReversed());
      for (const page of pages) {
        expect(page).toMatchObject({
          total: 23,
          all_fact_profits: '2.300000',
          all_trade_fee: '0.69',
          balance: '99746.310000',
        });
      }
      expect((await deals(1, { limit: 500 })).data).toHaveLength(23);
      expect((await deals(1, { limit: 0 })).data).toHaveLength(20);
      expect((await deals(1, { limit: 5, page: 2 })).data[0]?.Id).toBe(ids.at(-6));
      expect((await trader.get('/v1/api/forex/my_deal', { status: 1, limit: 501 })).code).toBe(400);
      expect((await trader.get('/v1/api/forex/my_deal', { status: 2 })).code).toBe(400);
    });

    it('has history by time of closing, then id, with realised results', async () => {
      const [a, b, c] = [
        (await trader.submit<OrderRow>()).data.Id,
        (await trader.submit<OrderRow>()).data.Id,
        (await trader.submit<OrderRow>({ status: 0, target_price: '1.05' })).data.Id,
      ];
      await exchange.market.tick([EUR, 1.2]);
      await change('close', { id: b });
      await exchange.market.tick([EUR, 1.3]);
      await change('close', { id: a });
      await change('cancel_trade', { id: c });
      const { data, total, all_fact_profits, all_trade_fee } = await deals(3);
      expect(data.map(({ Id }) => Id)).toEqual([c, a, b]);
      expect(total).toBe(3);
      // Fees are not subtracted; the cancelled order has paid none.
      expect(all_fact_profits).toBe('30000.000000');
      expect(all_trade_fee).toBe('6.00');
      expect((await deals(3, { page: 2, limit: 2 })).data.map(({ Id }) => Id)).toEqual([b]);
    });
  });

  describe('balances and figures', () => {
    it('have the frozen amount, and the figures of the account', async () => {
      await trader.submit();
      await trader.submit({ status: 0, target_price: '1.05' });
      await exchange.market.tick([EUR, 1.099]);
      expect(await trader.data('/v1/api/main/wallet/getBalance')).toEqual({
        balance: '97847.000000',
        lock_balance: '2150.000000',
      });
      expect(await trader.data<AccountSummaryRow>('/v1/api/main/account/forexDetail')).toEqual({
        balance: '97847.000000',
        lock_balance: '2150.000000',
        caution_money: '2150.00',
        fact_profits: '-100.000000',
        net_value: '99897.000000',
        free_balance: '97747.000000',
        risk_rate: '2.15',
        prepayment_ratio: '4646.37',
      });
    });

    it('have a record of every movement, newest first, which add up to the balance', async () => {
      const { data } = await trader.submit<OrderRow>();
      await exchange.market.tick([EUR, 1.0999]);
      await change('close', { id: data.Id });
      const page = await trader.data<RecordPageRow>('/v1/api/main/accountLog/forexChange');
      expect(page.total).toBe(5);
      const records = (limit: number) =>
        trader.get<RecordPageRow>('/v1/api/main/accountLog/forexChange', { page: 2, limit });
      expect((await records(2)).data.list).toEqual(page.list.slice(2, 4));
      expect((await records(501)).code).toBe(400);
      expect(
        page.list.map(({ Type, Value, Memo, MemoTran }) => [Type, Value, Memo, MemoTran]),
      ).toEqual([
        [5, '-10.000000', '', `Result of order ${data.Id}, EUR/USD`],
        [3, '1100.000000', '', `Margin of order ${data.Id}, EUR/USD, released`],
        [4, '-3.000000', '', `Handling fee of order ${data.Id}, EUR/USD`],
        [2, '-1100.000000', '', `Margin of order ${data.Id}, EUR/USD, frozen`],
        [1, '100000.000000', '', 'Starting balance'],
      ]);
      const sum = page.list.reduce((total, { Value }) => total + Number(Value), 0);
      expect(sum.toFixed(6)).toBe(await balance());
    });

    it('reset of a demo account ends its orders and restores the balance', async () => {
      await trader.submit();
      await trader.submit({ status: 0, target_price: '1.05' });
      await exchange.market.tick([EUR, 1.5]);
      expect(await trader.get('/v1/api/main/user/resetForexDemoAccount')).toEqual({
        code: 1,
        msg: 'Demo account reset',
        data: { balance: '100000.000000' },
      });
      expect(await balance()).toBe('100000.000000');
      const { data } = await deals(3);
      expect(data.map(({ CloseReason }) => CloseReason)).toEqual(['reset', 'reset']);
      expect([(await deals(0)).total, (await deals(1)).total]).toEqual([0, 0]);
    });
  });

  describe('pushes', () => {
    it('reach the sockets of their user alone, in order, after the commit', async () => {
      const other = await exchange.demo();
      const [mine, tablet, theirs] = [
        await trader.connect(),
        await trader.connect(),
        await other.connect(),
      ];
      const { data } = await trader.submit<OrderRow>({ target_profit_price: '1.2' });
      await change('set_stop_price', { id: data.Id, target_profit_price: '1.15' });
      await exchange.market.tick([EUR, 1.16]);
      for (const client of [mine, tablet, theirs]) await client.settled();
      const pushed = (client: typeof mine) =>
        client.received.filter(({ type }) => type.startsWith('FOREX'));
      expect(pushed(theirs)).toEqual([]);
      expect(pushed(mine)).toEqual(pushed(tablet));
      const closed = {
        ...data,
        TargetProfitPrice: '1.15000',
        UpdatePrice: '1.16000',
        FactProfits: '6000.000000',
        Status: 3,
        CompleteTimeHandler: new Date(exchange.market.now()).toISOString(),
        CloseReason: 'take_profit',
      };
      expect(pushed(mine)).toEqual([
        { type: 'FOREX_TRADE', data },
        { type: 'FOREX_TRADE', data: { ...data, TargetProfitPrice: '1.15000' } },
        { type: 'FOREX_CLOSED', data: { Id: data.Id, Order: closed } },
      ]);
      expect((await deals(3)).data).toEqual([closed]);
    });

    it('end with the session', async () => {
      const client = await trader.connect();
      await exchange.raw('/api/user/logout', {}, { authorization: trader.token }, 'POST');
      const again = await exchange.demo();
      await again.submit();
      await client.settled();
      expect(client.of('FOREX_TRADE')).toEqual([]);
    });
  });

  it('refuses HEAD, and forbids caching', async () => {
    const headers = { authorization: trader.token };
    for (const path of ['/v1/api/forex/submit', '/v1/api/forex/my_deal']) {
      expect((await exchange.raw(path, {}, headers, 'HEAD')).status).toBe(404);
      const { headers: answered } = await exchange.raw(path, {}, headers);
      expect(answered['cache-control']).toBe('no-store');
    }
  });
});
