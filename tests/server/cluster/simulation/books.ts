import type { PGlite } from '@electric-sql/pglite';
import { drizzle } from 'drizzle-orm/pglite';
import { expect } from 'vitest';
import { CODE_OK } from '#domain/api/envelope';
import { compare, isZero, toText, ZERO } from '#domain/core/decimal';
import { timeAfter, toDurationMs, type UnixMs } from '#domain/core/time';
import { type Price, toLots, toPrice } from '#domain/core/units';
import type { Instrument } from '#domain/market/instrument';
import { isCrossed } from '#domain/trading/alert';
import type { OrderRequest } from '#domain/trading/rules';
import { exitHit, isReached } from '#domain/trading/triggers';
import { AlertWatch } from '../../../../server/alerts/alertWatch';
import { UserAlerts } from '../../../../server/alerts/userAlerts';
import type { BusMarket } from '../../../../server/cluster/busMarket';
import type { Database, Db } from '../../../../server/db/database';
import * as schema from '../../../../server/db/schema';
import type { UnitOfWork } from '../../../../server/db/transactions';
import { DatabaseUnavailable, isUnavailable } from '../../../../server/db/unavailable';
import { Refusal } from '../../../../server/http/refusal';
import { IdempotentRequests } from '../../../../server/idempotency/idempotentRequests';
import { audit } from '../../../../server/ledger/audit';
import type { Tick } from '../../../../server/market/market';
import type { MatchingEngine } from '../../../../server/trading/matchingEngine';
import type { OrderState } from '../../../../server/trading/order';
import type { SeededRandom } from '../../../workers/simulation/seededRandom';
import { testOutbox } from '../../push/testOutbox';
import { TestTrading } from '../../trading/testTrading';
import type { Truth } from './feedMarket';
import type { SimulatedProcess } from './simulatedProcess';
import type { World } from './world';

/** An update of ticks as an engine was given it. */
interface Given {
  ticks: readonly Tick[];
  /** Whether everything that they trigger is written; otherwise a later tick does it. */
  isJudged: boolean;
}

/** A tick of such an update. */
interface Moment {
  tick: Tick;
  isJudged: boolean;
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
/** Of the refusal while the first call with a key is processed. */
const CODE_STILL_RUNNING = 409;
const LOTS = toLots('0.01');
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
  /** Keys whose calls were answered, and whether the order was accepted. */
  private readonly answered = new Map<string, boolean>();
  private readonly database: WatchedDatabase;
  private readonly given: Given[] = [];
  /** How many batches had been given when an order was accepted. */
  private readonly acceptedAt = new Map<number, number>();
  /** The time of the price that each alert was added at. */
  private readonly watchedSince = new Map<number, UnixMs>();
  private readonly opened: TestTrading[] = [];
  private asked = 0;
  private unanswered = 0;

  constructor(database: WatchedDatabase) {
    this.database = database;
  }

  /** Whether every call has its answer. */
  get isQuiet(): boolean {
    return this.unanswered === 0;
  }

  /** Trading on this database, as long as the process has it. */
  async open(
    process: SimulatedProcess,
    market: BusMarket,
    hasDatabase: () => boolean,
  ): Promise<BookedTrading> {
    const db = drizzle(clientOf(this.database.client, hasDatabase), { schema }) as unknown as Db;
    const now = () => process.clock.now();
    const watch = new AlertWatch({
      market,
      outbox: testOutbox(db),
      now,
      onTrigger() {},
    });
    const trading = await market.exclusively(async () => {
      const opened = await TestTrading.open(db, market, 'per-lot', watch);
      this.record(opened.engine, hasDatabase);
      return opened;
    });
    this.opened.push(trading);
    while (this.users.length < USERS) this.users.push(await trading.addUser());
    return {
      process,
      market,
      trading,
      requests: new IdempotentRequests(trading.transactions, now),
      alerts: new UserAlerts(db, market, watch, now),
      forget() {
        trading.ledger.forget();
        trading.engine.forget();
      },
    };
  }

