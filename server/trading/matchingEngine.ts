import { add, compare, isZero, subtract, ZERO } from '#domain/core/decimal';
import type { Message } from '#domain/core/rule';
import { type DurationMs, toDurationMs, type UnixMs } from '#domain/core/time';
import { type Lots, type Price, toPrice, type Usd } from '#domain/core/units';
import type { Instrument } from '#domain/market/instrument';
import { accountBalance, available } from '#domain/trading/accountSummary';
import { exceedsLimit, withOrder, withoutOrder } from '#domain/trading/exposure';
import {
  fillPrice,
  isCrossed,
  OPPOSITE,
  type Opening,
  openingOf,
  type QuoteFill,
} from '#domain/trading/fill';
import { type FeeType, fee, margin } from '#domain/trading/margin';
import type { Side } from '#domain/trading/order';
import {
  amendProblem,
  cancelProblem,
  closeProblem,
  type OrderRequest,
  orderProblem,
  partProblem,
  seenProblem,
  setExitsProblem,
} from '#domain/trading/rules';
import { approach, betterStop, exitHit, followedStop } from '#domain/trading/triggers';
import type { Clock } from '../core/clock';
import type { Log } from '../core/log';
import type { Db, Tx } from '../db/database';
import { lastIdOf } from '../db/idRange';
import type { Transactions, UnitOfWork, WriteOnlyWork } from '../db/transactions';
import { isUnavailable } from '../db/unavailable';
import { writeRows } from '../db/writeRows';
import { CODE_REFUSED, Refusal } from '../http/refusal';
import type { Ledger } from '../ledger/ledger';
import type { Market, MarketListener, PriceRange, Tick } from '../market/market';
import { type Bust, type Busted, changeOf } from './bust';
import type { ExposureLimits } from './exposureLimits';
import { Nights } from './nights';
import { OpenOrders } from './openOrders';
import type { OrderState } from './order';
import { countNights, findOrder, liftedSince, loadFills, loadOpenOrders } from './orderStore';
import { type Earned, StagedChange } from './stagedChange';
import type { TickWatch } from './tickWatch';
import { emptyAccount, putOrder } from './tradingAccount';

export interface MatchingEngineOptions {
  db: Db;
  market: Market;
  ledger: Ledger;
  transactions: Transactions;
  feeType: FeeType;
  /** What bid and ask decide, where the feed has them (domain.md#fill-at-bid-and-ask). */
  quoteFill: QuoteFill;
  /** Positions are charged for their nights (domain.md#overnight-financing). */
  swap: boolean;
  /** How much of an instrument customers may hold (domain.md#exposure). */
  limits: ExposureLimits;
  /** The starting balance of demo accounts. */
  demoBalance: Usd;
  clock: Clock;
  log: Log;
  watch: TickWatch;
  /** Writes that the market has ended these orders, in the transaction that ends them. */
  onEnded(work: UnitOfWork, orders: readonly OrderState[]): Promise<void>;
  /** Writes that the operator has corrected these orders, in the transaction that does it. */
  onCorrected(work: UnitOfWork, orders: readonly OrderState[]): Promise<void>;
  /**
   * Called after the commit, in order, when an order is new, changed or ended, and at most once a
   * second when its stop-loss has followed the price.
   */
  onChange(order: OrderState): void;
  /** Called after the commit with what fills and closes have earned. */
  onEarned(earned: readonly Earned[]): void;
}

export interface Exits {
  stopLoss: Price;
  takeProfit: Price;
  trailing: Price;
}

/** The terms of a pending order that its user may change. */
export type AmendedTerms = Pick<
  OrderRequest,
  'lots' | 'targetPrice' | 'stopLoss' | 'takeProfit' | 'trailing' | 'until'
>;

/** A new order before it has its place. */
type Placed = Omit<OrderState, 'id' | 'userId' | 'feed' | 'createdAt'>;

/** Users whose nights are charged by one statement. */
const USERS_AT_ONCE = 500;

