// The gate: what a list has to do to have figures, in whatever engine. bench/contenders/README.md says it to authors.
import { setTimeout as pause } from 'node:timers/promises';
import type { SeenPrice } from '#domain/workload/ages';
import type { Workload } from '#domain/workload/workload';
import { rowsInSight, type SeenRow } from '../../../src/probe/rows';
import { watchPrices } from '../../../src/probe/watchPrices';
import { quantileOf } from '../../lib/statistics';
import type { Contender } from './contenders';
import { type SeenRows, scrollList, watchRows } from './probe';
import { call, GATE_PATIENCE, type Page } from './shownList';
import { type Recording, stateAfter } from './stream';
import { elementsOf, type Sent, wrongRows } from './wrongRows';

/**
 * The fewest frames a second of a contender: half of those in which the main stream changes something in sight, by the rule of
 * 60 ms.
 */
const FEWEST_FRAMES = 6;
/** The highest median age of a painted price, ms: ten times that of a list which follows the rule of frames. */
const OLDEST = 500;
/** How far from where it was scrolled to a list may be, in parts of its length: some estimate their height. */
const ASTRAY = 0.05;

/** Begins the look that `expectLive` judges. */
export async function watchList(page: Page, { selectors, boxes }: Contender): Promise<void> {
  await page.evaluate(`void ${call(watchPrices, selectors)}`);
  await page.evaluate(call(watchRows, selectors, boxes?.flash));
}

/** What a list must show after this many messages. */
export const sentAfter = (recording: Recording, messages: number): Sent => ({
  names: recording.instruments.map(({ ShowCode }) => ShowCode),
  last: stateAfter(recording, messages),
});

/** The rate of frames that were painted at these times, ms; NaN of fewer than two. */
export function framesPerSecond(times: readonly number[]): number {
  const lasted = (times.at(-1) ?? 0) - (times[0] ?? 0);
  return lasted > 0 ? ((times.length - 1) * 1000) / lasted : Number.NaN;
}

/** What a look at a list has seen. */
export interface Looked {
  /** Frames a second that draw. */
  drawn: number;
  /** Prices when elements showed them. */
  seen: readonly SeenPrice[];
  /** What else was seen of its rows. */
  rows?: SeenRows | undefined;
  /** The names of the rows that were in sight all the time; none of a list that was scrolled. */
  inSight: ReadonlySet<string>;
}

/** Throws where a list draws too late or does not mark what changes, or a contender draws too seldom. `agesOf` prices, ms. */
export function expectLive(
  { about, boxes }: Pick<Contender, 'about' | 'boxes'>,
  { drawn, seen, rows, inSight }: Looked,
  agesOf: (seen: readonly SeenPrice[]) => readonly number[],
): void {
  if (about && !(drawn >= FEWEST_FRAMES))
    throw new Error(
      `the gate: ${(drawn || 0).toFixed(1)} frames a second draw, not ${FEWEST_FRAMES}`,
    );
  const age = quantileOf(agesOf(seen.length > 0 ? seen : (rows?.seen ?? [])), 0.5);
  if (age > OLDEST)
    throw new Error(
      `the gate: half of the prices are painted ${age.toFixed(0)} ms after they were sent, or later, not within ${OLDEST} ms`,
    );
  if (!boxes?.flash) return;
  // The first time may be the row itself.
  const changed = [...inSight].filter(
    (name) => seen.filter((price) => price.name === name).length > 1,
  );
  const unmarked = changed.filter((name) => !rows?.marked.includes(name));
  if (unmarked.length > 0)
    throw new Error(
      `the gate: ${unmarked[0]}: its price changed without a flash; ${unmarked.length} of ${changed.length} rows wrong`,
    );
}

/** Waits until the rows in sight are right, where `firstOf` says which must be first; throws what is wrong. Returns their names. */
async function until(
  page: Page,
  { selectors, boxes = {} }: Contender,
  sent: Sent,
  count: number,
  where: string,
  firstOf: (rows: readonly SeenRow[]) => number | Promise<number>,
): Promise<Set<string>> {
  if (!selectors) throw new Error('it is no list');
  const deadline = Date.now() + GATE_PATIENCE;
  let wrong: string | undefined;
  while (Date.now() < deadline) {
    const rows = await page.evaluate<SeenRow[]>(call(rowsInSight, selectors, elementsOf(boxes)));
    wrong = wrongRows({ rows, count, first: await firstOf(rows) }, sent, boxes);
    if (!wrong) return new Set(rows.map(({ name }) => name));
    await pause(50);
  }
  throw new Error(`the gate${where}: ${wrong}`);
}

/** Where the list is after the measurement: each row in sight shows what was sent last. Returns their names. */
export async function expectRows(
  page: Page,
  one: Contender,
  { rows, n, hand }: Workload,
  sent: Sent,
): Promise<Set<string>> {
  const count = Math.min(rows, n);
  const found = (shown: readonly SeenRow[]) =>
    Math.max(0, sent.names.indexOf(shown[0]?.name ?? ''));
  return until(page, one, sent, count, '', hand === 'still' ? () => 0 : found);
}

/** Where a run scrolls to: which rows come to the top. */
export const middleAndEnd = ({ n, rows }: Workload) => [Math.round((n - rows) / 2), n];
/** Each screen of the list, in turn one of the second half and one of the first: what was in sight before is further than ASTRAY. */
export function everyScreen({ n, rows }: Workload): number[] {
  const screens = Math.ceil(n / rows) - 1;
  const half = Math.floor(screens / 2);
  return Array.from(
    { length: screens },
    (_, turn) => ((turn % 2 === 0 ? half : 0) + Math.floor(turn / 2) + 1) * rows,
  );
}

/** Scrolls to rows, each `height` px high: those that come into sight are right. */
export async function expectScrolling(
  page: Page,
  one: Contender,
  { rows, n }: Workload,
  sent: Sent,
  height: number,
  places: readonly number[],
): Promise<void> {
  if (one.scrolls === false || n <= rows) return;
  // One is cut off, above or below.
  const count = rows - 1;
  for (const place of places) {
    const isEnd = place + rows >= n;
    const where = `, scrolled to ${isEnd ? 'the end' : `row ${place + 1}`}`;
    await until(page, one, sent, count, where, async (shown) => {
      // Each time, as a list that estimates its height changes it while it scrolls.
      const wanted = isEnd ? Number.MAX_SAFE_INTEGER : place * height;
      const top = await page.evaluate<number | null>(call(scrollList, one.selectors ?? {}, wanted));
      if (top === null) throw new Error('the gate: the list does not scroll');
      if (isEnd) return n - Math.max(count, shown.length);
      const first = sent.names.indexOf(shown[0]?.name ?? '');
      return Math.abs(first - top / height) <= ASTRAY * n ? first : place;
    });
  }
}
