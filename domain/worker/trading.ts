/** The part of the worker's contract about trading: ticket, orders, account summary. */

import type { User } from '../account/user';
import type { Period } from '../core/calendar';
import type { Done, Failure, Result } from '../core/result';
import type { Message } from '../core/rule';
import type { UnixMs } from '../core/time';
import type { Lots, Usd } from '../core/units';
import type { AmendmentInput } from '../trading/amendment';
import type { Order, OrderStatus } from '../trading/order';
import type { Grouping, ResultGroup, ResultTotals, Trade } from '../trading/results';
import type { TicketField } from '../trading/rules';
import type { TicketInput } from '../trading/ticketInput';
import type { AccountParts, CurvePoint, Statement } from '../wallet/statement';

/** What the ticket would do, computed again on every tick (domain.md#ticket). USD as exact text; undefined where unknown. */
export interface TicketPreview {
  /** The price that margin and fee are computed at: the fill, or the target. */
  price: string | undefined;
  /** What exits are judged by and follow from: the latest price, or the target. */
  exitReference: string | undefined;
  /** What the target of a pending order is compared with (domain.md#fill-at-bid-and-ask): the price that it would open at. */
  reference: string | undefined;
  /** Whether a market order is filled at bid or ask. */
  atQuote: boolean;
  margin: string | undefined;
  fee: string | undefined;
  /** How many units of the instrument the lots are. */
  units: string | undefined;
  /** What they are worth at `price`. */
  value: string | undefined;
  /** USD for a move of one point, 10^-PricePrecision. */
  pointValue: string | undefined;
  availableAfter: string | undefined;
  /** The largest number of lots that the available balance allows. */
  maxLots: string | undefined;
  /** The price at which the account would be stopped out if nothing else changed (domain.md#stop-out). */
  stopOutPrice: string | undefined;
  /** What the order loses at its stop-loss (domain.md#risk). */
  risk: string | undefined;
  /** The risk in percent of the equity. */
  riskPercent: string | undefined;
  /** The profit at the take-profit divided by the risk. */
  rewardToRisk: string | undefined;
  /** The lots that risk 1 % of the equity; undefined where the smallest order risks more. */
  lotsAtRisk: string | undefined;
  /** The first rule that the ticket breaks (domain.md#order-form), and the field that has to change. */
  problem: { field: TicketField; message: Message } | undefined;
  /** That of the ticket (`TicketInput`): a preview of former entries may come after the user has changed them. */
  revision?: number | undefined;
}

/** Live account summary (domain.md#account-summary). USD as exact text; ratios in percent, undefined with no margin in use. */
export interface AccountSummary {
  /** Margin in use included, so that `balance` + `profit` = `equity`. */
  balance: string;
  lockBalance: string;
  marginInUse: string;
  /** Floating profit of the positions, six decimals. */
  profit: string;
  equity: string;
  available: string;
  riskRate: string | undefined;
  marginLevel: string | undefined;
  /** By id of the instruments that are held: where the account is stopped out if only this price moves. */
  stopOutPrices: Readonly<Record<number, string>>;
}

/** The floating profit of one watched order. */
export interface OrderProfit {
  id: number;
  /** USD, six decimals. */
  profit: string;
  price: number;
  /** What closing it by hand now would be at, where that is another price: bid or ask. */
  closingPrice?: number;
}

/** What the trading part adds to a Frame. */
export interface TradingFrame {
  /** null: nobody is logged in. */
  user?: User | null;
  /** null: unknown so far, or nobody is logged in. */
  account?: AccountSummary | null;
  ticket?: TicketPreview;
  /** Of the order that a change of another one would make; undefined figures while that is not known. */
  change?: TicketPreview;
  /** Another number than before when an order was added, changed or ended: call `orders` again. */
  ordersRevision?: number;
  /** Watched orders whose profit has changed. */
  profits?: OrderProfit[];
}

/** What the trading part adds to the WorkerEvents. */
export type TradingEvent =
  /**
   * An order of the user has ended: reported by a push (protocol.md#closed-push), or found in the history
   * after a reconnect. `before`: the order as it was known until then.
   */
  | { type: 'order-closed'; order: Order; before: Order | undefined }
  /** A push: an order of the user is new or has changed (protocol.md#order-push). `before`: as above. */
  | { type: 'order-changed'; order: Order; before: Order | undefined };

/** How to sort orders. Among equals the newest comes first. */
export interface OrderSort {
  column:
    | 'name'
    | 'side'
    | 'lots'
    | 'leverage'
    | 'originPrice'
    | 'price'
    | 'updatePrice'
    | 'stopLoss'
    | 'takeProfit'
    | 'margin'
    | 'fee'
    | 'profit'
    | 'net'
    | 'distance'
    | 'until'
    | 'createdAt'
    | 'completedAt'
    | 'closeReason';
  descending: boolean;
  /** What the page shows for each value of `side` or `closeReason`: these columns sort by it. */
  labels?: Readonly<Record<string, string>>;
}

export interface OrderWindow {
  /** Orders of the tab, in sight or not. */
  total: number;
  from: number;
  orders: Order[];
  /** Of all orders of the tab, USD, six decimals. Holding: floating profit. Closed: net of `fees` where these are known, and of `swap`. */
  profit: string;
  /** The fees that the closed orders have paid, USD; undefined where the server does not say. */
  fees?: string | undefined;
  /** What the nights of the closed orders were charged, USD, negative is paid; undefined where nothing was. */
  swap?: string | undefined;
  loading: boolean;
  /** Why the last refresh failed: the rows are those of before. */
  failure: Failure | undefined;
}