/** Shortest time between two pushes of stops that follow the price. */
const PUSH_EVERY_MS = toDurationMs(1000);

/**
 * Matches orders and ticks (domain.md#orders, domain.md#each-tick). Commands run inside
 * `Transactions.run`, and ticks block the feed, so that neither sees a half-done change of the
 * other.
 */
export class MatchingEngine implements Required<Omit<MarketListener, 'topOfBook'>> {
  readonly blocksSource = true;
  readonly openOrders: OpenOrders;
  private readonly options: MatchingEngineOptions;
  private readonly instruments: ReadonlyMap<number, Instrument>;
  private readonly idByCode: ReadonlyMap<string, number>;
  private readonly nights: Nights;
  /** The memory is not loaded, or has changes of a transaction that failed. */
  private stale = true;
  /** Orders as the unit of work that runs has changed them. */
  private readonly uncommitted = new Map<number, OrderState>();
  /** This process is the only writer (D52) and assigns the ids of orders. */
  private lastOrderId = 0;
  private pushedAt: DurationMs | undefined;

  constructor(options: MatchingEngineOptions) {
    const { market, ledger, quoteFill } = options;
    this.options = options;
    this.instruments = new Map(market.instruments.map((listed) => [listed.id, listed]));
    this.idByCode = new Map(market.instruments.map(({ code, id }) => [code, id]));
    this.openOrders = new OpenOrders(market, quoteFill);
    this.nights = new Nights(market.instruments, options.swap);
    ledger.onBalance((work, userId, balance) => {
      this.openOrders.setBalance(userId, balance);
      this.reloadOnRollback(work);
    });
  }

  /** Everything is read from the database again before its next use. */
  forget(): void {
    this.stale = true;
    this.options.watch.forget();
  }

  /**
   * Loads the open orders from the database where they are stale. `ticks` are about to be matched: no
   * stop-loss has followed them yet.
   */
  async load(db: Db, ticks: readonly Tick[] = []): Promise<void> {
    if (!this.stale) return;
    const due = timesOf(ticks);
    const open: OrderState[] = [];
    for (const stored of await loadOpenOrders(db)) {
      const order = this.withCurrentInstrumentId(stored);
      open.push(await this.followedUntil(order, due.get(order.instrumentId)));
    }
    const users = [...new Set(open.map(({ userId }) => userId))];
    const balances = await this.options.ledger.available(db, users);
    const accounts = new Map(
      [...balances].map(([userId, balance]) => [userId, emptyAccount(userId, balance)]),
    );
    this.openOrders.clear();
    this.nights.load(open);
    for (const order of open) {
      const account = accounts.get(order.userId);
      if (account) putOrder(account, order, this.openOrders.priceOf(order));
    }
    for (const account of accounts.values()) this.openOrders.replace(account);
    this.lastOrderId = await lastIdOf(db, 'orders');
    this.stale = false;
  }

  /** Reads the balances of these users that are not known, for the changes that follow. */
  async prepare(work: WriteOnlyWork, userIds: readonly number[]): Promise<void> {
    await this.load(work.db);
    const unknown = userIds.filter((userId) => !this.openOrders.account(userId));
    for (const [userId, balance] of await this.options.ledger.available(work.db, unknown)) {
      this.openOrders.replace(emptyAccount(userId, balance));
    }
  }

  ticks(ticks: readonly Tick[]): void | Promise<void> {
    if (this.stale || this.options.watch.isDue) return this.match(ticks, 0);
    for (const [index, tick] of ticks.entries()) {
      if (this.isDue(tick.time) || this.applyTick(tick).triggers) return this.match(ticks, index);
    }
    this.pushFollowed();
  }

  /** What happened while nothing was matched: to be run between two batches, before the first one. */
  async catchUp(): Promise<void> {
    const { db, market, transactions, watch } = this.options;
    const from = this.nights.countFrom(market.now());
    await transactions.runNested((work) => countNights(work.tx, market.feed, from));
    this.stale = true;
    await this.load(db);
    await watch.load(db, timesOf([]));
    if (watch.isDue) await transactions.runNested((work) => watch.settle(work));
  }

