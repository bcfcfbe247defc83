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
/** Never moves, so that what is traded in it ends alike whenever it is. */
export const STILL = 3;

/** What was really traded, told in order of time. */
export class TrueMarket {
  readonly latest = new Map<number, TrueTick>();
  readonly minutes: Bar[] = [];

  readonly #past = new Map<number, number>();

  /** Whether that was its price at that time. */
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

/** Ticks of `ms` from `from` on, some three in two seconds. */
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
