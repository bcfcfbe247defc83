// The first live price by network: npm run bench -- --only network [--quick] [--rounds N] [--contenders "app;REF"] [--out FILE]
// The server and the browser are in two network namespaces with a delaying link between them. Each visit is in a new profile; the
// second one, of the app, is in the profile of its first after the service worker has all, with no connection left open.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test';
import { randomFrom } from '#domain/workload/draws';
import { gathered } from '#domain/workload/workload';
import { launching } from '../../tests/e2e/engines/engine';
import { writeTlsProxy } from '../../tests/server/support/tlsProxy';
import { conditions } from '../lib/measure';
import { bootstrap, medianOf, shuffled } from '../lib/statistics';
import { contender } from '../render/harness/contenders';
import { FeedProcess } from '../render/harness/feedProcess';
import { noteFirstQuote, type Selectors } from '../render/harness/probe';
import { listedPrices } from '../render/harness/sample';
import { builtSite } from '../render/harness/site';
import { record } from '../render/harness/stream';
import type { Times } from '../render/report/phone';
import { Link, missingLink, type Network } from './link';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    contenders: { type: 'string' },
    out: { type: 'string', default: 'bench/results/network.json' },
  },
});

const NETWORKS: readonly Network[] = [
  { name: '0 ms', roundTripMs: 0, kilobits: 0 },
  { name: '100 ms, 9 Mbps', roundTripMs: 100, kilobits: 9000 },
  { name: '400 ms, 9 Mbps', roundTripMs: 400, kilobits: 9000 },
  { name: '400 ms, 400 kbps', roundTripMs: 400, kilobits: 400 },
  { name: '400 ms, 9 Mbps, TLS', roundTripMs: 400, kilobits: 9000, tls: true },
];
/** A quiet market: what is measured is the way, and not how much comes. */
const WORKLOAD = gathered({ n: 40, rate: 40, inSight: 20 });
const SECONDS = 60;
const PATIENCE_MS = 40_000;
/** A server lets go of an unused connection after five seconds. */
const NO_CONNECTION_MS = 6000;
/** What a page says when it comes or is hidden is over by then. */
const SETTLED_MS = 5000;
const TRAFFIC_MS = 15_000;
const PHONE = { width: 360, height: 740 };
const PORT = 8080;
const TLS_PORT = 8443;

interface Entry {
  name: string;
  path: string;
  selectors: Selectors;
  /** Rows with any price, also an old one. */
  rows: string;
  /** Whether its second visit is measured too. */
  twice?: boolean;
}

/** What is kept of an earlier visit is no live price. */
const live = (selectors: Selectors, stale: string) => ({
  selectors: { ...selectors, row: `:is(${selectors.row}):not(${stale})` },
  rows: selectors.row,
});
const list = (name: string): Entry => {
  const { path, selectors } = contender(name);
  if (!selectors) throw new Error(`${name} has no list`);
  return { name, path, ...live(selectors, '[data-stale=true]') };
};
/** A screen of one instrument has its price, and no name beside it. */
const alone = (row: string, price: string) =>
  live({ row, name: ':not(*)', price, change: '' }, '[data-stale]');
const FLOOR = 'socket';
const ENTRIES: readonly Entry[] = [
  {
    name: FLOOR,
    path: '/socket',
    ...live({ row: 'p', name: 'span', price: 'span:nth-child(2)', change: '' }, '[data-stale]'),
  },
  { ...list('app'), twice: true },
  list('REF'),
  {
    name: 'app, trade',
    path: '/#/trade',
    ...alone('.boot-price, main p[data-direction]', 'span'),
    twice: true,
  },
  { name: 'REF trade', path: '/page/refTrade', ...alone('#root', '#price') },
];

const missing = missingLink();
if (missing) {
  console.error(`network: ${missing}; a proxy cannot delay the first round trip of a connection.`);
  process.exit(1);
}
const entries = ENTRIES.filter(
  ({ name }) => name === FLOOR || !values.contenders || values.contenders.split(';').includes(name),
);
const rounds = Number(values.rounds ?? (values.quick ? 1 : 5));
const site = builtSite();
const recording = record(WORKLOAD, SECONDS);
const link = new Link();
const plain = `${link.address}:${PORT}`;
const secure = `${link.address}:${TLS_PORT}`;
let origin = `http://${plain}`;

/** Starts HAProxy beside the server; returns how to end it, or undefined where it is missing. */
function startTls(): (() => void) | undefined {
  try {
    const program = ['haproxy', '-f', writeTlsProxy(link.folder, secure, plain)];
    const [command = '', ...args] = [...link.inServer, ...program];
    const proxy = spawn(command, args, { stdio: 'ignore' });
    process.once('exit', () => proxy.kill());
    return () => proxy.kill();
  } catch (error) {
    console.log(`TLS: ${(error as Error).message}`);
    return undefined;
  }
}

/** Ms from the navigation until the first price, and the first live one, were painted. */
async function visit(context: BrowserContext, { path }: Entry): Promise<Times> {
  const page = await context.newPage();
  await page.goto(origin + path, { waitUntil: 'commit' });
  const first = await page.waitForFunction(() => window.benchFirst, undefined, {
    timeout: PATIENCE_MS,
  });
  const rows = await page.evaluate(() => window.benchRows ?? Number.NaN);
  return { rows, live: Number(await first.jsonValue()) };
}

