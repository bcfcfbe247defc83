import { add, compare, isZero, ZERO } from '../core/decimal';
import type { UnixMs } from '../core/time';
import { type Price, toPrice, type Usd } from '../core/units';
import { isStoppedOut } from './accountSummary';
import { Expiries } from './expiries';
import { type Exposure, NO_EXPOSURE, withOrder, withoutOrder } from './exposure';
import { isCrossed, OPPOSITE, type QuoteFill, type SidePrices, sidePrices } from './fill';
import type { OrderState } from './orderState';
import { revalue, type TradingAccount } from './tradingAccount';
import { exitHit, followedStop, isReached } from './triggers';

/** A price of an instrument, and what decides beside it. Doubles, as in Bar (D1). */
interface MatchedQuote {
  price: number;
  /** The best prices at which others buy and sell, where the market has them. */
  bid?: number;
  ask?: number;
}

/** A new price of an instrument. */
export interface MatchedTick extends MatchedQuote {
  instrumentId: number;
  /** The market's clock. */
  time: UnixMs;
}

/** The market that orders are matched with: the server's, or the one of a practice session. */
export interface MatchedMarket {
  /** Names its prices: an order of another feed has none. */
  readonly feed: string;
  /** Its clock. */
  now(): UnixMs;
  /** Undefined before the first tick of the instrument. */
  quote(instrumentId: number): (MatchedQuote & { marketOpen: boolean; time: UnixMs }) | undefined;
}

/** At most this many accounts without open orders stay in memory. */
const MOST_IDLE = 10_000;

/** The prices of a quote: what orders of each side open at, and the latest. */
export type SeenPrices = SidePrices & { latest: Price };

/** The open orders of one instrument, by id. */
interface InstrumentOrders {
  /** The latest prices seen by matching; undefined before the first tick. */
  sides: SeenPrices | undefined;
  /** Of all these orders: an order is judged by it before it is accepted, so that it must not cost a pass over them. */
  exposure: Exposure;
  /** Stops have followed `sides`. After loading, it is the market's, which the next tick may tell. */
  isFollowed: boolean;
  readonly pending: Map<number, OrderState>;
  readonly positions: Map<number, OrderState>;
}

/**
 * Open orders and their accounts in memory, as committed. A tick only touches orders of its
 * instrument.
 */
export class OpenOrders {
  private readonly market: Pick<MatchedMarket, 'feed' | 'quote'>;
  private readonly quoteFill: QuoteFill;
  private readonly traded = new Map<number, InstrumentOrders>();
  private readonly accounts = new Map<number, TradingAccount>();
  /** Users in `accounts` without open orders, least recently used first. */
  private readonly idle = new Set<number>();
  /** Orders of another feed are not among them: its clock has stopped. */
  readonly expiries = new Expiries();
  /** Users whose stop-out is due, but waits for a market to open. */
  private readonly stopOutsDue = new Set<number>();
  /** Positions whose stop-loss a tick has moved, which the database may not know yet. */
  readonly followed = new Map<number, OrderState>();
  /** Those of them that were not pushed since. */
  readonly unpushed = new Map<number, OrderState>();
  /** Instruments, of open orders, whose prices or hours have decided something since they were last recorded. */
  readonly unrecorded = new Set<number>();
  /** Positions whose stop-loss was not recorded since a tick has moved it. */
  readonly unrecordedStops = new Map<number, OrderState>();

  constructor(market: Pick<MatchedMarket, 'feed' | 'quote'>, quoteFill: QuoteFill) {
    this.market = market;
    this.quoteFill = quoteFill;
  }

  clear(): void {
    this.traded.clear();
    this.accounts.clear();
    this.idle.clear();
    this.stopOutsDue.clear();
    this.expiries.clear();
    this.unrecordedStops.clear();
  }

  /** Everything has to be recorded again. */
  forgetRecorded(): void {
    for (const [id, { positions }] of this.traded) {
      if (id > 0) this.unrecorded.add(id);
      for (const order of positions.values()) {
        if (!isZero(order.trailing)) this.unrecordedStops.set(order.id, order);
      }
    }
  }

  /** Undefined for a user that is not in memory. */
  account(userId: number): TradingAccount | undefined {
    return this.accounts.get(userId);
  }

  /** Users who hold positions. */
  holders(): number[] {
    return [...this.accounts.values()]
      .filter(({ positions }) => positions.size > 0)
      .map(({ userId }) => userId);
  }

  /** Those of these orders that are held, as they are now. */
  positionsOf(orders: ReadonlyMap<number, OrderState>): OrderState[] {
    return [...orders.values()].flatMap(({ userId, id }) => {
      const held = this.accounts.get(userId)?.positions.get(id);
      return held ? [held.order] : [];
    });
  }

  setBalance(userId: number, balance: Usd): void {
    const account = this.accounts.get(userId);
    if (!account) return;
    account.balance = balance;
    this.updateStopOutDue(account);
  }

