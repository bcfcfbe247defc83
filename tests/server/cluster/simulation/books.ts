import type { PGlite } from '@electric-sql/pglite';
import { expect } from 'vitest';
import { CODE_OK, type Envelope } from '#domain/api/envelope';
import type { OrderRow } from '#domain/api/trading';
import { compare, isZero, toText, ZERO } from '#domain/core/decimal';
import { toDurationMs, toUnixMs, type UnixMs } from '#domain/core/time';
import { type Price, toLots, toPrice } from '#domain/core/units';
import type { Instrument } from '#domain/market/instrument';
import { isCrossed } from '#domain/trading/alert';
import {
  type Condition,
  changedPrice,
  counts,
  linePrice,
  type MovingCondition,
} from '#domain/trading/condition';
import { barCrossings } from '#domain/trading/indicatorCrossings';
import type { AmendedTerms } from '#domain/trading/matching';
import type { OrderState } from '#domain/trading/orderState';
import type { OrderRequest } from '#domain/trading/rules';
import { DEMO_BALANCE } from '../../../../server/account/demo';
import type { AlertState } from '../../../../server/alerts/alertState';
import { AlertWatch } from '../../../../server/alerts/alertWatch';
import { BarWatch } from '../../../../server/alerts/barWatch';
import { UserAlerts } from '../../../../server/alerts/userAlerts';
import type { BusMarket } from '../../../../server/cluster/busMarket';
import { RepeatedTask } from '../../../../server/core/repeatedTask';
import type { Database, Db } from '../../../../server/db/database';
import * as schema from '../../../../server/db/schema';
import type { UnitOfWork } from '../../../../server/db/transactions';
import { isUnavailable } from '../../../../server/db/unavailable';
import { Refusal } from '../../../../server/http/refusal';
import { IdempotentRequests } from '../../../../server/idempotency/idempotentRequests';
import { audit } from '../../../../server/ledger/audit';
import { financialRecords } from '../../../../server/ledger/records';
import type { Tick } from '../../../../server/market/market';
import type { MatchingEngine } from '../../../../server/trading/matchingEngine';
import { orderRow } from '../../../../server/trading/rows';
import { problemsOf } from '../../../histories/checkHistory';
import { type RecordedAccount, type RecordedSocket, Recorder } from '../../../histories/history';
import { MovingModel } from '../../alerts/movingModel';
import { testOutbox } from '../../push/testOutbox';
import { mortalDatabase } from '../../support/mortalDatabase';
import { expectReplayed } from '../../support/replayed';
import { TestTrading } from '../../trading/testTrading';
import { HEALED_AT } from './faults';
import type { Truth } from './feedMarket';
import { checkOrder, type Instant, type Moment } from './orderCheck';
import type { SimulatedProcess } from './simulatedProcess';
import type { World } from './world';

/** When an order was given its terms: after so many moments. */
interface Accepted extends Instant {
  after: number;
}

/** The key of a call, and what was answered. */
interface Answered {
  userId: number;
  envelope: Envelope<unknown>;
}

/** A call, as it is sent and as it is done. */
interface Asked {
  address: string;
  job(work: UnitOfWork): Promise<OrderState>;
}

/** What a user asks an engine for. */
interface Wish {
  user: number;
  /** Undefined where the engine can't be asked for it now. */
  of(booked: BookedTrading, userId: number): Asked | undefined;
}

/** Trading of one process, until it ends or loses the database. */
export interface BookedTrading {
  process: SimulatedProcess;
  market: BusMarket;
  trading: TestTrading;
  requests: IdempotentRequests;
  alerts: UserAlerts;
  /** Others may have written meanwhile. */
  forget(): void;
}

/** Before a call that was not done is repeated, ms. */
const AGAIN_MS = [300, 1_000] as const;
/** A call that is not answered within this time is repeated too, ms. */
const ANSWERED_WITHIN_MS = toDurationMs(5_000);
const USERS = 2;
const LOTS = toLots('0.01');
/** Of so many moments of a process at its database one is its last. */
const KILLED_ONCE_IN = 300;
const SETTLED_EVERY_MS = toDurationMs(1_000);
const SIDES = { rise: -1, fall: 1, '': 0 } as const;
/** A bar that has ended so long ago is judged. */
const JUDGED_WITHIN_MS = 8_000;
/** Farthest distances of targets and stops, and of alerts, from the price, in points. */
const AWAY = 12;

