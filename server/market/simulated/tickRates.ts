import { timeAfter, type UnixSeconds } from '#domain/core/time';
import type { NumberedInstrumentTerms } from '../catalogue/catalogue';
import { ACTIVITY, type Session, SLOT_SECONDS, SLOTS_PER_WEEK, slotOfWeek } from './sessions';

/**
 * Distributes `ticksPerSecond` over the instruments that trade at a time, by liquidity and
 * activity, so that the total is the same at any hour of the week.
 */
export class TickRates {
  private readonly rates: Readonly<Record<Session, Float64Array>>;

  constructor(allTerms: readonly NumberedInstrumentTerms[], ticksPerSecond: number) {
    const total = new Float64Array(SLOTS_PER_WEEK);
    for (const { session, liquidity } of allTerms) {
      const activity = ACTIVITY[session];
      for (let slot = 0; slot < SLOTS_PER_WEEK; slot++) {
        total[slot] = (total[slot] as number) + liquidity * (activity[slot] as number);
      }
    }
    this.rates = Object.fromEntries(
      Object.entries(ACTIVITY).map(([session, activity]) => [
        session,
        activity.map((share, slot) =>
          share === 0 ? 0 : (ticksPerSecond * share) / (total[slot] as number),
        ),
      ]),
    ) as Record<Session, Float64Array>;
  }

  /** Expected ticks in a time range for a liquidity of 1. */
  ticks(session: Session, from: UnixSeconds, seconds: number): number {
    return overSlots(this.rates[session], from, seconds);
  }
}

/** Activity of a time range: weighted seconds; 0 where all of it is closed. */
export function activity(session: Session, from: UnixSeconds, seconds: number): number {
  return overSlots(ACTIVITY[session], from, seconds);
}

function overSlots(perSecond: Float64Array, from: UnixSeconds, seconds: number): number {
  if (seconds <= SLOT_SECONDS) return (perSecond[slotOfWeek(from)] as number) * seconds;
  let sum = 0;
  for (let time = from; time < from + seconds; time = timeAfter(time, SLOT_SECONDS)) {
    sum += perSecond[slotOfWeek(time)] as number;
  }
  return sum * SLOT_SECONDS;
}
