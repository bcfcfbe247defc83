import type { InstrumentRow } from '#domain/api/market';
import { readInstrument } from '#domain/api/read-market';
import type { OrderRow } from '#domain/api/trading';
import {
  add,
  compare,
  type Decimal,
  subtract,
  toDecimal,
  toFixed,
  toText,
  ZERO,
} from '#domain/core/decimal';
import { type Lots, toLeverage, toLots, toPrice, toUsd, type Usd } from '#domain/core/units';
import type { Instrument } from '#domain/market/instrument';
import { available, equity, marginLevel, riskRate } from '#domain/trading/accountSummary';
import type { QuoteFill } from '#domain/trading/fill';
import { type FeeType, fee, margin, shareOf } from '#domain/trading/margin';
import type { CloseReason } from '#domain/trading/order';
import { profit } from '#domain/trading/profit';
import type { Asked, Reply } from './scriptedHttp';
import type { ScriptedSocket } from './scriptedSocket';
import { createTestWorker, MemoryStorage, type TestWorker } from './testWorker';
import { tickRow, ticks } from './ticks';

interface TestOrder {
  row: OrderRow;
  instrument: Instrument;
}

/** A request in flight: it is processed, and then answered or lost. */
interface Underway {
  asked: Asked;
  reply: Reply | undefined;
  resolve: (reply: Reply) => void;
}

const PENDING = 0;
const HOLDING = 1;
const CLOSED = 3;

/**
 * A server that books the orders of one user (domain.md#orders) and refuses none for its
 * contents. By default it answers and pushes immediately; with `held`, each request and each push
 * waits until the test releases it.
 */
export class TestServer {
  balance: Decimal = toDecimal('100000');
  locked: Decimal = ZERO;
  feeType: FeeType = 'per-lot';
  /** What bid and ask decide (protocol.md#basic-settings). */
  quoteFill: QuoteFill = 0;
  readonly orders = new Map<number, TestOrder>();
  readonly prices = new Map<number, string>();
  /** How many of the orders are parts of others. */
  parts = 0;
  /** How often an order was amended. */
  amended = 0;
  /** Messages that are not delivered yet. */
  outbox: object[] = [];
  requests: Underway[] = [];
  held = false;
  /** Whether it has deadlines (protocol.md#deadlines). */
  deadlines = true;
  /** What else it lists. */
  features = ['amend', 'expiry', 'partial_close', 'trailing_stop'];
  /** Its wall clock. */
  wall: () => number;
  /** What was executed, by key, and when on its wall clock. */
  readonly executed = new Map<string, number>();
  /** Of a my_deal page where the client asks for less. */
  token = 'secret';
  readonly #worker: TestWorker;
  readonly #instruments = new Map<number, Instrument>();
  readonly #answers = new Map<string, { reply: Reply; content: string }>();
  #nextId = 1;
  #closings = 0;
  #loggedIn: ScriptedSocket | undefined;