/** A real database, whose work is waited for before time passes. */
export class WatchedDatabase {
  readonly db: Db;
  readonly client: PGlite;
  /** How many messages it works on. */
  private working = 0;

  constructor({ db }: Database) {
    this.db = db;
    this.client = (db as unknown as { $client: PGlite }).$client;
    const { client } = this;
    const { execProtocol } = client;
    client.execProtocol = async (...args) => {
      this.working++;
      try {
        return await execProtocol.apply(client, args);
      } finally {
        this.working--;
      }
    };
  }

  get isIdle(): boolean {
    return this.working === 0;
  }
}

/** The real database of an engine, what its users have asked for, and which ticks its engines were given. */
export class Books {
  private readonly users: number[] = [];
  /** The calls that were answered, by key. */
  private readonly answered = new Map<string, Answered>();
  /** The keys of calls that place orders. */
  private readonly placing = new Set<string>();
  /** The terms that each order was given. */
  private readonly terms = new Map<number, string[]>();
  private readonly database: WatchedDatabase;
  private readonly moments: Moment[] = [];
  private readonly accepted = new Map<number, Accepted>();
  /** Alerts as they were added. */
  private readonly watched = new Map<number, AlertState>();
  private readonly opened: TestTrading[] = [];
  private asked = 0;
  private unanswered = 0;
  /** What the users see. */
  private readonly recorder = new Recorder();
  private readonly accounts: RecordedAccount[] = [];
  /** Of the engine that has the database: one socket a user. */
  private sockets: RecordedSocket[] = [];
  private serving: TestTrading | undefined;

  constructor(database: WatchedDatabase) {
    this.database = database;
  }

  /** Whether every call has its answer. */
  get isQuiet(): boolean {
    return this.unanswered === 0;
  }

  /** Trading on this database, as long as the process has it. It may be killed at each moment of its work there. */
  async open(
    world: World,
    process: SimulatedProcess,
    market: BusMarket,
    hasDatabase: () => boolean,
  ): Promise<BookedTrading> {
    const db = mortalDatabase(this.database.db, () => {
      if (
        hasDatabase() &&
        world.time.elapsed() < HEALED_AT &&
        world.random.chance(1 / KILLED_ONCE_IN)
      ) {
        world.note('engine killed at its database');
        process.kill();
      }
      return hasDatabase();
    });
    const now = () => process.clock.now();
    const watch = new AlertWatch({
      market,
      outbox: testOutbox(),
      now,
      onTrigger() {},
    });
    const trading = await market.exclusively(async () => {
      const opened = await TestTrading.record(db, market, watch);
      this.record(opened.engine, market, hasDatabase);
      return opened;
    });
    while (this.users.length < USERS) {
      this.users.push(await trading.addUser());
      const name = `user ${this.users.length}`;
      this.accounts.push(this.recorder.account(name, toText(DEMO_BALANCE)));
    }
    this.hear(trading);
    this.logIn(trading);
    const settling = new RepeatedTask({
      ...{ name: 'settling', every: SETTLED_EVERY_MS, clock: process.clock, log: world.log },
      run: () =>
        trading.engine.settleNow().catch((error: unknown) => {
          if (!isUnavailable(error)) throw error;
        }),
    });
    settling.start();
    const { transactions } = trading;
    const { clock } = process;
    // Without its database, or without an answer of the feed, it judges later.
    const log = { ...world.log, error: () => world.note('indicators judged later') };
    new BarWatch({ market, transactions, clock, log, watch }).start();
    this.opened.push(trading);
    return {
      process,
      market,
      trading,
      requests: new IdempotentRequests(trading.transactions, now),
      alerts: new UserAlerts(db, market, watch, now),
      forget: () => {
        trading.ledger.forget();
        trading.engine.forget();
        // As gateways, which close the sockets where an engine begins again.
        if (this.serving === trading) this.logIn(trading);
      },
    };
  }

