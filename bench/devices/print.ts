import { FRAME_MS } from '#domain/worker/workerApi';
import { HELD_MS, heldRate, ladderOf, slowedTo } from '#domain/workload/verdict';
import type { Results } from '../render/harness/results';
import { printTables } from '../render/harness/table';

/** The verdict of `/bench` on a device's results. */
export function deviceVerdict(runs: Parameters<typeof ladderOf>[0]): string {
  const ladder = ladderOf(runs);
  if (ladder.length === 0) return 'The ladder of rates was not played, so there is no verdict.';
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
  console.log(deviceVerdict(results.runs));
}
