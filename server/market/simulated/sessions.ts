import {
  secondOf,
  timeBefore,
  toDurationMs,
  toSeconds,
  toUnixMs,
  type UnixMs,
  type UnixSeconds,
} from '#domain/core/time';
import type { OpenHours } from '#domain/market/hours';

/** Trading hours. They are fixed in UTC all year, without holidays. */
export type Session = 'always' | 'week' | 'americas' | 'europe' | 'asia';

/** Sessions start and end at multiples of this. */
export const SLOT_SECONDS = toSeconds(1800);
export const SLOTS_PER_WEEK = 336;
const SLOTS_PER_DAY = 48;
const SLOT_MINUTES = SLOT_SECONDS / 60;
/** 1970 started on a Thursday; the week here starts on Monday. */
const FIRST_MONDAY = 4 * 86_400;

/** Index of the half hour in the week that starts on Monday 00:00 UTC. */
export function slotOfWeek(time: UnixSeconds): number {
  const slot = Math.floor((time - FIRST_MONDAY) / SLOT_SECONDS) % SLOTS_PER_WEEK;
  return slot < 0 ? slot + SLOTS_PER_WEEK : slot;
}

/** Activity in each half hour of the week; 0 means closed. */
export const ACTIVITY: Readonly<Record<Session, Float64Array>> = {
  always: profile((_day, hour) => (hour >= 12 && hour < 22 ? 1.2 : 0.9)),
  // Tokyo, London, New York, and the overlap of London and New York.
  week: profile((day, hour) => {
    const closed = day === 5 || (day === 4 && hour >= 22) || (day === 6 && hour < 22);
    if (closed) return 0;
    if (hour < 7) return 0.6;
    if (hour < 12) return 1.2;
    if (hour < 17) return 1.6;
    return hour < 21 ? 0.8 : 0.35;
  }),
  americas: profile((day, hour) => trading(day, hour, 14.5, 21)),
  europe: profile((day, hour) => trading(day, hour, 8, 16.5)),
  asia: profile((day, hour) => trading(day, hour, 0, 7)),
};

/** Activity is highest after the opening and before the close. */
function trading(day: number, hour: number, from: number, to: number): number {
  if (day > 4 || hour < from || hour >= to) return 0;
  const edge = Math.min(hour - from, to - 0.5 - hour);
  return 0.7 + 1.1 * Math.exp(-edge);
}

function profile(activity: (day: number, hour: number) => number): Float64Array {
  return Float64Array.from({ length: SLOTS_PER_WEEK }, (_, slot) =>
    activity(Math.floor(slot / SLOTS_PER_DAY), (slot % SLOTS_PER_DAY) / 2),
  );
}

/** The hours of each session by the day, Sunday first. */
export const HOURS: Readonly<Record<Session, readonly OpenHours[]>> = {
  always: hoursOf(ACTIVITY.always),
  week: hoursOf(ACTIVITY.week),
  americas: hoursOf(ACTIVITY.americas),
  europe: hoursOf(ACTIVITY.europe),
  asia: hoursOf(ACTIVITY.asia),
};

function hoursOf(activity: Float64Array): OpenHours[] {
  const hours: OpenHours[] = [];
  for (let slot = 0; slot < SLOTS_PER_WEEK; slot++) {
    if (activity[slot] === 0) continue;
    const day = (Math.floor(slot / SLOTS_PER_DAY) + 1) % 7;
    const open = (slot % SLOTS_PER_DAY) * SLOT_MINUTES;
    const last = hours.at(-1);
    if (last?.day === day && last.close === open) last.close = open + SLOT_MINUTES;
    else hours.push({ day, open, close: open + SLOT_MINUTES });
  }
  return hours.sort((a, b) => a.day - b.day);
}

export function isOpen(session: Session, time: UnixMs): boolean {
  return (ACTIVITY[session][slotOfWeek(secondOf(time))] as number) > 0;
}

/** The next start of the session after `time`; undefined where it never closes. */
export function nextOpen(session: Session, time: UnixMs): UnixMs | undefined {
  const slot = Math.floor(time / 1000 / SLOT_SECONDS);
  for (let next = slot + 1; next <= slot + SLOTS_PER_WEEK; next++) {
    const begin = toUnixMs(next * SLOT_SECONDS * 1000);
    const before = timeBefore(begin, toDurationMs(1));
    if (isOpen(session, begin) && !isOpen(session, before)) return begin;
  }
  return undefined;
}
