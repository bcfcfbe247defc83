import { appendFileSync, existsSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

import { unlessFor } from './unless';

/** `few` in `npm test`, `all` in `npm run soak`. */
export function samples(few: number, all: number): number {
  return process.env.SOAK ? all : few;
}

/** How many seeds of a simulation run: as `samples`, or `SEEDS=…`; of one that takes `times` as long so many times less. */
export function seeds(few: number, all: number, times = 1): number {
  return Math.ceil(Number(process.env.SEEDS ?? 0) / times) || samples(few, all);
}

/** A seed to repeat a run with: `SEED=…`, or the same one every time. */
export const seed = Number(process.env.SEED ?? 20260105);

/** The number of the commit, by which `npm test` draws the cells of a matrix. */
export const commit = Number(process.env.COMMIT ?? 0);

/** Twenty commits in a row draw every cell of every matrix. */
const RAREST = 20;

/**
 * Whether cell `index` of a matrix is run: each in `npm run soak`, in `npm test` one of `every`. `every` commits in a row run
 * them all.
 */
export function sampled(index: number, every: number): boolean {
  if (every > RAREST) throw new Error(`one of ${every} comes too seldom`);
  return (index + commit) % samples(every, 1) === 0;
}

/** The cases whose turn it is: one of `every` (`sampled`). */
export function drawn<Case>(cases: readonly Case[], every: number): Case[] {
  return cases.filter((_, index) => sampled(index, every));
}

/**
 * Tests of more than a second take turns: so many commits in a row run them all. A prime, so that a test which draws its own
 * cells (one of two) meets all of them.
 */
const TURNS = 7;
/** Suites of more than four seconds, which run all of their tests in their turn. */
export const SUITES = 5;
/** Tests of more than eight seconds. */
export const RARE = 13;

/**
 * Defines a test that takes its turn, by its name and the commit: `inTurn(it)('…', …)`. `npm run test:unit` and a soak run
 * all. Browser tests take turns by scripts/lib/turns.mjs.
 */
export function inTurn<D extends Parameters<typeof unlessFor>[0]>(define: D, turns = TURNS): D {
  return unlessFor(define, (name) => notItsTurn(name, turns));
}

/** Why a test or a suite waits; undefined in its turn. */
export function notItsTurn(name: string, turns = TURNS): string | undefined {
  return process.env.ALL || sampled(hashOf(name), turns) ? undefined : "another commit's turn";
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}

/**
 * Options of Node for a server of its own. Its embedded database is compiled once and quickly in
 * `npm test`: to optimize it takes two seconds of CPU at each start, which no short test gets back.
 * `npm run soak` runs it as shipped.
 */
export const SERVER_NODE_OPTIONS: readonly string[] = process.env.SOAK
  ? []
  : ['--liftoff-only', '--wasm-lazy-validation'];

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
