import type { Estimate } from '../../lib/statistics';
import { estimate } from '../../lib/statistics';
import { interval, table } from '../report/table';
import {
  ageOf,
  type EngineResult,
  type EngineResults,
  framesOf,
  lateOf,
  listsIn,
  measureIn,
  passedIn,
  ratioIn,
} from './results';

const FLOOR = 'REF';
const NAMES: Record<string, string> = {
  chromium: 'Chromium',
  firefox: 'Firefox',
  webkit: 'WebKitGTK',
};

/** The figures of a list in an engine, by the head of their column. */
export interface EngineRow {
  engine: string;
  name: string;
  /** One of the contenders' folders. */
  isPeer: boolean;
  figures: readonly Estimate[];
  passed: string;
}

export const ENGINE_HEADS = [
  'frames a second',
  'frames, × REF',
  'frames later than 50 ms, a minute',
  'age p50, ms',
  'age p50, × REF',
  'age p99, ms',
] as const;

/** The engines that ran, as versions. */
export const engineVersions = ({ engines }: EngineResults): string =>
  Object.entries(engines)
    .map(([engine, { version }]) => `${NAMES[engine] ?? engine} ${version}`)
    .join(', ');

/** What each list showed in each engine; empty where none was measured. */
export function engineRows(results: EngineResults): EngineRow[] {
  return Object.entries(results.engines).flatMap(([engine, result]) =>
    listsIn(results, result).map(({ name, about }) => {
      const pair = [name, FLOOR] as const;
      const [passed, all] = passedIn(result, name);
      return {
        engine: NAMES[engine] ?? engine,
        name,
        isPeer: about !== undefined,
        figures: [
          measureIn(result, name, framesOf),
          ratioIn(result, pair, framesOf),
          measureIn(result, name, lateOf),
          measureIn(result, name, ageOf(0.5)),
          ratioIn(result, pair, ageOf(0.5)),
          measureIn(result, name, ageOf(0.99)),
        ],
        passed: `${passed} of ${all}`,
      };
    }),
  );
}

/** Ms until the first live quote. */
function starts(engines: EngineResults['engines']): string {
  const of = ({ rounds }: EngineResult, value: (round: Record<string, number>) => number) =>
    interval(estimate(rounds.map(value)));
  return table(
    ['first live quote', 'app, ms', 'REF, ms', 'app / REF', 'rounds'],
    Object.entries(engines).map(([engine, result]) => [
      NAMES[engine] ?? engine,
      of(result, ({ app = Number.NaN }) => app),
      of(result, ({ REF = Number.NaN }) => REF),
      of(result, ({ app = Number.NaN, REF = Number.NaN }) => app / REF),
      `${result.rounds.length}`,
    ]),
  );
}

/** Both measures as tables of Markdown. */
export function engineTables(results: EngineResults): string {
  const rows = engineRows(results);
  if (rows.length === 0) return starts(results.engines);
  const lists = table(
    ['list', 'engine', ...ENGINE_HEADS, 'gate passed'],
    rows.map(({ name, engine, figures, passed }) => [
      name,
      engine,
      ...figures.map(interval),
      passed,
    ]),
  );
  return `${starts(results.engines)}\n\n${lists}`;
}
