import { add, isZero, minimum, negate, sign, subtract, ZERO } from '../core/decimal';
import { latest, timeAfter, toDurationMs, type UnixMs } from '../core/time';
import type { Lots, Price, Usd } from '../core/units';
import { available, isStoppedOut } from './accountSummary';
import { isCovered } from './available';
import { spreadEarned } from './exposure';
import { OPPOSITE, type SidePrices } from './fill';
import { splitOrder } from './margin';
import type { Movement, Reversed } from './movement';
import type { Nights } from './nights';
import type { OpenOrders } from './openOrders';
import type { CloseReason } from './order';
import { type OrderState, profitAt } from './orderState';
import { midnightsBetween, swapAt } from './swap';
import { copyOf, putOrder, removeOrder, type TradingAccount } from './tradingAccount';
import { byLiquidationOrder, exitHit, followedStop } from './triggers';

/** From a time to the one before it. */
const BEFORE = toDurationMs(-1);

/** What the broker has earned by a fill or a close, USD. */
export interface Earned {
  code: string;
  fee: Usd;
  /** Against the latest price (domain.md#exposure). */
  spread: Usd;
}

/**
 * A change worked out on copies: orders as they will be, and the movements of money that the server's ledger will post.
 * The open orders in memory are untouched until it is committed.
 */
export class StagedChange {
  /** Existing orders as they will be, in the order of their last change. */
  readonly changed = new Map<number, OrderState>();
  readonly movements: Movement[] = [];
  /** What the broker earns by these fills. */
  readonly earned: Earned[] = [];
  private readonly openOrders: OpenOrders;
  /** The market's clock. */
  private readonly at: UnixMs;
  private readonly nights: Nights;
  private readonly copies = new Map<number, TradingAccount>();

  constructor(openOrders: OpenOrders, at: UnixMs, nights: Nights) {
    this.openOrders = openOrders;
    this.at = at;
    this.nights = nights;
  }

  /** Affected accounts as they will be. */
  get accounts(): TradingAccount[] {
    return [...this.copies.values()];
  }

  account(userId: number): TradingAccount {
    let copy = this.copies.get(userId);
    if (!copy) {
      const account = this.openOrders.account(userId);
      if (!account) throw new Error(`the account of user ${userId} is not among the open orders`);
      copy = copyOf(account);
      this.copies.set(userId, copy);
    }
    return copy;
  }

  /** Adds an order: freezes its margin, and charges its fee where it is filled immediately. Returns it. */
  accept(placed: OrderState): OrderState {
    const order = this.counted(placed);
    const account = this.account(order.userId);
    this.put(account, order);
    this.move(account, { kind: 'frozen', order, amount: negate(order.margin) });
    if (order.status === 'holding') this.chargeFee(account, order);
    return order;
  }

  /** Charges the nights of a user's positions that are due (domain.md#overnight-financing). */
  chargeNights(userId: number): void {
    if (!this.nights.isDue(this.at)) return;
    const account = this.account(userId);
    for (const { order } of [...account.positions.values()]) {
      const terms = this.nights.termsOf(order.instrumentId);
      if (!terms || order.chargedUntil === null) continue;
      const midnights = midnightsBetween(order.chargedUntil, this.at);
      if (midnights.length === 0) continue;
      let { swap } = order;
      for (const midnight of midnights) {
        const amount = swapAt(terms, order.side, order.lots, midnight);
        swap = add(swap, amount);
        this.move(account, { kind: 'swap', order, amount, midnight });
      }
      const charged = { ...order, swap, chargedUntil: this.at };
      this.put(account, charged);
      this.record(charged);
    }
  }

  /**
   * Fills a pending order whose target is reached, or cancels it where the available balance does not
   * cover its fee (domain.md#pending-orders). Returns the filled order.
   */
  fill(order: OrderState, sides: SidePrices): OrderState | undefined {
    const account = this.account(order.userId);
    if (!isCovered(order.fee, available(account))) {
      this.cancel(order, 'cancelled', 'fill_refused');
      return undefined;
    }
    const filled = this.counted({
      ...order,
      status: 'holding',
      price: sides[order.side],
      stopLoss: followedStop(order, sides[OPPOSITE[order.side]]),
      // A later tick of the same millisecond counts.
      trailingSince: isZero(order.trailing) ? null : timeAfter(this.at, BEFORE),
    });
    this.put(account, filled);
    this.chargeFee(account, filled);
    this.record(filled);
    return filled;
  }

