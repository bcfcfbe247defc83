/** How the bars of a day become the ticks of a practice session (domain.md#practice). */
import { add, compare, decimal, maximum, quotientDown, subtract, toNumber } from '../core/decimal';
import { millisecondOf, timeAfter, toDurationMs } from '../core/time';
import { type Price, toPrice } from '../core/units';
import type { Instrument } from '../market/instrument';
import { type Bar, barFromTick, foldTick } from '../market/kline';
import { PERIOD_SECONDS, type Period } from '../market/period';
import type { MatchedTick } from '../trading/openOrders';

/** Ticks of each bar. */
export const TICKS_PER_BAR = 4;

/** What a day is played with. */
export interface PlayedDay {
  instrument: Pick<Instrument, 'id' | 'precision'>;
  period: Period;
  /** Oldest first. Doubles (D1). */
  bars: readonly Bar[];
  /** Ask − bid at each tick; 0: there are none. */
  spread: Price;
}

/**
 * The prices of a bar in the order in which it is played: open, the extreme that is nearer to it, the other, close. Of equally
 * near ones the low comes first.
 */
export function pathOf({ open, high, low, close }: Bar): readonly [number, number, number, number] {
  const [above, below] = [
    subtract(toPrice(high), toPrice(open)),
    subtract(toPrice(open), toPrice(low)),
  ];
  return compare(above, below) < 0 ? [open, high, low, close] : [open, low, high, close];
}

/** The tick at `index` of a day: each bar has four, a quarter of its period apart. Undefined after the last one. */
export function tickAt(day: PlayedDay, index: number): MatchedTick | undefined {
  const bar = day.bars[Math.floor(index / TICKS_PER_BAR)];
  if (!bar) return undefined;
  const part = index % TICKS_PER_BAR;
  const price = pathOf(bar)[part] as number;
  const quarter = toDurationMs((PERIOD_SECONDS[day.period] * 1000) / TICKS_PER_BAR);
  return {
    instrumentId: day.instrument.id,
    price,
    time: timeAfter(millisecondOf(bar.time), toDurationMs(part * quarter)),
    ...bookAt(day, price),
  };
}

/** Bid and ask around a price, as the simulated market has them: the odd point is above it, and a bid is a point at least. */
function bookAt({ instrument, spread }: PlayedDay, price: number): { bid?: number; ask?: number } {
  if (compare(spread, toPrice(0)) <= 0) return {};
  const point = toPrice(decimal(1n, instrument.precision));
  const below = toPrice(quotientDown(spread, decimal(2), instrument.precision));
  const latest = toPrice(price);
  return {
    bid: toNumber(maximum(subtract(latest, below), point)),
    ask: toNumber(add(latest, subtract(spread, below))),
  };
}

/** The bar of the last of `played` ticks as it is then; its volume is known once it is complete. */
export function barAfter({ bars }: PlayedDay, played: number): Bar | undefined {
  const index = Math.ceil(played / TICKS_PER_BAR) - 1;
  const bar = bars[index];
  if (!bar) return undefined;
  const parts = played - index * TICKS_PER_BAR;
  if (parts === TICKS_PER_BAR) return bar;
  const [open, ...others] = pathOf(bar);
  const forming = barFromTick(bar.time, open, 0);
  for (const price of others.slice(0, parts - 1)) foldTick(forming, price, 0);
  return forming;
}