  constructor(worker: TestWorker, instruments: InstrumentRow[]) {
    this.#worker = worker;
    this.wall = () => worker.clock.steady;
    worker.sockets.wall = () => this.wall();
    for (const row of instruments) {
      const instrument = readInstrument(row)?.instrument;
      if (!instrument) throw new Error('no instrument');
      this.#instruments.set(instrument.id, instrument);
      this.prices.set(instrument.id, row.ForexQuotations.Close);
    }
    const { server, sockets } = worker;
    const forex = '/v1/api/forex';
    for (const path of [
      `${forex}/my_deal`,
      `${forex}/submit`,
      `${forex}/close`,
      `${forex}/cancel_trade`,
      `${forex}/amend`,
      `${forex}/set_stop_price`,
      '/v1/api/main/account/forexDetail',
      '/v1/api/main/user/resetForexDemoAccount',
    ])
      server.on(path, (asked) => this.#arrive(asked));
    server.on('/api/basicSet/getBasicInfo', () => ({
      data: {
        trade_fee_type: this.feeType === 'per-lot' ? 1 : 2,
        fill_at_quote: this.quoteFill,
        wall: this.wall(),
        features: [...this.features, ...(this.deadlines ? ['deadlines'] : [])],
      },
    }));
    server.on('/api/user/info', ({ headers }) =>
      headers['authorization'] === this.token
        ? { data: { id: 7, uid: '7', is_demo: 1 } }
        : { code: 999, msg: 'Please log in' },
    );
    sockets.onSent = (message, socket) => {
      if (message.type === 'logout') this.#loggedIn = undefined;
      if (message.type !== 'login') return;
      // Messages for another socket are lost with it.
      if (this.#loggedIn !== socket) this.outbox = [];
      this.#loggedIn = message.token === this.token ? socket : undefined;
      this.#send({ type: 'login', code: this.#loggedIn ? 1 : 999 }, socket);
    };
  }

  /** Processes the k-th waiting request. */
  process(k: number): void {
    const waiting = this.requests.filter(({ reply }) => !reply);
    const request = waiting[k % waiting.length];
    if (request) request.reply = this.#answerOnce(request.asked);
  }

  /** Delivers the k-th answer, or loses it. */
  deliver(k: number, lost = false): void {
    const request = this.requests[k % this.requests.length];
    if (!request || (!request.reply && !lost)) return;
    this.requests = this.requests.filter((other) => other !== request);
    request.resolve(lost || !request.reply ? { fault: 'ERR_NETWORK' } : request.reply);
  }

  /** Delivers the next message. */
  push(): void {
    const message = this.outbox.shift();
    if (message) this.#loggedIn?.receive(message);
  }

  /** Processes and delivers everything, and stops holding. */
  release(): void {
    this.held = false;
    while (this.requests.length > 0) {
      this.process(0);
      this.deliver(0);
    }
    while (this.outbox.length > 0) this.push();
  }

  /** Breaks the socket; undelivered messages are lost. */
  drop(): void {
    this.outbox = [];
    this.#loggedIn = undefined;
    this.#worker.sockets.last.drop();
  }

  tick(instrumentId: number, price: string, topOfBook: { Bid?: string; Ask?: string } = {}): void {
    this.prices.set(instrumentId, price);
    const code = this.#instrument(instrumentId).code;
    const tick = tickRow(instrumentId, code, price, {
      Time: this.#worker.clock.now(),
      ...topOfBook,
    });
    this.#worker.sockets.last.receive(ticks(tick));
  }

  of(status: number): OrderRow[] {
    return [...this.orders.values()]
      .map((order) => this.#now(order))
      .filter(({ Status }) => Status === status);
  }

  /** Fills a pending order. */
  fill(id: number): void {
    const order = this.#find(id);
    if (order.row.Status !== PENDING) return;
    this.balance = subtract(this.balance, toDecimal(order.row.TradeFee));
    order.row = { ...order.row, Status: HOLDING, Price: this.#price(order) };
    this.#pushOrder(order);
  }

  end(id: number, reason: CloseReason): OrderRow {
    const order = this.#find(id);
    if (order.row.Status === CLOSED) return order.row;
    const { FactProfits, CautionMoney } = this.#now(order);
    this.balance = add(this.balance, add(toDecimal(CautionMoney), toDecimal(FactProfits)));
    this.#closings += 1;
    order.row = {
      ...order.row,
      FactProfits,
      UpdatePrice: this.#price(order),
      Status: CLOSED,
      CloseReason: reason,
      CompleteTimeHandler: new Date(this.#worker.clock.steady + this.#closings).toISOString(),
    };
    this.#pushOrder(order);
    return order.row;
  }

  /** The broker undoes the close of a position. */
  reopen(id: number): void {
    const order = this.#find(id);
    const { FactProfits, CautionMoney } = order.row;
    this.balance = subtract(this.balance, add(toDecimal(CautionMoney), toDecimal(FactProfits)));
    order.row = { ...order.row, Status: HOLDING, CloseReason: '', CompleteTimeHandler: '' };
    this.#pushOrder(order);
  }

  /** Closes a part of a position (protocol.md#partial-close); all of it where `lots` are not fewer. */
  part(id: number, lots: Lots): OrderRow {
    const order = this.#find(id);
    const { row } = order;
    const whole = toLots(row.Quantity);
    if (compare(lots, whole) >= 0) return this.end(id, 'user');
    const rest = subtract(whole, lots);
    const kept = (amount: string) => toFixed(shareOf(toUsd(amount), rest, whole), 2);
    const [CautionMoney, TradeFee] = [kept(row.CautionMoney), kept(row.TradeFee)];
    const Swap = kept(row.Swap ?? '0');
    const closed = this.#nextId++;
    this.parts += 1;
    this.orders.set(closed, {
      instrument: order.instrument,
      row: {
        ...row,
        Id: closed,
        Quantity: toText(lots),
        CautionMoney: toFixed(subtract(toDecimal(row.CautionMoney), toDecimal(CautionMoney)), 2),
        TradeFee: toFixed(subtract(toDecimal(row.TradeFee), toDecimal(TradeFee)), 2),
        Swap: toFixed(subtract(toDecimal(row.Swap ?? '0'), toDecimal(Swap)), 2),
      },
    });
    order.row = { ...row, Quantity: toText(rest), CautionMoney, TradeFee, Swap };
    this.end(closed, 'user');
    this.#pushOrder(order);
    return this.#now(order);
  }

  /** Charges a night of a position (protocol.md#overnight-financing). */
  night(id: number, amount: string): void {
    const order = this.#find(id);
    this.balance = add(this.balance, toDecimal(amount));
    const sum = add(toDecimal(order.row.Swap ?? '0'), toDecimal(amount));
    order.row = { ...order.row, Swap: toFixed(sum, 2) };
    this.#pushOrder(order);
  }

  stops(id: number, stopLoss: string, takeProfit: string, trailing = '0'): OrderRow {
    const order = this.#find(id);
    const stops = { TargetLossPrice: stopLoss, TargetProfitPrice: takeProfit, Trailing: trailing };
    order.row = { ...order.row, ...stops };
    this.#pushOrder(order);
    return order.row;
  }

  /** Replaces the terms of a pending order (protocol.md#amend). */
  amend(id: number, params: Record<string, string>): OrderRow {
    const order = this.#find(id);
    const { row, instrument } = order;
    const lots = toLots(params['cont'] ?? '0');
    const target = params['target_price'] ?? '0';
    const terms = [lots, toPrice(target), toLeverage(row.Multiple)] as const;
    const CautionMoney = toFixed(margin(instrument, ...terms), 2);
    this.balance = subtract(add(this.balance, toUsd(row.CautionMoney)), toUsd(CautionMoney));
    this.amended += 1;
    order.row = {
      ...row,
      ...{ Quantity: toText(lots), OriginPrice: target, CautionMoney },
      TradeFee: toFixed(fee(instrument, this.feeType, ...terms), 2),
      TargetLossPrice: params['stop_loss_price'] ?? '0',
      TargetProfitPrice: params['target_profit_price'] ?? '0',
      Trailing: params['trailing'] ?? '0',
      Until: Number(params['until'] ?? 0),
    };
    this.#pushOrder(order);
    return order.row;
  }

  open(params: Record<string, string>): OrderRow {
    const instrument = this.#instrument(Number(params['forex_id']));
    const pending = params['status'] === '0';
    const price = this.prices.get(instrument.id) ?? '1';
    const target = params['target_price'] ?? '0';
    const lots = toLots(params['cont'] ?? '1');
    const leverage = toLeverage(params['multiple'] ?? '100');
    const priced = toPrice(pending ? target : price);
    const frozen = margin(instrument, lots, priced, leverage);
    const charged = fee(instrument, this.feeType, lots, priced, leverage);
    this.balance = subtract(this.balance, pending ? frozen : add(frozen, charged));
    const id = this.#nextId++;
    const order: TestOrder = {
      instrument,
      row: {
        Id: id,
        ForexTradeLists: {
          Id: instrument.id,
          Code: instrument.code,
          ShowCode: instrument.name,
          PricePrecision: instrument.precision,
        },
        OrderType: Number(params['type'] ?? 1),
        Quantity: toText(lots),
        Multiple: toText(leverage),
        OriginPrice: target,
        Price: pending ? '0' : price,
        UpdatePrice: price,
        FactProfits: '0.000000',
        CautionMoney: toFixed(frozen, 2),
        TradeFee: toFixed(charged, 2),
        TargetLossPrice: params['stop_loss_price'] ?? '0',
        TargetProfitPrice: params['target_profit_price'] ?? '0',
        Trailing: params['trailing'] ?? '0',
        Until: Number(params['until'] ?? 0),
        Status: pending ? PENDING : HOLDING,
        CreateTimeHandler: new Date(this.#worker.clock.steady).toISOString(),
        CompleteTimeHandler: '',
        CloseReason: '',
      },
    };
    this.orders.set(id, order);
    this.#pushOrder(order);
    return order.row;
  }

  /** Balances and figures (protocol.md#account-summary). */
  detail() {
    let marginInUse: Decimal = ZERO;
    let floating: Decimal = ZERO;
    for (const row of [...this.of(PENDING), ...this.of(HOLDING)]) {
      marginInUse = add(marginInUse, toDecimal(row.CautionMoney));
      floating = add(floating, toDecimal(row.FactProfits));
    }
    const account = {
      balance: this.balance as Usd,
      marginInUse: marginInUse as Usd,
      profit: floating as Usd,
    };
    const percent = (value: Decimal | undefined) => (value ? toFixed(value, 2) : '--');
    return {
      balance: toFixed(this.balance, 6),
      lock_balance: toFixed(add(marginInUse, this.locked), 6),
      caution_money: toFixed(marginInUse, 2),
      fact_profits: toFixed(floating, 6),
      net_value: toFixed(equity(account), 6),
      free_balance: toFixed(available(account), 6),
      risk_rate: percent(riskRate(account)),
      prepayment_ratio: percent(marginLevel(account)),
    };
  }

  #instrument(id: number): Instrument {
    const instrument = this.#instruments.get(id);
    if (!instrument) throw new Error(`no instrument ${id}`);
    return instrument;
  }

  #find(id: number): TestOrder {
    const order = this.orders.get(id);
    if (!order) throw new Error(`no order ${id}`);
    return order;
  }

  #price({ instrument }: TestOrder): string {
    return this.prices.get(instrument.id) ?? '0';
  }

  /** The row of an order at the latest price. */
  #now(order: TestOrder): OrderRow {
    const { row, instrument } = order;
    if (row.Status === CLOSED) return row;
    const UpdatePrice = this.#price(order);
    if (row.Status === PENDING) return { ...row, UpdatePrice };
    const position = {
      side: row.OrderType === 1 ? ('buy' as const) : ('sell' as const),
      lots: toLots(row.Quantity),
      unitsPerLot: instrument.unitsPerLot,
      price: toPrice(row.Price),
    };
    const floating = profit(position, toPrice(UpdatePrice));
    return { ...row, UpdatePrice, FactProfits: toFixed(floating, 6) };
  }

  #pushOrder(order: TestOrder): void {
    const { row } = order;
    const socket = this.#loggedIn;
    if (!socket) return;
    if (row.Status === CLOSED)
      this.#send({ type: 'FOREX_CLOSED', data: { Id: row.Id, Order: row } }, socket);
    else this.#send({ type: 'FOREX_TRADE', data: this.#now(order) }, socket);
  }

  #send(message: object, socket: ScriptedSocket): void {
    if (this.held) this.outbox.push(message);
    else socket.receive(message);
  }

