import { add, compare, isZero, ZERO } from '../core/decimal';
import type { Message } from '../core/rule';
import type { UnixMs } from '../core/time';
import type { Lots, Price } from '../core/units';
import type { Instrument } from '../market/instrument';
import { available } from './accountSummary';
import { fillPrice, isCrossed, OPPOSITE, type Opening, openingOf, type QuoteFill } from './fill';
import { type FeeType, fee, margin } from './margin';
import { Nights } from './nights';
import { type MatchedMarket, type MatchedTick, OpenOrders } from './openOrders';
import type { Side } from './order';
import type { OrderState } from './orderState';
import {
  closeProblem,
  type OrderRequest,
  orderProblem,
  partProblem,
  seenProblem,
  setExitsProblem,
} from './rules';
import { StagedChange } from './stagedChange';
import { approach, betterStop, exitHit, followedStop } from './triggers';

interface MatchingOptions {
  market: MatchedMarket;
  instruments: readonly Instrument[];
  feeType: FeeType;
  /** What bid and ask decide, where the market has them (domain.md#fill-at-bid-and-ask). */
  quoteFill: QuoteFill;
  /** Positions are charged for their nights (domain.md#overnight-financing). */
  swap: boolean;
  /** Throws where an order is refused that breaks no rule of matching; `former`: the one that it replaces. */
  mayPlace?: (placed: PlacedOrder, former?: OrderState) => void;
}

/** A new order before it has its place. */
export type PlacedOrder = Omit<OrderState, 'id' | 'userId' | 'feed' | 'createdAt'>;

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

/** What a command came to, or the first rule that it breaks. */
export type Outcome<T> = { problem: Message; done?: undefined } | { problem?: undefined; done: T };

/**
 * The rules of matching (domain.md#orders, domain.md#each-tick), without a database: the server and a practice session run
 * this code, because a simpler model's fills would teach something false. A command is worked out on a staged change, which its caller commits.
 */
export class Matching {
  readonly openOrders: OpenOrders;
  readonly nights: Nights;
  private readonly options: MatchingOptions;

  constructor(options: MatchingOptions) {
    this.options = options;
    this.openOrders = new OpenOrders(options.market, options.quoteFill);
    this.nights = new Nights(options.instruments, options.swap);
  }

  /** Starts a change of a user's account, with the nights that are due: a position may end before the next tick. */
  stage(userId: number): StagedChange {
    const staged = new StagedChange(this.openOrders, this.options.market.now(), this.nights);
    staged.chargeNights(userId);
    return staged;
  }

  /** Places an order. `nextId`: called once it is accepted. */
  submit(
    staged: StagedChange,
    userId: number,
    instrument: Instrument,
    request: OrderRequest,
    nextId: () => number,
  ): Outcome<OrderState> {
    const { feeType, market } = this.options;
    const account = staged.account(userId);
    const opened = this.opening(request, instrument.id);
    const problem = orderProblem(request, {
      instrument,
      feeType,
      ...this.tradable(instrument.id),
      price: opened?.reference,
      fill: opened?.fill,
      openOrders: account.pending.size + account.positions.size,
      available: available(account),
      now: market.now(),
    });
    if (problem || !opened) return { problem: problem?.message ?? { key: 'noPrice' } };
    const placed = newOrder(request, instrument, feeType, opened, this.quotedAt(instrument.id));
    this.options.mayPlace?.(placed);
    const order = staged.accept({
      id: nextId(),
      userId,
      feed: market.feed,
      createdAt: market.now(),
      ...placed,
    });
    return { done: order };
  }

  /** Why an order can't be closed. `seen`: the lots that the user saw, 0 where unknown. */
  closeProblem(order: OrderState, seen: Lots): Message | undefined {
    return (
      closeProblem(order.status, this.tradable(order.instrumentId)) ?? seenProblem(seen, order.lots)
    );
  }

  /** Closes a position that has no `closeProblem`. */
  close(staged: StagedChange, order: OrderState): OrderState {
    return staged.close(order, 'user', this.closingPrice(order));
  }

