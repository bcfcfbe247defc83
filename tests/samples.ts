import { appendFileSync, existsSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** `few` in `npm test`, `all` in `npm run soak`. */
export function samples(few: number, all: number): number {
  return process.env.SOAK ? all : few;
}

/** Whether a case of a matrix is run: one of `every` in `npm test`, each in `npm run soak`. */
export function sampled(index: number, every: number): boolean {
  return index % samples(every, 1) === 0;
}

/**
 * Options of Node for a server of its own. Its embedded database is compiled once and quickly in
 * `npm test`: to optimize it takes two seconds of CPU at each start, which no short test gets back.
 * `npm run soak` runs it as shipped.
 */
export const SERVER_NODE_OPTIONS: readonly string[] = process.env.SOAK
  ? []
  : ['--liftoff-only', '--wasm-lazy-validation'];

/** A seed to repeat a run with: `SEED=…`, or the same one every time. */
export const seed = Number(process.env.SEED ?? 20260105);

/** Reports how many are done; returns whether there is time for more. */
export type Progress = (done: number) => boolean;

/** A line of the report. */
interface Line {
  name: string;
  count: number;
  seed: number;
  seconds: number;
  result: string;
  failed: boolean;
  /** Where the pieces are, once all are done and the report may replace them. */
  pieces?: string;
}

/**
 * A large count: runs `body`, prints its count and duration, and writes the same line
 * for the report of `npm run soak`. `body` returns what
 * happened, in a few words. Where it reports its progress, `MINUTES=…` ends it early:
 * its count is then what was done.
 */
export function largeCount(
  name: string,
  count: number,
  body: (progress: Progress) => Promise<string> | string,
): Promise<void> {
  return report(name, count, (_line, progress) => body(progress));
}

/** A part of a large count. */
export interface Piece {
  /** The number of the first one. */
  from: number;
  count: number;
}

/** A piece that is done. Its result must survive JSON. */
interface DonePiece<Result> extends Piece {
  seed: number;
  commit: string;
  seconds: number;
  result: Result;
}

/**
 * A large count in pieces of `size`, each run by itself. A soak keeps what a piece returns
 * outside of git until all are done, so that an interrupted soak continues there; `MINUTES=0`
 * writes the line of those. `sum` says what happened in all of them.
 */
export function largeCountInPieces<Result>(
  name: string,
  count: number,
  size: number,
  run: (piece: Piece) => Promise<Result>,
  sum: (results: Result[]) => string,
): Promise<void> {
  return report(name, count, async (line, progress) => {
    const directory = process.env.SOAK_PIECES;
    const file = directory && join(directory, `${name.replaceAll(/\W+/g, '-')}.jsonl`);
    const kept = readPieces<Result>(file);
    const done: DonePiece<Result>[] = [];
    for (let from = 0; from < count; from += size) {
      const piece = { from, count: Math.min(size, count - from), seed };
      let found = kept.find((other) =>
        [other.from === from, other.count === piece.count, other.seed === seed].every(Boolean),
      );
      if (found) line.seconds += found.seconds;
      else {
        if (!progress(from)) break;
        const begun = performance.now();
        const result = await run(piece);
        const seconds = (performance.now() - begun) / 1000;
        found = { ...piece, commit: process.env.SOAK_COMMIT ?? '', seconds, result };
        if (file) appendFileSync(file, `${JSON.stringify(found)}\n`);
      }
      done.push(found);
    }
    if (done.length === 0) return 'nothing is done';
    if (file && line.count === count) line.pieces = file;
    const commits = [...new Set(done.map(({ commit }) => commit))];
    return [
      sum(done.map(({ result }) => result)),
      commits.length > 1 ? `commits ${commits.join(', ')}` : [],
    ]
      .flat()
      .join('; ');
  });
}

function readPieces<Result>(file: string | undefined): DonePiece<Result>[] {
  if (!file || !existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line));
}

async function report(
  name: string,
  count: number,
  body: (line: Line, progress: Progress) => Promise<string> | string,
): Promise<void> {
  const begun = performance.now();
  const line: Line = { name, count, seed, seconds: 0, result: 'FAILED', failed: true };
  try {
    const say = progressOf(name, count, begun);
    line.result = await body(line, (done) => {
      say(done);
      const late = performance.now() - begun > Number(process.env.MINUTES || Infinity) * 60_000;
      if (late) line.count = done;
      return !late;
    });
    line.failed = false;
  } finally {
    line.seconds = Math.round(line.seconds + (performance.now() - begun) / 1000);
    console.log(`${name}: ${line.count}, seed ${seed}, ${line.seconds} s: ${line.result}`);
    const file = process.env.SOAK_LINES;
    if (file && line.count > 0) appendFileSync(file, `${JSON.stringify(line)}\n`);
  }
}

/** Prints the progress of a soak, so that a hang or a leak is visible. It bypasses the console, which a hang would block. */
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

/** The sums of such tallies. */
export function addUp(
  tallies: readonly Readonly<Record<string, number>>[],
): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const [what, times] of tallies.flatMap((each) => Object.entries(each)))
    sums[what] = (sums[what] ?? 0) + times;
  return sums;
}