  /** The prices that orders of an instrument were last judged by; undefined where it has none. */
  judgedBy(instrumentId: number): SeenPrices | undefined {
    return this.traded.get(instrumentId)?.sides;
  }

  /**
   * Takes over prices and stops as they were recorded, in which nothing was triggered. `stops`: user, order, stop-loss.
   */
  restore(
    prices: ReadonlyMap<number, SeenPrices>,
    stops: readonly (readonly [number, number, Price])[],
  ): void {
    const moved = new Set<number>();
    for (const [instrumentId, sides] of prices) {
      const traded = this.traded.get(instrumentId);
      if (!traded) continue;
      traded.sides = sides;
      traded.isFollowed = true;
      for (const held of traded.positions.values()) this.restoreHeld(held, traded, moved);
    }
    for (const [userId, id, stopLoss] of stops) {
      const order = this.accounts.get(userId)?.positions.get(id)?.order;
      const traded = order && this.traded.get(order.instrumentId);
      if (traded) this.restoreHeld({ ...order, stopLoss }, traded, moved);
    }
    for (const userId of moved) {
      const account = this.accounts.get(userId);
      if (account) this.updateStopOutDue(account);
    }
  }

  private restoreHeld(order: OrderState, traded: InstrumentOrders, moved: Set<number>): void {
    traded.positions.set(order.id, order);
    const account = this.accounts.get(order.userId);
    const price = traded.sides?.[OPPOSITE[order.side]];
    if (account && price) revalue(account, order, price);
    moved.add(order.userId);
  }

  /** The latest prices seen by matching. Within a batch of ticks they are older than the market's. */
  sides(instrumentId: number): SeenPrices | undefined {
    const traded = this.traded.get(instrumentId);
    if (traded?.sides) return traded.sides;
    const quote = this.market.quote(instrumentId);
    const sides = quote && this.sidesOf(quote);
    if (traded) traded.sides = sides;
    return sides;
  }

  /** What an order is worth, and judged by: a position closes at it, a pending order opens at it. */
  priceOf(order: Pick<OrderState, 'instrumentId' | 'side' | 'status'>): Price | undefined {
    const side = order.status === 'pending' ? order.side : OPPOSITE[order.side];
    return this.sides(order.instrumentId)?.[side];
  }

  /** The prices of a quote that orders are judged by. */
  sidesOf({ price, bid, ask }: MatchedQuote): SeenPrices {
    const topOfBook = this.quoteFill === 2 ? { bid: bid ?? 0, ask: ask ?? 0 } : undefined;
    const latest = toPrice(price);
    return { ...sidePrices(latest, topOfBook), latest };
  }

  /** What customers have at stake in an instrument (domain.md#exposure). */
  exposure(instrumentId: number): Exposure {
    return this.traded.get(instrumentId)?.exposure ?? NO_EXPOSURE;
  }

  /** The instruments of open orders that have prices here. */
  tradedIds(): number[] {
    return [...this.traded.keys()].filter((id) => id > 0);
  }

  /** Open profit of all positions in an instrument. */
  profit(instrumentId: number): Usd {
    let sum: Usd = ZERO;
    for (const { userId, id } of this.traded.get(instrumentId)?.positions.values() ?? []) {
      sum = add(sum, this.accounts.get(userId)?.positions.get(id)?.profit ?? ZERO);
    }
    return sum;
  }

  /** Accounts with open orders. */
  active(): TradingAccount[] {
    return [...this.accounts.values()].filter(
      ({ pending, positions }) => pending.size + positions.size > 0,
    );
  }

  isOpen(instrumentId: number): boolean {
    this.unrecorded.add(instrumentId);
    return this.market.quote(instrumentId)?.marketOpen ?? false;
  }

  /** Applies a tick. Returns whether it triggers anything. */
  applyTick(tick: MatchedTick): boolean {
    const { instrumentId } = tick;
    const traded = this.traded.get(instrumentId);
    if (!traded) return this.stopOutsDue.size > 0 && this.stoppedOut(instrumentId).length > 0;
    // Of a crossed book nothing is known: what was known stays.
    if (this.quoteFill === 2 && isCrossed(tick)) return false;
    this.unrecorded.add(instrumentId);
    const sides = this.sidesOf(tick);
    const { isFollowed, sides: before } = traded;
    traded.sides = sides;
    if (!isFollowed || !before || !isSame(before, sides)) {
      traded.isFollowed = true;
      for (const held of traded.positions.values()) {
        const account = this.accounts.get(held.userId);
        const price = sides[OPPOSITE[held.side]];
        if (account) revalue(account, this.follow(held, traded, price), price);
      }
    }
    return (
      some(traded.pending, (order) => isDue(order, sides)) ||
      some(
        traded.positions,
        (order) => exitHit(order, sides[OPPOSITE[order.side]]) !== undefined,
      ) ||
      this.stoppedOut(instrumentId).length > 0
    );
  }