  /** A user places an order. */
  place(world: World, engine: () => BookedTrading | undefined): void {
    const { random } = world;
    const instrumentId = random.pick(world.truth.ids);
    const draw = drawnOrder(world, instrumentId);
    let asked: OrderRequest | undefined;
    const key = this.ask(world, engine, {
      user: random.between(0, USERS - 1),
      of({ market, trading }, userId) {
        const quote = market.quote(instrumentId);
        if (!quote) return undefined;
        asked ??= draw(quote.price, instrumentOf(market, instrumentId));
        const request = asked;
        return {
          address: addressOf('submit', request, { forex_id: instrumentId }),
          job: (work) => trading.engine.submit(work, userId, instrumentId, request),
        };
      },
    });
    this.placing.add(key);
  }

  /** A user amends a pending order. */
  amend(world: World, engine: () => BookedTrading | undefined): void {
    const { random } = world;
    const user = random.between(0, USERS - 1);
    const nth = random.between(0, AWAY);
    const { trading, market } = engine() ?? {};
    const userId = this.users[user] ?? 0;
    const waiting = [...(trading?.engine.openOrders.account(userId)?.pending.values() ?? [])];
    const order = waiting[nth % waiting.length];
    const quote = order && market?.quote(order.instrumentId);
    if (!market || !order || !quote) return;
    const draw = drawnOrder(world, order.instrumentId);
    const drawn = draw(quote.price, instrumentOf(market, order.instrumentId));
    // Exits that fitted another side or target may be refused.
    const terms = { ...drawn, targetPrice: drawn.targetPrice ?? order.originPrice };
    this.ask(world, engine, {
      user,
      of: ({ trading }) => ({
        address: addressOf('amend', terms, { id: order.id }),
        job: (work) => trading.engine.amend(work, userId, order.id, terms),
      }),
    });
  }

  /** A call that a user repeats with its key until it is answered. Returns the key. */
  private ask(world: World, engine: () => BookedTrading | undefined, wish: Wish): string {
    const { random, time } = world;
    const key = `00000000-0000-4000-8000-${String(++this.asked).padStart(12, '0')}`;
    this.unanswered++;
    const attempt = () => {
      let isOver = false;
      const once = (action: () => void) => () => {
        if (isOver) return;
        isOver = true;
        action();
      };
      const again = once(() => {
        world.note('call repeated');
        time.after(random.between(...AGAIN_MS), attempt);
      });
      const booked = engine();
      const userId = this.users[wish.user] as number;
      const asked = booked && wish.of(booked, userId);
      if (!booked || !asked) return again();
      const recorded = this.accounts[wish.user]?.invoke(asked.address, key);
      time.after(ANSWERED_WITHIN_MS, again);
      // Nothing that a process has done reaches a user once it has ended.
      const reach = (action: () => void) => () => booked.process.reach(action);
      booked.process.reach(() => {
        booked.requests.serve(this.callOf(key, userId, booked, asked.job)).then(
          ({ envelope }) => {
            const answer = () => {
              const { row } = (envelope.data ?? {}) as { row?: OrderRow };
              recorded?.answered({ ...envelope, data: row });
              this.answer(key, { userId, envelope });
            };
            reach(once(answer))();
          },
          (error: unknown) => {
            if (error instanceof Refusal || isUnavailable(error)) reach(again)();
            else world.fail(`a call: ${(error as Error).stack}`);
          },
        );
      });
    };
    attempt();
    return key;
  }

  private callOf(
    key: string,
    userId: number,
    { market }: BookedTrading,
    change: (work: UnitOfWork) => Promise<OrderState>,
  ) {
    return {
      userId,
      request: { userId, key, fingerprint: key },
      language: 'en' as const,
      job: async (work: UnitOfWork) => {
        const order = await change(work);
        const now = market.now();
        this.accepted.set(order.id, { after: this.moments.length, at: now, now });
        return { id: order.id, terms: termsOf(order), row: orderRow(order, undefined) };
      },
    };
  }

  /** A user wants to be told of a price. It is not repeated: what is in the database counts. */
  watch({ random, truth, fail }: World, { process, trading, alerts, market }: BookedTrading): void {
    const instrumentId = random.pick(truth.ids);
    const userId = this.users[random.between(0, USERS - 1)] as number;
    const points = random.between(1, AWAY) * (random.chance(0.5) ? 1 : -1);
    const draw = drawnCondition(random);
    process.reach(() => {
      const quote = market.quote(instrumentId);
      if (!quote) return;
      const level = priceAt(quote.price, points, instrumentOf(market, instrumentId));
      const condition = draw(Number(toText(level)), market.now());
      const price = condition.kind === 'price' ? level : ZERO;
      const none = { repeat: false, note: '', until: undefined };
      const asked = { instrumentId, condition, price, quote: ZERO, ...none };
      trading
        .run(async (work) => {
          const added = await alerts.add(work, userId, asked);
          if (!added.ended) this.watched.set(added.id, added);
        })
        .catch((error: unknown) => {
          if (error instanceof Refusal || isUnavailable(error)) return;
          fail(`an alert: ${(error as Error).stack}`);
        });
    });
  }

