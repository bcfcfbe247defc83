// Lighthouse, mobile, on every public screen of the build: npm run bench -- --only lighthouse [--quick] [--out FOLDER]
// Prints the median of three visits a screen, or one visit of a few; fails below the goals. The performance score is only
// meaningful on a quiet machine: the index of the machine's speed is printed beside it, and the scores of pages of the render
// benchmark, which show what this machine leaves to reach. Text without a font of its language is smaller than it will be.
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from '@playwright/test';
import lighthouse from 'lighthouse';
import { benchCache } from '../scripts/lib/benchBuild.mjs';
import { freePort } from '../scripts/lib/freePort.mjs';

const SCREENS = [
  '/',
  '/trade',
  '/news',
  '/news/detail?id=1',
  '/rank',
  '/login',
  '/register',
  '/forgot',
  '/product',
  '/language',
  '/mining',
  '/mining/subscribe?id=1',
  '/mine/email',
  '/mine/announcement',
  '/mine/chat',
  '/feedback',
  '/about',
];
/** A screen of each kind. */
const QUICK_SCREENS = ['/', '/trade', '/login'];
/** Pages of the render benchmark, with as many instruments and quotes as the server has by default. */
const PEERS = ['REF', 'REF trade', 'react-tanstack'];
const PEERS_MARKET = {
  n: 40,
  rate: 20,
  rows: 20,
  perMessage: 1,
  spread: 'even',
  inSight: 0,
  first: 0,
  firsts: 1,
};
/** Longer than all visits take, s. */
const PEERS_SECONDS = 3600;
const GOALS = { performance: 95, accessibility: 100, 'best-practices': 100 };

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    out: { type: 'string' },
    screens: { type: 'string' },
  },
});
const screens = values.screens?.split(',') ?? (values.quick ? QUICK_SCREENS : SCREENS);

const data = mkdtempSync(join(tmpdir(), 'fulcrum-lighthouse-'));
const port = await freePort();
const product = spawn(
  process.execPath,
  ['dist/server/main.js', '--port', `${port}`, '--data', data, '--seed', '1'],
  { stdio: ['ignore', 'pipe', 'inherit'] },
);
for await (const chunk of product.stdout) if (String(chunk).includes(`:${port}`)) break;

const { contender } = await import(join(benchCache, 'contenders.js'));
const { conditions } = await import(join(benchCache, 'measure.js'));
const { pages } = JSON.parse(readFileSync(join(benchCache, 'pages.json'), 'utf8'));
const feed = fork(join(benchCache, 'feed.js'));
feed.send({
  workload: { ...PEERS_MARKET, pace: 'steady', seed: 1 },
  seconds: PEERS_SECONDS,
  folders: { '': 'dist/client', bench: join(benchCache, 'pages') },
  pages,
});
const [{ port: peersPort }] = await once(feed, 'message');

const debugging = await freePort();
const browser = await chromium.launch({
  executablePath: process.env.CHROME_PATH,
  args: [
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    '--disable-gpu',
    `--remote-debugging-port=${debugging}`,
  ],
});

/** On a loaded machine Chromium sometimes loses the start of its trace; then nothing was rated. */
const ATTEMPTS = 3;

async function rate(address) {
  for (let attempt = 1; ; attempt++) {
    const { lhr } = await lighthouse(address, {
      port: debugging,
      onlyCategories: Object.keys(GOALS),
      logLevel: 'error',
    });
    if (!lhr.runtimeError) return lhr;
    if (attempt === ATTEMPTS) throw new Error(`${address}: ${lhr.runtimeError.message}`);
    console.error(`${address}: ${lhr.runtimeError.code}, once more`);
  }
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];
const rows = {};
let missed = 0;

/** The median of some visits; `goals`: the categories that are rated. */
async function visit(name, address, goals) {
  const visits = [];
  for (let each = 0; each < (values.quick ? 1 : 3); each++) visits.push(await rate(address));
  const row = {};
  for (const category of goals) {
    row[category] = Math.round(median(visits.map((lhr) => lhr.categories[category].score * 100)));
  }
  for (const [what, audit] of Object.entries({
    'first paint, ms': 'first-contentful-paint',
    'largest paint, ms': 'largest-contentful-paint',
    'blocked, ms': 'total-blocking-time',
    shift: 'cumulative-layout-shift',
  })) {
    const value = median(visits.map((lhr) => lhr.audits[audit].numericValue ?? 0));
    row[what] = audit.endsWith('shift') ? Number(value.toFixed(3)) : Math.round(value);
  }
  row['index of the machine'] = median(visits.map((lhr) => lhr.environment.benchmarkIndex));
  rows[name] = row;
  // Names of failed audits, if any.
  const wrong = Object.values(visits[0].categories)
    .filter(({ id, score }) => goals.includes(id) && id !== 'performance' && score < 1)
    .flatMap(({ auditRefs }) => auditRefs.filter(({ weight }) => weight > 0))
    .filter(({ id }) => visits[0].audits[id].score === 0)
    .map(({ id }) => id);
  console.log(name, goals.map((category) => row[category]).join(' / '), ...wrong);
  return row;
}

try {
  for (const screen of screens) {
    const row = await visit(screen, `http://localhost:${port}/#${screen}`, Object.keys(GOALS));
    for (const [category, goal] of Object.entries(GOALS)) if (row[category] < goal) missed++;
  }
  for (const name of PEERS) {
    await visit(name, `http://localhost:${peersPort}${contender(name).path}`, ['performance']);
  }
} finally {
  await browser.close();
  feed.kill();
  product.kill();
  await once(product, 'exit');
  rmSync(data, { recursive: true, force: true });
}
console.table(rows);
if (values.out) {
  const about = { ...conditions(), browser: browser.version() };
  writeFileSync(values.out, `${JSON.stringify({ about, rows }, null, 1)}\n`);
}
process.exit(missed > 0 ? 1 : 0);
