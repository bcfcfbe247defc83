import { expect } from 'vitest';
import type { OrderRow } from '#domain/api/trading';
import {
  add,
  compare,
  decimal,
  isZero,
  round,
  toDecimal,
  toText,
  unitsOf,
  ZERO,
} from '#domain/core/decimal';
import { toUnixMs } from '#domain/core/time';
import {
  type FeeRate,
  type Leverage,
  type Lots,
  type Price,
  toUnitsPerLot,
  type Usd,
} from '#domain/core/units';
import type { QuoteFill } from '#domain/trading/fill';
import type { Earned } from '#domain/trading/stagedChange';
import { CommandLog } from '../../../server/commands/commandLog';
import { systemClock } from '../../../server/core/clock';
import type { Database } from '../../../server/db/database';
import { Refusal } from '../../../server/http/refusal';
import { audit } from '../../../server/ledger/audit';
import { ExposureLimits } from '../../../server/trading/exposureLimits';
import { Exposures } from '../../../server/trading/exposures';
import { noWatch } from '../../../server/trading/tickWatch';
import { instrument, type ScriptedTick } from '../support/scriptedMarket';
import { SerialMarket } from '../support/serialMarket';
import { clearTrading } from '../support/tables';
import type { Action } from './actions';
import { Model, type ModelInstrument, type ModelOrder, type ModelSubmit } from './model';
import { TestTrading } from './testTrading';

/** Millionths as plain text. */
const text = (millionths: bigint) => toText(decimal(millionths, 6));
const millionths = (value: string) => unitsOf(round(toDecimal(value), 6));
const totalOf = <T>(items: readonly T[], of: (item: T) => bigint) =>
  items.reduce((total, item) => total + of(item), 0n);
const exact = <T>(value: bigint) => decimal(value, 6) as T;

/** Two leveraged instruments of different precision, one of fixed margin, one without multipliers, one never traded, one of little worth. */
const LISTED: ModelInstrument[] = [
  {
    id: 1,
    open: true,
    price: 1_100_000n,
    book: undefined,
    units: 100_000n,
    fixed: false,
    leverages: [50n, 100n, 300n],
    feeRate: 7_000_000n,
    swap: { long: -6_333_333n, short: 1_234_567n, triple: 0 },
    minLots: 10_000n,
    step: 10_000n,
    point: 10n,
  },
  {
    id: 2,
    open: true,
    price: 2_000_000_000n,
    book: undefined,
    units: 100n,
    fixed: false,
    leverages: [20n, 30n],
    feeRate: 12_345_678n,
    swap: { long: -45_678_901n, short: -5_001n, triple: 2 },
    minLots: 100_000n,
    step: 50_000n,
    point: 10_000n,
  },
  {
    id: 3,
    open: true,
    price: 35_120_000n,
    book: undefined,
    units: 1_000n,
    fixed: true,
    leverages: [1n],
    feeRate: 333_333n,
    swap: { long: 15_000n, short: -25_000n, triple: undefined },
    minLots: 1_000_000n,
    step: 500_000n,
    point: 1_000n,
  },
  {
    id: 4,
    open: true,
    price: 50_000_000n,
    book: undefined,
    units: 1n,
    fixed: true,
    leverages: [],
    feeRate: 0n,
    swap: { long: 0n, short: 0n, triple: undefined },
    minLots: 1_000_000n,
    step: 1_000_000n,
    point: 10_000n,
  },
  {
    id: 5,
    open: false,
    price: undefined,
    book: undefined,
    units: 10n,
    fixed: false,
    leverages: [10n],
    feeRate: 0n,
    swap: { long: -1_000_000n, short: 0n, triple: 1 },
    minLots: 1_000_000n,
    step: 1_000_000n,
    point: 10_000n,
  },
  // The margin of few lots rounds to 0.00.
  {
    id: 6,
    open: true,
    price: 1_000_000n,
    book: undefined,
    units: 1n,
    fixed: false,
    leverages: [50n],
    feeRate: 0n,
    swap: { long: -4_999n, short: 5_000n, triple: 4 },
    minLots: 10_000n,
    step: 10_000n,
    point: 100n,
  },
];
/** Lot steps for about a hundredth of the starting balance. */
const STEPS = new Map([
  [1, 45n],
  [2, 2n],
  [3, 2n],
]);
const PRECISION = new Map([
  [1, 5],
  [2, 2],
  [3, 3],
  [4, 2],
  [5, 2],
  [6, 4],
]);

