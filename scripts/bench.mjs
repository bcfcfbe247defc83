// npm run bench: installs the peers, bundles the benchmarks, runs them: lists and charts in a browser, the server under load.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  benchCache,
  buildChart,
  buildDriver,
  buildPages,
  buildProgram,
} from './lib/benchBuild.mjs';
import { buildWhenNeeded } from './lib/buildWhenNeeded.mjs';
import { builtCommit, hasCommit } from './lib/builtCommit.mjs';
import { ensureChromium } from './lib/chromium.mjs';
import { bin, ensureInstalled, ensurePackages, root } from './lib/install.mjs';
import { readOptions } from './lib/readOptions.mjs';
import { shiftedClock } from './lib/shiftedClock.mjs';

const HELP = `npm run bench -- [OPTIONS]

Measures the app beside its peers, and writes samples and a report. The machine should do nothing else.

  --quick            five minutes instead of an hour
  --minutes N        how long the browser may take (60)
  --only PART        chart, lighthouse, load, live, render, engines, interactions, network, traffic, device or smoke
  --out FOLDER       of samples and report (bench/results)
  --resume           adds to the samples that are there
  --against COMMIT   of load: the earlier server beside which it is measured (85c855d)

Of the browser (render):

  --sections A,B     contenders, charts, few quotes, growth, idle, start, trade, desktop, windows, scan, memory, hour,
                     quarter core, half core, sweep (bench/render/harness/plan.ts)
  --contenders A;B   app, REF, REF trade, REF nine, react-tanstack, … (bench/render/harness/contenders.ts)
  --rounds N         of the browser; with --only load of the server

Instead:

  --guard            the app beside that of --against COMMIT (the parent): fails where it costs more; ten minutes
  --compare OLD NEW  two files of samples; of one its tables and verdict: also what /bench or a phone has exported
  --check NAME       what is wrong with a contender of bench/contenders, in a minute
  --report           the report and the page of results, of the samples that are there
  --schema           the JSON Schema of the samples
  --zip              one file of a run: samples, schema, report, page, sources of the contenders
  --trace            what each thread does, as pictures; --sections list,trade,fling,ticket,start; --rounds 0 only draws
  --devices          serves the suite to phones of the network, on --port N, until Ctrl-C; --smoke: two browsers of
                     this machine are the phones
  --help`;

const { values, positionals } = readOptions(HELP, {
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    minutes: { type: 'string' },
    only: { type: 'string' },
    out: { type: 'string', default: 'bench/results' },
    resume: { type: 'boolean', default: false },
    compare: { type: 'boolean', default: false },
    check: { type: 'string' },
    report: { type: 'boolean', default: false },
    schema: { type: 'boolean', default: false },
    zip: { type: 'boolean', default: false },
    sections: { type: 'string' },
    contenders: { type: 'string' },
    rounds: { type: 'string' },
    guard: { type: 'boolean', default: false },
    trace: { type: 'boolean', default: false },
    devices: { type: 'boolean', default: false },
    port: { type: 'string' },
    smoke: { type: 'boolean', default: false },
    // Without it the load has the commit before the fan-out by version.
    against: { type: 'string' },
  },
});

try {
  // Before minutes of installing and measuring.
  if (!values.compare && !values.guard) mkdirSync(values.out, { recursive: true });
} catch (error) {
  console.error(`--out takes a folder, and ${values.out} cannot be one (${error.code}).`);
  process.exit(2);
}

if (values.compare) {
  const missing = positionals.find((file) => !existsSync(file));
  if (missing !== undefined || ![1, 2].includes(positionals.length)) {
    const there = missing === undefined ? '' : ` There is no ${missing}.`;
    console.error(`--compare needs one or two files of results.${there}`);
    process.exit(2);
  }
}

/** What the results are written beside: how to repeat them. */
const command = ['npm run bench --', ...process.argv.slice(2)].join(' ');

/** The commit that is measured, with a plus sign where files differ from it. */
function commit() {
  const git = (...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout?.trim();
  return `${git('rev-parse', '--short', 'HEAD') ?? ''}${git('status', '--porcelain', '-uno') ? '+' : ''}`;
}

function run(file, args, env = {}) {
  const result = spawnSync(process.execPath, [file, ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, BENCH_COMMAND: command, BENCH_COMMIT: commit(), ...env },
  });
  return result.status ?? 1;
}

/** A Wednesday at 15:00 UTC: at weekends only crypto is traded. */
const TRADING_HOURS = Date.UTC(2026, 10, 18, 15);

