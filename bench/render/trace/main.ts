// Where the thread time goes: npm run bench -- --trace [--sections list,trade,fling,ticket,start] [--rounds 3] [--quick] [--out FOLDER]
// Records traces of the app beside REF, adds the sums to trace.json, and draws trace-*.svg from that. --rounds 0 only draws.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { TICKET, TRADE } from '#domain/workload/devicePlan';
import { randomFrom } from '#domain/workload/draws';
import { MAIN, nameOf } from '#domain/workload/workload';
import { conditions } from '../../lib/measure';
import { shuffled } from '../../lib/statistics';
import { Browser } from '../harness/browser';
import { contender } from '../harness/contenders';
import { HALF, STARTS } from '../harness/plan';
import { createQuota } from '../harness/quota';
import { type Sample, type Setting, takeSample } from '../harness/sample';
import { builtSite } from '../harness/site';
import { ROLES } from '../harness/threads';
import { drawTrace } from './picture';
import { Recorder } from './recorder';
import { bars, loadTraces, type Scenario, saveTraces, type TraceRun } from './results';
import { KINDS, type Kinds, type Sums } from './sums';

const { values } = parseArgs({
  options: {
    sections: { type: 'string' },
    rounds: { type: 'string' },
    quick: { type: 'boolean', default: false },
    out: { type: 'string', default: 'bench/results' },
  },
});

const LIST = ['app', 'REF'];
const PLAN: (Omit<Scenario, 'runs'> & { contenders: string[] })[] = [
  { name: 'list', title: 'The list', workload: MAIN, unit: 'ms/s', contenders: LIST },
  {
    name: 'trade',
    title: 'The trade screen, its chart moving',
    workload: TRADE,
    unit: 'ms/s',
    contenders: ['app, chart', 'REF trade'],
  },
  {
    name: 'fling',
    title: 'The list, a fling and a tap a second, half a core',
    workload: HALF,
    unit: 'ms/s',
    contenders: LIST,
  },
  {
    name: 'ticket',
    title: 'The order form over it, typed in',
    workload: TICKET,
    unit: 'ms/s',
    contenders: ['app, ticket', 'REF form'],
  },
  {
    name: 'start',
    title: 'The start, until the first live quote',
    workload: STARTS[0],
    unit: 'ms',
    contenders: LIST,
  },
];

const wanted = values.sections?.split(',') ?? PLAN.map(({ name }) => name);
const unknown = wanted.find((name) => !PLAN.some((scenario) => scenario.name === name));
if (unknown !== undefined) {
  console.error(`No scenario ${unknown}. There are: ${PLAN.map(({ name }) => name).join(', ')}.`);
  process.exit(2);
}
const rounds = Number(values.rounds ?? (values.quick ? 1 : 3));

const quota = createQuota();
const setting: Setting = {
  executable: process.env['CHROME_PATH'] || '/usr/bin/chromium',
  quota,
  ...builtSite(),
  timing: { warmUp: 1.5, window: 5, look: 0 },
};
/** Whole traces, for the performance panel of the developer tools. */
const traces = join(import.meta.dirname, 'traces');

async function sample(scenario: Scenario, name: string, recorder?: Recorder): Promise<Sample> {
  const timing =
    scenario.workload.phase === 'start' ? { warmUp: 0, window: 0.2, look: 0 } : setting.timing;
  return takeSample(contender(name), scenario.workload, {
    ...setting,
    timing,
    ...(recorder && { recorder }),
  });
}

const scaled = (kinds: Kinds, by: number) =>
  Object.fromEntries(KINDS.map((kind) => [kind, kinds[kind] * by])) as Kinds;

function perUnit({ page: _, roles, threads, costly, long }: Sums, by: number) {
  return {
    roles: Object.fromEntries(
      ROLES.map((role) => [role, scaled(roles[role], by)]),
    ) as Sums['roles'],
    threads: threads.map((thread) => ({ ...thread, kinds: scaled(thread.kinds, by) })),
    costly: costly.map((each) => ({ ...each, ms: each.ms * by })),
    long: { count: long.count * by, kinds: scaled(long.kinds, by) },
  };
}