/** Where fees are a share of the margin, the rates are smaller. */
const listed = (feePerLot: boolean): ModelInstrument[] =>
  LISTED.map((each) => ({ ...each, feeRate: feePerLot ? each.feeRate : each.feeRate / 3_000n }));

/** Runs the server and the model side by side. */
export class ModelComparison {
  /** By former processes. */
  private readonly earned: Earned[] = [];
  readonly market: SerialMarket;
  readonly model: Model;
  readonly instruments: Map<number, ModelInstrument>;
  trading: TestTrading;
  users: number[] = [];
  /** Points below and above the next prices of an instrument. */
  private readonly spreads = new Map<number, { below: number; above: number } | undefined>();
  readonly what: Set<string> = new Set();
  private readonly database: Database;
  private readonly feePerLot: boolean;
  private readonly quoteFill: QuoteFill;
  private readonly commands: CommandLog;

  private constructor(
    database: Database,
    market: SerialMarket,
    trading: TestTrading,
    feePerLot: boolean,
    quoteFill: QuoteFill,
    commands: CommandLog,
  ) {
    const instruments = listed(feePerLot);
    this.instruments = new Map(instruments.map((each) => [each.id, each]));
    this.model = new Model(instruments, feePerLot, quoteFill);
    this.database = database;
    this.market = market;
    this.trading = trading;
    this.feePerLot = feePerLot;
    this.quoteFill = quoteFill;
    this.commands = commands;
  }

  static async open(
    database: Database,
    feePerLot: boolean,
    quoteFill: QuoteFill,
    commands = new CommandLog(0, systemClock.now),
  ): Promise<ModelComparison> {
    await clearTrading(database.db);
    const market = new SerialMarket(
      listed(feePerLot).map((each) =>
        instrument(each.id, `CODE${each.id}`, {
          precision: PRECISION.get(each.id) ?? 0,
          unitsPerLot: toUnitsPerLot(decimal(each.units)),
          lotStep: exact<Lots>(each.step),
          minLots: exact<Lots>(each.minLots),
          marginMode: each.fixed ? 'fixed' : 'leveraged',
          leverages: each.leverages.map((value) => decimal(value) as Leverage),
          feeRate: exact<FeeRate>(each.feeRate),
          swap: {
            long: exact<Usd>(each.swap.long),
            short: exact<Usd>(each.swap.short),
            triple: each.swap.triple,
          },
        }),
      ),
    );
    for (const { id, price } of LISTED) {
      if (price !== undefined) await market.tick([id, Number(text(price))]);
    }
    const comparison = new ModelComparison(
      database,
      market,
      await openTrading(database, market, feePerLot, quoteFill, commands),
      feePerLot,
      quoteFill,
      commands,
    );
    const { trading } = comparison;
    for (let i = 0; i < 2; i++) {
      const id = await trading.addUser();
      comparison.users.push(id);
      comparison.model.addUser(id);
    }
    return comparison;
  }