  /**
   * Fails on orders and alerts that are not what ticks have made of them; alerts do not miss the ticks that no engine was
   * given. `reached`: the last tick of an instrument that the engine has judged. Returns how many there were.
   */
  async check(
    { truth, time }: World,
    booked: BookedTrading,
    reached: (id: number) => number,
  ): Promise<Record<string, number>> {
    const { db } = this.database;
    const errors = this.opened.flatMap((trading) => trading.errors);
    expect([await audit(db), errors]).toEqual([[], []]);
    const played = await expectReplayed(this.database);
    await this.checkAnswers(booked);
    await this.checkHistory(booked.trading);
    const orders = await db.select().from(schema.orders);
    const calls = [...this.answered].filter(([, { envelope }]) => envelope.code === CODE_OK);
    const placed = calls.filter(([key]) => this.placing.has(key)).length;
    expect(orders.length, 'orders of accepted keys').toBe(placed);
    const alerts = await db.select().from(schema.alerts);
    const ended = alerts.filter((alert) => alert.ended);
    for (const alert of alerts) {
      const added = this.watched.get(alert.id);
      if (!added) continue;
      const { kind } = added.condition;
      const found = alert.ended && Number(alert.triggerPrice);
      const ticks = truth
        .ticksOf(alert.instrumentId)
        .slice(0, reached(alert.instrumentId) + 1)
        .filter((tick) => tick.time > added.since);
      const expected =
        kind === 'indicator'
          ? crossedBar(added, truth, time.now(), found)
          : crossed(added, ticks, truth);
      expect(found, `alert ${alert.id} on ${kind}`).toBe(expected);
    }
    const triggered = orders.map((order) => this.checkOrder(order, booked, time.now()));
    return {
      orders: placed,
      'commands played again': played,
      'calls refused': this.answered.size - calls.length,
      'orders amended': calls.length - placed,
      'orders expired': orders.filter(({ closeReason }) => closeReason === 'expired').length,
      'orders charged for a night': orders.filter(({ swap }) => !isZero(swap)).length,
      'triggers of orders': triggered.reduce((sum, each) => sum + each, 0),
      'triggers of alerts': ended.length,
      'triggers of alerts on conditions': ended.filter(({ kind }) => kind !== 'price').length,
      'triggers of alerts on indicators': ended.filter(({ kind }) => kind === 'indicator').length,
    };
  }

  /** Whoever repeats a call is told again what was told first, and nothing more is done. */
  private async checkAnswers({ requests }: BookedTrading): Promise<void> {
    for (const [key, { userId, envelope }] of this.answered) {
      const request = { userId, key, fingerprint: key };
      const job = () => Promise.reject(new Error(`${key} is done again`));
      const repeated = await requests.serve({ userId, request, language: 'en', job });
      expect(repeated.envelope).toEqual(envelope);
      if (envelope.code !== CODE_OK) continue;
      const { id, terms } = envelope.data as { id: number; terms: string };
      this.terms.set(id, [...(this.terms.get(id) ?? []), terms]);
    }
  }

  /** The users log in where this engine is at work. */
  private logIn(trading: TestTrading): void {
    for (const socket of this.sockets) socket.ended();
    this.sockets = this.accounts.map((account) => account.loggedIn());
    this.serving = trading;
  }

  /** The users are pushed what this engine publishes. */
  private hear(trading: TestTrading): void {
    const options = trading.engine['options'];
    const { onChange } = options;
    options.onChange = (order: OrderState) => {
      onChange(order);
      // The one that was opened later may have lost the database to this one again.
      if (this.serving !== trading) this.logIn(trading);
      const row = orderRow(order, undefined);
      const message =
        order.status === 'closed'
          ? { type: 'FOREX_CLOSED', data: { Id: order.id, Order: row } }
          : { type: 'FOREX_TRADE', data: row };
      this.sockets[this.users.indexOf(order.userId)]?.pushed(message);
    };
  }

