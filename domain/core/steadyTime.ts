import { toUnixMs, type UnixMs } from './time';

/** Ignore a smaller step back, ms: browsers round their clocks, some to 100 ms. */
const STEP_MS = 250;

/**
 * A time for ages and durations: it continues when `wall` is set back, and follows it
 * otherwise, because the wall clock alone shows a dead connection as live after an hour's step back, and `stopwatch`, ms since any moment, stops while some devices sleep.
 */
export function createSteadyTime(wall: () => UnixMs, stopwatch: () => number): () => UnixMs {
  let ahead = 0;
  let lead = wall() - stopwatch();
  return () => {
    const now = wall();
    const before = lead;
    lead = now - stopwatch();
    if (lead < before - STEP_MS) ahead += before - lead;
    return toUnixMs(now + ahead);
  };
}