  /** Closes a part of such a position's lots (domain.md#partial-close). `nextId`: called once it is accepted. */
  closePart(
    staged: StagedChange,
    order: OrderState,
    instrument: Instrument,
    lots: Lots,
    nextId: () => number,
  ): Outcome<{ part: OrderState; rest: OrderState }> {
    const problem = partProblem(lots, order, instrument);
    if (problem) return { problem };
    return { done: staged.closePart(order, lots, nextId(), this.closingPrice(order)) };
  }

  /**
   * Replaces the terms of a pending order by the rules of a new one, its own margin returned first (domain.md#amending). A
   * refusal leaves it as it was.
   */
  amend(
    staged: StagedChange,
    order: OrderState,
    listed: Instrument,
    terms: AmendedTerms,
  ): Outcome<OrderState> {
    const { name, precision, unitsPerLot, side, leverage } = order;
    const instrument = { ...listed, name, precision, unitsPerLot };
    const { feeType, market } = this.options;
    const account = staged.account(order.userId);
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
    if (problem || !opened) return { problem: problem?.message ?? { key: 'noPrice' } };
    const quotedAt = this.quotedAt(order.instrumentId);
    const replaced = newOrder(request, instrument, feeType, opened, quotedAt);
    this.options.mayPlace?.(replaced, order);
    return { done: staged.amend(order, { ...order, ...replaced }) };
  }

  setExits(staged: StagedChange, order: OrderState, exits: Exits): Outcome<OrderState> {
    const { status, side, originPrice: target, precision } = order;
    const price = this.openOrders.priceOf(order);
    const problem = setExitsProblem({ status, side, target, precision }, price, exits);
    if (problem) return { problem };
    const amended = this.withExits(order, exits, price);
    staged.setExits(amended);
    return { done: amended };
  }

  /** Charges the nights of users' positions that are due at a time of the market's clock (domain.md#overnight-financing). */
  chargeNights(at: UnixMs, userIds: readonly number[]): StagedChange {
    const staged = new StagedChange(this.openOrders, at, this.nights);
    for (const userId of userIds) staged.chargeNights(userId);
    return staged;
  }

  /** Cancels the orders that have expired at a time of the market's clock (domain.md#expiry); undefined where there are none. */
  expire(at: UnixMs): StagedChange | undefined {
    const due = this.openOrders.expiries.due(at);
    if (due.length === 0) return undefined;
    const staged = new StagedChange(this.openOrders, at, this.nights);
    for (const order of due) staged.cancel(order, 'expired');
    return staged;
  }

  /** What a tick triggers that the open orders have applied (domain.md#each-tick). */
  trigger({ instrumentId, time }: Pick<MatchedTick, 'instrumentId' | 'time'>): StagedChange {
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

  /** Whether an order may be filled now (domain.md#refused-orders). */
  private tradable(instrumentId: number): { marketOpen: boolean; crossed: boolean } {
    const { quoteFill, market } = this.options;
    const quote = market.quote(instrumentId);
    return {
      marketOpen: this.openOrders.isOpen(instrumentId),
      crossed: quoteFill === 2 && quote !== undefined && isCrossed(quote),
    };
  }

  /** As matching has seen it; what market orders are filled at is the market's own. */
  private opening(request: OrderRequest, instrumentId: number): Opening | undefined {
    const sides = this.openOrders.sides(instrumentId);
    const { side } = request;
    return sides && openingOf(request, sides, this.fillPrice(side, instrumentId, sides[side]));
  }

  private closingPrice(order: OrderState): Price {
    const latest = this.openOrders.priceOf(order) ?? order.price;
    return this.fillPrice(OPPOSITE[order.side], order.instrumentId, latest);
  }

  /**
   * What a market order is filled at now; `latest`: what matching has seen of its side. Pending orders and stops fill at the tick
   * instead: another price would not have triggered them.
   */
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
}

/** The order that a request places. Its columns have their first values here. */
export function newOrder(
  request: OrderRequest,
  instrument: Instrument,
  feeType: FeeType,
  { reference, fill, held }: Opening,
  quotedAt: UnixMs | undefined,
): PlacedOrder {
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
