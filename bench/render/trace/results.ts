import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Workload } from '#domain/workload/workload';
import type { Cpu } from '../harness/threads';
import { ROLES, type Role } from '../harness/threads';
import { type Kinds, nothing, type Sums } from './sums';

/** One run with the recorder, and one without. Times in ms a second; of a start, in ms. */
export interface TraceRun extends Omit<Sums, 'page'> {
  contender: string;
  /** Seconds of the recording. */
  seconds: number;
  unrecorded: Cpu;
}

export interface Scenario {
  name: string;
  title: string;
  workload: Workload;
  unit: 'ms/s' | 'ms';
  runs: TraceRun[];
}

export interface TraceResults {
  about: Record<string, string | number>;
  scenarios: Scenario[];
}

export function loadTraces(file: string): TraceResults | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as TraceResults) : undefined;
}

/** One run a line; a microsecond is more than the precision of any. */
export function saveTraces(file: string, { about, scenarios }: TraceResults): void {
  const short = (_key: string, value: unknown) =>
    typeof value === 'number' && !Number.isInteger(value) ? Number(value.toFixed(3)) : value;
  const texts = scenarios.map(({ runs, ...head }) => {
    const lines = runs.map((run) => JSON.stringify(run, short));
    return `${JSON.stringify(head, short).slice(0, -1)},"runs":[\n${lines.join(',\n')}\n]}`;
  });
  const head = JSON.stringify({ about }, short).slice(0, -1);
  writeFileSync(file, `${head},"scenarios":[\n${texts.join(',\n')}\n]}\n`);
}

/** A bar of the picture: means over the runs, which add up as medians would not. */
export interface Bar {
  contender: string;
  kinds: Kinds;
  /** Without the recorder. */
  unrecorded: number;
}

/** The bars of a role, or of the whole browser, by contender in the order of the runs. */
export function bars({ runs }: Scenario, role: Role | 'whole'): Bar[] {
  const names = [...new Set(runs.map(({ contender }) => contender))];
  return names.map((contender) => {
    const own = runs.filter((run) => run.contender === contender);
    const mean = (value: (run: TraceRun) => number) =>
      own.reduce((total, run) => total + value(run), 0) / own.length;
    const kinds = nothing();
    for (const kind of Object.keys(kinds) as (keyof Kinds)[]) {
      kinds[kind] = mean(({ roles }) =>
        (role === 'whole' ? ROLES : [role]).reduce((total, one) => total + roles[one][kind], 0),
      );
    }
    return { contender, kinds, unrecorded: mean(({ unrecorded }) => unrecorded[role]) };
  });
}