  /** The order with its stop-loss moved by a tick. */
  private follow(order: OrderState, traded: InstrumentOrders, price: Price): OrderState {
    const stopLoss = followedStop(order, price);
    if (stopLoss === order.stopLoss) return order;
    const moved = { ...order, stopLoss };
    traded.positions.set(order.id, moved);
    this.followed.set(order.id, moved);
    this.unpushed.set(order.id, moved);
    this.unrecordedStops.set(order.id, moved);
    return moved;
  }

  /** Pending orders of the instrument whose target is reached at the latest price, by id. */
  due(instrumentId: number): OrderState[] {
    const traded = this.traded.get(instrumentId);
    const sides = traded?.sides;
    if (!sides) return [];
    return [...traded.pending.values()].filter((order) => isDue(order, sides)).sort(byId);
  }

  /** Positions of the instrument, by id. */
  positions(instrumentId: number): OrderState[] {
    return [...(this.traded.get(instrumentId)?.positions.values() ?? [])].sort(byId);
  }

  /**
   * Users, by id, whose margin level is too low after a tick of the instrument and who have an
   * order that can be closed. Only holders of the instrument can have a lower ratio; for users in
   * `stopOutsDue` a market may have opened.
   */
  stoppedOut(instrumentId: number): number[] {
    const suspects = new Set(this.stopOutsDue);
    for (const order of this.traded.get(instrumentId)?.positions.values() ?? []) {
      suspects.add(order.userId);
    }
    const users: number[] = [];
    for (const userId of suspects) {
      const account = this.accounts.get(userId);
      if (account && this.updateStopOutDue(account) && this.hasClosable(account))
        users.push(userId);
    }
    return users.sort((a, b) => a - b);
  }

  /** Replaces the stored account. */
  replace(account: TradingAccount): void {
    const former = this.accounts.get(account.userId);
    this.accounts.set(account.userId, account);
    for (const order of account.pending.values()) {
      this.put(order, 'pending');
      if (order.feed === this.market.feed) this.expiries.put(order);
    }
    for (const { order } of account.positions.values()) this.put(order, 'positions');
    for (const order of former?.pending.values() ?? []) {
      if (account.pending.has(order.id)) continue;
      this.remove(order, 'pending');
      this.expiries.delete(order.id);
    }
    for (const { order } of former?.positions.values() ?? []) {
      if (!account.positions.has(order.id)) this.remove(order, 'positions');
    }
    this.noteIdle(account);
    this.updateStopOutDue(account);
  }

  /** Keeps the balances of users who ended their last order, the latest ones: they often place the next. */
  private noteIdle({ userId, pending, positions }: TradingAccount): void {
    this.idle.delete(userId);
    if (pending.size + positions.size > 0) return;
    this.idle.add(userId);
    if (this.idle.size <= MOST_IDLE) return;
    const [oldest] = this.idle;
    if (oldest === undefined) return;
    this.idle.delete(oldest);
    this.accounts.delete(oldest);
  }

  private updateStopOutDue(account: TradingAccount): boolean {
    const out = isStoppedOut(account);
    if (out) this.stopOutsDue.add(account.userId);
    else this.stopOutsDue.delete(account.userId);
    return out;
  }

  private hasClosable(account: TradingAccount): boolean {
    return some(account.positions, ({ order }) => this.isOpen(order.instrumentId));
  }

  private ordersOf(order: OrderState): InstrumentOrders {
    let traded = this.traded.get(order.instrumentId);
    if (!traded) {
      const sides = this.sides(order.instrumentId);
      traded = {
        sides,
        exposure: NO_EXPOSURE,
        isFollowed: false,
        pending: new Map(),
        positions: new Map(),
      };
      this.traded.set(order.instrumentId, traded);
    }
    return traded;
  }

  private put(order: OrderState, list: 'pending' | 'positions'): void {
    const traded = this.ordersOf(order);
    const former = traded[list].get(order.id);
    if (former === order) return;
    if (former) traded.exposure = withoutOrder(traded.exposure, former);
    traded.exposure = withOrder(traded.exposure, order);
    traded[list].set(order.id, order);
  }

  private remove({ id, instrumentId }: OrderState, list: 'pending' | 'positions'): void {
    const traded = this.traded.get(instrumentId);
    this.unpushed.delete(id);
    this.unrecordedStops.delete(id);
    const former = traded?.[list].get(id);
    if (!traded || !former) return;
    traded.exposure = withoutOrder(traded.exposure, former);
    traded[list].delete(id);
    if (traded.pending.size + traded.positions.size === 0) {
      this.traded.delete(instrumentId);
    }
  }
}

function isDue({ approach, originPrice, side }: OrderState, sides: SidePrices): boolean {
  return approach !== '' && isReached(originPrice, approach, sides[side]);
}

function isSame(a: SidePrices, b: SidePrices): boolean {
  return compare(a.buy, b.buy) === 0 && compare(a.sell, b.sell) === 0;
}

function byId(a: OrderState, b: OrderState): number {
  return a.id - b.id;
}

function some<T>(values: Map<number, T>, test: (value: T) => boolean): boolean {
  for (const value of values.values()) if (test(value)) return true;
  return false;
}
