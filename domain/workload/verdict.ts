import { medianOf, quantileOf } from './quantiles';
import { MAIN, nameOf, type Workload } from './workload';

/** What the verdict needs of a run; the benchmark's are such too. */
interface PlayedRun {
  contender: string;
  workload: Workload;
  sample?: {
    ages: readonly number[];
    frames: { intervals: readonly number[] } | undefined;
    frameInterval?: number;
  };
}

/**
 * What is held, ms: half of the prices are painted within it, and 95 % of the frames come within it of the one before.
 */
export const HELD_MS = 50;
const FRAMES = 0.95;

/** The larger of the median age of a price and the 95th percentile of the time between two frames, ms. */
function lagOf({ ages, frames }: NonNullable<PlayedRun['sample']>): number {
  return Math.max(medianOf(ages), quantileOf(frames?.intervals ?? [], FRAMES));
}

/** Whether a run is a step of the ladder: the list at rest at one rate. */
function isOfLadder({ contender, workload }: PlayedRun): boolean {
  const { core, rate, perMessage } = workload;
  return contender === 'app' && nameOf({ ...MAIN, core, rate, perMessage }) === nameOf(workload);
}

/** A rate of the ladder and what lagged at it, ms; infinite: the run failed. */
export interface Rung {
  rate: number;
  lag: number;
}

/** The rates that were played with the list at rest, lowest first; of several runs at one rate the median. */
export function ladderOf(runs: readonly PlayedRun[]): Rung[] {
  const lags = new Map<number, number[]>();
  for (const run of runs.filter(isOfLadder)) {
    const lag = run.sample ? lagOf(run.sample) : Number.POSITIVE_INFINITY;
    lags.set(run.workload.rate, [...(lags.get(run.workload.rate) ?? []), lag]);
  }
  return [...lags]
    .map(([rate, found]) => ({ rate, lag: medianOf(found) }))
    .sort((one, other) => one.rate - other.rate);
}

/** Whether a rate is held. A lag that is not a number was not seen. */
export function isHeld({ lag }: Rung): boolean {
  return lag <= HELD_MS;
}

/** The highest rate that is held, as all lower ones are; undefined: not even the lowest is. */
export function heldRate(ladder: readonly Rung[]): number | undefined {
  const missed = ladder.findIndex((rung) => !isHeld(rung));
  const held = missed < 0 ? ladder : ladder.slice(0, missed);
  return held.at(-1)?.rate;
}

/** The longest interval between two frames of the list that the app has chosen, where that is longer than `usual`, ms; undefined: none was. */
export function slowedTo(runs: readonly PlayedRun[], usual: number): number | undefined {
  // While the list scrolls it is longer by design.
  const still = runs.filter(({ workload }) => workload.hand === 'still');
  const longest = Math.max(0, ...still.map(({ sample }) => sample?.frameInterval ?? 0));
  return longest > usual ? longest : undefined;
}
