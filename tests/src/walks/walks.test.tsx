import { readFileSync } from 'node:fs';
import { beforeEach, expect, it, vi } from 'vitest';
import {
  addUp,
  commit,
  largeCountInPieces,
  type Piece,
  samples,
  seed,
  seeds,
  tally,
} from '../../helpers/samples';
import { PROPERTIES } from './properties';
import { failureOf, readScript, shrink } from './walk';

beforeEach(() => {
  // happy-dom lays nothing out: ten rows are in sight.
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(560);
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockImplementation(() => innerWidth);
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockImplementation(function (
    this: HTMLElement,
  ) {
    return this.matches('li,[role="rowgroup"] *') ? 56 : 560;
  });
});

/** Planted faults get walks in full. */
const inFull = process.env.SEEDS !== undefined;
const ACTIONS = inFull ? 300 : samples(80, 300);
/** How long a failed walk is shortened, ms. */
const PATIENCE = inFull ? 0 : 60_000;
const count = seeds(2, 1000, 10);
/** Each commit walks elsewhere. */
const first = seed + commit * samples(count, 0);

async function walk(piece: Piece): Promise<Record<string, number>> {
  const looked: Record<string, number>[] = [];
  for (let run = first + piece.from; run < first + piece.from + piece.count; run++) {
    const failed = await failureOf(run, ACTIONS, ({ counts }) => looked.push(counts));
    if (!failed) continue;
    const { message, script } = await shrink(run, failed, PATIENCE);
    const lines = script.map((action) => JSON.stringify(action)).join('\n');
    expect.fail(`${message}\nSEED=${run} WALK=FILE with these lines repeats it:\n${lines}`);
  }
  return addUp(looked);
}

function summarize(results: readonly Record<string, number>[]): string {
  const looked = addUp(results);
  if (process.env.SOAK)
    for (const name of PROPERTIES) expect(looked[name], name).toBeGreaterThan(0);
  return `each of ${ACTIONS} actions; looked whether ${tally(looked)}`;
}

it.runIf(process.env.WALK)('a script', async () => {
  const failed = await failureOf(seed, readScript(readFileSync(process.env.WALK ?? '', 'utf8')));
  expect(failed?.message).toBe(undefined);
});

it.skipIf(process.env.WALK)(
  `${count} walks through the page find nothing wrong`,
  () => largeCountInPieces('walks through the page', count, 20, walk, summarize),
  7_200_000,
);
