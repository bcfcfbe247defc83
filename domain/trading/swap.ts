/** Overnight financing of positions (domain.md#overnight-financing). */
import { decimal, product, round } from '../core/decimal';
import { DAY_MS, toUnixMs, type UnixMs } from '../core/time';
import { CENTS, type Lots, toUsd, type Usd } from '../core/units';
import type { SwapTerms } from '../market/instrument';
import type { Side } from './order';

const TRIPLE = 3;

/** Each 00:00 UTC after `since`, up to and with `until`, the first one first. One after the other, spans charge what the whole does. */
export function midnightsBetween(since: UnixMs, until: UnixMs): UnixMs[] {
  const midnights: UnixMs[] = [];
  for (let at = midnightAfter(since); at <= until; at = midnightAfter(at)) midnights.push(at);
  return midnights;
}

/** The first 00:00 UTC after a time. */
export function midnightAfter(time: UnixMs): UnixMs {
  return toUnixMs((Math.floor(time / DAY_MS) + 1) * DAY_MS);
}

/** The first 00:00 UTC after a time that is of the weekday that counts three nights, 0 is Sunday. */
export function tripleAfter(triple: number, time: UnixMs): UnixMs {
  let at = midnightAfter(time);
  while (new Date(at).getUTCDay() !== triple) at = midnightAfter(at);
  return at;
}

/**
 * What a position is charged at a 00:00 UTC, USD, negative is paid: lots × rate × nights, rounded once, to cents, half away
 * from zero.
 */
export function swapAt(terms: SwapTerms, side: Side, lots: Lots, midnight: UnixMs): Usd {
  const rate = side === 'buy' ? terms.long : terms.short;
  const nights = decimal(new Date(midnight).getUTCDay() === terms.triple ? TRIPLE : 1);
  return toUsd(round(product(product(lots, rate), nights), CENTS));
}