  /** Ends a pending order and releases its margin. */
  cancel(
    order: OrderState,
    closeReason: CloseReason,
    kind: 'released' | 'fill_refused' = 'released',
  ): OrderState {
    const account = this.account(order.userId);
    removeOrder(account, order.id);
    this.move(account, { kind, order, amount: order.margin });
    return this.recordClosed({ ...order, closeReason, closePrice: this.priceOf(order) });
  }

  /**
   * Closes a position, at the latest price unless another is given: releases its margin and settles its profit.
   * Closing the last one lifts a negative balance.
   */
  close(
    order: OrderState,
    closeReason: CloseReason,
    closePrice: Price = this.priceOf(order),
  ): OrderState {
    const account = this.account(order.userId);
    const profit = profitAt(order, closePrice);
    removeOrder(account, order.id);
    this.move(account, { kind: 'released', order, amount: order.margin });
    this.move(account, { kind: 'profit', order, amount: profit });
    if (account.positions.size === 0 && sign(account.balance) < 0) {
      this.move(account, { kind: 'lifted', order, amount: negate(account.balance) });
    }
    const spread = this.spreadOf({ ...order, side: OPPOSITE[order.side] }, closePrice);
    this.earned.push({ code: order.code, fee: ZERO, spread });
    const earned = add(order.spread, spread);
    return this.recordClosed({ ...order, closeReason, closePrice, profit, spread: earned });
  }

  /** Against the latest price; nothing where there is none. */
  private spreadOf(traded: OrderState, price: Price): Usd {
    const latest = this.openOrders.sides(traded.instrumentId)?.latest;
    return latest ? spreadEarned(traded, price, latest) : ZERO;
  }

  /**
   * Closes a part of a position as an order of its own, which takes its share of margin and fee
   * with it (domain.md#partial-close); the spread of the fill stays with the rest. The part is new to the database, and not among `changed`.
   */
  closePart(
    order: OrderState,
    lots: Lots,
    id: number,
    price: Price,
  ): { part: OrderState; rest: OrderState } {
    const split = splitOrder(order, lots);
    const { rest } = split;
    this.put(this.account(order.userId), rest);
    const splitFrom = order.splitFrom ?? order.id;
    const part = this.close({ ...split.part, id, splitFrom, spread: ZERO }, 'user', price);
    this.changed.delete(id);
    this.record(rest);
    return { part, rest };
  }

  /**
   * Closes orders, the worst one first, while the margin level is too low and their markets are
   * open (domain.md#stop-out).
   */
  stopOut(userId: number): void {
    const account = this.account(userId);
    if (!isStoppedOut(account)) return;
    const closable = [...account.positions.values()]
      .filter(({ order }) => this.openOrders.isOpen(order.instrumentId))
      .map(({ order, profit }) => ({ id: order.id, order, profit }));
    for (const { order } of closable.sort(byLiquidationOrder)) {
      this.close(order, 'stop_out');
      if (!isStoppedOut(account)) return;
    }
  }

  /** Replaces a pending order by one with other terms, which may be filled immediately (domain.md#amending). Returns it. */
  amend(order: OrderState, terms: OrderState): OrderState {
    const amended = this.counted(terms);
    const account = this.account(order.userId);
    const amount = subtract(order.margin, amended.margin);
    if (!isZero(amount)) {
      const kind = sign(amount) > 0 ? 'released' : 'frozen';
      this.move(account, { kind, order: amended, amount });
    }
    this.put(account, amended);
    if (amended.status === 'holding') this.chargeFee(account, amended);
    this.record(amended);
    return amended;
  }

  /**
   * Undoes the fill of an order, and its close where it has closed: all that it has moved is moved back, and it ends as one that never traded
   * (domain.md#bust).
   */
  annul(order: OrderState, reason: string): OrderState {
    const held = order.status === 'holding';
    this.reverse('busted', order, reason, {
      margin: held ? order.margin : ZERO,
      profit: negate(order.profit),
      fee: order.fee,
      swap: negate(order.swap),
    });
    removeOrder(this.account(order.userId), order.id);
    this.earned.push({ code: order.code, fee: ZERO, spread: negate(order.spread) });
    const annulled: OrderState = {
      ...order,
      status: 'closed',
      closeReason: 'busted',
      closePrice: order.price,
      completedAt: order.completedAt ?? this.at,
      ...{ profit: ZERO, fee: ZERO, swap: ZERO, spread: ZERO },
    };
    this.record(annulled);
    return annulled;
  }