  private applyTick(tick: Tick) {
    const orders = this.openOrders.applyTick(tick);
    const watched = this.options.watch.applyTick(tick);
    return { orders, watched, triggers: orders || watched };
  }

  /** A change of status triggers nothing before the next tick. After it there may be none. */
  status(): void {
    this.pushedAt = undefined;
    this.pushFollowed();
  }

  barClosed(): void {}

  /** What stops have followed is found again from the market. */
  skipped(): void {
    this.forget();
  }

  get hasMoved(): boolean {
    return this.openOrders.followed.size > 0 || this.options.watch.hasMoved;
  }

  async savePosition(tx: Tx): Promise<void> {
    await this.options.watch.savePosition(tx);
    // Others may have changed these orders, or a rollback: what was followed counts when they are read again.
    if (this.stale) return;
    const moved = this.openOrders.positionsOf(this.openOrders.followed);
    if (moved.length > 0) await writeRows(tx, { changedOrders: moved });
  }

  positionSaved(): void {
    if (!this.stale) this.openOrders.followed.clear();
    this.options.watch.positionSaved();
  }

  async submit(work: WriteOnlyWork, userId: number, instrumentId: number, request: OrderRequest) {
    const instrument = this.instruments.get(instrumentId);
    if (!instrument) throw new Refusal(CODE_REFUSED, 'server.instrumentUnknown');
    const staged = await this.stage(work, userId);
    const { feeType, market } = this.options;
    const account = staged.account(userId);
    const opened = this.opening(request, instrumentId);
    if (request.type === 'market') this.refuseStale(instrumentId);
    const problem = orderProblem(request, {
      instrument,
      feeType,
      ...this.tradable(instrumentId),
      price: opened?.reference,
      fill: opened?.fill,
      openOrders: account.pending.size + account.positions.size,
      available: available(account),
      now: market.now(),
    });
    if (problem || !opened) throw Refusal.ofRule(problem?.message ?? { key: 'noPrice' });
    const placed = newOrder(request, instrument, feeType, opened, this.quotedAt(instrumentId));
    this.refuseExposure(placed);
    const order = staged.accept({
      id: ++this.lastOrderId,
      userId,
      feed: market.feed,
      createdAt: market.now(),
      ...placed,
    });
    await this.commit(work, staged, order);
    return order;
  }

  /**
   * Closes an order, or a part of its lots; lots of 0 mean all. `seen`: the lots that the user saw, 0 where unknown. Returns the order as it is then,
   * which is the remaining one after a partial close (domain.md#partial-close).
   */
  async close(
    work: WriteOnlyWork,
    userId: number,
    id: number,
    lots: Lots = ZERO,
    seen: Lots = ZERO,
  ): Promise<OrderState> {
    const { staged, order } = await this.stageFor(work, userId, id);
    refuse(closeProblem(order.status, this.tradable(order.instrumentId)));
    refuse(seenProblem(seen, order.lots));
    this.refuseStale(order.instrumentId);
    const latest = this.openOrders.priceOf(order) ?? order.price;
    const price = this.fillPrice(OPPOSITE[order.side], order.instrumentId, latest);
    if (isZero(lots) || compare(lots, order.lots) === 0) {
      const closed = staged.close(order, 'user', price);
      await this.commit(work, staged);
      return closed;
    }
    const instrument = this.instruments.get(order.instrumentId);
    if (!instrument) throw new Refusal(CODE_REFUSED, 'server.instrumentUnknown');
    refuse(partProblem(lots, order, instrument));
    const { part, rest } = staged.closePart(order, lots, ++this.lastOrderId, price);
    await this.commit(work, staged, part);
    return rest;
  }

  async cancel(work: WriteOnlyWork, userId: number, id: number): Promise<OrderState> {
    const { staged, order } = await this.stageFor(work, userId, id);
    refuse(cancelProblem(order.status));
    const cancelled = staged.cancel(order, 'cancelled');
    await this.commit(work, staged);
    return cancelled;
  }

