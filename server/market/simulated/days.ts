import { toUnixSeconds } from '#domain/core/time';
import { type BarNode, DAY, PURPOSE } from './barNode';
import type { Factor } from './factor';
import type { SimulatedInstrument } from './simulatedInstrument';
import { activity } from './tickRates';
import { bridgeMaximum } from './trace';
import { partOf, type Step, type Walk } from './walk';

const DAY_SECONDS = 86_400;
const SATURDAY = 5;
const SUNDAY = 6;
/** Share of Sunday's two hours in the step that ends on Monday. */
const SUNDAY_SHARE = 0.04;
/** Size of the opening gap relative to a day's move. */
const GAP = { none: 0.01, night: 0.3, weekend: 0.25 };
/** Volume of each tick on an average day, beyond the 1 that each tick counts. */
const SURPLUS = 8;

/** Weekday of a day since 1970 (Monday is 0), and the number of working days before it. */
function calendar(day: number): { weekday: number; workdays: number } {
  const week = Math.floor((day - 4) / 7);
  const weekday = day - 4 - week * 7;
  return { weekday, workdays: week * 5 + Math.min(weekday, SATURDAY) };
}

/**
 * A day of a walk that rests at weekends. The week starts on Sunday evening with a part of Monday's
 * step.
 */
function workStep(mover: Walk, day: number): Step {
  const { weekday, workdays } = calendar(day);
  const step = mover.step(workdays);
  if (weekday === SATURDAY) return { before: step.before, after: step.before, variance: 0 };
  if (weekday !== SUNDAY && weekday !== 0) return step;
  const normal = mover.normal(PURPOSE.sunday, workdays);
  return partOf(step, SUNDAY_SHARE, normal, weekday === SUNDAY ? 'first' : 'rest');
}

function gapOf({ session }: SimulatedInstrument['terms'], weekday: number): number {
  if (session === 'always') return GAP.none;
  if (session === 'week') return weekday === SUNDAY ? GAP.weekend : GAP.none;
  return GAP.night;
}

/**
 * The bar of a whole UTC day; undefined where the instrument does not trade. The logarithm of the
 * price is the weighted sum of three walks: the market's, the category's and its own.
 */
export function dayNode(subject: SimulatedInstrument, day: number): BarNode | undefined {
  const { terms, factors, weights, rates, draws } = subject;
  const time = toUnixSeconds(day * DAY_SECONDS);
  if (activity(terms.session, time, DAY_SECONDS) === 0) return undefined;

  const rests = terms.session !== 'always';
  let before = 0;
  let after = 0;
  let variance = 0;
  let jump = 0;
  factors.forEach((mover: Walk | Factor, i) => {
    const weight = weights[i] as number;
    const step = rests || i === 0 ? workStep(mover, day) : mover.step(day);
    before += weight * step.before;
    after += weight * step.after;
    variance += weight * weight * step.variance;
    jump += weight * mover.normal(PURPOSE.gap, day);
  });

  draws.begin(subject.key, PURPOSE.day, day);
  const scale = terms.base * 10 ** terms.precision;
  const toPoints = (log: number) =>
    Math.max(1, Math.round(scale * Math.exp(terms.volatility * log)));
  const open = before + gapOf(terms, calendar(day).weekday) * jump;
  const high = open + bridgeMaximum(after - open, variance, draws.next());
  const low = open - bridgeMaximum(open - after, variance, draws.next());
  const expected = terms.liquidity * rates.ticks(terms.session, time, DAY_SECONDS);
  const ticks = Math.floor(expected + draws.next());
  if (ticks === 0) return undefined;
  const busy = Math.sqrt(variance) * Math.exp(0.2 * draws.normal());
  return withinTicks({
    level: DAY,
    time,
    open: toPoints(open),
    high: toPoints(high),
    low: toPoints(low),
    close: toPoints(after),
    ticks,
    volume: ticks + Math.round(SURPLUS * ticks * busy),
    variance: variance * (terms.volatility * toPoints(after)) ** 2,
  });
}

/** Removes extremes that so few ticks can't reach. */
function withinTicks(node: BarNode): BarNode {
  if (node.ticks === 1) node.open = node.close;
  if (node.ticks < 3) node.high = Math.max(node.open, node.close);
  if (node.ticks < 4) node.low = Math.min(node.open, node.close);
  return node;
}
