import { toUnixSeconds } from '#domain/core/time';
import { type Bar, barFromTick, barStart, foldTick } from '#domain/market/kline';
import type { SeededRandom } from './seededRandom';

export interface TrueTick {
  id: number;
  at: number;
  price: string;
}

export const CODES = new Map([
  [1, 'EURUSD'],
  [2, 'NZDUSD'],
  [3, 'USDTUSD'],
]);
/** An instrument whose price never moves, so that the outcome of its orders does not depend on when they are made. */
export const STILL = 3;

/** The true market: all ticks in the order of time. */
export class TrueMarket {
  readonly latest = new Map<number, TrueTick>();
  readonly minutes: Bar[] = [];

  readonly #past = new Map<number, number>();

  /** Whether the instrument had this price at this time. */
  was(id: number, at: number, price: number): boolean {
    return this.#past.get(at * 4 + id) === price;
  }

  apply(tick: TrueTick): void {
    this.latest.set(tick.id, tick);
    this.#past.set(tick.at * 4 + tick.id, Number(tick.price));
    if (tick.id !== 1) return;
    const time = barStart('1min', toUnixSeconds(tick.at / 1000));
    const last = this.minutes.at(-1);
    if (last?.time === time) foldTick(last, Number(tick.price), 1);
    else this.minutes.push(barFromTick(time, Number(tick.price), 1));
  }
}

/** Ticks from `from` on for `ms`, about three in two seconds. */
export function script(random: SeededRandom, from: number, ms: number): TrueTick[] {
  const ticks: TrueTick[] = [];
  const prices = [1.1, 0.87];
  for (let at = from + 1; at < from + ms; at += random.between(1, 1300)) {
    const id = random.between(1, 2);
    const price = Math.max(0.1, (prices[id - 1] ?? 1) + random.between(-20, 20) / 1e4);
    prices[id - 1] = price;
    ticks.push({ id, at, price: price.toFixed(5) });
  }
  return ticks;
}