  async act(action: Action): Promise<void> {
    const { model, market } = this;
    model.passTo(market.now());
    switch (action.do) {
      case 'submit': {
        const user = this.user(action.user);
        const wish = this.submission(action);
        const accepted = model.submit(user, wish);
        const at = this.trading.submit(user, wish.instrument, {
          side: wish.buy ? 'buy' : 'sell',
          type: wish.pending ? 'pending' : 'market',
          lots: exact<Lots>(wish.lots),
          leverage: decimal(wish.leverage) as Leverage,
          targetPrice: exact<Price>(wish.target),
          stopLoss: exact<Price>(wish.loss),
          takeProfit: exact<Price>(wish.gain),
          trailing: exact<Price>(wish.trail),
          deviation: wish.deviation === undefined ? undefined : exact<Price>(wish.deviation),
          until: wish.until === undefined ? undefined : toUnixMs(wish.until),
        });
        await this.agree(action, accepted, at);
        break;
      }
      case 'close':
      case 'part':
      case 'cancel':
      case 'stops':
      case 'amend':
        await this.change(action);
        break;
      case 'tick': {
        await this.tick(
          action.moves.map(({ on, points }) => {
            const by = BigInt(points) * this.at(on).point;
            return [on, () => this.moved(on, by)] as const;
          }),
        );
        break;
      }
      case 'jump': {
        const { price = 0n, point } = this.at(action.on);
        const to = ((price * BigInt(100 + action.percent)) / 100n / point) * point;
        await this.tick([[action.on, () => to]]);
        break;
      }
      case 'book': {
        const on = this.at(action.on);
        const { price = 0n, point } = on;
        const bid = price - BigInt(action.below) * point;
        const book = { bid, ask: price + BigInt(action.above) * point };
        // Where they decide everything, they come with a tick.
        if (this.quoteFill === 2) {
          this.spreads.set(action.on, action.none ? undefined : action);
          break;
        }
        on.book = action.none ? undefined : book;
        market.topOfBook(
          action.on,
          on.book && { bid: Number(text(on.book.bid)), ask: Number(text(on.book.ask)) },
        );
        break;
      }
      case 'second':
        market.pass(1000);
        await this.settle();
        break;
      case 'night':
        // Unless it is settled, the next tick or order charges.
        market.pass(action.hours * 3_600_000);
        if (action.settled) await this.settle();
        else model.passTo(market.now());
        break;
      case 'open':
        model.setOpen(action.on, action.open);
        market.setOpen(action.on, action.open);
        break;
      case 'reset':
        model.reset(this.user(action.user));
        await this.trading.run((work) => this.trading.engine.reset(work, this.user(action.user)));
        break;
      case 'restart':
        this.trading.close();
        expect(this.trading.errors).toEqual([]);
        this.earned.push(...this.trading.earned);
        this.trading = await openTrading(
          this.database,
          market,
          this.feePerLot,
          this.quoteFill,
          this.commands,
        );
    }
  }

  /** What the server does once a second. */
  private async settle(): Promise<void> {
    this.model.passTo(this.market.now());
    this.model.expire();
    await this.trading.engine.settleNow();
  }

  /**
   * Compares orders, balances and figures. Closed orders do not change, so they are compared once.
   */
  async compare(...statuses: (0 | 1 | 3)[]): Promise<void> {
    await this.settle();
    for (const user of this.users) {
      const { portfolio } = this.trading;
      for (const status of statuses) {
        const page = await portfolio.page(user, status, 1, 500);
        const mine = this.model.orders
          .filter((order) => order.user === user && order.status === status)
          .map((order) => this.expected(order));
        expect(page.data.map(essence).sort(byId)).toEqual(mine);
        for (const { reason } of mine) this.what.add(reason);
        const orders = this.model.orders.filter(
          (order) => order.user === user && order.status === status,
        );
        const sum = (of: (order: ModelOrder) => bigint) =>
          orders.reduce((total, order) => total + of(order), 0n);
        if (status !== 0) {
          expect(millionths(page.all_fact_profits)).toBe(
            sum((order) => this.model.profitOf(order)),
          );
        }
        expect(millionths(page.all_swap ?? '')).toBe(sum(({ swap }) => swap));
      }
      const summary = await portfolio.summary(user);
      expect({
        balance: millionths(summary.balance),
        margin: millionths(summary.caution_money),
        frozen: millionths(summary.lock_balance),
        profit: millionths(summary.fact_profits),
        free: millionths(summary.free_balance),
      }).toEqual({
        balance: this.model.balances.get(user),
        margin: this.model.marginOf(user),
        frozen: this.model.marginOf(user),
        profit: this.model.floating(user),
        free: this.model.free(user),
      });
    }
  }

