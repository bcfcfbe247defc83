import { effect, type ReadonlySignal, signal } from '@preact/signals-core';
import { add, toNumber, toText } from '#domain/core/decimal';
import { readUsd } from '#domain/core/readAmounts';
import { type Lots, toUsd, type Usd } from '#domain/core/units';
import { netLots } from '#domain/trading/netPosition';
import type { Order } from '#domain/trading/order';
import { ordersRevision, user, watchProfit } from './trading';
import { workerApi } from './workerApi';

/** What the user holds of one instrument. */
export interface InstrumentPosition {
  /** Sells negative. */
  lots: Lots;
  /** Floating, of all of its positions. */
  profit: Usd;
}

/** More orders than an account has. */
const ALL = 1_000_000;

const none: ReadonlyMap<number, readonly Order[]> = new Map();
let release = () => {};

/** The positions by instrument. They are fetched while something subscribes to them. */
const held = signal(none, {
  watched() {
    release = effect(() => {
      const owner = user.value?.id;
      void ordersRevision.value;
      void fetchHeld(owner);
    });
  },
  unwatched() {
    release();
    held.value = none;
  },
});

async function fetchHeld(owner: number | undefined): Promise<void> {
  const result = owner === undefined ? undefined : await workerApi.orders('holding', 0, ALL);
  if (owner !== user.peek()?.id) return;
  if (!result?.ok) {
    if (owner === undefined) held.value = none;
    return;
  }
  const orders = new Map<number, Order[]>();
  for (const order of result.data.orders) {
    const of = orders.get(order.instrumentId);
    if (of) of.push(order);
    else orders.set(order.instrumentId, [order]);
  }
  held.value = orders;
}

/** The positions by instrument, while something subscribes to them. */
export const positionOrders: ReadonlySignal<ReadonlyMap<number, readonly Order[]>> = held;

/**
 * Calls `paint` with what the user holds of an instrument, whenever that changes; with undefined
 * where that is nothing. Returns the function that ends it.
 */
export function watchPosition(
  instrumentId: number,
  paint: (position: InstrumentPosition | undefined) => void,
): () => void {
  return effect(() => {
    const orders = held.value.get(instrumentId);
    if (!orders) {
      paint(undefined);
      return;
    }
    const lots = netLots(orders);
    const watched = orders.map((order) =>
      watchProfit({
        id: order.id,
        profit: toText(order.profit),
        price: toNumber(order.updatePrice),
      }),
    );
    const stop = effect(() => {
      const profits = watched.map(({ profit }) => readUsd(profit.value.profit));
      const sum = profits.reduce<Usd>(
        (total, profit) => (profit ? add(total, profit) : total),
        toUsd(0),
      );
      paint({ lots, profit: sum });
    });
    return () => {
      stop();
      for (const { release } of watched) release();
    };
  });
}

/** What the user holds of an instrument at the prices of the last list of orders and of what is watched. */
export function positionOf(instrumentId: number): InstrumentPosition | undefined {
  let found: InstrumentPosition | undefined;
  watchPosition(instrumentId, (position) => {
    found = position;
  })();
  return found;
}