  /**
   * Undoes the close of a position, which is held again from now on (domain.md#bust). Its margin is frozen whatever the balance: nobody has
   * asked the user.
   */
  reopen(order: OrderState, reason: string): OrderState {
    this.reverse('adjusted', order, reason, {
      ...{ margin: negate(order.margin), profit: negate(order.profit) },
      ...{ fee: ZERO, swap: ZERO },
    });
    const reopened: OrderState = {
      ...order,
      status: 'holding',
      closeReason: '',
      closePrice: ZERO,
      completedAt: null,
      profit: ZERO,
      // Nights without it, and prices that its stop could have followed, do not count.
      chargedUntil: this.nights.countFrom(this.at),
      trailingSince: isZero(order.trailing) ? null : this.at,
    };
    const held = this.withPossibleStop(reopened);
    this.put(this.account(order.userId), held);
    this.record(held);
    return held;
  }

  /** A wrong price may have moved a stop that follows past the right one, which would trigger it: then it begins anew. */
  private withPossibleStop(order: OrderState): OrderState {
    const price = this.priceOf(order);
    if (isZero(order.trailing) || exitHit(order, price) !== 'stop_loss') return order;
    return { ...order, stopLoss: followedStop({ ...order, stopLoss: ZERO }, price) };
  }

  /** Gives a fill, a close or both another price; margin and fee stay (domain.md#bust). */
  correct(order: OrderState, corrected: OrderState, reason: string): OrderState {
    if (order.status === 'holding') {
      this.put(this.account(order.userId), corrected);
      this.record(corrected);
      return corrected;
    }
    const profit = profitAt(corrected, corrected.closePrice);
    this.reverse('adjusted', order, reason, {
      ...{ margin: ZERO, profit: subtract(profit, order.profit) },
      ...{ fee: ZERO, swap: ZERO },
    });
    const closed = { ...corrected, profit };
    this.record(closed);
    return closed;
  }

  /**
   * After a user's fills were changed, which has added `gain` to what they have: the broker takes back as much as it has lifted of the
   * losses, and lifts what is missing where nothing is held, as after a last close (domain.md#negative-balance, D181). Returns what the
   * user has gained then.
   */
  settleBust(order: OrderState, gain: Usd, lifted: Usd): Usd {
    const account = this.account(order.userId);
    const back = minimum(gain, lifted);
    let settled = gain;
    if (sign(back) > 0) {
      this.move(account, { kind: 'unlifted', order, amount: negate(back) });
      settled = subtract(settled, back);
    }
    if (account.positions.size === 0 && sign(account.balance) < 0) {
      settled = subtract(settled, account.balance);
      this.move(account, { kind: 'lifted', order, amount: negate(account.balance) });
    }
    return settled;
  }

  private reverse(
    kind: 'busted' | 'adjusted',
    order: OrderState,
    reason: string,
    reversed: Reversed,
  ): void {
    const { margin, profit, fee, swap } = reversed;
    const amount = add(add(margin, profit), add(fee, swap));
    this.move(this.account(order.userId), { kind, order, amount, reversed, reason });
  }

  /** Replaces an order by one with other exits. */
  setExits(order: OrderState): void {
    this.put(this.account(order.userId), order);
    this.record(order);
  }

  /** Sets the balance of a demo account to `start`. */
  resetBalance(userId: number, start: Usd): void {
    const account = this.account(userId);
    this.move(account, { kind: 'reset', userId, amount: subtract(start, account.balance) });
  }

  /** An order that is filled now, where it is: its nights count from here. */
  private counted(order: OrderState): OrderState {
    if (order.status !== 'holding') return order;
    const spread = this.spreadOf(order, order.price);
    const filledAt = this.timeFor(order);
    return { ...order, filledAt, spread, chargedUntil: this.nights.countFrom(filledAt) };
  }

  /** A tick may come late, and be older than an order that it fills or closes: no order ends before it begins. */
  private timeFor({ createdAt, filledAt }: OrderState): UnixMs {
    return latest(this.at, filledAt ?? createdAt);
  }

  private chargeFee(account: TradingAccount, order: OrderState): void {
    this.move(account, { kind: 'fee', order, amount: negate(order.fee) });
    this.earned.push({ code: order.code, fee: order.fee, spread: order.spread });
  }

  private put(account: TradingAccount, order: OrderState): void {
    putOrder(account, order, this.openOrders.priceOf(order));
  }

  private move(account: TradingAccount, movement: Movement): void {
    account.balance = add(account.balance, movement.amount);
    this.movements.push(movement);
  }

  /** Without a price a position closes at its own price and a pending one at 0. */
  private priceOf(order: OrderState): Price {
    return this.openOrders.priceOf(order) ?? order.price;
  }

  private recordClosed(order: OrderState): OrderState {
    const closed: OrderState = { ...order, status: 'closed', completedAt: this.timeFor(order) };
    this.record(closed);
    return closed;
  }

  private record(order: OrderState): void {
    this.changed.delete(order.id);
    this.changed.set(order.id, order);
  }
}