  async end(): Promise<void> {
    for (const what of this.model.events) this.what.add(what);
    expect(this.trading.errors).toEqual([]);
    await this.compareExposure();
    this.trading.close();
    expect(await audit(this.database.db)).toEqual([]);
  }

  /** What the broker has at stake is the sum of all orders and accounts, to the digit, and what the ledger says. */
  private async compareExposure(): Promise<void> {
    const { trading, market, model, database } = this;
    const limits = new ExposureLimits(new Map());
    const { db } = database;
    const { engine } = trading;
    const house = await new Exposures({ db, market, engine, limits }).read();
    const isHeld = ({ status }: ModelOrder) => status === 1;
    const signed = ({ buy, lots }: ModelOrder) => (buy ? lots : -lots);
    for (const { id } of LISTED) {
      const own = model.orders.filter(({ instrument: of }) => of === id);
      const found = house.instruments.find(({ code }) => code === `CODE${id}`);
      const held = own.filter(isHeld);
      expect(unitsOf(found?.lots ?? ZERO, 6)).toBe(totalOf(held, signed));
      expect(unitsOf(found?.profit ?? ZERO, 6)).toBe(
        totalOf(held, (order) => model.profitOf(order)),
      );
      const { units } = this.at(id);
      const { net, buys, sells } = engine.openOrders.exposure(id);
      const pending = own.filter(({ status }) => status === 0);
      expect([net, buys, sells].map((each) => unitsOf(each, 6))).toEqual([
        totalOf(held, signed) * units,
        totalOf(
          pending.filter(({ buy }) => buy),
          ({ lots }) => lots,
        ) * units,
        totalOf(
          pending.filter(({ buy }) => !buy),
          ({ lots }) => lots,
        ) * units,
      ]);
    }
    const sum = (amounts: readonly Usd[]) => amounts.reduce<Usd>((a, b) => add(a, b), ZERO);
    expect(toText(sum(house.instruments.map(({ fees }) => fees)))).toBe(toText(house.ledger.fees));
    expect(compare(house.margin, house.ledger.margin)).toBe(0);
    expect(unitsOf(house.margin, 6)).toBe(totalOf(this.users, (user) => model.marginOf(user)));
    expect(unitsOf(house.ledger.available, 6)).toBe(
      totalOf(this.users, (user) => model.balances.get(user) ?? 0n),
    );
    const { available, margin, withdrawals, broker } = house.ledger;
    expect(isZero(sum([available, margin, withdrawals, broker]))).toBe(true);
    const spread = sum(house.instruments.map((each) => each.spread));
    expect(
      compare(spread, sum([...this.earned, ...trading.earned].map((each) => each.spread))),
    ).toBe(0);
  }

  private async change(
    action: Extract<Action, { do: 'close' | 'part' | 'cancel' | 'stops' | 'amend' }>,
  ) {
    const user = this.user(action.user);
    const { model, trading } = this;
    const waits = action.do === 'cancel' || action.do === 'amend';
    const id = this.pick(action.which, user, waits ? 0 : 1);
    if (action.do === 'close') {
      const at = trading.run((work) => trading.engine.close(work, user, id));
      return this.agree(action, model.close(user, id), at);
    }
    if (action.do === 'part') {
      const order = model.orders.find((each) => each.id === id);
      const { step } = this.at(order?.instrument ?? 1);
      const share = ((order?.lots ?? step) * BigInt(action.percent)) / 100n;
      const lots = (share / step) * step + (action.odd ? 1n : 0n);
      const at = trading.run((work) => trading.engine.close(work, user, id, exact<Lots>(lots)));
      return this.agree(action, model.closePart(user, id, lots), at);
    }
    if (action.do === 'cancel') {
      const at = trading.run((work) => trading.engine.cancel(work, user, id));
      return this.agree(action, model.cancel(user, id), at);
    }
    if (action.do === 'amend') return this.amend(action, user, id);
    const { exits } = action;
    const order = model.orders.find((each) => each.id === id);
    const on = order?.instrument ?? 1;
    const reference = order?.status === 0 ? order.origin : (this.at(on).price ?? 0n);
    const { point } = this.at(on);
    const right = order?.buy === false ? -1n : 1n;
    const stop = (distance: number, side: bigint) =>
      distance === 0 ? 0n : reference + BigInt(distance) * point * side + (exits.fine ? 1n : 0n);
    const [loss, gain] = [stop(exits.loss, -right), stop(exits.gain, right)];
    const trail = BigInt(exits.trail) * point;
    const at = trading.run((work) =>
      trading.engine.setExits(work, user, id, {
        stopLoss: exact<Price>(loss),
        takeProfit: exact<Price>(gain),
        trailing: exact<Price>(trail),
      }),
    );
    return this.agree(action, model.setExits(user, id, loss, gain, trail), at);
  }