  /**
   * Replaces the terms of a pending order by the rules of a new one, its own margin returned first (domain.md#amending). A
   * refusal leaves it as it was.
   */
  async amend(
    work: WriteOnlyWork,
    userId: number,
    id: number,
    terms: AmendedTerms,
  ): Promise<OrderState> {
    const { staged, order } = await this.stageFor(work, userId, id);
    refuse(amendProblem(order.status));
    const listed = this.instruments.get(order.instrumentId);
    if (!listed) throw new Refusal(CODE_REFUSED, 'server.instrumentUnknown');
    const { name, precision, unitsPerLot, side, leverage } = order;
    const instrument = { ...listed, name, precision, unitsPerLot };
    const { feeType, market } = this.options;
    const account = staged.account(userId);
    const request = { ...terms, type: 'pending', side, leverage, deviation: undefined } as const;
    const opened = this.opening(request, order.instrumentId);
    const problem = orderProblem(request, {
      instrument,
      feeType,
      ...this.tradable(order.instrumentId),
      price: opened?.reference,
      openOrders: account.pending.size + account.positions.size - 1,
      available: available({ ...account, balance: add(account.balance, order.margin) }),
      now: market.now(),
    });
    if (problem || !opened) throw Refusal.ofRule(problem?.message ?? { key: 'noPrice' });
    const quotedAt = this.quotedAt(order.instrumentId);
    const replaced = newOrder(request, instrument, feeType, opened, quotedAt);
    this.refuseExposure(replaced, order);
    const amended = staged.amend(order, { ...order, ...replaced });
    await this.commit(work, staged);
    return amended;
  }

  async setExits(
    work: WriteOnlyWork,
    userId: number,
    id: number,
    exits: Exits,
  ): Promise<OrderState> {
    const { staged, order } = await this.stageFor(work, userId, id);
    const { status, side, originPrice: target, precision } = order;
    const price = this.openOrders.priceOf(order);
    refuse(setExitsProblem({ status, side, target, precision }, price, exits));
    const amended = this.withExits(order, exits, price);
    staged.setExits(amended);
    await this.commit(work, staged);
    return amended;
  }

  /** While the distance stays the same, the stop-loss does not go back (D99). */
  private withExits(order: OrderState, exits: Exits, price: Price | undefined): OrderState {
    const amended = { ...order, ...exits, trailingSince: null };
    if (order.status !== 'holding' || isZero(exits.trailing) || !price) return amended;
    if (compare(exits.trailing, order.trailing) === 0) {
      const stopLoss = betterStop(order.side, order.stopLoss, exits.stopLoss);
      return { ...amended, stopLoss, trailingSince: order.trailingSince };
    }
    const stopLoss = followedStop(amended, price);
    return { ...amended, stopLoss, trailingSince: this.quotedAt(order.instrumentId) ?? null };
  }

  /**
   * The broker takes no more of an instrument than it wants to (domain.md#exposure). `former`: the order that this one replaces. Others
   * of the same transaction are in memory already.
   */
  private refuseExposure(placed: Placed, former?: OrderState): void {
    const limit = this.options.limits.of(placed.code);
    const latest = this.openOrders.sides(placed.instrumentId)?.latest;
    if (!limit || !latest) return;
    const before = this.openOrders.exposure(placed.instrumentId);
    const after = withOrder(former ? withoutOrder(before, former) : before, placed);
    if (!exceedsLimit(before, after, latest, limit)) return;
    throw new Refusal(CODE_REFUSED, 'server.exposureLimit', { name: placed.name });
  }

  /** Nothing fills at a price that a live market had long ago. */
  private refuseStale(instrumentId: number): void {
    const quote = this.options.market.quote(instrumentId);
    if (quote?.marketOpen && quote.stale) throw new Refusal(CODE_REFUSED, 'server.priceStale');
  }