  #arrive(asked: Asked): Reply | Promise<Reply> {
    if (!this.held) return this.#answerOnce(asked);
    return new Promise((resolve) => this.requests.push({ asked, reply: undefined, resolve }));
  }

  /** Answers a repeated key with the stored answer (protocol.md#idempotency). */
  #answerOnce(asked: Asked): Reply {
    if (asked.headers['authorization'] !== this.token) return { code: 999, msg: 'Please log in' };
    const key = asked.headers['idempotency-key'];
    const { t: _, ...sent } = asked.params;
    const content = JSON.stringify([asked.path, sent, asked.body]);
    const stored = key && this.#answers.get(key);
    if (stored)
      return stored.content === content ? stored.reply : { code: 422, msg: 'Other parameters' };
    if (!Number.isInteger(Number(asked.params['valid_until'] ?? 0)))
      return { code: 400, msg: 'valid_until is no integer' };
    const late = this.deadlines && this.wall() > Number(asked.params['valid_until'] ?? Infinity);
    const reply: Reply = late ? { code: 2, msg: 'Expired' } : this.#answer(asked);
    if (!key) return reply;
    this.#answers.set(key, { reply, content });
    if ('data' in reply) this.executed.set(key, this.wall());
    return reply;
  }

  #answer({ path, params }: Asked): Reply {
    const id = Number(params['id']);
    const known = this.orders.get(id)?.row.Status;
    switch (path.split('/').at(-1)) {
      case 'my_deal':
        return { data: this.#page(params) };
      case 'forexDetail':
        return { data: this.detail() };
      case 'submit':
        return { data: this.open(params) };
      case 'close':
        if (known !== HOLDING) return { code: 2, msg: 'Not holding' };
        if (params['cont']) return { data: this.part(id, toLots(params['cont'])), msg: 'Closed' };
        return { data: this.end(id, 'user'), msg: 'Closed' };
      case 'cancel_trade':
        if (known !== PENDING) return { code: 2, msg: 'Not pending' };
        return { data: this.end(id, 'cancelled'), msg: 'Cancelled' };
      case 'amend':
        if (known !== PENDING) return { code: 2, msg: 'Not pending' };
        return { data: this.amend(id, params), msg: 'Changed' };
      case 'set_stop_price':
        if (known === undefined || known === CLOSED) return { code: 2, msg: 'Ended' };
        return {
          data: this.stops(
            id,
            params['stop_loss_price'] ?? '0',
            params['target_profit_price'] ?? '0',
            params['trailing'],
          ),
          msg: 'Saved',
        };
      default: {
        for (const row of [...this.of(PENDING), ...this.of(HOLDING)]) this.end(row.Id, 'reset');
        this.balance = toDecimal('100000');
        return { data: { balance: '100000' }, msg: 'Reset' };
      }
    }
  }

  #page({ status, page = '1', limit = '20' }: Record<string, string>) {
    const rows = this.of(Number(status));
    if (Number(status) === CLOSED)
      rows.sort((a, b) => b.CompleteTimeHandler.localeCompare(a.CompleteTimeHandler));
    else rows.sort((a, b) => b.Id - a.Id);
    const from = (Number(page) - 1) * Number(limit);
    const sum = rows.reduce<Decimal>((total, row) => add(total, toDecimal(row.FactProfits)), ZERO);
    const fees = rows
      .filter(({ Price }) => Number(Price) > 0)
      .reduce<Decimal>((total, row) => add(total, toDecimal(row.TradeFee)), ZERO);
    const swap = rows.reduce<Decimal>((sum, row) => add(sum, toDecimal(row.Swap ?? '0')), ZERO);
    return {
      data: rows.slice(from, from + Number(limit)),
      total: rows.length,
      all_fact_profits: toFixed(sum, 6),
      all_trade_fee: toFixed(fees, 2),
      all_swap: toFixed(swap, 2),
      balance: toFixed(this.balance, 6),
    };
  }
}

/** Whether two texts are the same amount. */
export function sameAmount(a: string | undefined, b: string): boolean {
  return a !== undefined && compare(toDecimal(a), toDecimal(b)) === 0;
}

/** A worker that is logged in, and its server. */
export async function loggedInWorker(rows: InstrumentRow[]) {
  const storage = new MemoryStorage();
  await storage.set('token', 'secret');
  const worker = createTestWorker(rows, { storage });
  const testServer = new TestServer(worker, rows);
  worker.start();
  await worker.clock.advance(1000);
  return { worker, testServer };
}
