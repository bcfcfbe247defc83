import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OrderPageRow, OrderRow } from '#domain/api/trading';
import { problemsOf } from '../../histories/checkHistory';
import { type RecordedAccount, Recorder } from '../../histories/history';
import { emptyDatabase } from '../support/database';
import { EUR, ORDER, TestExchange, type Trader } from '../trading/testExchange';

const SUBMIT = '/v1/api/forex/submit';
const LIST = '/v1/api/forex/my_deal';

describe('the checker of histories', () => {
  let database: Awaited<ReturnType<typeof emptyDatabase>>;
  let exchange: TestExchange;
  let recorder: Recorder;
  let account: RecordedAccount;
  let trader: Trader;
  beforeAll(async () => {
    database = await emptyDatabase();
    exchange = await TestExchange.open(database.db);
  });
  afterAll(async () => {
    await exchange.close();
    await database.close();
  });

  async function begin(): Promise<void> {
    recorder = new Recorder();
    account = recorder.account('user', '100000');
    trader = await exchange.demo();
    recorder.price(EUR, '1.1')();
  }

  async function submit(more: Record<string, string | number>): Promise<OrderRow> {
    const params = { ...ORDER, cont: '0.01', ...more };
    const query = new URLSearchParams(params as Record<string, string>);
    const recorded = account.invoke(`${SUBMIT}?${query}`, randomUUID());
    const envelope = await trader.get<OrderRow>(SUBMIT, params);
    recorded.answered(envelope);
    return envelope.data;
  }

  describe('of many orders that expire while a list is read', () => {
    async function expiring(balance?: string): Promise<void> {
      await begin();
      const terms = { status: 0, target_price: '0.5', until: exchange.market.now() + 60_000 };
      const placed: OrderRow[] = [];
      for (let count = 0; count < 16; count++) placed.push(await submit(terms));
      const socket = account.loggedIn();
      const list = account.invoke(`${LIST}?status=0&limit=100`);
      const envelope = await trader.get<OrderPageRow>(LIST, { status: 0, limit: 100 });
      expect(envelope.data.total).toBe(16);
      // The push of the first end overtakes the list, which has all of them still.
      for (const [index, row] of placed.entries()) {
        const Order = { ...row, Status: 3, CloseReason: 'expired', CompleteTimeHandler: 'now' };
        socket.pushed({ type: 'FOREX_CLOSED', data: { Id: row.Id, Order } });
        const data = { ...envelope.data, ...(balance && { balance }) };
        if (index === 0) list.answered({ ...envelope, data });
      }
    }

    it('tries hardly more than there has happened', async () => {
      await expiring();
      expect(problemsOf(recorder, { most: 40 })).toEqual([]);
    });

    it('says that it has not decided, and never that all is right', async () => {
      await expiring('1');
      expect(problemsOf(recorder, { most: 40 })).toEqual([
        expect.stringContaining('undecided after 40 states'),
      ]);
    });
  });

  describe('of prices that trigger an order which is still there', () => {
    it.each<[string, Record<string, string | number>, prices: string[][], missed: boolean]>([
      ['its stop-loss', { stop_loss_price: '1.05' }, [['1.05', '1.04', '1.05']], true],
      ['its take-profit', { target_profit_price: '1.2' }, [['1.2']], true],
      ['a stop-loss of a sale', { type: 2, stop_loss_price: '1.2' }, [['1.3']], true],
      ['its target', { status: 0, target_price: '1' }, [['1.1'], ['0.9']], true],
      ['one of two prices', { stop_loss_price: '1.05' }, [['1.05', '1.04', '1.06']], false],
      ['no exit', { stop_loss_price: '1.05', target_profit_price: '1.2' }, [['1.1']], false],
      ['nothing surely', { status: 0, target_price: '1' }, [['0.9']], false],
      ['a stop that follows', { stop_loss_price: '1.05', trailing: '0.05' }, [['1']], false],
    ])('%s', async (_, terms, prices, missed) => {
      await begin();
      const socket = account.loggedIn();
      await submit(terms);
      for (const each of prices) recorder.price(EUR, ...each)();
      socket.settled();
      const expected = missed ? [expect.stringContaining('did not trigger')] : [];
      expect(problemsOf(recorder)).toEqual([...[expect.stringContaining('no push')], ...expected]);
    });

    it('not where a call without an answer may have taken its exits away', async () => {
      await begin();
      const socket = account.loggedIn();
      const row = await submit({ stop_loss_price: '1.05' });
      socket.pushed({ type: 'FOREX_TRADE', data: row });
      account.invoke(`/v1/api/forex/set_stop_price?id=${row.Id}`, randomUUID());
      recorder.price(EUR, '1')();
      socket.settled();
      expect(problemsOf(recorder)).toEqual([]);
    });

    it('not where it may have had other exits since', async () => {
      await begin();
      const row = await submit({ stop_loss_price: '1.05' });
      const exits = ['0', '1.05'].map((price) => ({
        data: { ...row, TargetLossPrice: price },
        call: account.invoke(
          `/v1/api/forex/set_stop_price?id=${row.Id}&stop_loss_price=${price}`,
          randomUUID(),
        ),
      }));
      for (const { call, data } of exits) call.answered({ code: 1, msg: '', data });
      const socket = account.loggedIn();
      recorder.price(EUR, '1')();
      socket.settled();
      expect(problemsOf(recorder)).toEqual([]);
    });

    it('not where it may be under way', async () => {
      await begin();
      const socket = account.loggedIn();
      const row = await submit({ stop_loss_price: '1.05' });
      socket.pushed({ type: 'FOREX_TRADE', data: row });
      const known = recorder.price(EUR, '1');
      socket.settled();
      known();
      expect(problemsOf(recorder)).toEqual([]);
    });
  });
});