  /** Whether an order may be filled now (domain.md#refused-orders). */
  private tradable(instrumentId: number): { marketOpen: boolean; crossed: boolean } {
    const { quoteFill, market } = this.options;
    const quote = market.quote(instrumentId);
    return {
      marketOpen: this.openOrders.isOpen(instrumentId),
      crossed: quoteFill === 2 && quote !== undefined && isCrossed(quote),
    };
  }

  /** As matching has seen it; what market orders are filled at is the market's own (D119). */
  private opening(request: OrderRequest, instrumentId: number): Opening | undefined {
    const sides = this.openOrders.sides(instrumentId);
    const { side } = request;
    return sides && openingOf(request, sides, this.fillPrice(side, instrumentId, sides[side]));
  }

  /** What a market order is filled at now; `latest`: what matching has seen of its side (D119). */
  private fillPrice(side: Side, instrumentId: number, latest: Price): Price {
    if (this.options.quoteFill !== 1) return latest;
    const { bid, ask } = this.options.market.quote(instrumentId) ?? {};
    const topOfBook = bid === undefined || ask === undefined ? undefined : { bid, ask };
    return fillPrice(side, latest, topOfBook);
  }

  /** From when on prices are new: those of a closed market come later than its latest one, and may be told after it. */
  private quotedAt(instrumentId: number): UnixMs | undefined {
    const { market } = this.options;
    const quote = market.quote(instrumentId);
    return quote?.marketOpen === false ? market.now() : quote?.time;
  }

  /** What withdrawals and subscriptions may take (domain.md#available-balance). */
  async available(work: WriteOnlyWork, userId: number): Promise<Usd> {
    return available((await this.stage(work, userId)).account(userId));
  }

  /** Ends all orders of a demo account and restores its starting balance. */
  async reset(work: WriteOnlyWork, userId: number): Promise<Usd> {
    const staged = await this.stage(work, userId);
    const { pending, positions } = staged.account(userId);
    for (const order of [...pending.values()]) staged.cancel(order, 'reset');
    for (const { order } of [...positions.values()]) staged.close(order, 'reset');
    staged.resetBalance(userId, this.options.demoBalance);
    await this.commit(work, staged);
    return this.options.demoBalance;
  }

  /**
   * Ends a user's orders in an instrument that the market has no more, positions at a price that the operator names
   * (domain.md#delisting). Returns them.
   */
  async endDelisted(
    work: UnitOfWork,
    userId: number,
    code: string,
    price: Price,
  ): Promise<OrderState[]> {
    const staged = await this.stage(work, userId);
    const { pending, positions } = staged.account(userId);
    const { feed } = this.options.market;
    const isDelisted = (order: OrderState) =>
      order.feed === feed && order.code === code && !this.idByCode.has(code);
    const waiting = [...pending.values()].filter(isDelisted);
    const held = [...positions.values()].map(({ order }) => order).filter(isDelisted);
    for (const order of waiting) staged.cancel(order, 'delisted');
    for (const order of held) staged.close(order, 'delisted', price);
    await this.commit(work, staged);
    return this.tellEnded(work, staged);
  }

  /** Undoes or corrects a user's fills (domain.md#bust). What is done changes nothing when it is done again (D181). */
  async bust(work: UnitOfWork, userId: number, bust: Bust): Promise<Busted> {
    const { staged, busted, corrected } = await this.stageBust(work, userId, bust);
    await this.commit(work, staged);
    const changed = [...staged.changed.values()];
    await this.options.onEnded(
      work,
      changed.filter(({ closeReason }) => closeReason === 'busted'),
    );
    await this.options.onCorrected(work, corrected);
    return busted;
  }

  /** What `bust` would do. */
  async planBust(work: UnitOfWork, userId: number, bust: Bust): Promise<Busted> {
    return (await this.stageBust(work, userId, bust)).busted;
  }

