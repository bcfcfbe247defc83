import { compare, isZero, subtract, ZERO } from '#domain/core/decimal';
import type { Message } from '#domain/core/rule';
import { type DurationMs, toDurationMs, type UnixMs } from '#domain/core/time';
import { type Lots, type Price, toPrice, type Usd } from '#domain/core/units';
import type { Instrument } from '#domain/market/instrument';
import { accountBalance, available } from '#domain/trading/accountSummary';
import { exceedsLimit, withOrder, withoutOrder } from '#domain/trading/exposure';
import type { QuoteFill } from '#domain/trading/fill';
import type { FeeType } from '#domain/trading/margin';
import {
  type AmendedTerms,
  type Exits,
  Matching,
  type Outcome,
  type PlacedOrder,
} from '#domain/trading/matching';
import type { Nights } from '#domain/trading/nights';
import type { OpenOrders } from '#domain/trading/openOrders';
import type { Side } from '#domain/trading/order';
import type { OrderState } from '#domain/trading/orderState';
import { amendProblem, cancelProblem, type OrderRequest } from '#domain/trading/rules';
import type { Earned, StagedChange } from '#domain/trading/stagedChange';
import { emptyAccount, putOrder } from '#domain/trading/tradingAccount';
import { betterStop, followedStop } from '#domain/trading/triggers';
import type { CommandLog } from '../commands/commandLog';
import type { Details, MatchingSettings, OrderCause, SeenMarket } from '../commands/details';
import { judgedPrices, MarketRecorder } from '../commands/marketRecorder';
import type { Clock } from '../core/clock';
import type { Log } from '../core/log';
import type { Db, Tx } from '../db/database';
import { lastIdOf } from '../db/idRange';
import type { Transactions, UnitOfWork, WriteOnlyWork } from '../db/transactions';
import { isUnavailable } from '../db/unavailable';
import { writeRows } from '../db/writeRows';
import { CODE_REFUSED, Refusal } from '../http/refusal';
import { entriesOf } from '../ledger/entries';
import type { Ledger } from '../ledger/ledger';
import type { Market, MarketListener, PriceRange, Tick } from '../market/market';
import { type Bust, type Busted, changeOf } from './bust';
import type { ExposureLimits } from './exposureLimits';
import { countNights, findOrder, liftedSince, loadFills, loadOpenOrders } from './orderStore';
import type { TickWatch } from './tickWatch';

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
  /** Where what changes orders is recorded (operations.md#replay-of-a-day). */
  commands: CommandLog;
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