/** The arguments that name the server of `--against`, or say why there is none. */
function earlierServer() {
  const against = values.against ?? '85c855d';
  const commit = ['--commit', against];
  if (values.quick && !values.only && !values.against)
    return [...commit, '--missing', 'a quick run measures one server'];
  if (!hasCommit(against)) return [...commit, '--missing', 'it is not in this clone'];
  try {
    return [...commit, '--before', builtCommit(against)];
  } catch (error) {
    console.error(error.message);
    return [...commit, '--missing', 'it could not be built'];
  }
}

/** The server under load, its clock in trading hours; returns the exit code. */
async function load() {
  buildWhenNeeded();
  const program = await buildProgram('bench/load/bench.ts', 'loadBench');
  const args = [...earlierServer(), '--out', join(values.out, 'load.json')];
  if (values.quick) args.push('--quick');
  // Of all benchmarks together, --rounds is the list's.
  if (values.only === 'load' && values.rounds) args.push('--rounds', values.rounds);
  return runInTradingHours(program, args);
}

/** Runs a program whose clock is in trading hours; returns its exit code. */
function runInTradingHours(program, args, env = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'fulcrum-clock-'));
  try {
    const ahead = Math.round((TRADING_HOURS - Date.now()) / 1000);
    return run(program, args, { ...env, ...shiftedClock(folder, ahead) });
  } catch (error) {
    console.error(error.message);
    return 1;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

ensureInstalled();
const render = join(benchCache, 'render.js');
/** What Lighthouse sees beside the app. */
const isMainPeer = (name) => ['REF', 'REF trade', 'react-tanstack'].includes(name);
/** The pages by hand. */
const isByHand = (name) => name.startsWith('REF');
if (values.compare) {
  await buildDriver();
  process.exit(run(render, ['--compare', ...positionals]));
}

/** The options of these names that were given, as arguments. */
const given = (...names) =>
  names.flatMap((name) => (values[name] === undefined ? [] : [`--${name}`, values[name]]));

/** Builds the app, the driver and some pages, and runs a program of the driver; returns its exit code. */
async function runInBrowser(program, wanted, args) {
  const chromium = ensureChromium();
  if (chromium === undefined) process.exit(1);
  buildWhenNeeded();
  await buildDriver();
  await buildPages(wanted);
  return run(program, args, { CHROME_PATH: chromium });
}

function renderBench(wanted, flags, out) {
  const some = given('minutes', 'sections', 'contenders', 'rounds');
  return runInBrowser(render, wanted, [...some, ...flags, '--out', join(out, 'render.json')]);
}

if (values.trace) {
  const args = [...given('sections', 'rounds'), '--out', values.out];
  if (values.quick) args.push('--quick');
  process.exit(await runInBrowser(join(benchCache, 'trace.js'), isByHand, args));
}

/** Writes the report and the page of the samples in the folder; returns the exit code. */
async function report() {
  return run(await buildProgram('bench/render/report/main.ts', 'report'), [values.out]);
}

if (values.report) {
  ensurePackages('bench');
  process.exit(await report());
}

if (values.schema || values.zip) {
  const pack = await buildProgram('bench/render/pack.ts', 'pack');
  process.exit(run(pack, values.schema ? ['--schema'] : [values.out]));
}

if (values.check !== undefined) {
  ensurePackages('bench');
  const checked = (name) => name === values.check;
  try {
    process.exit(await runInBrowser(join(benchCache, 'check.js'), checked, [values.check]));
  } catch (error) {
    // It has a broken manifest, or cannot be built.
    console.error(error.message);
    process.exit(1);
  }
}

if (values.devices) {
  const chromium = values.smoke ? ensureChromium() : '';
  if (chromium === undefined) process.exit(1);
  // The server ends itself, and its exit code is ours.
  process.on('SIGINT', () => {});
  buildWhenNeeded();
  await buildDriver();
  await buildPages(isByHand);
  const args = ['--out', join(values.out, 'devices')];
  if (values.port) args.push('--port', values.port);
  if (values.smoke) args.push('--smoke');
  process.exit(run(join(benchCache, 'devices.js'), args, { CHROME_PATH: chromium }));
}

if (values.guard) {
  const before = join(dirname(builtCommit(values.against ?? 'HEAD~1')), '../client');
  const out = mkdtempSync(join(tmpdir(), 'fulcrum-guard-'));
  const exitCode = await renderBench(() => false, ['--guard', before], out);
  rmSync(out, { recursive: true });
  process.exit(exitCode);
}

// These measure the app and hand-written JavaScript, and need no peers.
const peers = !['smoke', 'interactions', 'network', 'traffic', 'device'].includes(values.only);
if (peers) {
  ensurePackages('bench');
  // `npm run check` excludes the files that need the peers.
  const typed = run(bin('typescript/bin/tsc'), ['-b', 'bench/tsconfig.peers.json']);
  if (typed !== 0) process.exit(typed);
}
let status = 0;
const took = [];

/** Measures one part; what it took is printed at the end. */
async function part(name, measure) {
  const from = performance.now();
  const failed = await measure();
  took.push(`${name} ${Math.round((performance.now() - from) / 1000)} s`);
  status ||= failed;
}

const PARTS =
  'chart lighthouse load live render engines interactions network traffic device smoke'.split(' ');
if (values.only && !PARTS.includes(values.only)) {
  console.error(`No part ${values.only}. There are: ${PARTS.join(', ')}.`);
  process.exit(2);
}
const chosen = (name) => !values.only || values.only === name;
const quick = values.quick ? ['--quick'] : [];

/** The browser of the parts that are no driver's; the app is built. */
function withApp() {
  const chromium = ensureChromium();
  if (chromium === undefined) process.exit(1);
  buildWhenNeeded();
  return { CHROME_PATH: chromium };
}

// What is installed and built only once is no part of a quick run's five minutes.
if (!values.only) withApp();
const begun = performance.now();

if (chosen('chart')) {
  await part('chart', async () => {
    const env = withApp();
    const out = ['--out', join(values.out, 'chart.json')];
    return run(await buildChart(), [...quick, ...out], env);
  });
}
if (chosen('lighthouse')) {
  await part('lighthouse', async () => {
    const env = withApp();
    await buildDriver();
    await buildPages(isMainPeer);
    const out = ['--out', join(values.out, 'lighthouse.json')];
    return run(join(root, 'bench/lighthouse.mjs'), [...quick, ...out], env);
  });
}
if (chosen('load')) await part('load', load);
if (chosen('live') && (values.only || !values.quick)) {
  await part('live', async () => {
    buildWhenNeeded();
    await buildProgram('bench/live/floor.ts', 'liveFloor');
    const program = await buildProgram('bench/live/main.ts', 'live');
    return run(program, [...quick, '--out', join(values.out, 'live.json')]);
  });
}

for (const name of ['engines', 'interactions', 'network', 'device']) {
  if (values.only !== name) continue;
  await part(name, () => {
    const args = [
      ...quick,
      ...given('rounds', 'contenders'),
      '--out',
      join(values.out, `${name}.json`),
    ];
    if (name !== 'engines') {
      const wanted = (page) => name !== 'device' && isByHand(page);
      return runInBrowser(join(benchCache, `${name}.js`), wanted, args);
    }
    args.push(...given('minutes'));
    if (values.resume) args.push('--resume');
    const some = values.contenders?.split(';');
    const wanted = (one) => isByHand(one) || !some || some.includes(one);
    return runInBrowser(join(benchCache, 'engines.js'), wanted, args);
  });
}

if (values.only === 'traffic') {
  await part('traffic', async () => {
    const env = withApp();
    await buildDriver();
    const out = ['--out', join(values.out, 'traffic.json')];
    return runInTradingHours(join(benchCache, 'traffic.js'), [...quick, ...out], env);
  });
}

/** Of the five minutes of a quick run, s: a sample that has begun ends, pages are built, and the report is written. */
const RESERVE = 35;
const LEAST_MINUTES = 0.5;
if (chosen('render') || values.only === 'smoke') {
  await part('render', () => {
    if (values.quick && !values.only) {
      // Last, because it measures for as long as it is given.
      const left = 5 - RESERVE / 60 - (performance.now() - begun) / 60_000;
      values.minutes ??= `${Math.max(LEAST_MINUTES, left)}`;
    }
    const flags = values.resume ? [...quick, '--resume'] : [...quick];
    if (!peers) flags.push('--smoke');
    const wanted = (name) => peers || name === 'REF' || name === 'REF nine';
    return renderBench(wanted, flags, values.out);
  });
}
if (peers) await report();
console.log(
  `Took: ${took.join(', ')}; ${Math.round((performance.now() - begun) / 1000)} s in all.`,
);
process.exit(status);
