import { randomUUID } from 'node:crypto';
import { type ListedInstrument, readInstrument } from '#domain/api/read-market';
import { parse } from '#domain/api/schema';
import * as trading from '#domain/api/trading';
import * as wallet from '#domain/api/wallet';
import {
  add,
  compare,
  multiply,
  sign,
  subtract,
  toDecimal,
  toFixed,
  toNumber,
  ZERO,
} from '#domain/core/decimal';
import { toLeverage, toLots, toPrice, toUsd, type Usd } from '#domain/core/units';
import type { Instrument } from '#domain/market/instrument';
import { available, equity, marginLevel, riskRate } from '#domain/trading/accountSummary';
import { fee, margin, toFeeType } from '#domain/trading/margin';
import type { Order } from '#domain/trading/order';
import { profit } from '#domain/trading/profit';
import type { Check } from '../check';
import { expectSame, expectThat, Missing, Skipped } from '../expectations';
import { expectDeclared, type Params, type Target } from '../target';
import type { TargetSocket } from '../targetSocket';

const PENDING = 0;
const HOLDING = 1;
const CLOSED = 3;

/** Orders and the account (protocol.md#trading-calls), traded with demo users. */
export const tradingCalls: readonly Check[] = [
  {
    section: 'account-summary',
    name: 'the figures follow from balance, margin and profit',
    async run(target) {
      await expectFigures(target, await target.demo());
    },
  },
  {
    section: 'submit',
    name: 'a market order is filled, with margin and fee of its fill',
    async run(target) {
      const { token, instrument, lots, multiple } = await trader(target);
      const before = await freeOf(target, token);
      const row = await submit(target, token, market(instrument, lots, multiple));
      expectSame('its status', row.Status, HOLDING);
      const order = read(row);
      const feeType = toFeeType((await target.basicInfo()).trade_fee_type);
      const terms = [toLots(lots), order.price, toLeverage(multiple)] as const;
      expectAmount('its margin', order.margin, margin(instrument, ...terms));
      expectAmount('its fee', order.fee, fee(instrument, feeType, ...terms));
      const after = await freeOf(target, token);
      expectAmount('the balance', after, subtract(subtract(before, order.margin), order.fee));
      await expectFigures(target, token);
    },
  },
  {
    section: 'order-list',
    name: 'the fees of a list are those of its orders',
    async run(target) {
      const { token, instrument, price, lots, multiple } = await trader(target);
      await submit(target, token, market(instrument, lots, multiple));
      const waiting = { ...market(instrument, lots, multiple), status: PENDING };
      const { Id } = await submit(target, token, {
        ...waiting,
        target_price: far(instrument, price, '0.5'),
      });
      const named = { token, key: randomUUID() };
      await target.ask(trading.cancelOrder, { id: Id }, named);
      for (const status of [PENDING, HOLDING, CLOSED]) {
        const { data, total, all_trade_fee: told } = await page(target, token, status);
        // The field is optional, and an order that was not filled has paid nothing.
        const filled = data.filter(({ Price }) => sign(toPrice(Price)) > 0);
        const paid = filled.reduce<Usd>((sum, { TradeFee }) => add(sum, toUsd(TradeFee)), ZERO);
        if (told !== undefined && data.length === total) expectAmount('the sum', toUsd(told), paid);
      }
    },
  },
  {
    section: 'order-list',
    name: 'a market order is in the list of what is held, once',
    async run(target) {
      const { token, instrument, lots, multiple } = await trader(target);
      const row = await submit(target, token, market(instrument, lots, multiple));
      expectSame('how often', (await listed(target, token, HOLDING, row.Id)).length, 1);
    },
  },
  {
    section: 'idempotency',
    name: 'a repeated key gets the stored answer, and nothing is done again',
    async run(target) {
      const { token, instrument, lots, multiple } = await trader(target);
      const params = market(instrument, lots, multiple);
      const key = randomUUID();
      const first = await target.call(trading.submitOrder, params, { token, key });
      const again = await target.call(trading.submitOrder, params, { token, key });
      expectSame('the second answer', [again.code, again.data], [first.code, first.data]);
      const { data } = first;
      const { Id } = data as { Id: number };
      expectSame('orders', (await listed(target, token, HOLDING, Id)).length, 1);
      const other = await target.call(trading.submitOrder, { ...params, type: 2 }, { token, key });
      expectSame('the code for other parameters', other.code, 422);
    },
  },
  {
    section: 'idempotency',
    name: 'ten simultaneous calls with one key make one order',
    async run(target) {
      const { token, instrument, lots, multiple } = await trader(target);
      const params = market(instrument, lots, multiple);
      const count = async () => (await page(target, token, HOLDING)).total;
      const before = await count();
      const key = randomUUID();
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => target.call(trading.submitOrder, params, { token, key })),
      );
      const codes = new Set(answers.map(({ code }) => code));
      codes.delete(1);
      codes.delete(409);
      expectSame('other codes than 1 and 409', [...codes], []);
      expectSame('new orders', (await count()) - before, 1);
    },
  },
  {
    section: 'deadlines',
    feature: 'deadlines',
    name: 'a call after its valid_until is refused, and stays so',
    async run(target) {
      const { token, instrument, lots, multiple } = await trader(target);
      const params = { ...market(instrument, lots, multiple), valid_until: 1000 };
      const key = randomUUID();
      const before = (await page(target, token, HOLDING)).total;
      const first = await target.call(trading.submitOrder, params, { token, key });
      expectThat(first.code !== 1, 'it is executed');
      const again = await target.call(trading.submitOrder, params, { token, key });
      expectSame('the second answer', [again.code, again.msg], [first.code, first.msg]);
      expectSame('new orders', (await page(target, token, HOLDING)).total - before, 0);
    },
  },
  {
    section: 'submit',
    name: 'what the rules refuse is refused with a reason, and freezes nothing',
    async run(target) {
      const { token, instrument, price, lots, multiple } = await trader(target);
      const good = market(instrument, lots, multiple);
      const before = await freeOf(target, token);
      const refused: Params[] = [
        { ...good, cont: '0' },
        { ...good, cont: '-1' },
        { ...good, cont: '1001' },
        { ...good, forex_id: 987_654_321 },
        { ...good, type: 3 },
        { ...good, status: PENDING, target_price: '0' },
        { ...good, stop_loss_price: toFixed(multiply(toPrice(price), toDecimal(2)), 2) },
        { ...good, deviation: '-1' },
      ];
      for (const params of refused) {
        const { code, msg } = await target.call(trading.submitOrder, params, { token });
        const what = JSON.stringify(params);
        expectThat(code !== 1, `${what} is accepted`);
        expectThat(msg !== '', `${what} is refused without a reason`);
      }
      expectAmount('the balance', await freeOf(target, token), before);
    },
  },
  {
    section: 'set-exits',
    name: 'exits are set and removed; one on the wrong side is refused',
    async run(target) {
      const { token, instrument, price, lots, multiple } = await trader(target);
      const { Id } = await submit(target, token, market(instrument, lots, multiple));
      const [below, above] = [far(instrument, price, '0.5'), far(instrument, price, '2')];
      const exits = (stop_loss_price: string, target_profit_price: string) => {
        return { id: Id, stop_loss_price, target_profit_price };
      };
      const both = await target.ask(trading.setExits, exits(below, above), { token });
      expectSame(
        'the exits',
        [both.TargetLossPrice, both.TargetProfitPrice].map(Number),
        [below, above].map(Number),
      );
      const { code } = await target.call(trading.setExits, exits(above, '0'), { token });
      expectThat(code !== 1, 'a stop-loss above a long order is accepted');
      const none = await target.ask(trading.setExits, exits('0', ''), { token });
      expectSame(
        'the exits after it',
        [none.TargetLossPrice, none.TargetProfitPrice].map(Number),
        [0, 0],
      );
    },
  },
  {
    section: 'submit',
    name: 'a pending order freezes its margin, and a cancelled one gives it back',
    async run(target) {
      const { token, instrument, price, lots, multiple } = await trader(target);
      const before = await freeOf(target, token);
      const row = await submit(target, token, {
        ...market(instrument, lots, multiple),
        status: PENDING,
        target_price: far(instrument, price, '0.5'),
      });
      expectSame('its status', row.Status, PENDING);
      expectAmount(
        'the balance',
        await freeOf(target, token),
        subtract(before, toUsd(row.CautionMoney)),
      );
      const ended = await target.ask(
        trading.cancelOrder,
        { id: row.Id },
        { token, key: randomUUID() },
      );
      expectSame('status and reason', [ended.Status, ended.CloseReason], [CLOSED, 'cancelled']);
      expectAmount('the balance after it', await freeOf(target, token), before);
      expectSame('in the history', (await listed(target, token, CLOSED, row.Id)).length, 1);
    },
  },
  {
    section: 'closed-push',
    name: 'a new order is pushed, and its end, to the logged-in user alone',
    async run(target) {
      const { token, instrument, lots, multiple } = await trader(target);
      const mine = await privateSocket(target, token);
      const others = await privateSocket(target, await target.demo('second'));
      const visitor = await privateSocket(target, '');
      const { Id } = await submit(target, token, market(instrument, lots, multiple));
      const isOf = (message: Record<string, unknown>) => orderIn(message) === Id;
      await mine.next('FOREX_TRADE', (message) => message.type === 'FOREX_TRADE' && isOf(message));
      const closed = await target.ask(trading.closeOrder, { id: Id }, { token, key: randomUUID() });
      const push = await mine.next(
        'FOREX_CLOSED',
        (message) => message.type === 'FOREX_CLOSED' && isOf(message),
      );
      expectSame('the order of the push', (push['data'] as { Order: unknown }).Order, closed);
      for (const socket of [others, visitor]) {
        await socket.settled();
        const seen = socket.received.filter(({ type }) => type.startsWith('FOREX_'));
        expectSame('what others were told', seen, []);
      }
    },
  },
  {
    section: 'close',
    name: 'a closed order has its profit, and gives back margin and profit',
    async run(target) {
      const { token, instrument, lots, multiple } = await trader(target);
      const held = read(await submit(target, token, market(instrument, lots, multiple)));
      const before = await freeOf(target, token);
      const key = randomUUID();
      const answer = await target.call(trading.closeOrder, { id: held.id }, { token, key });
      expectThat(answer.msg !== '', 'it is not confirmed by a msg');
      expectDeclared(trading.closeOrder, answer.data);
      const row = answer.data as trading.OrderRow;
      expectSame('status and reason', [row.Status, row.CloseReason], [CLOSED, 'user']);
      const order = read(row);
      const { side, price: fill } = held;
      const { unitsPerLot } = instrument;
      const position = { side, lots: held.lots, unitsPerLot, price: fill };
      expectAmount('its profit', order.profit, profit(position, order.updatePrice));
      expectAmount(
        'the balance',
        await freeOf(target, token),
        add(add(before, held.margin), order.profit),
      );
      const again = await target.call(trading.closeOrder, { id: held.id }, { token });
      expectThat(again.code !== 1, 'it can be closed twice');
    },
  },
  {
    section: 'partial-close',
    feature: 'partial_close',
    name: 'a part is closed in proportion, and the rest stays with its id',
    async run(target) {
      const { token, held, part } = await holdTwoParts(target);
      const before = (await page(target, token, CLOSED)).total;
      const rest = await target.ask(
        trading.closeOrder,
        { id: held.Id, cont: part },
        { token, key: randomUUID() },
      );
      expectSame(
        'id, status and lots',
        [rest.Id, rest.Status, Number(rest.Quantity)],
        [held.Id, HOLDING, Number(part)],
      );
      expectSame(
        'new orders of the history',
        (await page(target, token, CLOSED)).total - before,
        1,
      );
      const [closed] = (await page(target, token, CLOSED)).data;
      expectAmount(
        'both margins',
        add(toUsd(rest.CautionMoney), toUsd(closed?.CautionMoney ?? '0')),
        toUsd(held.CautionMoney),
      );
      const tooMuch = { id: held.Id, cont: '999' };
      const { code } = await target.call(trading.closeOrder, tooMuch, { token });
      expectThat(code !== 1, 'more than all can be closed');
    },
  },
  {
    section: 'seen-quantity',
    feature: 'seen_quantity',
    name: 'an order is closed only as the user saw it',
    async run(target) {
      const { token, held, lots, part } = await holdTwoParts(target);
      for (const cont of [part, '0']) {
        const params = { id: held.Id, cont, seen_quantity: part };
        const { code, msg } = await target.call(trading.closeOrder, params, {
          token,
          key: randomUUID(),
        });
        expectSame('the code of a refusal', code, 2);
        expectThat(msg !== '', 'the refusal has no sentence');
      }
      const [still] = (await page(target, token, HOLDING)).data;
      expectSame('its lots', [still?.Id, Number(still?.Quantity)], [held.Id, Number(lots)]);
      const seen = { id: held.Id, cont: '0', seen_quantity: lots };
      const { code } = await target.call(trading.closeOrder, seen, { token, key: randomUUID() });
      expectThat(code === 1, 'as the user saw it, it is not closed');
    },
  },
  {
    section: 'trailing-stop',
    feature: 'trailing_stop',
    name: 'an order keeps the distance of its trailing stop',
    async run(target) {
      const { token, instrument, price, lots, multiple } = await trader(target);
      const trailing = far(instrument, price, '0.5');
      const row = await submit(target, token, {
        ...market(instrument, lots, multiple),
        trailing,
      });
      expectSame('the distance', Number(row.Trailing), Number(trailing));
      expectThat(Number(row.TargetLossPrice) > 0, 'there is no stop-loss');
    },
  },
  {
    section: 'amend',
    feature: 'amend',
    name: 'a pending order gets other terms, margin and fee under its id, or stays as it was',
    async run(target) {
      const { token, row, instrument, price, multiple } = await waitingOrder(target);
      const two = multiply(instrument.minLots, toDecimal(2));
      const cont = toFixed(two, two.scale);
      const [aim, above] = [far(instrument, price, '0.4'), far(instrument, price, '2')];
      const terms = { id: row.Id, cont, target_price: aim };
      const all = { ...terms, stop_loss_price: '0', target_profit_price: above };
      const before = add(await freeOf(target, token), toUsd(row.CautionMoney));
      const amended = await target.ask(trading.amendOrder, all, { token, key: randomUUID() });
      expectSame(
        'the order',
        [amended.Id, amended.Status, amended.CreateTimeHandler, Number(amended.OriginPrice)],
        [row.Id, PENDING, row.CreateTimeHandler, Number(aim)],
      );
      expectSame('its take-profit', Number(amended.TargetProfitPrice), Number(above));
      const feeType = toFeeType((await target.basicInfo()).trade_fee_type);
      const priced = [two, toPrice(aim), toLeverage(multiple)] as const;
      expectAmount('its margin', toUsd(amended.CautionMoney), margin(instrument, ...priced));
      expectAmount('its fee', toUsd(amended.TradeFee), fee(instrument, feeType, ...priced));
      const left = subtract(before, toUsd(amended.CautionMoney));
      expectAmount('the balance', await freeOf(target, token), left);
      for (const wrong of [{ cont: '1001' }, { target_price: '0' }, { stop_loss_price: above }]) {
        const params = { ...all, ...wrong };
        const { code, msg } = await target.call(trading.amendOrder, params, { token });
        expectThat(code !== 1 && msg !== '', `${JSON.stringify(wrong)} is not refused`);
      }
      const none = await target.ask(trading.amendOrder, terms, { token, key: randomUUID() });
      expectSame('its take-profit, left out', Number(none.TargetProfitPrice), 0);
      const params = { ...terms, stop_loss_price: '0', target_profit_price: '0' };
      const other = await target.demo('second');
      const { code } = await target.call(trading.amendOrder, params, { token: other });
      expectThat(code !== 1, 'another user can amend it');
      await target.ask(trading.cancelOrder, { id: row.Id }, { token, key: randomUUID() });
      const late = await target.call(trading.amendOrder, params, { token });
      expectThat(late.code !== 1 && late.msg !== '', 'an order that has ended is amended');
    },
  },
  {
    section: 'expiry',
    feature: 'expiry',
    name: 'a pending order keeps its expiry, which is not in the past',
    async run(target) {
      // Also later than the market's clock where it replays another day.
      const until = Date.now() + 86_400_000;
      const { token, row, params } = await waitingOrder(target, { until });
      expectSame('the expiry', row.Until, until);
      const past = await target.call(trading.submitOrder, { ...params, until: 1000 }, { token });
      expectThat(past.code !== 1 && past.msg !== '', 'an expiry in the past is not refused');
      const never = await submit(target, token, { ...params, until: 0 });
      expectSame('no expiry', never.Until, 0);
    },
  },
  {
    section: 'basic-settings',
    name: 'with fill_at_quote 2 an order opens at its own side, and is worth what it would close at',
    async run(target) {
      const { fill_at_quote } = await target.basicInfo();
      if (fill_at_quote !== 2) throw new Missing(`fill_at_quote is ${fill_at_quote ?? 'missing'}`);
      const { token, instrument, lots, multiple } = await trader(target);
      for (const type of [1, 2]) {
        const { row, quote } = await atOneQuote(target, () =>
          submit(target, token, { ...market(instrument, lots, multiple), type }),
        );
        const { topOfBook } = quote;
        expectThat(topOfBook.bid > 0 && topOfBook.ask > 0, 'the quote has no bid and ask');
        const [opens, closes] = type === 1 ? (['ask', 'bid'] as const) : (['bid', 'ask'] as const);
        const order = read(row);
        const prices = [toNumber(order.price), toNumber(order.updatePrice)];
        expectSame('its price, and what it would close at', prices, [
          topOfBook[opens],
          topOfBook[closes],
        ]);
        const { side, price, lots: held } = order;
        const { unitsPerLot } = instrument;
        const worth = profit({ side, price, lots: held, unitsPerLot }, order.updatePrice);
        expectAmount('its profit', order.profit, worth);
      }
    },
  },
  {
    section: 'overnight-financing',
    feature: 'swap',
    name: 'a list counts the swap of its orders, and a new one has none',
    async run(target) {
      const { token, instrument, lots, multiple } = await trader(target);
      const row = await submit(target, token, market(instrument, lots, multiple));
      expectSame('the swap of a new order', Number(row.Swap), 0);
      const params = { status: HOLDING, page: 1, limit: 500 };
      const { data, all_swap } = await target.ask(trading.orderList, params, { token });
      const sum = data.reduce((total, { Swap }) => total + Number(Swap), 0);
      expectSame('the swap of all', Number(all_swap).toFixed(2), sum.toFixed(2));
    },
  },
  {
    section: 'public-calls',
    name: 'nobody reads or changes an order of another user',
    async run(target) {
      const { token, instrument, lots, multiple } = await trader(target);
      const { Id } = await submit(target, token, market(instrument, lots, multiple));
      const other = await target.demo('second');
      const exits = { id: Id, stop_loss_price: '0', target_profit_price: '0' };
      for (const [endpoint, params] of [
        [trading.closeOrder, { id: Id }],
        [trading.cancelOrder, { id: Id }],
        [trading.setExits, exits],
      ] as const) {
        const { code } = await target.call(endpoint, params, { token: other });
        expectThat(code !== 1, `${endpoint.path} changes an order of another user`);
      }
      expectSame('in the list of another', (await listed(target, other, HOLDING, Id)).length, 0);
      expectSame('still held', (await listed(target, token, HOLDING, Id)).length, 1);
    },
  },
  {
    section: 'financial-records',
    name: 'the records are numbered, and newest first',
    async run(target) {
      const token = await target.demo();
      const { list, total } = await target.ask(wallet.recordList, { page: 1 }, { token });
      expectThat(total >= list.length && list.length > 0, 'there are none');
      const ids = list.map(({ Id }) => Id);
      expectSame(
        'their order',
        ids,
        [...ids].sort((a, b) => b - a),
      );
    },
  },
  {
    section: 'lists',
    name: 'past the end of a list there are no rows',
    async run(target) {
      const token = await target.demo();
      const { data } = await page(target, token, HOLDING, 9999);
      expectSame('rows', data.length, 0);
    },
  },
  {
    section: 'demo-reset',
    name: 'a reset ends all orders and brings the balance back',
    async run(target) {
      const { token } = await trader(target);
      const { balance } = await target.ask(
        trading.resetDemo,
        {},
        {
          token,
          key: randomUUID(),
        },
      );
      expectSame('what is held', (await page(target, token, HOLDING)).total, 0);
      expectAmount('the balance', await freeOf(target, token), toUsd(balance));
    },
  },
];

