import { latest, toUnixMs, type UnixMs } from '../core/time';
import type { Instrument, SwapTerms } from '../market/instrument';
import type { OrderState } from './orderState';
import { midnightAfter } from './swap';

/** When nights of positions are charged, and at what rates (domain.md#overnight-financing). */
export class Nights {
  private readonly terms: ReadonlyMap<number, SwapTerms> | undefined;
  /** All positions are charged up to here, by the market's clock; 0: not known. */
  private chargedUntil = toUnixMs(0);
  /** No position has a night to be charged before. */
  private dueAt = Number.POSITIVE_INFINITY;

  /** `charged`: whether this server charges them. */
  constructor(instruments: readonly Instrument[], charged: boolean) {
    this.terms = charged
      ? new Map(instruments.flatMap(({ id, swap }) => (swap ? [[id, swap]] : [])))
      : undefined;
  }

  /** These are all orders, as the database has them. */
  load(orders: readonly OrderState[]): void {
    this.chargedUntil = toUnixMs(0);
    this.dueAt = Number.POSITIVE_INFINITY;
    for (const { instrumentId, chargedUntil } of orders) {
      if (chargedUntil !== null && this.termsOf(instrumentId)) this.expect(chargedUntil);
    }
  }

  /** Undefined where its nights are not charged: it is not traded here, for example. */
  termsOf(instrumentId: number): SwapTerms | undefined {
    return this.terms?.get(instrumentId);
  }

  /** Whether a position may have nights that are not charged. Every tick asks for it. */
  isDue(at: UnixMs): boolean {
    return at >= this.dueAt;
  }

  /** All positions have been charged. */
  charged(at: UnixMs): void {
    this.chargedUntil = latest(this.chargedUntil, at);
    this.dueAt = midnightAfter(this.chargedUntil);
  }

  /**
   * From when on the nights of a position count that is filled at `at`; null where none are charged. A tick of the last day may
   * come after those of the new one: its fill has missed the night.
   */
  countFrom(at: UnixMs): UnixMs | null {
    if (!this.terms) return null;
    const from = latest(at, this.chargedUntil);
    this.expect(from);
    return from;
  }

  private expect(chargedUntil: UnixMs): void {
    this.dueAt = Math.min(this.dueAt, midnightAfter(chargedUntil));
  }
}