/** One run with the recorder and one without it, in either order. */
async function take(scenario: Scenario, name: string, random: () => number): Promise<TraceRun> {
  const recorder = new Recorder();
  let plain: Sample | undefined;
  if (random() < 0.5) plain = await sample(scenario, name);
  await sample(scenario, name, recorder);
  plain ??= await sample(scenario, name);
  const text = JSON.stringify({ traceEvents: recorder.events });
  writeFileSync(
    join(traces, `${scenario.name}-${name.replace(/\W+/g, '-')}.json.gz`),
    gzipSync(text),
  );
  const { seconds } = recorder;
  return {
    contender: name,
    seconds,
    unrecorded: plain.started ?? plain.cpu,
    ...perUnit(recorder.sums(), scenario.unit === 'ms' ? 1 : 1 / seconds),
  };
}

function print(scenario: Scenario): void {
  const { title, unit, runs } = scenario;
  console.log(`\n${title}, ${unit}; recorded, and in all without the recorder`);
  console.table(
    Object.fromEntries(
      (['whole', ...ROLES] as const).flatMap((role) =>
        bars(scenario, role).map(({ contender: name, kinds, unrecorded }) => [
          `${role}, ${name}`,
          {
            ...Object.fromEntries(KINDS.map((kind) => [kind, Number(kinds[kind].toFixed(1))])),
            'not recorded': Number(unrecorded.toFixed(1)),
          },
        ]),
      ),
    ),
  );
  // One contender's runs follow one another.
  const last = new Map(runs.map((run) => [run.contender, run]));
  for (const { contender: name, costly, long } of last.values()) {
    console.log(`\n${title}: ${name}, most expensive events of the last run, ${unit}`);
    console.table(
      costly
        .filter(({ role }) => role === 'react' || role === 'worker')
        .map(({ ms, ...each }) => ({ ...each, ms: Number(ms.toFixed(2)) })),
    );
    const kinds = KINDS.filter((kind) => long.kinds[kind] >= 0.1);
    const texts = kinds.map((kind) => `${kind} ${long.kinds[kind].toFixed(1)}`);
    console.log(`tasks of 50 ms and more: ${long.count.toFixed(2)}; ${texts.join(', ')}`);
  }
}

mkdirSync(traces, { recursive: true });
const file = join(values.out, 'trace.json');
const results = loadTraces(file) ?? { about: {}, scenarios: [] };
if (rounds > 0)
  results.about = { ...conditions(), browser: await Browser.version(setting.executable) };
const random = randomFrom(Date.now());
const failures: string[] = [];
for (const { contenders, ...planned } of PLAN.filter(({ name }) => wanted.includes(name))) {
  if (planned.workload.core < 1 && !quota) {
    console.log(`${planned.name}: left out, no CPU quota; it needs root on Linux.`);
    continue;
  }
  if (rounds > 0) {
    const scenario: Scenario = { ...planned, runs: [] };
    for (let round = 1; round <= rounds; round++) {
      for (const name of shuffled(contenders, random)) {
        console.log(`${planned.name} ${round}/${rounds}: ${name}, ${nameOf(planned.workload)}`);
        try {
          scenario.runs.push(await take(scenario, name, random));
        } catch (error) {
          failures.push(
            `${planned.name}, ${name}: ${error instanceof Error ? error.message : error}`,
          );
        }
      }
    }
    // What was known stays where nothing was recorded.
    if (scenario.runs.length === 0) continue;
    scenario.runs.sort((a, b) => contenders.indexOf(a.contender) - contenders.indexOf(b.contender));
    const known = results.scenarios.filter(({ name }) => name !== planned.name);
    const order = PLAN.map(({ name }) => name);
    results.scenarios = [...known, scenario].sort(
      (a, b) => order.indexOf(a.name) - order.indexOf(b.name),
    );
    saveTraces(file, results);
  }
}
quota?.remove();
for (const scenario of results.scenarios) {
  if (!wanted.includes(scenario.name)) continue;
  print(scenario);
  const picture = join(values.out, `trace-${scenario.name}.svg`);
  writeFileSync(picture, drawTrace(scenario, results.about));
  console.log(`Picture: ${picture}`);
}
console.log(`Whole traces, for the performance panel of the developer tools: ${traces}`);
for (const failure of failures) console.error(`FAILED: ${failure}`);
process.exit(failures.length > 0 ? 1 : 0);