interface Trader {
  token: string;
  instrument: Instrument;
  price: string;
  /** The least that can be traded. */
  lots: string;
  multiple: string;
}

/** What a small order of a demo user needs. */
async function trader(target: Target): Promise<Trader> {
  const row = await target.openInstrument();
  const listed = readInstrument(row);
  expectThat(listed !== undefined, `a client cannot read the instrument ${row.Code}`);
  const { instrument } = listed;
  const { minLots, marginMode, leverages } = instrument;
  const [leverage] = leverages;
  return {
    token: await target.demo(),
    instrument,
    price: row.ForexQuotations.Close,
    lots: toFixed(minLots, minLots.scale),
    multiple: marginMode === 'fixed' || !leverage ? '0' : toFixed(leverage, leverage.scale),
  };
}

/** A long market order without a quote seen: the price may move meanwhile. */
function market({ id }: Instrument, cont: string, multiple: string): Params {
  return {
    type: 1,
    forex_id: id,
    cont,
    status: HOLDING,
    target_price: '0',
    stop_loss_price: '0',
    target_profit_price: '0',
    multiple,
  };
}

/** What a call answers while the quote of the instrument stays the same. */
async function atOneQuote<T>(
  target: Target,
  call: () => Promise<T>,
): Promise<{ row: T; quote: ListedInstrument }> {
  for (let tries = 0; tries < 30; tries++) {
    const before = readInstrument(await target.openInstrument());
    const row = await call();
    const quote = readInstrument(await target.openInstrument());
    const same = JSON.stringify([before?.quote, before?.topOfBook]);
    if (quote && JSON.stringify([quote.quote, quote.topOfBook]) === same) return { row, quote };
  }
  throw new Skipped('the quote changes faster than it can be asked for');
}

