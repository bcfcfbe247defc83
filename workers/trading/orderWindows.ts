import { isWithin, type Period } from '#domain/core/calendar';
import {
  add,
  compare,
  isZero,
  subtract,
  toFixed,
  toNumber,
  toText,
  ZERO,
} from '#domain/core/decimal';
import { type Failure, type Result, success } from '#domain/core/result';
import type { Order, OrderStatus } from '#domain/trading/order';
import { netResult, PROFIT_SCALE, realised } from '#domain/trading/profit';
import type { OrderSort, OrderWindow } from '#domain/worker/trading';
import type { WorkerEvent } from '#domain/worker/workerApi';
import type { Session } from '../account/session';
import type { LatestRun } from '../core/latestRun';
import { rowWindow } from '../core/rowWindow';
import type { Revision } from '../frames/frames';
import { showFailure } from '../http/notices';
import type { Positions } from '../pricing/positions';
import type { History } from './history';
import type { OpenOrders } from './openOrders';

export interface OrderWindowsOptions {
  session: Session;
  openOrders: OpenOrders;
  history: History;
  positions: Positions;
  fetchOpenOrders: LatestRun<Result<void>>;
  emit: (event: WorkerEvent) => void;
  /** Why the open orders could not be refreshed, until they were. */
  failure: () => Failure | undefined;
  /** Of the orders: another one makes the page ask again. */
  revision: Revision;
}

/** As TradingWorkerApi.orders. Waits until the orders were listed. */
export type OrderWindows = (
  status: OrderStatus,
  from: number,
  to: number,
  sort?: OrderSort,
  period?: Period,
) => Promise<Result<OrderWindow>>;

export function createOrderWindows(options: OrderWindowsOptions): OrderWindows {
  const { session, openOrders, history, positions, fetchOpenOrders, revision } = options;
  /** The last sorted list: windows of one revision are parts of one list, although prices move. */
  let sorted: { key: string; orders: Order[] } | undefined;
  /** Whether a failed refresh of the history was shown. */
  let shown = false;

  function sortOnce(
    status: OrderStatus,
    orders: readonly Order[],
    sort: OrderSort,
    period?: Period,
  ): Order[] {
    const key = JSON.stringify([status, sort, period, revision.current]);
    if (sorted?.key !== key) sorted = { key, orders: sortOrders(orders, sort) };
    return sorted.orders;
  }

  async function open(
    status: 'pending' | 'holding',
    from: number,
    to: number,
    sort: OrderSort | undefined,
  ): Promise<Result<OrderWindow>> {
    if (!openOrders.listed) {
      const result = await fetchOpenOrders.join();
      if (!result.ok) return result;
    }
    const newestFirst = openOrders.of(status);
    const list = sort ? sortOnce(status, newestFirst.map(positions.live), sort) : newestFirst;
    const { rows: orders, ...window } = rowWindow(list, from, to, positions.live);
    const profit = toFixed(status === 'holding' ? positions.profit() : ZERO, PROFIT_SCALE);
    return success({ ...window, orders, profit, loading: false, failure: options.failure() });
  }

  /** The closed orders of a window of the whole history, or of a period, with total, profit, fees and swap. */
  async function endedOrders(from: number, to: number, period: Period | undefined) {
    if (!period) return history.window(from, to);
    const result = await history.since(period.from, Number.POSITIVE_INFINITY);
    if (!result.ok) return result;
    const found = result.data.orders.filter(
      ({ completedAt }) => completedAt !== undefined && isWithin(period, completedAt),
    );
    return success({
      orders: found.slice(from, to),
      total: found.length,
      ...realised(found),
      failure: result.data.failure,
    });
  }

  async function closed(
    from: number,
    to: number,
    sort: OrderSort | undefined,
    period: Period | undefined,
  ): Promise<Result<OrderWindow>> {
    const [first, end] = sort ? [0, Number.POSITIVE_INFINITY] : [from, to];
    const result = await endedOrders(first, end, period);
    if (!result.ok) return result;
    const { total, orders, profit, fees, swap, failure } = result.data;
    if (failure && !shown) showFailure(options.emit, failure);
    shown = failure !== undefined;
    const rows = sort ? sortOnce('closed', orders, sort, period).slice(from, to) : orders;
    return success({
      total,
      from,
      orders: rows,
      profit: toFixed(add(subtract(profit, fees ?? ZERO), swap), PROFIT_SCALE),
      fees: fees && toText(fees),
      swap: isZero(swap) ? undefined : toText(swap),
      loading: false,
      failure,
    });
  }

  return async (status, from, to, sort, period) => {
    await session.ready;
    const first = Math.max(0, from);
    const end = Math.max(first, to);
    for (;;) {
      const { token } = session;
      if (!token) return success(nothing(first));
      const result = await (status === 'closed'
        ? closed(first, end, sort, period)
        : open(status, first, end, sort));
      // Cancelled for another run, or the answer of a user who has logged out meanwhile: try again.
      if (result.ok || result.failure.kind !== 'cancelled') {
        if (session.token === token) return result;
      }
    }
  };
}

function nothing(from: number): OrderWindow {
  const profit = toFixed(ZERO, PROFIT_SCALE);
  return { total: 0, from, orders: [], profit, loading: false, failure: undefined };
}

/** Orders sorted by a column, the newest first among equals. */
function sortOrders(orders: readonly Order[], sort: OrderSort): Order[] {
  const direction = sort.descending ? -1 : 1;
  return [...orders].sort((a, b) => direction * compareBy(sort, a, b) || b.id - a.id);
}

/** How far the target is from the market's price; 0 where there is none. */
function away({ originPrice, updatePrice }: Order): number {
  const market = toNumber(updatePrice);
  return market > 0 ? toNumber(originPrice) / market - 1 : 0;
}

function compareBy({ column, labels }: OrderSort, a: Order, b: Order): number {
  switch (column) {
    case 'name':
    case 'side':
    case 'closeReason': {
      const text = (order: Order) => labels?.[order[column]] ?? order[column];
      return text(a).localeCompare(text(b));
    }
    case 'distance':
      return away(a) - away(b);
    case 'until':
    case 'createdAt':
    case 'completedAt':
      return (a[column] ?? 0) - (b[column] ?? 0);
    case 'net':
      return compare(netResult(a), netResult(b));
    default:
      return compare(a[column], b[column]);
  }
}
