// The render benchmark: npm run bench -- --only render [--quick] [--minutes 60] [--sections main,growth] [--out FILE]
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { machine } from '../lib/measure';
import { randomFrom } from '../lib/random';
import { Browser } from './harness/browser';
import { contender } from './harness/contenders';
import { AGAIN, type Section, sections } from './harness/plan';
import { createQuota } from './harness/quota';
import { load, type Results, type Run, save } from './harness/results';
import { type Setting, takeSample } from './harness/sample';
import { shuffled } from './harness/statistics';
import { tell } from './harness/table';
import { nameOf } from './harness/workload';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '55' },
    sections: { type: 'string' },
    contenders: { type: 'string' },
    rounds: { type: 'string' },
    out: { type: 'string', default: 'bench/results/render.json' },
    resume: { type: 'boolean', default: false },
  },
});

const cache = import.meta.dirname;
const quota = createQuota();
if (!quota) {
  console.log('No CPU quota: it needs root on Linux. The weak phone is left out.');
}
const setting: Omit<Setting, 'timing'> = {
  executable: process.env['CHROME_PATH'] || '/usr/bin/chromium',
  quota,
  folders: { '': join(process.cwd(), 'dist/client'), bench: join(cache, 'pages') },
  pages: JSON.parse(readFileSync(join(cache, 'pages.json'), 'utf8')) as Setting['pages'],
  port: 0,
};

async function about(): Promise<Results['about']> {
  const browser = await Browser.launch(setting.executable, undefined);
  const version = await browser.version();
  await browser.close();
  return { ...machine(), browser: version, at: new Date().toISOString(), load: cpus().length };
}

const results: Results = (values.resume && load(values.out)) || {
  about: await about(),
  bytes: {},
  runs: [],
};

async function run(section: Section, item: Section['items'][number], round: number): Promise<Run> {
  const { contender: name, workload } = item;
  const key = { section: section.name, contender: name, workload, round };
  let failure = '';
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      const sample = await takeSample(contender(name.replace(AGAIN, '')), workload, {
        ...setting,
        timing: section.timing,
      });
      return { ...key, sample };
    } catch (error) {
      failure = error instanceof Error ? error.message : String(error);
    }
  }
  return { ...key, failure };
}

function isDone(section: Section, item: Section['items'][number], round: number): boolean {
  return results.runs.some(
    (known) =>
      known.sample &&
      known.section === section.name &&
      known.round === round &&
      known.contender === item.contender &&
      nameOf(known.workload) === nameOf(item.workload),
  );
}

const wanted = values.sections?.split(',');
const only = values.contenders?.split(',');
const chosen = sections(quota !== undefined)
  .filter(({ name }) => !wanted || wanted.includes(name))
  .map((section) => ({
    ...section,
    items: section.items.filter(({ contender }) => !only || only.includes(contender)),
  }));
const random = randomFrom(Date.now());
const deadline = Date.now() + Number(values.minutes) * 60_000;
let shares = chosen.reduce((sum, { share }) => sum + share, 0);

for (const section of chosen) {
  const begin = Date.now();
  // What the sections before have left is there for the rest.
  const end = begin + ((deadline - begin) * section.share) / shares;
  shares -= section.share;
  const most = Number(values.rounds ?? section.most);
  for (let round = 0; round < most; round++) {
    const roundBegin = Date.now();
    for (const item of shuffled(section.items, random)) {
      if (isDone(section, item, round)) continue;
      const left = Math.max(0, Math.round((deadline - Date.now()) / 60_000));
      process.stdout.write(
        `${section.name} ${round + 1}/${most}, ${left} min left: ${item.contender}, ${nameOf(item.workload)} `,
      );
      const done = await run(section, item, round);
      results.runs.push(done);
      save(values.out, results);
      console.log(done.failure ? `FAILED: ${done.failure}` : '');
    }
    const lasted = Date.now() - roundBegin;
    if (Date.now() + lasted > end) break;
  }
}
quota?.remove();
tell(results);
process.exit(results.runs.some(({ failure }) => failure) ? 1 : 0);
