import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AccountSummaryRow, OrderPageRow, OrderRow } from '#domain/api/trading';
import type { RecordPageRow } from '#domain/api/wallet';
import { toDurationMs } from '#domain/core/time';
import english from '#locales/en';
import { audit } from '../../../server/ledger/audit';
import { eventually } from '../../helpers/eventually';
import { onEachDatabase } from '../support/database';
import { BARE, EUR, OIL, TestExchange, type Trader, XAU } from './testExchange';

const rules = english.rules;
/** The end of the year 9999. */
const LAST = 253_402_300_799_999;
type Params = Record<string, string | number>;

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

  const deals = async (status: number, of = trader) =>
    (await of.data<OrderPageRow>('/v1/api/forex/my_deal', { status })).data;
  const figures = () => trader.data<AccountSummaryRow>('/v1/api/main/account/forexDetail');
  const waiting = async (params: Params = {}) =>
    (await trader.submit<OrderRow>({ status: 0, target_price: '1.05', ...params })).data;
  const amend = (params: Params, headers = {}) =>
    trader.get<OrderRow>(
      '/v1/api/forex/amend',
      { cont: 1, target_price: '1.05', ...params },
      headers,
    );
  const inSeconds = (seconds: number) => exchange.market.now() + seconds * 1000;

  describe('amend', () => {
    it('replaces all terms, with margin and fee, under the same id and time', async () => {
      const client = await trader.connect();
      const order = await waiting({ stop_loss_price: '1.01' });
      const until = inSeconds(60);
      const exits = { target_profit_price: '1.2', trailing: '0.02' };
      const answer = await amend({
        id: order.Id,
        cont: '2',
        target_price: '1.06',
        until,
        ...exits,
      });
      const amended = {
        ...order,
        Quantity: '2',
        OriginPrice: '1.06000',
        CautionMoney: '2120.00',
        TradeFee: '6.00',
        TargetLossPrice: '0',
        TargetProfitPrice: '1.20000',
        Trailing: '0.02000',
        Until: until,
      };
      expect(answer).toEqual({ code: 1, msg: english.server.orderAmended, data: amended });
      expect(await deals(0)).toEqual([amended]);
      await client.settled();
      expect(client.data('FOREX_TRADE').at(-1)).toEqual(amended);
      expect(await figures()).toMatchObject({
        balance: '97880.000000',
        lock_balance: '2120.000000',
        caution_money: '2120.00',
      });
    });

    it('records what margin it takes or returns, and nothing where that stays', async () => {
      const { Id: id } = await waiting();
      await amend({ id, cont: '3' });
      await amend({ id, cont: '3', stop_loss_price: '1' });
      await amend({ id });
      const { list } = await trader.data<RecordPageRow>('/v1/api/main/accountLog/forexChange');
      expect(list.slice(0, 3).map(({ Type, Value }) => [Type, Value])).toEqual([
        [3, '2100.000000'],
        [2, '-2100.000000'],
        [2, '-1050.000000'],
      ]);
    });

    it('judges anew from which side the price has to come', async () => {
      const { Id: id } = await waiting();
      await amend({ id, target_price: '1.15' });
      await exchange.market.tick([EUR, 1.04]);
      expect(await deals(0)).toMatchObject([{ Id: id }]);
      await exchange.market.tick([EUR, 1.16]);
      expect(await deals(1)).toMatchObject([{ Id: id, Price: '1.16000', CautionMoney: '1150.00' }]);
    });

    it('fills at once at a target that is the price', async () => {
      const { Id: id } = await waiting();
      const { data } = await amend({ id, target_price: '1.1', trailing: '0.01' });
      expect(data).toMatchObject({ Status: 1, Price: '1.10000', TargetLossPrice: '1.09000' });
      expect((await figures()).balance).toBe('98897.000000');
    });

    it('may take what its own margin had frozen, and no cent more', async () => {
      const { Id: id } = await waiting({ cont: 90 });
      const all = await amend({ id, cont: '94.96' });
      expect(all.msg).toBe('Order changed');
      const before = [await deals(0), await figures()];
      expect(await amend({ id, cont: '94.97' })).toEqual({
        code: 2,
        msg: 'Insufficient funds: 100,003.41 USD needed, 100,000.00 USD available',
        data: null,
      });
      expect([await deals(0), await figures()]).toEqual(before);
    });

    it('is one of 200 open orders, and may be amended', async () => {
      const placed = await Promise.all(
        Array.from({ length: 200 }, () => waiting({ cont: '0.01' })),
      );
      expect((await trader.submit({ cont: '0.01' })).code).toBe(2);
      expect((await amend({ id: placed[7]?.Id ?? 0, cont: '0.02' })).code).toBe(1);
    });

    const refused: [what: string, params: Params, msg: string][] = [
      ['no lots', { cont: '' }, rules.lotsRequired],
      ['0 lots', { cont: 0 }, rules.lotsRequired],
      ['negative lots', { cont: -1 }, 'Minimum lots: 0.01'],
      ['lots between two steps', { cont: '0.015' }, 'Lots must be a multiple of 0.01'],
      ['lots above 1,000', { cont: '1000.01' }, 'Maximum lots: 1,000'],
      ['no target', { target_price: '' }, rules.priceRequired],
      ['a target of 0', { target_price: 0 }, rules.priceNotPositive],
      ['a negative target', { target_price: '-1.05' }, rules.priceNotPositive],
      ['a target too fine', { target_price: '1.050001' }, 'Prices here have at most 5 decimals'],
      ['a stop-loss on the target', { stop_loss_price: '1.05' }, 'Stop-loss must be below 1.05000'],
      ['a negative stop-loss', { stop_loss_price: -1 }, rules.priceNotPositive],
      [
        'a stop-loss too fine',
        { stop_loss_price: '1.000001' },
        'Prices here have at most 5 decimals',
      ],
      ['a take-profit below', { target_profit_price: 1 }, 'Take-profit must be above 1.05000'],
      ['a negative distance', { trailing: -1 }, rules.distanceNotPositive],
      ['a distance too fine', { trailing: '0.000001' }, 'Prices here have at most 5 decimals'],
      ['an expiry in the past', { until: 1 }, rules.expiryPast],
    ];
    it.each(refused)('refuses %s, and leaves the order as it was', async (_, params, msg) => {
      const order = await waiting({ until: inSeconds(60), stop_loss_price: '1.01' });
      const before = await figures();
      expect(await amend({ id: order.Id, ...params })).toEqual({ code: 2, msg, data: null });
      expect([await deals(0), await figures()]).toEqual([[order], before]);
    });

    it.each<Params>([
      { id: '' },
      { id: 'x' },
      { cont: '1e2' },
      { target_price: '1,05' },
      { until: -1 },
      { until: '1.5' },
      { until: 'tomorrow' },
      { until: 253_402_300_800_000 },
    ])('finds %j malformed', async (params) => {
      const order = await waiting();
      expect(await amend({ id: order.Id, ...params })).toMatchObject({ code: 400, data: null });
      expect(await deals(0)).toEqual([order]);
    });

    it('refuses orders that are filled, ended, unknown or of another user, and a closed market', async () => {
      const held = (await trader.submit<OrderRow>()).data.Id;
      const { Id: cancelled } = await waiting();
      await trader.data('/v1/api/forex/cancel_trade', { id: cancelled });
      for (const id of [held, cancelled])
        expect((await amend({ id })).msg).toBe(rules.orderNotAmendable);
      expect((await amend({ id: 2_000_000_000 })).msg).toBe(english.server.orderUnknown);
      const order = await waiting();
      const stranger = await exchange.demo();
      expect(
        await stranger.get('/v1/api/forex/amend', { id: order.Id, cont: 1, target_price: 1 }),
      ).toEqual({ code: 2, msg: english.server.orderUnknown, data: null });
      exchange.market.setOpen(EUR, false);
      expect((await amend({ id: order.Id })).msg).toBe(rules.marketClosed);
      expect(await deals(0)).toEqual([order]);
    });

    it('is done once for a key, and refused for other terms', async () => {
      const order = await waiting();
      const key = { 'idempotency-key': randomUUID() };
      const first = await amend({ id: order.Id, cont: '2' }, key);
      await amend({ id: order.Id, cont: '3' });
      expect(await amend({ id: order.Id, cont: '2' }, key)).toEqual(first);
      expect(await amend({ id: order.Id, cont: '4' }, key)).toMatchObject({ code: 422 });
      expect(await deals(0)).toMatchObject([{ Quantity: '3' }]);
    });

    it('and the fill at its old price end one way, whichever comes first', async () => {
      const ways: string[] = [];
      for (let n = 0; n < 20; n++) {
        await exchange.market.tick([EUR, 1.1]);
        const order = await waiting({ cont: '0.1' });
        const away = { id: order.Id, cont: '0.2', target_price: '1.02' };
        const turns = vi.spyOn(exchange.market, 'exclusively');
        const letGo = exchange.market.hold();
        turns.mockClear();
        const asked = amend(away);
        // Where the amendment does not wait already, the fill is before it.
        if (n % 2 === 0) await eventually(() => expect(turns).toHaveBeenCalled());
        const filled = exchange.market.tick([EUR, 1.05]);
        await letGo();
        const [answer] = await Promise.all([asked, filled]);
        turns.mockRestore();
        const [now] = [...(await deals(0)), ...(await deals(1))].filter(
          ({ Id }) => Id === order.Id,
        );
        const amended = { Status: 0, Quantity: '0.2', CautionMoney: '204.00', TradeFee: '0.60' };
        const held = { Status: 1, Quantity: '0.1', CautionMoney: '105.00', TradeFee: '0.30' };
        ways.push(answer.msg);
        expect(now).toMatchObject(answer.code === 1 ? amended : held);
      }
      const pairs = [english.server.orderAmended, rules.orderNotAmendable];
      expect(ways).toEqual(Array(10).fill(pairs).flat());
    });
  });

  describe('an expiry', () => {
    it('ends the order before the first tick of that time, which would fill it', async () => {
      const client = await trader.connect();
      const order = await waiting({ until: inSeconds(2) });
      await exchange.market.tick([EUR, 1.0999]);
      expect(await deals(0)).toMatchObject([{ Id: order.Id, Until: order.Until }]);
      await exchange.market.tick([EUR, 1.04]);
      expect(exchange.market.now()).toBe(order.Until);
      const ended = {
        ...order,
        Status: 3,
        UpdatePrice: '1.09990',
        CloseReason: 'expired',
        CompleteTimeHandler: new Date(order.Until ?? 0).toISOString(),
      };
      expect(await deals(3)).toEqual([ended]);
      await client.settled();
      expect(client.data('FOREX_CLOSED')).toEqual([{ Id: order.Id, Order: ended }]);
      expect(await figures()).toMatchObject({ balance: '100000.000000', caution_money: '0.00' });
    });

    it('comes after the fill of an earlier millisecond, which it does not end', async () => {
      const { Id } = await waiting({ until: inSeconds(2) + 1 });
      await exchange.market.tick([EUR, 1.09]);
      await exchange.market.tick([EUR, 1.04]);
      await exchange.market.tick([EUR, 1.06]);
      expect(await deals(1)).toMatchObject([{ Id, Status: 1 }]);
    });

    it('comes with the tick of another instrument', async () => {
      await waiting({ until: inSeconds(1) });
      await exchange.market.tick([XAU, 2001]);
      expect(await deals(3)).toMatchObject([{ CloseReason: 'expired' }]);
    });

    it('comes without ticks, also in a closed market', async () => {
      await waiting({ until: inSeconds(1) });
      exchange.market.setOpen(EUR, false);
      exchange.market.pass(999);
      await exchange.clock.advance(toDurationMs(1000));
      expect(await deals(0)).toHaveLength(1);
      exchange.market.pass(1);
      await exchange.clock.advance(toDurationMs(1000));
      await expect.poll(() => deals(3)).toMatchObject([{ CloseReason: 'expired' }]);
    });

    it('is set, moved and taken off by amend', async () => {
      const { Id: id } = await waiting({ until: inSeconds(2) });
      await amend({ id });
      await exchange.market.tick([EUR, 1.1]);
      await exchange.market.tick([EUR, 1.1]);
      expect(await deals(0)).toMatchObject([{ Until: 0 }]);
      await amend({ id, until: inSeconds(1) });
      await exchange.market.tick([EUR, 1.1]);
      expect(await deals(3)).toMatchObject([{ Id: id, CloseReason: 'expired' }]);
    });

    it('is refused in the past or now, and ignored by a market order', async () => {
      for (const until of [1, inSeconds(0)]) {
        const answer = await trader.submit({ status: 0, target_price: '1.05', until });
        expect(answer).toEqual({ code: 2, msg: rules.expiryPast, data: null });
      }
      expect((await trader.submit<OrderRow>({ until: 1 })).data).toMatchObject({ Until: 0 });
      expect((await waiting({ until: LAST })).Until).toBe(LAST);
    });
  });
});