  private async stageBust(work: UnitOfWork, userId: number, bust: Bust) {
    const staged = await this.stage(work, userId);
    const account = staged.account(userId);
    const before = accountBalance(account);
    const busted = { annulled: 0, reopened: 0, corrected: 0 };
    const corrected: OrderState[] = [];
    let last: OrderState | undefined;
    const stored = await loadFills(work.db, this.options.market.feed, userId, bust);
    for (const each of stored) {
      // Of an open one memory knows where its stop is, and the nights that were just charged.
      const order = account.positions.get(each.id)?.order ?? this.withCurrentInstrumentId(each);
      const change = changeOf(order, bust);
      if (!change) continue;
      last = order;
      if (change === 'annul') staged.annul(order, bust.reason);
      else if (change === 'reopen') corrected.push(staged.reopen(order, bust.reason));
      else corrected.push(staged.correct(order, change, bust.reason));
      if (change === 'annul') busted.annulled++;
      else if (change === 'reopen') busted.reopened++;
      else busted.corrected++;
    }
    let gain = subtract(accountBalance(account), before);
    if (last) {
      const lifted = await liftedSince(
        work.db,
        userId,
        stored.map(({ id }) => id),
      );
      gain = staged.settleBust(last, gain, lifted);
    }
    return { staged, corrected, busted: { ...busted, gain, balance: account.balance } };
  }

  /**
   * Executes what the ticks from index `from` on trigger, in one transaction. It includes the
   * feed's position, which is after the whole batch.
   */
  private async match(ticks: readonly Tick[], from: number): Promise<void> {
    const { db, transactions, watch } = this.options;
    const left = ticks.slice(from);
    try {
      await this.load(db, left);
      await watch.load(db, timesOf(left));
      await transactions.runNested(async (work) => {
        await watch.settle(work);
        for (const tick of left) {
          await this.settle(work, tick.time);
          const { orders, watched } = this.applyTick(tick);
          if (orders) await this.execute(work, tick);
          if (watched) await watch.trigger(work, tick);
        }
      });
    } catch (error) {
      // Conditions compare prices and not crossings: the next tick triggers what was missed here. Stops
      // that follow the price have missed the rest of these ticks.
      this.forget();
      if (isUnavailable(error)) return;
      this.options.log.error(`matching failed: ${error instanceof Error ? error.stack : error}`);
    }
    this.pushFollowed();
  }

  private async execute(work: UnitOfWork, tick: Tick): Promise<void> {
    const staged = this.trigger(tick);
    await this.commit(work, staged);
    await this.tellEnded(work, staged);
  }

  private isDue(at: UnixMs): boolean {
    return this.openOrders.expiries.isDue(at) || this.nights.isDue(at);
  }

  /** What comes before the first tick of a time or later, in this order. */
  private async settle(work: UnitOfWork, at: UnixMs): Promise<void> {
    await this.chargeNights(work, at);
    await this.expire(work, at);
  }

  /** Charges the nights that positions were held over (domain.md#overnight-financing). */
  private async chargeNights(work: UnitOfWork, at: UnixMs): Promise<void> {
    if (!this.nights.isDue(at)) return;
    const users = this.openOrders.holders();
    for (let from = 0; from < users.length; from += USERS_AT_ONCE) {
      const staged = new StagedChange(this.openOrders, at, this.nights);
      for (const userId of users.slice(from, from + USERS_AT_ONCE)) staged.chargeNights(userId);
      if (staged.changed.size > 0) await this.commit(work, staged);
    }
    this.nights.charged(at);
  }

  /** Ends what has expired (domain.md#expiry). */
  private async expire(work: UnitOfWork, at: UnixMs): Promise<void> {
    const due = this.openOrders.expiries.due(at);
    if (due.length === 0) return;
    const staged = new StagedChange(this.openOrders, at, this.nights);
    for (const order of due) staged.cancel(order, 'expired');
    await this.commit(work, staged);
    await this.tellEnded(work, staged);
  }

  /** As before a tick: for a market without ticks. */
  async settleNow(): Promise<void> {
    const { market, transactions } = this.options;
    if (!this.stale && !this.isDue(market.now())) return;
    await transactions.run(async (work) => {
      await this.load(work.db);
      await this.settle(work, market.now());
    });
  }