/** A price far from the present one: `price` times `factor`. */
function far({ precision }: Instrument, price: string, factor: string): string {
  return toFixed(multiply(toPrice(price), toDecimal(factor)), precision);
}

async function submit(target: Target, token: string, params: Params) {
  return target.ask(trading.submitOrder, params, { token, key: randomUUID() });
}

function read(row: unknown): Order {
  const order = parse(trading.order, row);
  expectThat(order !== undefined, 'a client cannot read the order');
  const { instrumentId = 0, precision = 0 } = order;
  return { ...order, instrumentId, precision };
}

function page(target: Target, token: string, status: number, number = 1) {
  return target.ask(trading.orderList, { status, page: number }, { token });
}

async function listed(target: Target, token: string, status: number, id: number) {
  return (await page(target, token, status)).data.filter(({ Id }) => Id === id);
}

async function freeOf(target: Target, token: string): Promise<Usd> {
  const { balance } = await target.ask(wallet.balance, {}, { token });
  return toUsd(balance);
}

async function expectFigures(target: Target, token: string): Promise<void> {
  const row = await target.ask(trading.accountSummary, {}, { token });
  const account = {
    balance: toUsd(row.balance),
    marginInUse: toUsd(row.caution_money),
    profit: toUsd(row.fact_profits),
  };
  expectAmount('net_value', toUsd(row.net_value), equity(account));
  expectAmount('free_balance', toUsd(row.free_balance), available(account));
  for (const [name, text, ratio] of [
    ['risk_rate', row.risk_rate, riskRate(account)],
    ['prepayment_ratio', row.prepayment_ratio, marginLevel(account)],
  ] as const) {
    const expected = ratio === undefined ? '--' : toFixed(ratio, 2);
    expectThat(
      text === expected || Number(text) === Number(expected),
      `${name} is ${text}, expected ${expected}`,
    );
  }
}

