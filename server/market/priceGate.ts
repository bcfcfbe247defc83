import type { UnixMs } from '#domain/core/time';
import {
  type Doubt,
  Plausibility,
  type PlausibilityLimits,
  type PricePoint,
} from '#domain/market/plausibility';
import { getOrInsert } from '../core/getOrInsert';
import type { Log } from '../core/log';

interface PriceGateOptions {
  limits: PlausibilityLimits;
  log: Log;
  codeOf: (instrumentId: number) => string;
}

const DOUBTS: Record<Doubt, string> = {
  jump: 'it is too far from the last price',
  spread: 'bid and ask are too far from each other',
  silence: 'it is far from the last price, which is old',
  source: 'another exchange has another price',
};

/**
 * Stands between a source of prices and the state of its market: what it holds or drops reaches no quote, bar, order or reader
 * (D179). Trading of an instrument is halted while it holds a price of it.
 */
export class PriceGate<T extends PricePoint> {
  private readonly options: PriceGateOptions;
  private readonly byId = new Map<number, Plausibility<T>>();

  constructor(options: PriceGateOptions) {
    this.options = options;
  }

  /** Whether the latest price of an instrument is in doubt. */
  isHalted(instrumentId: number): boolean {
    return this.byId.get(instrumentId)?.doubt !== undefined;
  }

  /** As `Plausibility.freshUntil`. */
  freshUntil(instrumentId: number): UnixMs | undefined {
    return this.byId.get(instrumentId)?.freshUntil;
  }

  /** How far a price may jump, as a share of it; undefined: as far as it likes. */
  limit(instrumentId: number): number | undefined {
    return this.options.limits.jump === 0 ? undefined : this.of(instrumentId).limit;
  }

  /** Whether `judge` of this price halts the instrument, or ends its halt. */
  turns(instrumentId: number, point: T): boolean {
    return this.of(instrumentId).turns(point);
  }

  /** What counts now, in order: nothing, the price, or what it confirms and itself. */
  judge(instrumentId: number, point: T): readonly T[] {
    const judge = this.of(instrumentId);
    const { doubt: before, price: last } = judge;
    const { accepted, dropped } = judge.judge(point);
    const { doubt } = judge;
    const { log, codeOf } = this.options;
    const code = codeOf(instrumentId);
    if (doubt && !before) {
      log.warn(
        `${code}: trading is halted at ${last}. ${described(point)} has to be confirmed: ${DOUBTS[doubt]}.`,
      );
    } else if (before && !doubt) {
      const outcome = dropped.length > 0 ? 'was wrong and is dropped' : 'is confirmed';
      const [first = point] = dropped.length > 0 ? dropped : accepted;
      log.warn(`${code}: trading goes on at ${described(point)}. ${described(first)} ${outcome}.`);
    }
    return accepted;
  }

  /** As `Plausibility.release`. */
  release(instrumentId: number): void {
    this.byId.get(instrumentId)?.release();
  }

  /** A price that counts, of an earlier run or connection. What that one held is lost: the next prices are judged anew. */
  restore(instrumentId: number, price: number, time: UnixMs): void {
    this.of(instrumentId).restore(price, time);
  }

  private of(instrumentId: number): Plausibility<T> {
    const { limits } = this.options;
    return getOrInsert(this.byId, instrumentId, () => new Plausibility<T>(limits));
  }
}

/** With its time by the market's clock, as a bust takes it. */
function described({ price, time }: PricePoint): string {
  return `${price} of ${new Date(time).toISOString()}`;
}
