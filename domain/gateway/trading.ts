/** The part of the worker's contract that is about the user's money: session, ticket, orders, account. */

import type { User } from '../account/user';
import type { Done, Result } from '../core/result';
import type { Message } from '../core/rule';
import type { Order, OrderStatus } from '../trading/order';
import type { TicketField } from '../trading/rules';
import type { TicketInput } from '../trading/ticketInput';

/** What the ticket would do, recomputed on every tick. Amounts in USD as exact text; undefined where not yet known. */
export interface TicketPreview {
  /** The price that margin and fee are computed at: the quote, or the target. */
  price: string | undefined;
  margin: string | undefined;
  fee: string | undefined;
  /** USD for a move of one point, 10^-PricePrecision. */
  pointValue: string | undefined;
  freeBalanceAfter: string | undefined;
  /** The largest number of lots that the free balance bears. */
  maxLots: string | undefined;
  /** Where the account would be stopped out, all else standing still. */
  stopOutPrice: string | undefined;
  /** The first rule that the ticket breaks (domain.md#order-form), by the field that has to change. */
  problem: { field: TicketField; message: Message } | undefined;
}

/** Account figures (domain.md#account-figures), live. USD as exact text; the ratios in percent, undefined with no margin in use. */
export interface AccountFigures {
  balance: string;
  lockBalance: string;
  marginInUse: string;
  /** Floating profit of the holding orders, six decimals. */
  profit: string;
  netValue: string;
  freeBalance: string;
  riskRate: string | undefined;
  prepaymentRatio: string | undefined;
}

/** The floating profit of one watched order. */
export interface OrderProfit {
  id: number;
  /** USD, six decimals. */
  profit: string;
  price: number;
}

/** What the trading part adds to a Frame. */
export interface TradingFrame {
  /** null: nobody is logged in. */
  user?: User | null;
  /** null: not known yet, or nobody is logged in. */
  account?: AccountFigures | null;
  ticket?: TicketPreview;
  /** Bumped when an order was added, changed or ended: ask `orders` again. */
  ordersRevision?: number;
  /** Watched orders whose profit changed. */
  profits?: OrderProfit[];
  /** Keys of the changing calls whose answer got lost and is being found out. */
  checking?: string[];
}

/** What the trading part adds to the GatewayEvents. */
export type TradingEvent =
  /**
   * One of the user's orders ended: a push (FOREX_CLOSED), or found out after an absence. `before`: as it was known
   * until then.
   */
  | { type: 'order-closed'; order: Order; before: Order | undefined }
  /** A push: one of the user's orders is new or changed (FOREX_TRADE). */
  | { type: 'order-changed'; order: Order };

/** How to sort orders. Among equals the newest stands first. */
export interface OrderSort {
  column:
    | 'name'
    | 'side'
    | 'lots'
    | 'multiplier'
    | 'originPrice'
    | 'price'
    | 'updatePrice'
    | 'stopLoss'
    | 'takeProfit'
    | 'margin'
    | 'fee'
    | 'profit'
    | 'createdAt'
    | 'completedAt'
    | 'closeReason';
  descending: boolean;
  /** What the page shows for each value of `side` or `closeReason`: these columns sort by it. */
  labels?: Readonly<Record<string, string>>;
}

export interface OrderWindow {
  /** Of the tab, in sight or not. */
  total: number;
  from: number;
  orders: Order[];
  /** Sum over all pages (holding: floating and live, history: realised), six decimals. */
  profit: string;
  loading: boolean;
}

/** Stops of an order as plain decimals; empty removes. */
export interface Stops {
  stopLoss: string;
  takeProfit: string;
}

/**
 * A changing call takes the idempotency key that the user's tap made. Its
 * promise settles when the truth is known: while an answer is lost the worker
 * asks again with the same key, and `checking` holds the key.
 */
export interface TradingGateway {
  /** resetForexDemoAccount: all orders end, the starting balance is back. */
  resetDemo(key: string): Promise<Result<Done<string>>>;
  /** The ticket to preview on every tick; undefined when the form is gone. */
  setTicket(ticket: TicketInput | undefined): void;
  submit(ticket: TicketInput, key: string): Promise<Result<Done<Order>>>;
  /** `quiet`: one of many, whose caller reports; neither success nor failure comes as an event besides. */
  closeOrder(id: number, key: string, quiet?: boolean): Promise<Result<Done<Order>>>;
  cancelOrder(id: number, key: string): Promise<Result<Done<Order>>>;
  setStops(id: number, stops: Stops, key: string): Promise<Result<Done<Order>>>;
  /**
   * Orders `from` to `to` (excluded) of a tab, newest first or sorted; history is fetched as
   * needed, all of it to be sorted. A sorted list keeps its order until `ordersRevision` changes.
   */
  orders(
    status: OrderStatus,
    from: number,
    to: number,
    sort?: OrderSort,
  ): Promise<Result<OrderWindow>>;
  /** Open and pending orders of one instrument, for the lines on the chart. */
  ordersOf(instrumentId: number): Order[];
  /** Fetches orders and balances anew (pull to refresh, entry of a screen). */
  refreshOrders(): Promise<Result<void>>;
  /** Orders whose live profit is on screen. */
  watchOrders(change: { add: number[]; remove: number[] }): void;
}
