// The chart while its last bar moves: npm run bench -- --only chart [--quick] [--out FOLDER]
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { randomFrom } from '#domain/workload/draws';
import { MAIN } from '#domain/workload/workload';
import { conditions } from '../lib/measure';
import { estimate, shuffled } from '../lib/statistics';
import { Browser } from '../render/harness/browser';
import type { FeedOrder } from '../render/harness/feed';
import { FeedProcess } from '../render/harness/feedProcess';
import { type Cpu, spent } from '../render/harness/threads';

const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, out: { type: 'string', default: '' } },
});
const CONTENDERS = ['lightweight', 'klinecharts', 'fulcrum'] as const;
const REFERENCE = 'lightweight';
const ROUNDS = values.quick ? 1 : 9;
const WARM_UP = 3000;
const WINDOW = values.quick ? 4 : 8;
/**
 * Largest accepted difference: the last redraw is at most 150 ms old, and the price moves
 * meanwhile.
 */
const MOST_GAP = 0.001;

type Sample = Pick<Cpu, 'react' | 'whole'>;

const cache = import.meta.dirname;
const pages = JSON.parse(readFileSync(join(cache, 'chart.json'), 'utf8')) as FeedOrder['pages'];
const executable = process.env['CHROME_PATH'] || '/usr/bin/chromium';

/** CPU of the page's main thread and of the whole browser, ms a second. */
async function sample(port: number, name: string): Promise<Sample> {
  const browser = await Browser.launch(executable, undefined);
  try {
    await browser.page.send('Page.enable');
    await browser.page.send('Page.navigate', { url: `http://127.0.0.1:${port}/page/${name}` });
    await pause(WARM_UP);
    const renderer = await browser.pageProcess();
    const begin = performance.now();
    const before = browser.threads();
    await pause(WINDOW * 1000);
    const { react, whole } = spent(before, browser.threads(), renderer);
    const seconds = (performance.now() - begin) / 1000;
    const gap = await browser.page.evaluate<number>('window.benchGap()');
    if (!(gap <= MOST_GAP)) throw new Error(`chart: ${name} is ${gap} behind`);
    return { react: react / seconds, whole: whole / seconds };
  } finally {
    await browser.close();
  }
}

const feed = await FeedProcess.start({
  workload: { ...MAIN, rate: 0 },
  seconds: 1,
  folders: { bench: join(cache, 'pages') },
  pages,
});
const rounds: Record<string, Sample>[] = [];
try {
  const random = randomFrom(Date.now());
  for (let round = 1; round <= ROUNDS; round++) {
    console.log(`chart ${round}/${ROUNDS}`);
    const samples: Record<string, Sample> = {};
    for (const name of shuffled(CONTENDERS, random)) samples[name] = await sample(feed.port, name);
    rounds.push(samples);
  }
} finally {
  await feed.end();
}

const ratio = (name: string, role: keyof Sample) =>
  estimate(rounds.map((round) => (round[name]?.[role] ?? 0) / (round[REFERENCE]?.[role] ?? 0)));
const shown = (name: string, role: keyof Sample) => {
  const { median, low, high } = ratio(name, role);
  return `${median.toFixed(2)} [${low.toFixed(2)}, ${high.toFixed(2)}]`;
};
console.log(
  'Last bar moving 60 times a second; CPU as a ratio to lightweight-charts, 95 % interval',
);
console.table(
  Object.fromEntries(
    CONTENDERS.map((name) => [
      name,
      {
        'page ms/s': estimate(rounds.map((round) => round[name]?.react ?? 0)).median.toFixed(1),
        'whole ms/s': estimate(rounds.map((round) => round[name]?.whole ?? 0)).median.toFixed(1),
        page: shown(name, 'react'),
        whole: shown(name, 'whole'),
      },
    ]),
  ),
);
if (values.out) {
  const { at, ...machine } = conditions();
  const result = { machine, at, reference: REFERENCE, rounds };
  writeFileSync(values.out, `${JSON.stringify(result, null, 1)}\n`);
}