/** How far the history of a period is loaded. Until it is complete, the next call loads more. */
interface Loaded {
  complete: boolean;
  /** Orders and financial records that are loaded. */
  loaded: number;
}

/** The results of a period (domain.md#results); while incomplete, those of the orders that are loaded. */
export interface Results extends Loaded {
  totals: ResultTotals;
  /** USD. */
  drawdown: Usd;
  groups: Readonly<Record<Grouping, readonly ResultGroup[]>>;
  /** The balance over the period; undefined until the history is complete. */
  balance: { opening: Usd; closing: Usd; curve: readonly CurvePoint[] } | undefined;
}

/** The statement of a period (domain.md#account-statement); undefined until the history is complete. */
export interface StatementAnswer extends Loaded {
  statement: Statement | undefined;
  /** What the balance of now consists of; only where the period has not ended. */
  parts: AccountParts | undefined;
}

/** The past trades of an instrument, newest first; until it is complete, those that are loaded. */
export interface PastTrades {
  trades: Trade[];
  /** All that ended since the time that was asked for, or as many as a chart looks through. */
  complete: boolean;
}

/** A reversal whose close was done. */
export interface Reversed {
  closed: Order;
  /**
   * `unread` where it was placed and the answer can't be read. Undefined where it was not placed, or that is not known:
   * `RequestsFrame.unanswered` says which.
   */
  opened: Order | 'unread' | undefined;
}

/** Exits of an order as plain decimals; empty removes one. */
export interface Exits {
  stopLoss: string;
  takeProfit: string;
  /** How far the stop-loss follows the best price, only where the server has `trailing_stop`. */
  trailing: string;
}

/** An order as the user saw it. */
export interface SeenOrder {
  id: number;
  lots: Lots;
}

/**
 * A changing call takes an idempotency key, made by the page for one action of the user. Its
 * promise resolves when the outcome is known, or can't be: while an answer is lost, the worker asks
 * again with the same key, and `RequestsFrame.unanswered` has the call.
 */
export interface TradingWorkerApi {
  /** Ends all orders of a demo account and restores its starting balance (protocol.md#demo-reset). */
  resetDemo(key: string): Promise<Result<Done<string>>>;
  /** Sets the ticket to preview on every tick; undefined when the form is closed. */
  setTicket(ticket: TicketInput | undefined): void;
  submit(ticket: TicketInput, key: string): Promise<Result<Done<Order>>>;
  /** `quiet`: one of many, whose caller reports the outcome; no events come. */
  closeOrder(order: SeenOrder, key: string, quiet?: boolean): Promise<Result<Done<Order>>>;
  /**
   * Closes a part of an order's lots, a plain decimal, only where the server has `partial_close`. Resolves
   * to the order that remains.
   */
  closePart(order: SeenOrder, lots: string, key: string): Promise<Result<Done<Order>>>;
  cancelOrder(id: number, key: string): Promise<Result<Done<Order>>>;
  /** Amends a pending order, only where the server has `amend`. */
  amendOrder(id: number, terms: AmendmentInput, key: string): Promise<Result<Done<Order>>>;
  /** Sets the change that is previewed on every tick: a reversal, or with terms an amendment; undefined when that is not shown any more. */
  setChange(change: { id: number; terms?: AmendmentInput } | undefined): void;
  /**
   * Closes a position, then opens the opposite one (domain.md#reversing), each exactly once. The
   * second is sent only after the first is known to be done. Resolves to what was done, a failure where
   * nothing was. `quoteSeen`: the price that the user saw, a plain decimal.
   */
  reverseOrder(
    order: SeenOrder,
    quoteSeen: string,
    keys: { close: string; open: string },
  ): Promise<Result<Reversed>>;
  /** `quiet`: as of `closeOrder`. */
  setExits(id: number, exits: Exits, key: string, quiet?: boolean): Promise<Result<Done<Order>>>;
  /**
   * Orders `from` to `to` (excluded) of a tab, newest first or sorted; history is fetched as
   * needed, all of it to be sorted. A sorted list keeps its order until `ordersRevision` changes.
   * Of closed orders only those that ended in `period`, where one is given.
   */
  orders(
    status: OrderStatus,
    from: number,
    to: number,
    sort?: OrderSort,
    period?: Period,
  ): Promise<Result<OrderWindow>>;
  /** Loads a part of the history, and returns the results of what is loaded. */
  results(period: Period): Promise<Result<Results>>;
  /** As `results`, in full: with each order and each movement of money. */
  statement(period: Period): Promise<Result<StatementAnswer>>;
  /** Positions and pending orders of one instrument, for the lines on the chart. */
  ordersOf(instrumentId: number): Order[];
  /** Loads a part of the history, and returns the trades of one instrument that ended at `from` or later. */
  pastTrades(instrumentId: number, from: UnixMs): Promise<Result<PastTrades>>;
  /**
   * Fetches orders and balances again. `entering`: a screen that shows them was opened, for which
   * those first fetched in the last 2 s are new enough.
   */
  refreshOrders(entering?: boolean): Promise<Result<void>>;
  /** Sets the orders whose live profit is on screen. */
  watchOrders(change: { add: number[]; remove: number[] }): void;
}