  private async amend(action: Extract<Action, { do: 'amend' }>, user: number, id: number) {
    const { model, trading } = this;
    const order = model.orders.find((each) => each.id === id);
    const { price = 0n, point, step } = this.at(order?.instrument ?? 1);
    const target = price + BigInt(action.target) * point;
    const right = order?.buy === false ? -1n : 1n;
    const { exits } = action;
    const stop = (distance: number, side: bigint) =>
      distance === 0 ? 0n : target + BigInt(distance) * point * side + (exits.fine ? 1n : 0n);
    const terms = {
      lots: (((order?.lots ?? step) * BigInt(action.lots)) / 100n / step) * step,
      target,
      loss: stop(exits.loss, -right),
      gain: stop(exits.gain, right),
      trail: BigInt(exits.trail) * point,
      until: this.until(action.expires),
    };
    const at = trading.run((work) =>
      trading.engine.amend(work, user, id, {
        lots: exact<Lots>(terms.lots),
        targetPrice: exact<Price>(terms.target),
        stopLoss: exact<Price>(terms.loss),
        takeProfit: exact<Price>(terms.gain),
        trailing: exact<Price>(terms.trail),
        until: terms.until === undefined ? undefined : toUnixMs(terms.until),
      }),
    );
    return this.agree(action, model.amend(user, id, terms), at);
  }

  private until(expires: number | undefined): number | undefined {
    return expires === undefined ? undefined : this.model.time + expires;
  }

  /** Mostly an order of the user in this status; otherwise any order, or an id after the last. */
  private pick(which: number, user: number, status: number): number {
    const { orders } = this.model;
    const fitting = orders.filter((order) => order.user === user && order.status === status);
    const fit = which % 4 === 0 ? undefined : fitting[which % (fitting.length || 1)];
    return fit?.id ?? (which % (orders.length + 1)) + 1;
  }

  /** Each price follows from those before. */
  private async tick(batch: readonly (readonly [number, () => bigint])[]): Promise<void> {
    const { model, market } = this;
    const open = batch.filter(([on]) => this.at(on).open);
    if (open.length === 0) return;
    // As SerialMarket does.
    const start = market.time + 1000;
    const counts = new Map<number, number>();
    const ticks = open.map(([on, priced]): ScriptedTick => {
      const earlier = counts.get(on) ?? 0;
      counts.set(on, earlier + 1);
      model.passTo(start + earlier);
      model.expire();
      const price = priced();
      const book = this.bookAt(on, price);
      if (this.quoteFill === 2) this.at(on).book = book;
      model.tick(on, price);
      const sides = book && { bid: Number(text(book.bid)), ask: Number(text(book.ask)) };
      return [on, Number(text(price)), 1, sides];
    });
    await market.tick(...ticks);
  }

  /** Bid and ask at a price, where they come with a tick. */
  private bookAt(on: number, price: bigint): { bid: bigint; ask: bigint } | undefined {
    const { below, above } = this.spreads.get(on) ?? { below: 0, above: 0 };
    if (this.quoteFill < 2) return undefined;
    const { point } = this.at(on);
    // A crossed book has a test of its own.
    const bid = price - BigInt(Math.max(0, below)) * point;
    return { bid: bid > 0n ? bid : price, ask: price + BigInt(Math.max(0, above)) * point };
  }