  private async checkHistory({ portfolio }: TestTrading): Promise<void> {
    const { db } = this.database;
    for (const socket of this.sockets) socket.settled();
    for (const [index, account] of this.accounts.entries()) {
      const userId = this.users[index] as number;
      const read = async (address: string, answer: () => Promise<unknown>) => {
        const call = account.invoke(address);
        call.answered({ code: CODE_OK, msg: '', data: await answer() });
      };
      for (const status of [0, 1, 3])
        await read(`/v1/api/forex/my_deal?status=${status}&limit=500`, () =>
          portfolio.page(userId, status, 1, 500),
        );
      await read('/v1/api/main/wallet/getBalance', () => portfolio.balance(userId));
      await read('/v1/api/main/accountLog/forexChange?limit=500', () =>
        financialRecords(db, userId, { page: 1, limit: 500 }, 'en'),
      );
    }
    expect(problemsOf(this.recorder)).toEqual([]);
  }

  private checkOrder(order: OrderState, { market }: BookedTrading, end: UnixMs): number {
    const { id, instrumentId } = order;
    const { after, ...accepted } = this.accepted.get(id) as Accepted;
    // All those of one call, and of no other.
    expect(this.terms.get(id), `order ${id}`).toContain(termsOf(order));
    return checkOrder(order, {
      moments: this.moments.slice(after),
      accepted,
      instrument: instrumentOf(market, instrumentId),
      end,
    });
  }

  /** Notes what the engine is given. */
  private record(engine: MatchingEngine, market: BusMarket, hasDatabase: () => boolean): void {
    const judge = engine.ticks.bind(engine);
    engine.ticks = async (ticks) => {
      const now = market.now();
      const given = ticks.map((tick) => ({ tick, at: tick.time, now, isJudged: false }));
      this.moments.push(...given);
      await judge(ticks);
      const isJudged = hasDatabase() && !engine['stale'];
      for (const moment of given) moment.isJudged = isJudged;
    };
    const settle = engine['settle'].bind(engine);
    engine['settle'] = (work: UnitOfWork, at: UnixMs) => {
      this.moments.push({ at, now: market.now(), isJudged: false });
      return settle(work, at);
    };
  }

  private answer(key: string, answered: Answered): void {
    if (this.answered.has(key)) return;
    this.unanswered--;
    this.answered.set(key, answered);
  }
}

/** What an alert is on, near a level. */
function drawnCondition(random: World['random']) {
  const what = random.pick(['price', 'line', 'line', 'percent', 'indicator'] as const);
  const [ahead, length] = [random.between(-20_000, 20_000), random.between(1_000, 120_000)];
  const tilt = 1 + random.between(-20, 20) / 100_000;
  const scale = random.chance(0.5) ? ('linear' as const) : ('log' as const);
  // One that has begun before ticks that still are under way has a side already, of the price that the user saw.
  const extend = ahead > 0 && random.chance(0.7) ? ('right' as const) : ('both' as const);
  const change = (random.chance(0.5) ? 1 : -1) * (random.between(1, 20) / 100);
  const window = random.chance(0.5) ? ('day' as const) : ('hour' as const);
  const [average, cross] = [random.between(1, 3), random.pick(['up', 'down', 'any'] as const)];
  const isOfPrice = random.chance(0.7);
  return (level: number, now: UnixMs): Condition => {
    const t1 = toUnixMs(now + ahead);
    switch (what) {
      case 'price':
        return { kind: 'price' };
      case 'line':
        return {
          ...{ kind: 'line', t1, p1: level, t2: toUnixMs(t1 + length), p2: level * tilt },
          ...{ scale, extend },
        };
      case 'percent':
        return { kind: 'percent', change, window };
      case 'indicator':
        return {
          ...{ kind: 'indicator', name: 'sma', settings: [average], output: 'average', cross },
          ...{ period: '1min', level: isOfPrice ? undefined : level },
          other: isOfPrice ? 'price' : undefined,
        };
    }
  };
}