/** What a bust reads from the database. */
interface KnownFills {
  fills: readonly OrderState[];
  lifted: Usd;
}

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
  private readonly matching: Matching;
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
  /** The market's time at the present command, which reads it more than once. */
  private commandAt: UnixMs | undefined;
  private readonly recorder: MarketRecorder;
  private pushedAt: DurationMs | undefined;

  constructor(options: MatchingEngineOptions) {
    const { market, ledger } = options;
    this.options = options;
    this.instruments = new Map(market.instruments.map((listed) => [listed.id, listed]));
    this.idByCode = new Map(market.instruments.map(({ code, id }) => [code, id]));
    this.matching = new Matching({
      ...options,
      market: {
        feed: market.feed,
        now: () => this.commandAt ?? market.now(),
        quote: (id) => market.quote(id),
      },
      instruments: market.instruments,
      mayPlace: (placed, former) => {
        if (placed.status === 'holding') this.refuseStale(placed.instrumentId);
        this.refuseExposure(placed, former);
      },
    });
    this.openOrders = this.matching.openOrders;
    this.nights = this.matching.nights;
    this.recorder = new MarketRecorder(market, this.instruments, this.openOrders);
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
    this.recorder.forget();
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
    await transactions.runNested(async (work) => {
      await countNights(work.tx, market.feed, from);
      await this.options.commands.begin(work, { ...this.settings, nightsFrom: from });
    });
    this.stale = true;
    await this.load(db);
    await watch.load(db, timesOf([]));
    if (watch.isDue) await transactions.runNested((work) => watch.settle(work));
  }

  /** Records all that is open, so that commands can be played from here on, where that was long ago. */
  async recordBase(): Promise<void> {
    const { db, commands, transactions } = this.options;
    if (!(await commands.isBaseDue(db))) return;
    await transactions.run(async (work) => {
      await commands.writeBase(work, this.settings);
      // Who plays it reads the orders there.
      work.onCommit(() => this.forget());
    });
  }

  private get settings(): MatchingSettings {
    const { market, feeType, quoteFill, swap } = this.options;
    return { feed: market.feed, feeType, quoteFill, swap };
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
    if (moved.length === 0) return;
    const stops = moved.map((order) => [order.userId, order.id, order.stopLoss] as const);
    const commands = this.options.commands.row('stops', 0, { stops });
    await writeRows(tx, { changedOrders: moved, commands });
  }

  positionSaved(): void {
    if (!this.stale) this.openOrders.followed.clear();
    this.options.watch.positionSaved();
  }

  async submit(work: WriteOnlyWork, userId: number, instrumentId: number, request: OrderRequest) {
    const instrument = this.listed(instrumentId);
    const staged = await this.stage(work, userId);
    this.refuseInDoubt(instrumentId);
    const order = done(
      this.matching.submit(staged, userId, instrument, request, () => ++this.lastOrderId),
    );
    await this.commit(work, staged, { kind: 'submit', userId, instrumentId, request }, order);
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
    this.refuseInDoubt(order.instrumentId);
    refuse(this.matching.closeProblem(order, seen));
    this.refuseStale(order.instrumentId);
    const cause = { kind: 'close', userId, id, lots, seen } as const;
    if (isZero(lots) || compare(lots, order.lots) === 0) {
      const closed = this.matching.close(staged, order);
      await this.commit(work, staged, cause);
      return closed;
    }
    const instrument = this.listed(order.instrumentId);
    const { part, rest } = done(
      this.matching.closePart(staged, order, instrument, lots, () => ++this.lastOrderId),
    );
    await this.commit(work, staged, cause, part);
    return rest;
  }

  async cancel(work: WriteOnlyWork, userId: number, id: number): Promise<OrderState> {
    const { staged, order } = await this.stageFor(work, userId, id);
    refuse(cancelProblem(order.status));
    const cancelled = staged.cancel(order, 'cancelled');
    await this.commit(work, staged, { kind: 'cancel', userId, id });
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
    this.refuseInDoubt(order.instrumentId);
    const amended = done(
      this.matching.amend(staged, order, this.listed(order.instrumentId), terms),
    );
    await this.commit(work, staged, { kind: 'amend', userId, id, terms });
    return amended;
  }

  async setExits(
    work: WriteOnlyWork,
    userId: number,
    id: number,
    exits: Exits,
  ): Promise<OrderState> {
    const { staged, order } = await this.stageFor(work, userId, id);
    const amended = done(this.matching.setExits(staged, order, exits));
    await this.commit(work, staged, { kind: 'exits', userId, id, exits });
    return amended;
  }

  private listed(instrumentId: number): Instrument {
    const instrument = this.instruments.get(instrumentId);
    if (!instrument) throw new Refusal(CODE_REFUSED, 'server.instrumentUnknown');
    return instrument;
  }

  /** Says so instead of that the market is closed, which it is too while its price has to be confirmed (D179). */
  private refuseInDoubt(instrumentId: number): void {
    const quote = this.options.market.quote(instrumentId);
    if (quote?.closedReason === 'doubt') throw new Refusal(CODE_REFUSED, 'server.closed.doubt');
  }

  /**
   * The broker takes no more of an instrument than it wants to (domain.md#exposure). `former`: the order that this one replaces. Others
   * of the same transaction are in memory already.
   */
  private refuseExposure(placed: PlacedOrder, former?: OrderState): void {
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
    await this.commit(work, staged, { kind: 'reset', userId });
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
    await this.commit(work, staged, { kind: 'delisted', userId, code, price });
    return this.tellEnded(work, staged);
  }

  /** Undoes or corrects a user's fills (domain.md#bust). What is done changes nothing when it is done again (D181). */
  async bust(work: UnitOfWork, userId: number, bust: Bust, known?: KnownFills): Promise<Busted> {
    const staging = await this.stageBust(work, userId, bust, known);
    const { staged, busted, corrected, fills, lifted } = staging;
    const { code, from, to, price } = bust;
    const recorded = { code, from, to, price };
    await this.commit(work, staged, { kind: 'bust', userId, bust: recorded, fills, lifted });
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

  /** `known`: what to read where commands are played again, whose database lacks what was before. */
  private async stageBust(work: UnitOfWork, userId: number, bust: Bust, known?: KnownFills) {
    const staged = await this.stage(work, userId);
    const account = staged.account(userId);
    const before = accountBalance(account);
    const busted = { annulled: 0, reopened: 0, corrected: 0 };
    const corrected: OrderState[] = [];
    let last: OrderState | undefined;
    const fills =
      known?.fills ?? (await loadFills(work.db, this.options.market.feed, userId, bust));
    let lifted: Usd = known?.lifted ?? ZERO;
    for (const each of fills) {
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
      const ids = fills.map(({ id }) => id);
      if (!known) lifted = await liftedSince(work.db, userId, ids);
      gain = staged.settleBust(last, gain, lifted);
    }
    const own = this.idByCode.get(bust.code);
    const holds = [...account.positions.values()].some(({ order }) => order.instrumentId === own);
    const lifts = staged.movements.find(({ kind }) => kind === 'lifted')?.amount ?? ZERO;
    const done = { ...busted, gain, lifts, balance: account.balance, holds };
    return { staged, corrected, busted: done, fills, lifted };
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

  private async execute(
    work: UnitOfWork,
    { instrumentId, time }: Pick<Tick, 'instrumentId' | 'time'>,
  ): Promise<void> {
    const staged = this.matching.trigger({ instrumentId, time });
    await this.commit(work, staged, { kind: 'tick', instrumentId, time });
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
    for (let from = 0; from === 0 || from < users.length; from += USERS_AT_ONCE) {
      const until = from + USERS_AT_ONCE;
      await this.chargeNightsOf(work, at, users.slice(from, until), until >= users.length);
    }
  }

  /** `last`: then all positions are charged. That is recorded too where nobody holds any: it decides when the next night counts from. */
  private async chargeNightsOf(
    work: UnitOfWork,
    time: UnixMs,
    users: readonly number[],
    last: boolean,
  ): Promise<void> {
    const staged = this.matching.chargeNights(time, users);
    await this.commit(work, staged, { kind: 'nights', time, users, last });
    if (last) this.nights.charged(time);
  }

  /** Ends what has expired (domain.md#expiry). */
  private async expire(work: UnitOfWork, at: UnixMs): Promise<void> {
    const staged = this.matching.expire(at);
    if (!staged) return;
    await this.commit(work, staged, { kind: 'expiry', time: at });
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

  /**
   * Writes a staged change and records its cause. Later steps of the same unit of work see it immediately, the user's sockets
   * after the commit.
   */
  private async commit(
    work: WriteOnlyWork,
    staged: StagedChange,
    cause: OrderCause,
    created?: OrderState,
  ): Promise<void> {
    const changed = [...staged.changed.values()];
    const record = this.recordOf(cause, created ?? changed[0]);
    for (const account of staged.accounts) this.openOrders.replace(account);
    this.reloadOnRollback(work);
    const rows = await this.options.ledger.rowsFor(work, staged.movements.flatMap(entriesOf));
    await work.writeRows({
      newOrders: created ? [created] : [],
      changedOrders: changed,
      ...rows,
      commands: record(rows.entries[0], created?.id),
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

  /** The first order that changes may be of another instrument, charged for its nights. */
  private instrumentOf(cause: OrderCause): number | undefined {
    if (cause.kind === 'bust') return this.idByCode.get(cause.bust.code);
    return cause.kind === 'tick' ? cause.instrumentId : undefined;
  }

  /** Reads what has led to a change before it is made; returns what makes the rows of its record. */
  private recordOf(cause: OrderCause, order: OrderState | undefined) {
    const { commands, market } = this.options;
    if (!commands.isOn) return () => [];
    const own = this.instrumentOf(cause) ?? order?.instrumentId ?? 0;
    const { seen, terms } = this.recorder.take(own, this.commandAt ?? market.now());
    const userId = 'userId' in cause ? cause.userId : 0;
    return (first: { id: number; createdAt: Date } | undefined, orderId: number | undefined) => [
      ...terms.flatMap((each) => commands.row('terms', 0, each, first?.createdAt)),
      ...commands.row(
        'order',
        userId,
        {
          ...{ cause, market: seen },
          ...(orderId !== undefined && { orderId }),
          ...(first && { entryId: first.id }),
        },
        first?.createdAt,
      ),
    ];
  }

  /**
   * Does again what a recorded command did, in an engine on a market that says what was seen of it (server/commands/player.ts). Throws Refusal where it
   * can't be done.
   */
  async repeat(work: UnitOfWork, { cause, market, orderId }: Details['order']): Promise<void> {
    if (market.reloaded) this.forget();
    await this.load(work.db);
    this.openOrders.restore(judgedPrices(this.openOrders, market.quotes), market.stops);
    if (orderId !== undefined) this.lastOrderId = orderId - 1;
    switch (cause.kind) {
      case 'submit':
        await this.submit(work, cause.userId, cause.instrumentId, cause.request);
        break;
      case 'close':
        await this.close(work, cause.userId, cause.id, cause.lots, cause.seen);
        break;
      case 'cancel':
        await this.cancel(work, cause.userId, cause.id);
        break;
      case 'amend':
        await this.amend(work, cause.userId, cause.id, cause.terms);
        break;
      case 'exits':
        await this.setExits(work, cause.userId, cause.id, cause.exits);
        break;
      case 'reset':
        await this.reset(work, cause.userId);
        break;
      case 'delisted':
        await this.endDelisted(work, cause.userId, cause.code, cause.price);
        break;
      case 'bust':
        await this.bust(work, cause.userId, { ...cause.bust, reason: '' }, cause);
        break;
      case 'tick':
        await this.execute(work, cause);
        break;
      case 'nights':
        await this.chargeNightsOf(work, cause.time, cause.users, cause.last);
        break;
      case 'expiry':
        await this.expire(work, cause.time);
    }
  }

  /** Does again what `savePosition` has recorded. */
  async repeatStops(work: UnitOfWork, stops: SeenMarket['stops']): Promise<void> {
    await this.load(work.db);
    this.openOrders.restore(new Map(), stops);
    const moved = stops.flatMap(
      ([userId, id]) => this.openOrders.account(userId)?.positions.get(id)?.order ?? [],
    );
    await work.writeRows({ changedOrders: moved });
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
    const { ledger } = this.options;
    await this.load(work.db);
    this.commandAt = this.options.market.now();
    if (!this.openOrders.account(userId)) {
      const { available } = await ledger.balances(work.db, userId);
      this.openOrders.replace(emptyAccount(userId, available));
    }
    return this.matching.stage(userId);
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
  withCurrentInstrumentId(order: OrderState): OrderState {
    const { feed } = this.options.market;
    const instrumentId = order.feed === feed ? this.idByCode.get(order.code) : undefined;
    return { ...order, instrumentId: instrumentId ?? 0 };
  }
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

/** What a command came to; refuses where it breaks a rule. */
function done<T>({ problem, done }: Outcome<T>): T {
  if (problem) throw Refusal.ofRule(problem);
  return done as T;
}
