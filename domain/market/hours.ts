/** When an instrument trades, by the week in UTC (protocol.md#hours). */
import { DAY_MS, timeAfter, toDurationMs, toUnixMs, type UnixMs } from '../core/time';

/** Hours of a day in UTC, in minutes from 00:00; `close` is after `open`, at most 24:00. */
export interface OpenHours {
  /** 0 is Sunday. */
  day: number;
  open: number;
  close: number;
}

/** A time without a break in which an instrument trades. */
export interface TradingSpan {
  from: UnixMs;
  to: UnixMs;
}

/** Hours of an instrument that never closes. */
export const AROUND_THE_CLOCK: readonly OpenHours[] = [0, 1, 2, 3, 4, 5, 6].map((day) => ({
  day,
  open: 0,
  close: 24 * 60,
}));

const MINUTE_MS = 60_000;
const DAYS = 7;

/** `HH:MM`, up to 24:00. */
export const CLOCK_TEXT = /^([01]\d|2[0-3]|24(?=:00)):([0-5]\d)$/;

/** Minutes of `HH:MM`, up to 24:00; undefined where it is no time. */
export function minutesOf(text: string): number | undefined {
  const [, hours, minutes] = CLOCK_TEXT.exec(text) ?? [];
  return hours === undefined ? undefined : Number(hours) * 60 + Number(minutes);
}

/** `HH:MM` of minutes. */
export function clockText(minutes: number): string {
  const two = (count: number) => String(count).padStart(2, '0');
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/**
 * The spans of the coming seven days, the present one too, the first one first. Hours that meet are one span, over midnight too; of
 * an instrument that never closes there is one, longer than the week.
 */
export function tradingSpans(hours: readonly OpenHours[], now: UnixMs): TradingSpan[] {
  const today = Math.floor(now / DAY_MS);
  const all: TradingSpan[] = [];
  // A span that goes on for a week begins before it and ends after it.
  for (let date = today - DAYS; date <= today + 2 * DAYS; date++) {
    const midnight = toUnixMs(date * DAY_MS);
    const weekday = new Date(midnight).getUTCDay();
    const ofDay = hours.filter(({ day }) => day === weekday).sort((a, b) => a.open - b.open);
    for (const { open, close } of ofDay) {
      const from = timeAfter(midnight, toDurationMs(open * MINUTE_MS));
      const to = timeAfter(midnight, toDurationMs(close * MINUTE_MS));
      const last = all.at(-1);
      if (last && last.to >= from) last.to = toUnixMs(Math.max(last.to, to));
      else all.push({ from, to });
    }
  }
  const end = timeAfter(now, toDurationMs(DAYS * DAY_MS));
  return all.filter(({ from, to }) => to > now && from < end);
}

/** Whether these spans are one that is open all week. */
export function neverCloses([span]: readonly TradingSpan[], now: UnixMs): boolean {
  return span !== undefined && span.from <= now && span.to >= now + DAYS * DAY_MS;
}