  private async tellEnded(work: UnitOfWork, { changed }: StagedChange): Promise<OrderState[]> {
    const ended = [...changed.values()].filter(({ status }) => status === 'closed');
    if (ended.length > 0) await this.options.onEnded(work, ended);
    return ended;
  }

  /** Applies one tick (domain.md#each-tick). */
  private trigger({ instrumentId, time }: Tick): StagedChange {
    const staged = new StagedChange(this.openOrders, time, this.nights);
    const sides = this.openOrders.sides(instrumentId);
    if (!sides) return staged;
    const filled = this.openOrders
      .due(instrumentId)
      .flatMap((order) => staged.fill(order, sides) ?? []);
    const positions = [...this.openOrders.positions(instrumentId), ...filled].sort(
      (a, b) => a.id - b.id,
    );
    for (const order of positions) {
      const hit = exitHit(order, sides[OPPOSITE[order.side]]);
      if (hit) staged.close(order, hit);
    }
    const touched = staged.accounts.map(({ userId }) => userId);
    const suspects = new Set([...this.openOrders.stoppedOut(instrumentId), ...touched]);
    for (const userId of [...suspects].sort((a, b) => a - b)) staged.stopOut(userId);
    return staged;
  }

  /**
   * Writes a staged change. Later steps of the same unit of work see it immediately, the user's sockets
   * after the commit.
   */
  private async commit(
    work: WriteOnlyWork,
    staged: StagedChange,
    created?: OrderState,
  ): Promise<void> {
    const changed = [...staged.changed.values()];
    for (const account of staged.accounts) this.openOrders.replace(account);
    this.reloadOnRollback(work);
    await work.writeRows({
      newOrders: created ? [created] : [],
      changedOrders: changed,
      ...(await this.options.ledger.rowsFor(work, staged.entries)),
    });
    for (const order of created ? [created, ...changed] : changed) {
      this.uncommitted.set(order.id, order);
    }
    work.onCommit(() => {
      this.uncommitted.clear();
      for (const order of created ? [created, ...changed] : changed) {
        if (order.status === 'closed') this.openOrders.followed.delete(order.id);
        this.options.onChange(order);
      }
      this.options.onEarned(staged.earned);
    });
  }

  /** Pushes the orders whose stops have followed the price. */
  private pushFollowed(): void {
    const { unpushed } = this.openOrders;
    if (unpushed.size === 0 || this.stale) return;
    const now = this.options.clock.elapsed();
    if (this.pushedAt !== undefined && now - this.pushedAt < PUSH_EVERY_MS) return;
    this.pushedAt = now;
    for (const order of this.openOrders.positionsOf(unpushed)) this.options.onChange(order);
    unpushed.clear();
  }

  /**
   * A stored order with its stop-loss as it is at `until`: the database has it as of some moment since it
   * began to follow the price. What ticks have moved in memory counts, and what the market knows of the time
   * in which nothing was matched (D99).
   */
  private async followedUntil(order: OrderState, until: UnixMs | undefined): Promise<OrderState> {
    const { id, instrumentId, side, trailing, trailingSince: since } = order;
    if (order.status !== 'holding' || since === null || !instrumentId) return order;
    let { stopLoss } = order;
    const seen = this.openOrders.followed.get(id);
    if (seen?.trailingSince === since && compare(seen.trailing, trailing) === 0) {
      stopLoss = betterStop(side, stopLoss, seen.stopLoss);
    }
    const range = await this.options.market.priceRange(instrumentId, since, until);
    const best = range && this.bestOf(range, side);
    if (best !== undefined) {
      stopLoss = followedStop({ side, stopLoss, trailing }, toPrice(best));
    }
    return { ...order, stopLoss };
  }

  /** The best price for a position among those of a time; undefined where only closes are known, and they are not what it closes at. */
  private bestOf({ low, high, bidHigh, askLow }: PriceRange, side: Side): number | undefined {
    if (this.options.quoteFill === 2) return side === 'buy' ? bidHigh : askLow;
    return side === 'buy' ? high : low;
  }