/** The browser hides the page, as the page sees it. */
const hide = (page: Page) =>
  page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { value: true });
    document.dispatchEvent(new Event('visibilitychange'));
  });

/** Waits until the service worker has what a visit needs, and the server has closed what is idle. */
async function leave(context: BrowserContext): Promise<void> {
  const [page] = context.pages();
  if (!page) return;
  await page.waitForLoadState('networkidle');
  await hide(page);
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await page.waitForLoadState('networkidle');
  await page.close();
  await pause(NO_CONNECTION_MS);
}

const startFeed = () =>
  FeedProcess.start(
    {
      ...{ workload: WORKLOAD, seconds: SECONDS, ...site, narrowed: true },
      at: { host: link.address, port: PORT },
    },
    link.inServer,
  );

async function newPhone(browser: Browser, { selectors, rows }: Entry): Promise<BrowserContext> {
  const context = await browser.newContext({
    ...{ viewport: PHONE, isMobile: true, hasTouch: true, serviceWorkers: 'allow' },
  });
  await context.addCookies([{ name: 'language', value: 'en', url: origin }]);
  const prices = listedPrices(recording);
  const shown = { ...prices, '': Object.values(prices)[0] };
  const given = [selectors, shown].map((value) => JSON.stringify(value));
  const any = JSON.stringify({ ...selectors, row: rows });
  await context.addInitScript(`(${noteFirstQuote})(${given});(${noteFirstQuote})(${any})`);
  return context;
}

/** KB a minute that a page gets over its socket, in sight and in the background. */
async function traffic(browser: Browser, entry: Entry): Promise<string> {
  const context = await newPhone(browser, entry);
  const server = await startFeed();
  const measure = async () => {
    await pause(SETTLED_MS);
    const before = await server.sent();
    await pause(TRAFFIC_MS);
    return (((await server.sent()) - before) * 60) / 1.024 / TRAFFIC_MS;
  };
  try {
    await visit(context, entry);
    const visible = await measure();
    for (const page of context.pages()) await hide(page);
    const hidden = await measure();
    return `${visible.toFixed(0)} in sight, ${hidden.toFixed(1)} in the background`;
  } finally {
    await context.close();
    await server.end();
  }
}

/** The first visit, and the second one where it is asked for. */
async function visits(browser: Browser, entry: Entry): Promise<Times[]> {
  const context = await newPhone(browser, entry);
  let server = await startFeed();
  try {
    const found = [await visit(context, entry)];
    if (entry.twice) {
      await leave(context);
      // Its prices begin again.
      await server.end();
      server = await startFeed();
      found.push(await visit(context, entry));
    }
    return found;
  } finally {
    await context.close();
    await server.end();
  }
}

const { launchOptions } = launching('chromium');
const browser = await chromium.launch({
  ...launchOptions,
  executablePath: link.programInPhone(launchOptions?.executablePath ?? ''),
  args: [
    ...(launchOptions?.args ?? []),
    // Only what is secure has a service worker.
    `--unsafely-treat-insecure-origin-as-secure=${origin}`,
    '--ignore-certificate-errors',
  ],
});
const random = randomFrom(Date.now());
const samples: Record<string, Record<string, Times>[]> = {};
for (const network of NETWORKS) {
  await link.open(network);
  const endTls = network.tls ? startTls() : () => {};
  if (!endTls) continue;
  origin = network.tls ? `https://${secure}` : `http://${plain}`;
  const ofNetwork: Record<string, Times>[] = [];
  samples[network.name] = ofNetwork;
  for (let round = 0; round < rounds; round++) {
    const found: Record<string, Times> = {};
    for (const entry of shuffled(entries, random)) {
      const [first, second] = await visits(browser, entry);
      if (first) found[entry.name] = first;
      if (second) found[`${entry.name}, second visit`] = second;
    }
    ofNetwork.push(found);
    console.log(network.name, `round ${round + 1}/${rounds}`);
  }
  endTls();
}
origin = `http://${plain}`;
const kilobytes: Record<string, string> = {};
for (const entry of entries) if (entry.twice) kilobytes[entry.name] = await traffic(browser, entry);
await browser.close();
await link.close();

const columns = entries.flatMap(({ name, twice }) => [
  name,
  ...(twice ? [`${name}, second visit`] : []),
]);
const seconds = (found: readonly Record<string, Times>[], name: string) => {
  const median = (of: keyof Times) => (some: readonly Record<string, Times>[]) =>
    medianOf(some.map((each) => each[name]?.[of] ?? Number.NaN)) / 1000;
  const { low, high } = bootstrap(found, median('live'));
  const [live, rows] = [median('live')(found), median('rows')(found)].map((s) => s.toFixed(2));
  return `${live} (${low.toFixed(2)} to ${high.toFixed(2)}); ${rows}`;
};
console.log(
  'Seconds until the first live price, medians with their 95 % intervals; until the first price of any age:',
);
console.table(
  Object.fromEntries(
    columns.map((name) => [
      name,
      Object.fromEntries(
        Object.entries(samples).map(([network, found]) => [network, seconds(found, name)]),
      ),
    ]),
  ),
);
console.log('KB a minute over the socket:', kilobytes);
const about = { ...conditions(), browser: browser.version() };
writeFileSync(values.out, `${JSON.stringify({ about, samples, kilobytes }, undefined, 1)}\n`);