  /** A user places an order, and repeats the call with its key until it is answered. */
  place(world: World, engine: () => BookedTrading | undefined): void {
    const { random, time } = world;
    const instrumentId = random.pick(world.truth.ids);
    const user = random.between(0, USERS - 1);
    const draw = drawnOrder(random);
    const key = `00000000-0000-4000-8000-${String(++this.asked).padStart(12, '0')}`;
    this.unanswered++;
    let asked: OrderRequest | undefined;
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
      const answer = (isAccepted: boolean) => once(() => this.answer(key, isAccepted))();
      const booked = engine();
      const quote = booked?.market.quote(instrumentId);
      if (!booked || !quote) return again();
      const userId = this.users[user] as number;
      asked ??= draw(quote.price, instrumentOf(booked.market, instrumentId), booked.market.now());
      const request = asked;
      const call = {
        userId,
        request: { userId, key, fingerprint: key },
        language: 'en' as const,
        job: async (work: UnitOfWork) => {
          const order = await booked.trading.engine.submit(work, userId, instrumentId, request);
          this.acceptedAt.set(order.id, this.given.length);
          return { Id: order.id };
        },
      };
      time.after(ANSWERED_WITHIN_MS, again);
      booked.process.reach(() => {
        booked.requests.serve(call).then(
          ({ envelope }) => answer(envelope.code === CODE_OK),
          (error: unknown) => {
            if (error instanceof Refusal && error.code !== CODE_STILL_RUNNING) answer(false);
            else if (error instanceof Refusal || isUnavailable(error)) again();
            else world.fail(`an order: ${(error as Error).stack}`);
          },
        );
      });
    };
    attempt();
  }

  /** A user amends a pending order. It is not repeated: what is in the database counts. */
  amend({ random, fail, note }: World, { process, trading, market }: BookedTrading): void {
    const userId = this.users[random.between(0, USERS - 1)] as number;
    const draw = drawnOrder(random);
    const nth = random.between(0, AWAY);
    process.reach(() => {
      const waiting = [...(trading.engine.openOrders.account(userId)?.pending.values() ?? [])];
      const order = waiting[nth % waiting.length];
      const quote = order && market.quote(order.instrumentId);
      if (!order || !quote) return;
      const drawn = draw(quote.price, instrumentOf(market, order.instrumentId), market.now());
      const targetPrice = drawn.targetPrice ?? order.originPrice;
      // Exits that fitted another side or target may be refused.
      const terms = { ...drawn, targetPrice };
      trading
        .run(async (work) => {
          const amended = await trading.engine.amend(work, userId, order.id, terms);
          this.acceptedAt.set(amended.id, this.given.length);
        })
        .then(
          () => note('order amended'),
          (error: unknown) => {
            if (error instanceof Refusal || isUnavailable(error)) return;
            fail(`an amendment: ${(error as Error).stack}`);
          },
        );
    });
  }

  /** A user wants to be told of a price. It is not repeated: what is in the database counts. */
  watch({ random, truth, fail }: World, { process, trading, alerts, market }: BookedTrading): void {
    const instrumentId = random.pick(truth.ids);
    const userId = this.users[random.between(0, USERS - 1)] as number;
    const points = random.between(1, AWAY) * (random.chance(0.5) ? 1 : -1);
    process.reach(() => {
      const quote = market.quote(instrumentId);
      if (!quote) return;
      const price = priceAt(quote.price, points, instrumentOf(market, instrumentId));
      const none = { repeat: false, note: '', until: undefined };
      const asked = { instrumentId, price, quote: ZERO, ...none };
      trading
        .run(async (work) => {
          const { id, since, ended } = await alerts.add(work, userId, asked);
          if (!ended) this.watchedSince.set(id, since);
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
  async check(truth: Truth, reached: (id: number) => number): Promise<Record<string, number>> {
    const { db } = this.database;
    const errors = this.opened.flatMap((trading) => trading.errors);
    expect([await audit(db), errors]).toEqual([[], []]);
    const orders = await db.select().from(schema.orders);
    const accepted = [...this.answered.values()].filter(Boolean).length;
    expect(orders.length, 'orders of accepted keys').toBe(accepted);
    const alerts = await db.select().from(schema.alerts);
    const ended = alerts.filter((alert) => alert.ended);
    for (const alert of alerts) {
      const since = this.watchedSince.get(alert.id);
      if (since === undefined) continue;
      const ticks = truth.ticksOf(alert.instrumentId).slice(0, reached(alert.instrumentId) + 1);
      const crossing = ticks.find(
        ({ time, price }) =>
          time > since &&
          isCrossed(toPrice(alert.price), alert.above ? 'rise' : 'fall', toPrice(price)),
      );
      expect(alert.ended && Number(alert.triggerPrice), `alert ${alert.id}`).toBe(
        crossing?.price ?? false,
      );
    }
    const triggered = orders.map((order) => this.checkOrder(order));
    return {
      orders: accepted,
      'orders refused': this.answered.size - accepted,
      'orders expired': orders.filter(({ closeReason }) => closeReason === 'expired').length,
      'triggers of orders': triggered.reduce((sum, each) => sum + each, 0),
      'triggers of alerts': ended.length,
    };
  }

  /** Fails where a trigger is not that of the first tick that reaches it. Returns how many there were. */
  private checkOrder(order: OrderState): number {
    const { id, originPrice, approach, closeReason, status, until } = order;
    const moments = this.momentsAfter(order.instrumentId, this.acceptedAt.get(id) ?? 0);
    const isPending = status === 'pending';
    const isClosed = status === 'closed';
    const isExpired = closeReason === 'expired';
    const valid = moments.filter(({ tick }) => until === null || tick.time < until);
    const isDue = moments.some(
      ({ isJudged, tick }) => isJudged && !valid.some((one) => one.tick === tick),
    );
    // Stops that follow the price are compared with a model elsewhere (tests/server/trading/model.ts).
    const isLeft = !isZero(order.trailing);
    const fills =
      approach === ''
        ? { at: [0], mayBeNone: false }
        : triggersIn(
            valid,
            0,
            (price) => isReached(originPrice, approach, price),
            (price) => compare(price, order.price) === 0,
          );
    const isRight = fills.at.some((fill) => {
      if (isLeft) return true;
      const closes = triggersIn(
        moments,
        fill,
        (price) => exitHit(order, price) !== undefined,
        (price) => compare(price, order.closePrice) === 0 && exitHit(order, price) === closeReason,
      );
      return isClosed ? closes.at.length > 0 : closes.mayBeNone;
    });
    const isUnfilled = isPending || isExpired;
    if (isUnfilled ? !fills.mayBeNone || (isPending && isDue) : !isRight) {
      expect.fail(`${show(order)} is ${status} after ${JSON.stringify(moments)}`);
    }
    return (approach !== '' && !isUnfilled ? 1 : 0) + (isClosed ? 1 : 0);
  }

  /** Notes what the engine is given. */
  private record(engine: MatchingEngine, hasDatabase: () => boolean): void {
    const judge = engine.ticks.bind(engine);
    engine.ticks = async (ticks) => {
      const given: Given = { ticks, isJudged: false };
      this.given.push(given);
      await judge(ticks);
      given.isJudged = hasDatabase() && !engine['stale'];
    };
  }

  private answer(key: string, isAccepted: boolean): void {
    if (this.answered.has(key)) return;
    this.unanswered--;
    this.answered.set(key, isAccepted);
  }

  private momentsAfter(instrumentId: number, from: number): Moment[] {
    return this.given
      .slice(from)
      .flatMap(({ ticks, isJudged }) =>
        ticks
          .filter((tick) => tick.instrumentId === instrumentId)
          .map((tick) => ({ tick, isJudged })),
      );
  }
}

/**
 * The ticks from index `from` on that may have triggered something: the first one that `isHit`, if it is what `isDone` says, and
 * those before it that were perhaps not judged. `mayBeNone`: perhaps none has.
 */
function triggersIn(
  moments: readonly Moment[],
  from: number,
  isHit: (price: Price) => boolean,
  isDone: (price: Price) => boolean,
): { at: number[]; mayBeNone: boolean } {
  const at: number[] = [];
  for (let index = from; index < moments.length; index++) {
    const { tick, isJudged } = moments[index] as Moment;
    const price = toPrice(tick.price);
    if (!isHit(price)) continue;
    if (isDone(price)) at.push(index);
    if (isJudged) return { at, mayBeNone: false };
  }
  return { at, mayBeNone: true };
}

/** An order as a user draws it, around the price of the moment. */
function drawnOrder(random: SeededRandom) {
  const buy = random.chance(0.5);
  const target = random.chance(0.7) ? random.between(1, AWAY) * (random.chance(0.5) ? 1 : -1) : 0;
  const [loss, gain] = [random.between(1, AWAY), random.between(1, AWAY)];
  const follows = random.chance(0.3);
  const expires = random.chance(0.3) ? toDurationMs(random.between(500, 20_000)) : undefined;
  return (price: number, instrument: Instrument, now: UnixMs): OrderRequest => {
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
      until: expires && timeAfter(now, expires),
    };
  };
}

function priceAt(price: number, points: number, { precision }: Instrument): Price {
  return toPrice((price + points * 10 ** -precision).toFixed(precision));
}

function instrumentOf(market: BusMarket, id: number): Instrument {
  return market.instruments.find((each) => each.id === id) as Instrument;
}

function show({ id, code, side, originPrice, stopLoss, takeProfit }: OrderState): string {
  const prices = [originPrice, stopLoss, takeProfit].map(toText);
  return `order ${id} (${code} ${side}, target, stop-loss and take-profit ${prices.join(', ')})`;
}

/** The client of a database, as long as the process has it. */
function clientOf(client: PGlite, hasDatabase: () => boolean): PGlite {
  return new Proxy(client, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function' || !QUERIES.has(name)) return value;
      return async (...args: unknown[]) => {
        if (!hasDatabase()) throw new DatabaseUnavailable();
        return value.apply(target, args);
      };
    },
  });
}

const QUERIES: ReadonlySet<string | symbol> = new Set(['query', 'exec', 'transaction']);
