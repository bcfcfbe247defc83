import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import * as v from 'valibot';
import { type Estimate, estimate, quantileOf } from '../../lib/statistics';
import { CONTENDERS, type Contender } from '../harness/contenders';
import { isAsMeasured } from '../harness/manifest';
import { refuseOthers } from '../harness/resume';
import { enginesSchema } from './schema';

export type EngineResults = v.InferOutput<typeof enginesSchema>;
export type EngineResult = EngineResults['engines'][string];
export type ListSample = NonNullable<NonNullable<EngineResult['lists']>[number]['sample']>;

/** A tenth of a millisecond is finer than any engine's clock. */
function round(_key: string, value: unknown): unknown {
  return typeof value === 'number' ? Math.round(value * 10) / 10 : value;
}

/** Saved after each sample. */
export function saveEngines(file: string, results: EngineResults): void {
  writeFileSync(file, `${JSON.stringify(results, round)}\n`);
}

export function loadEngines(file: string): EngineResults | undefined {
  if (!existsSync(file)) return undefined;
  return v.parse(enginesSchema, JSON.parse(readFileSync(file, 'utf8')));
}

/** The samples there, to which a run of the contenders of `now.sources` adds; of one that was changed since they go. */
export function resumedEngines(before: EngineResults, now: EngineResults): EngineResults {
  refuseOthers(before.about, now.about);
  const isChanged = (name: string) =>
    now.sources?.[name] !== undefined && before.sources?.[name] !== now.sources[name];
  const engines = Object.entries(before.engines).map(([engine, { lists = [], ...result }]) => [
    engine,
    { ...result, lists: lists.filter(({ contender }) => !isChanged(contender)) },
  ]);
  return {
    about: before.about,
    sources: { ...before.sources, ...now.sources },
    engines: Object.fromEntries(engines),
  };
}

/** The figures of a sample. */
export const framesOf = ({ drawn }: ListSample): number => drawn ?? Number.NaN;
export const lateOf = ({ late, seconds }: ListSample): number => (late * 60) / seconds;
export const ageOf =
  (share: number) =>
  ({ ages }: ListSample): number =>
    quantileOf(ages, share);

type Value = (sample: ListSample) => number;

const samplesOf = ({ lists = [] }: EngineResult, name: string): Map<number, ListSample> =>
  new Map(
    lists.flatMap(({ contender, round: of, sample }) =>
      contender === name && sample ? [[of, sample] as const] : [],
    ),
  );

/** The median over a contender's samples in one engine. */
export function measureIn(engine: EngineResult, name: string, value: Value): Estimate {
  return estimate([...samplesOf(engine, name).values()].map(value));
}

/** A contender over the floor in the same engine, in pairs of one round. */
export function ratioIn(
  engine: EngineResult,
  [name, floor]: readonly [string, string],
  value: Value,
): Estimate {
  const floors = samplesOf(engine, floor);
  return estimate(
    [...samplesOf(engine, name)].flatMap(([round, sample]) => {
      const beside = floors.get(round);
      return beside ? [value(sample) / value(beside)] : [];
    }),
  );
}

/** How many of its runs passed the gate. */
export function passedIn(
  { lists = [] }: EngineResult,
  name: string,
): [passed: number, all: number] {
  const runs = lists.filter(({ contender }) => contender === name);
  return [runs.filter(({ sample }) => sample).length, runs.length];
}

/** The lists that ran in an engine and have not changed since. */
export function listsIn(results: EngineResults, { lists = [] }: EngineResult): Contender[] {
  const ran = new Set(lists.map(({ contender }) => contender));
  return CONTENDERS.filter((one) => ran.has(one.name) && isAsMeasured(results, one));
}