  /** After a rollback the memory has changes that the database lacks: load it again. */
  private reloadOnRollback(work: WriteOnlyWork): void {
    work.onRollback(() => {
      this.stale = true;
      this.uncommitted.clear();
    });
  }

  /** Starts a staged change that contains the user's account, with the nights that are due: a position may end before the next tick. */
  private async stage(work: WriteOnlyWork, userId: number): Promise<StagedChange> {
    const { ledger, market } = this.options;
    await this.load(work.db);
    if (!this.openOrders.account(userId)) {
      const { available } = await ledger.balances(work.db, userId);
      this.openOrders.replace(emptyAccount(userId, available));
    }
    const staged = new StagedChange(this.openOrders, market.now(), this.nights);
    staged.chargeNights(userId);
    return staged;
  }

  private async stageFor(work: WriteOnlyWork, userId: number, id: number) {
    const staged = await this.stage(work, userId);
    const account = staged.account(userId);
    const order =
      account.pending.get(id) ??
      account.positions.get(id)?.order ??
      (await this.endedOrder(work, userId, id));
    if (!order) throw new Refusal(CODE_REFUSED, 'server.orderUnknown');
    return { staged, order };
  }

  /** An order that has ended, perhaps in this very unit of work, which has not written it yet. */
  private async endedOrder(work: WriteOnlyWork, userId: number, id: number) {
    const booked = this.uncommitted.get(id);
    return booked?.userId === userId ? booked : findOrder(work.db, userId, id);
  }

  /**
   * With the id that its instrument has in this process. An order of another feed has none, and so no price: today's
   * price would stop out an order of an old replay.
   */
  private withCurrentInstrumentId(order: OrderState): OrderState {
    const { feed } = this.options.market;
    const instrumentId = order.feed === feed ? this.idByCode.get(order.code) : undefined;
    return { ...order, instrumentId: instrumentId ?? 0 };
  }
}

/** The order that a request places. Its columns have their first values here. */
export function newOrder(
  request: OrderRequest,
  instrument: Instrument,
  feeType: FeeType,
  { reference, fill, held }: Opening,
  quotedAt: UnixMs | undefined,
): Placed {
  const none = ZERO;
  const { side, type, stopLoss = none, takeProfit = none, trailing = none } = request;
  const originPrice = request.targetPrice ?? none;
  const from = type === 'pending' ? approach(originPrice, reference) : undefined;
  const lots = request.lots ?? ZERO;
  const leverage = instrument.marginMode === 'fixed' || !request.leverage ? ZERO : request.leverage;
  const priced = type === 'pending' ? originPrice : fill;
  return {
    instrumentId: instrument.id,
    code: instrument.code,
    name: instrument.name,
    precision: instrument.precision,
    unitsPerLot: instrument.unitsPerLot,
    side,
    lots,
    leverage,
    originPrice,
    approach: from ?? '',
    // A pending order whose target is the price is filled at it, as a tick would.
    price: from ? none : type === 'pending' ? reference : fill,
    margin: margin(instrument, lots, priced, leverage),
    fee: fee(instrument, feeType, lots, priced, leverage),
    stopLoss: from ? stopLoss : followedStop({ side, stopLoss, trailing }, held),
    takeProfit,
    trailing,
    trailingSince: from || isZero(trailing) || !quotedAt ? null : quotedAt,
    until: type === 'pending' ? (request.until ?? null) : null,
    swap: ZERO,
    chargedUntil: null,
    filledAt: null,
    spread: ZERO,
    status: from ? 'pending' : 'holding',
    closePrice: none,
    profit: ZERO,
    closeReason: '',
    completedAt: null,
    splitFrom: null,
  };
}

/** The time of the first tick of each instrument. */
function timesOf(ticks: readonly Tick[]): Map<number, UnixMs> {
  const times = new Map<number, UnixMs>();
  for (const { instrumentId, time } of ticks) {
    if (!times.has(instrumentId)) times.set(instrumentId, time);
  }
  return times;
}

function refuse(problem: Message | undefined): void {
  if (problem) throw Refusal.ofRule(problem);
}
