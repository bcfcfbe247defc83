import { computed } from '@preact/signals-core';
import {
  allUntil,
  lastDays,
  nextStart,
  type Period,
  startOf,
  yearUntil,
} from '#domain/core/calendar';
import { timeBefore, timeOf, toDurationMs, toUnixMs, type UnixMs } from '#domain/core/time';
import { formatDates } from '../../../i18n/format';
import { t } from '../../../i18n/i18n';
import { timeZone } from '../../../i18n/timeZone';
import { clock } from '../../../worker/age';
import { marketNow } from '../../../worker/marketNow';

/** The name of the period that holds the whole history. */
export const ALL_TIME = 'all';

/** The periods that have a chip, by their name in the query (screens.md#results). */
export const PERIODS = ['7d', '30d', '90d', 'year', ALL_TIME] as const;
export type PeriodChip = (typeof PERIODS)[number];
export const DEFAULT_PERIOD: PeriodChip = '30d';

const DATES = /^(\d{4})-(\d{2})-(\d{2})\.\.(\d{4})-(\d{2})-(\d{2})$/;

/** When the present day began, as orders have it: by the market's clock, in a replay that of the recording. */
export const today = computed(() => {
  void clock.value;
  void timeZone.value;
  return startOf('day', marketNow());
});

/** The period of a name of the query, as `30d` or `2026-11-01..2026-11-30`; undefined where it is none. */
export function periodOf(name: string | null): Period | undefined {
  const now = marketNow();
  const chip = PERIODS.find((period) => period === name);
  if (chip === ALL_TIME) return allUntil(now);
  if (chip === 'year') return yearUntil(now);
  if (chip) return lastDays(Number.parseInt(chip, 10), now);
  const numbers = DATES.exec(name ?? '')
    ?.slice(1)
    .map(Number);
  if (!numbers) return undefined;
  const [y1 = 0, m1 = 0, d1 = 0, y2 = 0, m2 = 0, d2 = 0] = numbers;
  const first = timeOf(new Date(y1, m1 - 1, d1));
  const last = timeOf(new Date(y2, m2 - 1, d2));
  return first > last
    ? { from: last, until: nextStart('day', first) }
    : { from: first, until: nextStart('day', last) };
}

export function isPeriodChip(name: string): name is PeriodChip {
  return PERIODS.some((period) => period === name);
}

const two = (number: number) => String(number).padStart(2, '0');

/** A day as a date field has it: `2026-11-01`. */
export function dayText(time: UnixMs): string {
  const date = new Date(time);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** The name of the days from `first` to `last`, two texts of date fields. */
export function datesName(first: string, last: string): string {
  return `${first}..${last}`;
}

/** The days of a period as two texts of date fields. */
export function datesOf({ from, until }: Period): [first: string, last: string] {
  return [dayText(from), dayText(lastMoment(until))];
}

/** The name of one day, week or month. */
export function nameOfUnit(unit: 'day' | 'week' | 'month', start: UnixMs): string {
  return datesName(...datesOf({ from: startOf(unit, start), until: nextStart(unit, start) }));
}

function lastMoment(until: UnixMs): UnixMs {
  return timeBefore(until, toDurationMs(1));
}

/** The days of a period in words; of all time only where it begins is known. */
export function periodText(period: Period, begun?: UnixMs): string {
  const from = period.from > 0 ? period.from : begun;
  if (from === undefined) return t('results.periods.all');
  return formatDates(toUnixMs(Math.min(from, lastMoment(period.until))), lastMoment(period.until));
}
