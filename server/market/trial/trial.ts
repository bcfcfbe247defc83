import { DAY_MS, type UnixMs } from '#domain/core/time';
import {
  type Doubt,
  Plausibility,
  type PlausibilityLimits,
  type PricePoint,
} from '#domain/market/plausibility';
import { drawKey, KeyedDraws } from '../simulated/random';

/** What limits have done to the prices of an instrument. */
export interface Trial {
  code: string;
  prices: number;
  /** True prices that halted it, by reason. */
  halts: Partial<Record<Doubt, number>>;
  /** True prices that never counted. */
  dropped: number;
  /** The most halts of a UTC day. */
  mostOfDay: number;
  /** Wrong prices that were planted while a jump of one percent was in doubt, and those of them that never counted. */
  planted: number;
  caught: number;
}

/** The smallest planted jump, and the largest. */
const [LEAST, MOST] = [0.01, 0.2];
/** True prices between two planted ones, on average. */
const PLANT_EVERY = 50;

/**
 * Judges the recorded prices of one instrument, and wrong ones planted between them: single prices that are 1 to 20 % off, wherever
 * the market is quiet.
 */
export class LimitTrial {
  private readonly code: string;
  private readonly judge: Plausibility<PricePoint & { isWrong?: true }>;
  private readonly draws = new KeyedDraws();
  private readonly ofDays = new Map<number, number>();
  private readonly halts: Trial['halts'] = {};
  private prices = 0;
  private dropped = 0;
  private planted = 0;
  private missed = 0;

  constructor(code: string, limits: PlausibilityLimits, seed: string) {
    this.code = code;
    this.judge = new Plausibility(limits);
    this.draws.begin(drawKey(`${seed}/${code}`), 0, 0);
  }

  add(point: PricePoint): void {
    const { judge, draws } = this;
    this.prices++;
    const { doubt: before } = judge;
    this.tell(point);
    if (judge.doubt && !before) this.countHalt(judge.doubt, point.time);
    // A wrong price during a halt would hide whether the halt was right.
    const isQuiet = this.prices > 1 && !judge.doubt && judge.limit < LEAST;
    if (isQuiet && draws.next() * PLANT_EVERY < 1) this.plant(point);
  }

  get result(): Trial {
    const { code, prices, halts, dropped, planted, missed } = this;
    const mostOfDay = Math.max(0, ...this.ofDays.values());
    return { code, prices, halts, dropped, mostOfDay, planted, caught: planted - missed };
  }

  private plant({ price, time, bid, ask }: PricePoint): void {
    const size = LEAST + this.draws.next() * (MOST - LEAST);
    const factor = 1 + (this.draws.next() < 0.5 ? -size : size);
    const moved = (side: number | undefined) => side && side * factor;
    this.planted++;
    this.tell({ price: price * factor, time, bid: moved(bid), ask: moved(ask), isWrong: true });
  }

  private tell(point: PricePoint & { isWrong?: true }): void {
    const { accepted, dropped } = this.judge.judge(point);
    this.missed += accepted.filter(({ isWrong }) => isWrong).length;
    this.dropped += dropped.filter(({ isWrong }) => !isWrong).length;
  }

  private countHalt(doubt: Doubt, time: UnixMs): void {
    this.halts[doubt] = (this.halts[doubt] ?? 0) + 1;
    const day = Math.floor(time / DAY_MS);
    this.ofDays.set(day, (this.ofDays.get(day) ?? 0) + 1);
  }
}