/** The price of the first of these ticks that crosses an alert; false where none does. */
function crossed(
  { condition, instrumentId, price, above, waits }: AlertState,
  ticks: readonly Tick[],
  truth: Truth,
): number | false {
  if (condition.kind !== 'line' && condition.kind !== 'percent') {
    const side = above ? 'rise' : 'fall';
    return ticks.find((tick) => isCrossed(price, side, toPrice(tick.price)))?.price ?? false;
  }
  const levelAt = (at: number) => levelOf(condition, instrumentId, toUnixMs(at), truth);
  const model = new MovingModel(levelAt, SIDES[waits], false, (side) =>
    counts(condition, side < 0 ? 'rise' : 'fall'),
  );
  for (const tick of ticks) model.tick(tick.price, tick.time);
  return model.triggered[0]?.price ?? false;
}

function levelOf(condition: MovingCondition, id: number, time: UnixMs, truth: Truth) {
  return condition.kind === 'line'
    ? linePrice(condition, time)
    : changedPrice(condition, truth.openAt(id, condition.window, time));
}

/** The close of the first bar at which an alert crosses; `found` where that bar has ended just now. */
function crossedBar(
  { condition, instrumentId, since }: AlertState,
  truth: Truth,
  now: UnixMs,
  found: number | false,
): number | false {
  if (condition.kind !== 'indicator') return false;
  const [first] = barCrossings(condition, truth.minutesOf(instrumentId), since, now);
  if (!first) return false;
  const isLate = now - first.time < JUDGED_WITHIN_MS;
  return isLate && found === false ? false : first.price;
}

/** What a user has asked of an order, as long as it does not follow the price. */
function termsOf({ lots, originPrice, takeProfit, trailing, until }: OrderState): string {
  return [...[lots, originPrice, takeProfit, trailing].map(toText), until].join(' ');
}

/** A call as a phone sends it. */
function addressOf(
  call: string,
  terms: AmendedTerms & Partial<OrderRequest>,
  more: Record<string, number>,
): string {
  const { side, type, lots, leverage, targetPrice, stopLoss, takeProfit, trailing, until } = terms;
  const params = {
    ...more,
    ...(call === 'submit' && { type: side === 'buy' ? 1 : 2, status: type === 'market' ? 1 : 0 }),
    multiple: toText(leverage ?? ZERO),
    cont: toText(lots ?? ZERO),
    target_price: toText(targetPrice ?? ZERO),
    stop_loss_price: toText(stopLoss ?? ZERO),
    target_profit_price: toText(takeProfit ?? ZERO),
    trailing: toText(trailing ?? ZERO),
    until: until ?? 0,
  };
  const query = Object.entries(params).map(([name, value]) => `${name}=${value}`);
  return `/v1/api/forex/${call}?${query.join('&')}`;
}

/** An order as a user draws it, around the price of the moment. */
function drawnOrder({ random, truth, time }: World, instrumentId: number) {
  const buy = random.chance(0.5);
  const target = random.chance(0.7) ? random.between(1, AWAY) * (random.chance(0.5) ? 1 : -1) : 0;
  const [loss, gain] = [random.between(1, AWAY), random.between(1, AWAY)];
  const follows = random.chance(0.3);
  // Often with a tick, which may be the one that reaches it.
  const expires = random.chance(0.4);
  const ticks = truth.ticksOf(instrumentId);
  const next = truth.lastIndex(instrumentId, time.now()) + random.between(2, 60);
  const until = ticks[next]?.time;
  return (price: number, instrument: Instrument): OrderRequest => {
    const at = (points: number) => priceAt(price, points, instrument);
    const side = buy ? 1 : -1;
    return {
      side: buy ? 'buy' : 'sell',
      type: target === 0 ? 'market' : 'pending',
      lots: compare(LOTS, instrument.minLots) < 0 ? instrument.minLots : LOTS,
      leverage: instrument.leverages[0],
      targetPrice: target === 0 ? undefined : at(target),
      stopLoss: follows ? undefined : at(target - side * loss),
      takeProfit: at(target + side * gain),
      trailing: follows ? priceAt(0, loss, instrument) : undefined,
      deviation: undefined,
      until: expires ? until : undefined,
    };
  };
}

function priceAt(price: number, points: number, { precision }: Instrument): Price {
  return toPrice((price + points * 10 ** -precision).toFixed(precision));
}

function instrumentOf(market: BusMarket, id: number): Instrument {
  return market.instruments.find((each) => each.id === id) as Instrument;
}
