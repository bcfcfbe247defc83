import { expect } from 'vitest';
import { add, compare, isZero, toText, ZERO } from '#domain/core/decimal';
import { timeAfter, toDurationMs, type UnixMs } from '#domain/core/time';
import { type Price, toPrice, type Usd } from '#domain/core/units';
import type { Instrument } from '#domain/market/instrument';
import type { OrderState } from '#domain/trading/orderState';
import { midnightsBetween, swapAt } from '#domain/trading/swap';
import { exitHit, isReached } from '#domain/trading/triggers';
import type { Tick } from '../../../../server/market/market';

/** Something that an engine does at a time of the market: before it, orders expire and nights are charged. */
export interface Instant {
  at: UnixMs;
  /** By the engine's clock of the market. A tick may come later than its time, when others have done the same already. */
  now: UnixMs;
}

/** A tick that an engine was given, or only a time. */
export interface Moment extends Instant {
  tick?: Tick;
  /** Whether everything that it triggers is written; otherwise a later one does it. */
  isJudged: boolean;
}

export interface OrderLife {
  /** Since it has its terms. */
  moments: readonly Moment[];
  accepted: Instant;
  instrument: Instrument;
  /** The present. */
  end: UnixMs;
}

/** Nights are charged at least as often, ms, once all is quiet. */
const SETTLED_WITHIN = toDurationMs(-3_000);

/**
 * Fails where what has become of an order does not follow from the first moment that it reaches or that it expires at, or where
 * it was not charged for each of its nights once. Returns how often it was triggered.
 */
export function checkOrder(order: OrderState, life: OrderLife): number {
  const { approach, closeReason, status } = order;
  const { moments, accepted, end } = life;
  const atOnce = { fills: [0], mayExpire: false, mayWait: false };
  const waited = approach === '' ? atOnce : waitOf(order, moments);
  const fail = (what: string) =>
    expect.fail(`${show(order)} is ${status}, ${what} after ${JSON.stringify(moments)}`);
  if (status === 'pending') return waited.mayWait ? 0 : fail('not filled or expired');
  if (closeReason === 'expired') return waited.mayExpire ? 0 : fail('expired');

  const isClosed = status === 'closed';
  const present: Instant = { at: timeAfter(end, SETTLED_WITHIN), now: end };
  const held = waited.fills.flatMap((from) => {
    const filled = approach === '' ? accepted : (moments[from] as Moment);
    const closes = triggersIn(
      order,
      moments.slice(from),
      (price) => exitHit(order, price) !== undefined,
      (price) => compare(price, order.closePrice) === 0 && exitHit(order, price) === closeReason,
    );
    if (!isClosed) return closes.mayBeNone ? [{ filled, ended: present }] : [];
    return closes.moments.map((ended) => ({ filled, ended }));
  });
  // Stops that follow the price are compared with a model elsewhere (tests/server/trading/model.ts).
  const isLeft = !isZero(order.trailing);
  if (isLeft) held.push({ filled: accepted, ended: present });
  if (held.length === 0) fail('which no tick does,');
  const isCharged = held.some(({ filled, ended }) =>
    swapsOf(order, life.instrument, filled, ended, isLeft).some(
      (swap) => compare(swap, order.swap) === 0,
    ),
  );
  if (!isCharged) fail(`charged ${toText(order.swap)}`);
  return (approach === '' ? 0 : 1) + (isClosed ? 1 : 0);
}

/** What may become of an order that waits, and where it may be filled. */
function waitOf(order: OrderState, moments: readonly Moment[]) {
  const { instrumentId, originPrice, approach, until } = order;
  const fills: number[] = [];
  let mayExpire = false;
  for (const [index, { tick, at, isJudged }] of moments.entries()) {
    const isDue = until !== null && at >= until;
    const price = tick?.instrumentId === instrumentId && toPrice(tick.price);
    const isHit = price && approach !== '' && isReached(originPrice, approach, price);
    if (!isDue && !isHit) continue;
    if (isDue) mayExpire = true;
    else if (price && compare(price, order.price) === 0) fills.push(index);
    if (isJudged) return { fills, mayExpire, mayWait: false };
  }
  return { fills, mayExpire, mayWait: true };
}

/**
 * The ticks that may have triggered something: the first one that `isHit`, if it is what `isDone` says, and those before it that
 * were perhaps not judged. `mayBeNone`: perhaps none has.
 */
function triggersIn(
  { instrumentId }: OrderState,
  moments: readonly Moment[],
  isHit: (price: Price) => boolean,
  isDone: (price: Price) => boolean,
): { moments: Moment[]; mayBeNone: boolean } {
  const found: Moment[] = [];
  for (const moment of moments) {
    if (moment.tick?.instrumentId !== instrumentId) continue;
    const price = toPrice(moment.tick.price);
    if (!isHit(price)) continue;
    if (isDone(price)) found.push(moment);
    if (moment.isJudged) return { moments: found, mayBeNone: false };
  }
  return { moments: found, mayBeNone: true };
}

/** What a position may have been charged: a night that begins while a late tick is on its way counts or does not. */
function swapsOf(
  { side, lots }: OrderState,
  { swap }: Instrument,
  filled: Instant,
  ended: Instant,
  isLeft: boolean,
): Usd[] {
  if (!swap) return [ZERO];
  const least = isLeft ? 0 : midnightsBetween(filled.now, ended.at).length;
  const midnights = midnightsBetween(filled.at, ended.now);
  const sums = [ZERO as Usd];
  for (const midnight of midnights)
    sums.push(add(sums.at(-1) as Usd, swapAt(swap, side, lots, midnight)));
  return sums.slice(least);
}

function show({ id, code, side, originPrice, stopLoss, takeProfit, until }: OrderState): string {
  const prices = [originPrice, stopLoss, takeProfit].map(toText);
  return `order ${id} (${code} ${side}, target, stop-loss and take-profit ${prices.join(', ')}, until ${until})`;
}
