import { appendFileSync } from 'node:fs';

/** `few` in `npm test`, `all` in `npm run soak`. */
export function samples(few: number, all: number): number {
  return process.env.SOAK ? all : few;
}

/** A seed to repeat a run with: `SEED=…`, or the same one every time. */
export const seed = Number(process.env.SEED ?? 20260105);

/**
 * A large count: runs `body`, says how many came out and how long they took, and
 * leaves the same line for the report of `npm run soak`. `body` returns what
 * happened, in a few words.
 */
export async function largeCount(
  name: string,
  count: number,
  body: () => Promise<string> | string,
): Promise<void> {
  const begun = performance.now();
  const line = { name, count, seed, seconds: 0, result: 'FAILED', failed: true };
  try {
    line.result = await body();
    line.failed = false;
  } finally {
    line.seconds = Math.round((performance.now() - begun) / 1000);
    console.log(`${name}: ${count}, seed ${seed}, ${line.seconds} s: ${line.result}`);
    const file = process.env.SOAK_LINES;
    if (file) appendFileSync(file, `${JSON.stringify(line)}\n`);
  }
}

/** What happened how often, in a few words. */
export function tally(happened: Readonly<Record<string, number>> | Map<string, number>): string {
  const entries = happened instanceof Map ? [...happened] : Object.entries(happened);
  return entries.map(([what, times]) => `${what} ${times}`).join(', ');
}
