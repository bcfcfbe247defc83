import { ladderOf } from '#domain/workload/verdict';
import type { Results } from '../render/harness/results';

/** Where the app's page /bench has it from. */
export const REFERENCE_FILE = 'src/features/speedTest/reference.json';

/** What /bench shows beside the user's device: the ladders of these results, for each share of a core. */
export function referenceOf({ about, runs }: Results): string {
  const cores = [...new Set(runs.map(({ workload }) => workload.core))].sort((a, b) => b - a);
  const reference = {
    about: { cpu: about['cpu'], browser: about['browser'], at: about['at'] },
    cores: cores.map((core) => ({
      core,
      ladder: ladderOf(runs.filter(({ workload }) => workload.core === core)).map(
        // JSON has no infinite number: what failed has no lag.
        ({ rate, lag }) => ({ rate, lag: Number.isFinite(lag) ? Number(lag.toFixed(1)) : null }),
      ),
    })),
  };
  return `${JSON.stringify(reference, undefined, 2)}\n`;
}
