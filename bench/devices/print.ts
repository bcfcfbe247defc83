import { FRAME_MS } from '#domain/worker/workerApi';
import { LADDER } from '#domain/workload/devicePlan';
import { HELD_MS, heldRate, ladderOf, slowedTo } from '#domain/workload/verdict';
import type { Results } from '../render/harness/results';
import { printTables } from '../render/harness/table';

/** The verdict of `/bench` on a device's results. */
export function deviceVerdict(runs: Parameters<typeof ladderOf>[0]): string {
  const ladder = ladderOf(runs);
  if (ladder.length < LADDER.length)
    return 'Not all rates of the ladder were played, so there is no verdict.';
  const held = heldRate(ladder);
  const rate = held === undefined ? 'at none of the rates' : `at ${held} quotes a second`;
  const slowed = slowedTo(runs, FRAME_MS);
  const pace = slowed === undefined ? '' : ` The app slowed its own pace to ${slowed} ms.`;
  return `This device holds ${HELD_MS} ms ${rate}.${pace}`;
}

/** Prints the tables and the verdict of a device's results. */
export function printDevice(results: Results): void {
  const { browser, label = 'this device', cores = 'n/a' } = results.about;
  console.log(`${label}: ${browser}, ${cores} cores`);
  printTables(results);
  for (const core of new Set(results.runs.map(({ workload }) => workload.core))) {
    const runs = results.runs.filter(({ workload }) => workload.core === core);
    // Other sections of the benchmark have the same workloads.
    if (ladderOf(runs).length < LADDER.length) continue;
    console.log(`${core === 1 ? '' : `${core} of a core: `}${deviceVerdict(runs)}`);
  }
}
