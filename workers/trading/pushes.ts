import { compare, isZero } from '#domain/core/decimal';
import { readFields, readInteger } from '#domain/core/read';
import { toDurationMs, type UnixMs } from '#domain/core/time';
import type { Lots } from '#domain/core/units';
import type { Order } from '#domain/trading/order';
import type { WorkerEvent } from '#domain/worker/workerApi';
import type { Dispatch } from '../connection/dispatch';
import type { Once } from '../core/importOnce';
import type { Clock } from '../core/ports';
import { createRetry, type Retry } from '../core/retry';
import type { History } from './history';
import type { Identify } from './identify';
import { isSame, type OpenOrders } from './openOrders';
import { type OrderCode, orderCode } from './orderReads';

/** The push of a closed part may come later than the answer to the close, by at most this. */
const PART_PATIENCE_MS = toDurationMs(1000);

export interface PushesOptions {
  clock: Clock;
  dispatch: Dispatch;
  openOrders: OpenOrders;
  history: Pick<History, 'newest' | 'invalidate' | 'correct'>;
  identify: Identify;
  emit: (event: WorkerEvent) => void;
  marketTime: () => UnixMs | undefined;
  /** Whether pushes are for the present user. */
  isLoggedIn: () => boolean;
  /** As Positions.live. */
  live: (order: Order) => Order;
  /** An order is new, changed or closed: money has moved. */
  pushed: () => void;
}

/** Applies the server's pushes about orders (protocol.md#order-push, protocol.md#closed-push). */
export interface Pushes {
  /** These orders ended without a push: looks in the history how, until it can be read, and reports it. */
  endedUnseen(orders: readonly Order[]): Promise<void>;
  /** The part of these lots that was just closed of an order, of which `rest` remains; undefined where no push reports it within a second. */
  closedPart(rest: Order, lots: Lots): Promise<Order | undefined>;
  clear(): void;
}

/** Whether all that happened is that the stop-loss has followed the price (protocol.md#trailing-stop). */
function hasFollowed(before: Order, after: Order): boolean {
  return (
    !isZero(after.trailing) &&
    compare(before.stopLoss, after.stopLoss) !== 0 &&
    isSame({ ...before, stopLoss: after.stopLoss }, after)
  );
}

export function createPushes(options: PushesOptions, code: Once<OrderCode> = orderCode): Pushes {
  const { clock, dispatch, openOrders, history, emit, isLoggedIn, pushed } = options;

  /** Counts the users. */
  let life = 0;

  /** Reads an order, once the code for that is loaded. A push is dropped where that fails: every list needs the same code, so the next one is newer. */
  function read(row: unknown, taken: (order: Order | undefined) => void): void {
    const began = life;
    const take = ({ readOrder }: OrderCode) => {
      const order = life === began ? readOrder(row) : undefined;
      if (life === began) taken(order && options.identify(order));
    };
    const present = code.present();
    if (present) take(present);
    else code().then(take, () => {});
  }

  /** The order closed last that was never held: a part of another, for which nobody has waited. */
  let part: Order | undefined;
  const awaited = new Set<(part?: Order) => boolean>();
  /** Orders as they have ended, as was reported: each end once, whether a push or the history brings it first. */
  const reported = new Map<number, Order>();

  function reportEnd(order: Order, before: Order | undefined): void {
    const told = reported.get(order.id);
    // Whatever brings an end was read by this code.
    if (!code.present()?.isNewEnd(order, before, told, options.marketTime())) return;
    reported.set(order.id, order);
    emit({ type: 'order-closed', order, before });
  }

  function ended(order: Order): void {
    const before = openOrders.get(order.id);
    if (!before && ![...awaited].some((take) => take(order))) part = order;
    openOrders.applyPush(order);
    history.invalidate();
    history.correct(order.id);
    reportEnd(order, before);
    pushed();
  }

  function changed(order: Order): void {
    if (order.status === 'closed') {
      ended(order);
      return;
    }
    const before = openOrders.get(order.id);
    openOrders.applyPush(order);
    if (!before) history.correct(order.id);
    emit({ type: 'order-changed', order: options.live(order), before });
    // A stop that follows the price moves every second, but no money.
    if (!before || !hasFollowed(before, order)) pushed();
  }

  dispatch.on('FOREX_TRADE', (payload) => {
    if (isLoggedIn()) read(payload, (order) => order && changed(order));
  });

  dispatch.on('FOREX_CLOSED', (payload) => {
    if (!isLoggedIn()) return;
    const fields = readFields(payload);
    const id = readInteger(fields?.['Id']);
    read(fields?.['Order'], (order) => {
      if (order) ended({ ...order, status: 'closed' });
      else if (id !== undefined) removed(id);
    });
  });

  /** A push without a readable order: the history may show how it ended. */
  function removed(id: number): void {
    const known = openOrders.get(id);
    openOrders.applyRemoval(id);
    history.invalidate();
    if (known) void endedUnseen([known]);
    pushed();
  }

  async function endedUnseen(
    orders: readonly Order[],
    began = life,
    again: Retry = createRetry(clock, () => void endedUnseen(orders, began, again)),
  ): Promise<void> {
    if (orders.length === 0 || life !== began) return;
    const newest = await history.newest();
    if (!newest.ok) {
      again.schedule(newest.failure);
      return;
    }
    for (const order of newest.data) {
      const before = orders.find(({ id }) => id === order.id);
      if (before) reportEnd(order, before);
    }
  }

  return {
    endedUnseen,
    closedPart(rest, lots) {
      const isClosedPart = (order: Order) =>
        order.instrumentId === rest.instrumentId &&
        order.createdAt === rest.createdAt &&
        compare(order.lots, lots) === 0;
      const found = part && isClosedPart(part) ? part : undefined;
      if (found) {
        part = undefined;
        return Promise.resolve(found);
      }
      return new Promise((resolve) => {
        const take = (order?: Order) => {
          if (order && !isClosedPart(order)) return false;
          awaited.delete(take);
          cancel();
          resolve(order);
          return true;
        };
        const cancel = clock.after(PART_PATIENCE_MS, () => take());
        awaited.add(take);
      });
    },
    clear() {
      life += 1;
      reported.clear();
      part = undefined;
      for (const take of awaited) take();
    },
  };
}
