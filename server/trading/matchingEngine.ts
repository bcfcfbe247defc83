import { toDecimal, ZERO } from '#domain/core/decimal';
import type { Message } from '#domain/core/rule';
import type { Lots, Multiplier, Price, Usd } from '#domain/core/units';
import type { Instrument } from '#domain/market/instrument';
import { freeBalance } from '#domain/trading/accountFigures';
import { type FeeType, fee, margin } from '#domain/trading/margin';
import {
  cancelProblem,
  closeProblem,
  type OrderRequest,
  orderProblem,
  setStopsProblem,
} from '#domain/trading/rules';
import { approach, stopHit } from '#domain/trading/triggers';
import type { Db } from '../db/open';
import type { Work } from '../db/unitOfWork';
import { CODE_REFUSED, Refusal } from '../http/refusal';
import type { Changes } from '../idempotency/idempotentRequests';
import type { Ledger } from '../ledger/ledger';
import type { Log, Market, MarketListener, Tick } from '../market/market';
import { Book } from './openOrders';
import type { OrderState } from './order';
import { findOrder, insertOrder, openOrders, saveOrders } from './orderStore';
import { Draft } from './stagedChange';
import { emptyAccount, put } from './tradingAccount';

export interface EngineOptions {
  db: Db;
  market: Market;
  ledger: Ledger;
  changes: Changes;
  feeType: FeeType;
  /** The starting balance of demo accounts. */
  demoBalance: Usd;
  log: Log;
  /** An order is new, changed or ended; after the commit, in order. */
  changed(order: OrderState): void;
}

export interface Stops {
  stopLoss: Price;
  takeProfit: Price;
}

/**
 * Matching: what orders and ticks do to each other (protocol.md, Rules where the
 * spec is silent). Commands run inside `Changes.run`, and ticks hold the feed, so
 * that neither ever meets the other half done.
 */
export class Engine implements MarketListener {
  readonly holdsFeed = true;
  readonly book: Book;
  private readonly options: EngineOptions;
  private readonly instruments: ReadonlyMap<number, Instrument>;
  private readonly ids: ReadonlyMap<string, number>;
  /** Not read yet, or ahead of the database: work failed. */
  private stale = true;

  constructor(options: EngineOptions) {
    const { market, ledger } = options;
    this.options = options;
    this.instruments = new Map(market.instruments.map((listed) => [listed.id, listed]));
    this.ids = new Map(market.instruments.map(({ code, id }) => [code, id]));
    this.book = new Book(market);
    ledger.onBalance((work, userId, balance) => {
      this.book.setBalance(userId, balance);
      this.doubt(work);
    });
  }

  /** Reads the open orders from the database, where that is due. */
  async load(db: Db): Promise<void> {
    if (!this.stale) return;
    const open = (await openOrders(db)).map((order) => this.listed(order));
    const users = [...new Set(open.map(({ userId }) => userId))];
    const balances = await this.options.ledger.available(db, users);
    const accounts = new Map(
      [...balances].map(([userId, balance]) => [userId, emptyAccount(userId, balance)]),
    );
    this.book.clear();
    for (const order of open) {
      const account = accounts.get(order.userId);
      if (account) put(account, order, this.book.price(order.instrumentId));
    }
    for (const account of accounts.values()) this.book.replace(account);
    this.stale = false;
  }

  ticks(ticks: readonly Tick[]): void | Promise<void> {
    if (this.stale) return this.match(ticks, 0);
    for (const [index, { instrumentId, price }] of ticks.entries()) {
      if (this.book.move(instrumentId, price)) return this.match(ticks, index);
    }
  }

  /** Nothing happens before the next tick. */
  status(): void {}

  barClosed(): void {}

  async submit(work: Work, userId: number, instrumentId: number, request: OrderRequest) {
    const instrument = this.instruments.get(instrumentId);
    if (!instrument) throw new Refusal(CODE_REFUSED, 'server.instrumentUnknown');
    const draft = await this.draft(work, userId);
    const { feeType, market } = this.options;
    const price = this.book.price(instrumentId);
    const problem = orderProblem(request, {
      instrument,
      feeType,
      marketOpen: this.book.isOpen(instrumentId),
      price,
      freeBalance: freeBalance(draft.account(userId)),
    });
    if (problem || !price) throw Refusal.ofRule(problem?.message ?? { key: 'noPrice' });
    const order = await insertOrder(work.tx, {
      userId,
      feed: market.feed,
      createdAt: market.now(),
      ...newOrder(request, instrument, feeType, price),
    });
    draft.accept(order);
    await this.commit(work, draft, order);
    return order;
  }

  async close(work: Work, userId: number, id: number): Promise<OrderState> {
    const { draft, order } = await this.find(work, userId, id);
    refuse(closeProblem(order.status, this.book.isOpen(order.instrumentId)));
    const closed = draft.close(order, 'user');
    await this.commit(work, draft);
    return closed;
  }

  async cancel(work: Work, userId: number, id: number): Promise<OrderState> {
    const { draft, order } = await this.find(work, userId, id);
    refuse(cancelProblem(order.status));
    const cancelled = draft.end(order, 'cancelled');
    await this.commit(work, draft);
    return cancelled;
  }

  async setStops(work: Work, userId: number, id: number, stops: Stops): Promise<OrderState> {
    const { draft, order } = await this.find(work, userId, id);
    const { status, side, originPrice: target, precision } = order;
    refuse(
      setStopsProblem(
        { status, side, target, precision },
        this.book.price(order.instrumentId),
        stops,
      ),
    );
    const amended = { ...order, ...stops };
    draft.amend(amended);
    await this.commit(work, draft);
    return amended;
  }

