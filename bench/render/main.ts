// The render benchmark. scripts/bench.mjs builds the pages and runs this.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { randomFrom } from '#domain/workload/draws';
import { nameOf } from '#domain/workload/workload';
import { printDevice } from '../devices/print';
import { conditions } from '../lib/measure';
import { orRefuse } from '../lib/orRefuse';
import { shuffled } from '../lib/statistics';
import { Browser } from './harness/browser';
import { choose } from './harness/choose';
import { compare } from './harness/compare';
import { CONTENDERS, contender, pageOf } from './harness/contenders';
import { nameOfItem, openItems } from './harness/decided';
import { guard } from './harness/guard';
import { fingerprint, installedVersion } from './harness/manifest';
import { AGAIN, BEFORE, type Item, type Length, type Section, sections } from './harness/plan';
import { createQuota } from './harness/quota';
import { type Bytes, load, type Results, type Run, save } from './harness/results';
import { resumed, roundsToAdd } from './harness/resume';
import { type Setting, takeSample } from './harness/sample';
import { printTables } from './harness/table';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    smoke: { type: 'boolean', default: false },
    minutes: { type: 'string' },
    sections: { type: 'string' },
    contenders: { type: 'string' },
    rounds: { type: 'string' },
    out: { type: 'string', default: 'bench/results/render.json' },
    resume: { type: 'boolean', default: false },
    compare: { type: 'boolean', default: false },
    // The folder of the client that another commit built: compares the app with it.
    guard: { type: 'string' },
  },
});

if (values.compare) {
  // scripts/bench.mjs has looked whether they are there.
  const [before, after] = positionals.map(load);
  if (!before) process.exit(2);
  if (after) compare(before, after);
  else printDevice(before);
  process.exit(0);
}

const cache = import.meta.dirname;
const quota = createQuota();
process.once('exit', () => quota?.remove());
if (!quota) console.log('No CPU quota: it needs root on Linux. The weak phone is left out.');
const length: Length = values.smoke
  ? 'smoke'
  : values.guard
    ? 'guard'
    : values.quick
      ? 'quick'
      : 'whole';

const chosen = orRefuse(() =>
  choose(
    sections(length, quota !== undefined),
    values.sections?.split(','),
    values.contenders?.split(';'),
  ),
);
const built = JSON.parse(readFileSync(join(cache, 'pages.json'), 'utf8')) as {
  pages: Setting['pages'];
  bytes: Record<string, Bytes>;
};
const setting: Omit<Setting, 'timing'> = {
  executable: process.env['CHROME_PATH'] || '/usr/bin/chromium',
  quota,
  folders: { '': join(process.cwd(), 'dist/client'), bench: join(cache, 'pages') },
  pages: built.pages,
};

const now = conditions();
const present: Results = {
  about: { ...now, browser: await Browser.version(setting.executable) },
  bytes: Object.fromEntries(
    CONTENDERS.flatMap((one) => {
      const known = built.bytes[pageOf(one) ?? 'app'];
      return known ? [[one.name, known]] : [];
    }),
  ),
  versions: Object.fromEntries(
    CONTENDERS.flatMap(({ name, about }) => {
      const version = about && installedVersion(name, about);
      return version ? [[name, version]] : [];
    }),
  ),
  sources: Object.fromEntries(
    CONTENDERS.flatMap(({ name, about }) => (about ? [[name, fingerprint(name)]] : [])),
  ),
  runs: [],
};
const known = values.resume ? load(values.out) : undefined;
const results = known ? orRefuse(() => resumed(known, present)) : present;
const { cpu, commit } = now;

async function run(section: Section, item: Item, round: number): Promise<Run> {
  const { contender: name, workload } = item;
  const key = { section: section.name, contender: name, workload, round, commit, cpu };
  let failure = '';
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      const before = name.endsWith(BEFORE) ? values.guard : undefined;
      const sample = await takeSample(
        contender(name.replace(AGAIN, '').replace(BEFORE, '')),
        workload,
        {
          ...setting,
          ...(before && { folders: { ...setting.folders, '': before } }),
          timing: section.timing,
        },
      );
      return { ...key, sample };
    } catch (error) {
      failure = error instanceof Error ? error.message : String(error);
    }
  }
  return { ...key, failure };
}

/** The contenders at one workload run one after the other, so that a slow minute affects all. */
function inRandomOrder(items: readonly Item[]): Item[] {
  const names = new Set(items.map(({ workload }) => nameOf(workload)));
  return shuffled([...names], random).flatMap((name) =>
    shuffled(
      items.filter(({ workload }) => nameOf(workload) === name),
      random,
    ),
  );
}

const random = randomFrom(Date.now());
const taken = new Map<string, number>();
const minutes = Number(values.minutes ?? { smoke: 3, quick: 2, guard: 10, whole: 55 }[length]);
const deadline = Date.now() + minutes * 60_000;
let shares = chosen.reduce((sum, { share }) => sum + share, 0);

for (const section of chosen) {
  const begin = Date.now();
  // Time that earlier sections have not used is available to later ones.
  const end = begin + ((deadline - begin) * section.share) / shares;
  shares -= section.share;
  const most = Number(values.rounds ?? section.most);
  const rounds = roundsToAdd(results, section, most);
  const until = (round: number) => (round < rounds.first + section.least ? deadline : end);
  for (let { first: round } = rounds; round < rounds.end && Date.now() < until(round); round++) {
    const open = openItems(results, section, taken);
    if (open.length === 0) break;
    for (const item of inRandomOrder(open)) {
      if (Date.now() > until(round)) break;
      const left = Math.max(0, Math.round((deadline - Date.now()) / 60_000));
      const place = `${section.name} ${round + 1}/${rounds.end}, ${left} min left`;
      process.stdout.write(`${place}: ${item.contender}, ${nameOf(item.workload)} `);
      const from = Date.now();
      const done = await run(section, item, round);
      // Another try takes the place of what failed in a run before this.
      results.runs = results.runs.filter(
        (each) =>
          !each.failure ||
          each.round >= rounds.first ||
          each.section !== section.name ||
          nameOfItem(each) !== nameOfItem(item),
      );
      const before = taken.get(nameOfItem(item)) ?? 0;
      taken.set(nameOfItem(item), before + Date.now() - from);
      results.runs.push(done);
      save(values.out, results);
      console.log(done.failure ? `FAILED: ${done.failure}` : '');
    }
  }
}
const grown = values.guard ? guard(results) : 0;
if (!values.guard) printTables(results);
process.exit(grown > 0 || results.runs.some(({ failure }) => failure) ? 1 : 0);