/** Amounts of any number of decimals. */
function expectAmount(what: string, seen: Usd, expected: Usd): void {
  expectThat(
    compare(seen, expected) === 0,
    `${what} is ${toFixed(seen, seen.scale)}, expected ${toFixed(expected, expected.scale)}`,
  );
}

async function privateSocket(target: Target, token: string): Promise<TargetSocket> {
  const socket = await target.socket();
  for (const topic of ['FOREX_TRADE', 'FOREX_CLOSED']) socket.send({ type: 'sub', topic });
  if (token) expectSame('the login', await socket.login(token), 1);
  await socket.settled();
  return socket;
}

function orderIn({ type, data }: Record<string, unknown>): number | undefined {
  const fields = data as { Id?: number };
  return type === 'FOREX_TRADE' || type === 'FOREX_CLOSED' ? fields.Id : undefined;
}

/** A pending order far below the price. */
async function waitingOrder(target: Target, more: Params = {}) {
  const { token, instrument, price, lots, multiple } = await trader(target);
  const target_price = far(instrument, price, '0.5');
  const params = { ...market(instrument, lots, multiple), status: PENDING, target_price, ...more };
  const row = await submit(target, token, params);
  return { token, row, params, instrument, price, multiple };
}

/** An order that can be closed in two parts of the smallest size. */
async function holdTwoParts(target: Target) {
  const { token, instrument, multiple } = await trader(target);
  const two = multiply(instrument.minLots, toDecimal(2));
  const lots = toFixed(two, two.scale);
  const held = await submit(target, token, market(instrument, lots, multiple));
  return { token, held, lots, part: toFixed(instrument.minLots, instrument.minLots.scale) };
}
