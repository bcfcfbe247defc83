import { appendFileSync, writeSync } from 'node:fs';

/** `few` in `npm test`, `all` in `npm run soak`. */
export function samples(few: number, all: number): number {
  return process.env.SOAK ? all : few;
}

/** A seed to repeat a run with: `SEED=…`, or the same one every time. */
export const seed = Number(process.env.SEED ?? 20260105);

/** Told how many are done; whether there is time for more. */
export type Progress = (done: number) => boolean;

/**
 * A large count: runs `body`, says how many came out and how long they took, and
 * leaves the same line for the report of `npm run soak`. `body` returns what
 * happened, in a few words. Where it tells its progress, `MINUTES=…` ends it early:
 * its count is then what was done.
 */
export async function largeCount(
  name: string,
  count: number,
  body: (progress: Progress) => Promise<string> | string,
): Promise<void> {
  const begun = performance.now();
  const line = { name, count, seed, seconds: 0, result: 'FAILED', failed: true };
  try {
    const say = progressOf(name, count, begun);
    line.result = await body((done) => {
      say(done);
      const late = performance.now() - begun > Number(process.env.MINUTES || Infinity) * 60_000;
      if (late) line.count = done;
      return !late;
    });
    line.failed = false;
  } finally {
    line.seconds = Math.round((performance.now() - begun) / 1000);
    console.log(`${name}: ${line.count}, seed ${seed}, ${line.seconds} s: ${line.result}`);
    const file = process.env.SOAK_LINES;
    if (file) appendFileSync(file, `${JSON.stringify(line)}\n`);
  }
}

/** Says in a soak how far it is, so that a hang or a leak is seen: past the console, which a hang would hold up. */
function progressOf(name: string, count: number, begun: number): (done: number) => void {
  const step = Math.ceil(Math.min(count / 50, 500));
  let next = step;
  return (done) => {
    if (!process.env.SOAK || done < next) return;
    next = done + step;
    const seconds = Math.round((performance.now() - begun) / 1000);
    const megabytes = Math.round(process.memoryUsage.rss() / 2 ** 20);
    writeSync(2, `${name}: ${done} of ${count}, ${seconds} s, ${megabytes} MiB\n`);
  };
}

/** What happened how often, in a few words. */
export function tally(happened: Readonly<Record<string, number>> | Map<string, number>): string {
  const entries = happened instanceof Map ? [...happened] : Object.entries(happened);
  return entries.map(([what, times]) => `${what} ${times}`).join(', ');
}
