import { toNumber } from '#domain/core/decimal';
import {
  earliest,
  latest,
  secondOf,
  timeAfter,
  timeBetween,
  toDurationMs,
  toUnixMs,
  toUnixSeconds,
  type UnixMs,
} from '#domain/core/time';
import { toPrice } from '#domain/core/units';
import {
  changedPrice,
  counts,
  linePrice,
  type PercentCondition,
  windowEnd,
  windowStart,
} from '#domain/trading/condition';
import type { Market } from '../market/market';
import { firstTime, type PastTick, type RangeOf } from '../market/pastPrices';
import type { AlertState } from './alertState';
import { earlier, lastTick, type Missed, timeAfterPause } from './missedCrossing';
import { type MovingAlert, sideAfter } from './movingLevels';

type Side = 'rise' | 'fall';
type LevelAt = (time: UnixMs) => number | undefined;

const MILLISECOND = toDurationMs(1);
const MINUTE = toDurationMs(60_000);
/** Most hours or days of which the openings are asked for: who was away longer has missed what came before. */
const MOST_WINDOWS = 1000;

/**
 * As `missedBy`, where the level moves. A line is searched by halves: in each the range of prices and that of the level
 * say whether they can meet. Ticks are not kept: a market of another process does not have them.
 */
export async function missedMoving(
  market: Pick<Market, 'priceRange' | 'bars'>,
  alert: MovingAlert,
  until: UnixMs,
): Promise<Missed> {
  const { instrumentId: id, repeat, triggeredAt, since, condition } = alert;
  const range: RangeOf = async (from, to) => market.priceRange(id, from, to);
  const present = await lastTick(range, since, until);
  if (!present) return { crossing: undefined, waits: alert.waits };
  const levelAt: LevelAt =
    condition.kind === 'line'
      ? (time) => linePrice(condition, time)
      : await changesSince(market, id, condition, since, until);
  const sideAt = (tick: PastTick, before: AlertState['waits']) =>
    sideAfter(before, levelAt(tick.time), toNumber(tick.price));
  let from = since;
  let { waits } = alert;
  if (repeat && triggeredAt !== undefined) {
    from = timeAfter(since, timeAfterPause());
    const then = await lastTick(range, since, earlier(timeAfter(from, MILLISECOND), until));
    if (then) waits = sideAt(then, waits);
  }
  for (const [begin, end] of spansOf(alert, from, until)) {
    // A new day or hour begins at no change: what counts is still to come.
    if (condition.kind === 'percent' && begin > from)
      waits = condition.change > 0 ? 'rise' : 'fall';
    let at = begin;
    while (at < end) {
      if (waits === '') {
        const beside = await firstTime(range, at, end, () => true);
        if (beside === undefined) break;
        const tick = await tickAt(range, beside);
        waits = tick ? sideAt(tick, waits) : '';
        at = beside;
        if (waits === '') continue;
      }
      const crossing: PastTick | undefined = await firstBeyond(range, levelAt, at, end, waits);
      if (!crossing) break;
      if (counts(condition, waits)) {
        return { crossing, waits: sideAt(present, sideAt(crossing, waits)) };
      }
      waits = sideAt(crossing, waits);
      at = crossing.time;
    }
  }
  return { crossing: undefined, waits: sideAt(present, waits) };
}

/** The times in which the level moves steadily: each day or hour, the whole time of a line. Without their ends. */
function spansOf({ condition }: MovingAlert, from: UnixMs, until: UnixMs): [UnixMs, UnixMs][] {
  if (condition.kind === 'line') {
    const first = toUnixMs(Math.min(condition.t1, condition.t2) - 1);
    const last = toUnixMs(Math.max(condition.t1, condition.t2) + 1);
    const { extend } = condition;
    const begin = extend === 'left' || extend === 'both' ? from : latest(from, first);
    const end = extend === 'right' || extend === 'both' ? until : earliest(until, last);
    return [[begin, end]];
  }
  const spans: [UnixMs, UnixMs][] = [];
  let begin = from;
  while (begin < until) {
    const end = windowEnd(condition.window, timeAfter(begin, MILLISECOND));
    spans.push([begin, earliest(end, until)]);
    begin = toUnixMs(end - 1);
    if (end >= until) break;
  }
  return spans.slice(-MOST_WINDOWS);
}

/** The price of a change in the days or hours since. */
async function changesSince(
  market: Pick<Market, 'bars'>,
  id: number,
  condition: PercentCondition,
  since: UnixMs,
  until: UnixMs,
): Promise<LevelAt> {
  const { window } = condition;
  const period = window === 'day' ? '1day' : '60min';
  const length = windowEnd(window, since) - windowStart(window, since);
  const count = Math.ceil(timeBetween(windowStart(window, since), until) / length) + 1;
  const before = toUnixSeconds(secondOf(until) + 1);
  const bars = await market.bars(id, period, Math.min(MOST_WINDOWS, count), before);
  const opens = new Map(bars.map(({ time, open }) => [time * 1000, open]));
  return (time) => {
    const open = opens.get(windowStart(window, time));
    return open === undefined ? undefined : changedPrice(condition, open);
  };
}

async function tickAt(range: RangeOf, time: UnixMs): Promise<PastTick | undefined> {
  const seen = await range(toUnixMs(time - 1), toUnixMs(time + 1));
  return seen && { price: toPrice(seen.high), time };
}

/** The first tick after `from` and before `until` on another side of the level than `side`. */
async function firstBeyond(
  range: RangeOf,
  levelAt: LevelAt,
  from: UnixMs,
  until: UnixMs,
  side: Side,
): Promise<PastTick | undefined> {
  const levels = [levelAt(timeAfter(from, MILLISECOND)), levelAt(toUnixMs(until - 1))];
  const [one, other] = levels;
  if (one === undefined || other === undefined) return undefined;
  const seen = await range(from, until);
  if (!seen) return undefined;
  const farthest = side === 'rise' ? seen.high : seen.low;
  const nearest = side === 'rise' ? Math.min(one, other) : Math.max(one, other);
  if (side === 'rise' ? farthest < nearest : farthest > nearest) return undefined;
  const length = timeBetween(from, until);
  // These ticks have one price, or the market does not know more of them.
  const whole = { price: toPrice(farthest), time: toUnixMs(until - 1) };
  if (length <= 2) return whole;
  const middle = halfWay(from, until);
  const [first, second] = [await range(from, middle), await range(toUnixMs(middle - 1), until)];
  if (!first && !second) {
    const level = other;
    return (side === 'rise' ? farthest >= level : farthest <= level) ? whole : undefined;
  }
  return (
    (first && (await firstBeyond(range, levelAt, from, middle, side))) ??
    (second && (await firstBeyond(range, levelAt, toUnixMs(middle - 1), until, side)))
  );
}

/** At the start of a minute where there is one: some markets know their past by the minute only (D126). */
function halfWay(from: UnixMs, until: UnixMs): UnixMs {
  const middle = Math.floor((from + until) / 2) + 1;
  const minute = Math.round(middle / MINUTE) * MINUTE;
  return toUnixMs(minute > from + 1 && minute < until - 1 ? minute : middle);
}