  private async agree(action: Action, accepted: boolean, at: Promise<unknown>): Promise<void> {
    const done = await at.then(
      () => true,
      (error: unknown) => {
        if (error instanceof Refusal) return false;
        throw error;
      },
    );
    this.what.add(`${action.do} ${done}`);
    expect(done, JSON.stringify(action)).toBe(accepted);
  }

  private submission(action: Extract<Action, { do: 'submit' }>): ModelSubmit {
    const { price = 1_000_000n, step, leverages, point } = this.at(action.on);
    const away = (from: bigint, points: number) => from + BigInt(points) * point;
    const target = action.pending
      ? away(price, action.target) + (action.fineTarget ? 1n : 0n)
      : action.seen === 0
        ? 0n
        : away(price, action.seen);
    const reference = action.pending ? target : price;
    const stop = (points: number) =>
      points === 0 ? 0n : away(reference, points) + (action.fine ? 1n : 0n);
    return {
      instrument: action.on,
      buy: action.buy,
      pending: action.pending,
      lots: BigInt(action.lots) * (STEPS.get(action.on) ?? 1n) * step + (action.odd ? 1n : 0n),
      leverage: leverages[action.leverage] ?? 7n,
      target,
      loss: stop(action.buy ? -action.loss : action.loss),
      gain: stop(action.buy ? action.gain : -action.gain),
      trail: BigInt(action.trail) * point,
      deviation: action.deviation < -20 ? undefined : BigInt(action.deviation) * point,
      until: this.until(action.expires),
    };
  }

  private expected(order: ModelOrder): Essence {
    return {
      id: order.id,
      instrument: order.instrument,
      buy: order.buy,
      lots: order.lots,
      leverage: order.leverage * 1_000_000n,
      origin: order.origin,
      fill: order.fill,
      now: order.status === 3 ? order.closePrice : this.model.judged(order),
      profit: this.model.profitOf(order),
      margin: order.margin,
      fee: order.fee,
      swap: order.swap,
      loss: order.loss,
      gain: order.gain,
      trail: order.trail,
      until: order.until ?? 0,
      reason: order.reason,
    };
  }

  private moved(on: number, by: bigint): bigint {
    const to = (this.at(on).price ?? 0n) + by;
    return to > 0n ? to : this.at(on).point;
  }

  private at(on: number): ModelInstrument {
    const found = this.instruments.get(on);
    if (!found) throw new Error(`no instrument ${on}`);
    return found;
  }

  private user(index: number): number {
    return this.users[index] ?? 0;
  }
}

function openTrading(
  { db }: Database,
  market: SerialMarket,
  feePerLot: boolean,
  quoteFill: QuoteFill,
  commands: CommandLog,
): Promise<TestTrading> {
  const feeType = feePerLot ? 'per-lot' : 'rate';
  const limits = new ExposureLimits(new Map());
  return TestTrading.open(db, market, feeType, noWatch, quoteFill, true, limits, commands);
}

function essence(row: OrderRow) {
  return {
    id: row.Id,
    instrument: row.ForexTradeLists.Id,
    buy: row.OrderType === 1,
    lots: millionths(row.Quantity),
    leverage: millionths(row.Multiple),
    origin: millionths(row.OriginPrice),
    fill: millionths(row.Price),
    now: millionths(row.UpdatePrice),
    profit: millionths(row.FactProfits),
    margin: millionths(row.CautionMoney),
    fee: millionths(row.TradeFee),
    swap: millionths(row.Swap ?? ''),
    loss: millionths(row.TargetLossPrice),
    gain: millionths(row.TargetProfitPrice),
    trail: millionths(row.Trailing ?? ''),
    until: row.Until,
    reason: row.CloseReason as string,
  };
}
type Essence = ReturnType<typeof essence>;

function byId(a: Essence, b: Essence): number {
  return a.id - b.id;
}