  /** What withdrawals and subscriptions may take (protocol.md, Margin in use). */
  async freeBalance(work: Work, userId: number): Promise<Usd> {
    return freeBalance((await this.draft(work, userId)).account(userId));
  }

  /** Ends all orders of a demo account and restores its starting balance. */
  async reset(work: Work, userId: number): Promise<Usd> {
    const draft = await this.draft(work, userId);
    const { pending, holding } = draft.account(userId);
    for (const order of [...pending.values()]) draft.end(order, 'reset');
    for (const { order } of [...holding.values()]) draft.close(order, 'reset');
    draft.restart(userId, this.options.demoBalance);
    await this.commit(work, draft);
    return this.options.demoBalance;
  }

  /**
   * What the ticks from `from` on set off, in one transaction: it takes along the
   * feed's position, which is behind the whole batch.
   */
  private async match(ticks: readonly Tick[], from: number): Promise<void> {
    try {
      await this.load(this.options.db);
      await this.options.changes.transact(async (work) => {
        for (const tick of ticks.slice(from)) {
          if (!this.book.move(tick.instrumentId, tick.price)) continue;
          await this.commit(work, this.trigger(tick));
        }
      });
    } catch (error) {
      // Conditions are of prices, not of crossings: the next tick sets off what was missed here.
      this.options.log.error(`matching failed: ${error instanceof Error ? error.stack : error}`);
    }
  }

  /** protocol.md, For each tick. */
  private trigger({ instrumentId, price, time }: Tick): Draft {
    const draft = new Draft(this.book, time);
    const exact = toDecimal(price) as Price;
    const filled = this.book.due(instrumentId).flatMap((order) => draft.fill(order, exact) ?? []);
    const holding = [...this.book.holding(instrumentId), ...filled].sort((a, b) => a.id - b.id);
    for (const order of holding) {
      const hit = stopHit(order, exact);
      if (hit) draft.close(order, hit);
    }
    const touched = draft.accounts.map(({ userId }) => userId);
    const suspects = new Set([...this.book.stoppedOut(instrumentId), ...touched]);
    for (const userId of [...suspects].sort((a, b) => a - b)) draft.stopOut(userId);
    return draft;
  }

  /** Books a draft: later steps of the same work meet it at once, the user's sockets once it is committed. */
  private async commit(work: Work, draft: Draft, created?: OrderState): Promise<void> {
    const changed = [...draft.changed.values()];
    for (const account of draft.accounts) this.book.replace(account);
    this.doubt(work);
    await saveOrders(work.tx, changed);
    await this.options.ledger.post(work, draft.entries);
    work.after(() => {
      for (const order of created ? [created, ...changed] : changed) this.options.changed(order);
    });
  }

  /** If the work fails the book is ahead of the database, and is read anew. */
  private doubt(work: Work): void {
    work.otherwise(() => {
      this.stale = true;
    });
  }

  /** A draft that knows the user's account. */
  private async draft(work: Work, userId: number): Promise<Draft> {
    const { ledger, market } = this.options;
    await this.load(work.tx);
    const draft = new Draft(this.book, market.now());
    if (!this.book.account(userId)) {
      const { available } = await ledger.balances(work.tx, userId);
      draft.adopt(emptyAccount(userId, available));
    }
    return draft;
  }

  private async find(work: Work, userId: number, id: number) {
    const draft = await this.draft(work, userId);
    const account = draft.account(userId);
    const order =
      account.pending.get(id) ??
      account.holding.get(id)?.order ??
      (await findOrder(work.tx, userId, id));
    if (!order) throw new Refusal(CODE_REFUSED, 'server.orderUnknown');
    return { draft, order };
  }

  /** Under the number that its instrument has in this process (D18). */
  private listed(order: OrderState): OrderState {
    const { feed } = this.options.market;
    const instrumentId = order.feed === feed ? this.ids.get(order.code) : undefined;
    return { ...order, instrumentId: instrumentId ?? 0 };
  }
}

function newOrder(
  request: OrderRequest,
  instrument: Instrument,
  feeType: FeeType,
  current: Price,
): Omit<OrderState, 'id' | 'userId' | 'feed' | 'createdAt'> {
  const { side, type, stopLoss, takeProfit } = request;
  const none = ZERO as Price;
  const originPrice = request.targetPrice ?? none;
  const from = type === 'pending' ? approach(originPrice, current) : undefined;
  const lots = request.lots ?? (ZERO as Lots);
  const multiplier =
    instrument.marginMode === 'fixed' || !request.multiplier
      ? (ZERO as Multiplier)
      : request.multiplier;
  const priced = type === 'pending' ? originPrice : current;
  return {
    instrumentId: instrument.id,
    code: instrument.code,
    name: instrument.name,
    precision: instrument.precision,
    unitsPerLot: instrument.unitsPerLot,
    side,
    lots,
    multiplier,
    originPrice,
    approach: from ?? '',
    price: from ? none : current,
    margin: margin(instrument, lots, priced, multiplier),
    fee: fee(instrument, feeType, lots, priced, multiplier),
    stopLoss: stopLoss ?? none,
    takeProfit: takeProfit ?? none,
    status: from ? 'pending' : 'holding',
    closePrice: none,
    profit: ZERO as Usd,
    closeReason: '',
    completedAt: undefined,
  };
}

function refuse(problem: Message | undefined): void {
  if (problem) throw Refusal.ofRule(problem);
}
