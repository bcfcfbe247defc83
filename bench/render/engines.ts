// The first live quote in each engine of this machine: npm run bench -- --only engines [--quick] [--out FOLDER]
// The app and REF in turn, each in a new page of a new profile. Engines on this machine are not those of phones: read the
// ratio to REF in the same engine, and the times of two engines only side by side.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Browser, chromium, firefox } from '@playwright/test';
import { randomFrom } from '#domain/workload/draws';
import { ENGINES, type Engine, missingEngine } from '../../scripts/lib/engines.mjs';
import { extendBidi } from '../../tests/e2e/engines/bidi';
import { launching } from '../../tests/e2e/engines/engine';
import { machine } from '../lib/measure';
import { bootstrap, estimate, medianOf, shuffled } from '../lib/statistics';
import { contender } from './harness/contenders';
import { FeedProcess } from './harness/feedProcess';
import { STARTS } from './harness/plan';
import { noteFirstQuote } from './harness/probe';
import { listedPrices } from './harness/sample';
import { builtSite } from './harness/site';
import { record } from './harness/stream';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    out: { type: 'string', default: 'bench/results/engines.json' },
  },
});

const ROUNDS = values.quick ? 1 : 10;
const SECONDS = 30;
const PATIENCE_MS = 20_000;
const NAMES = ['app', 'REF'] as const;
const [WORKLOAD] = STARTS;
const PHONE = { width: 360, height: 740 };

const site = builtSite();
const recording = record(WORKLOAD, SECONDS);

/** Ms from the navigation until the first live quote was painted. */
async function firstQuote(browser: Browser, name: (typeof NAMES)[number]): Promise<number> {
  const { path, selectors } = contender(name);
  const feed = await FeedProcess.start({
    ...{ workload: WORKLOAD, seconds: SECONDS, ...site, narrowed: false },
  });
  const context = await browser.newContext({ viewport: PHONE });
  try {
    const origin = `http://127.0.0.1:${feed.port}`;
    await context.addCookies([{ name: 'language', value: 'en', url: origin }]);
    const given = [selectors, listedPrices(recording)].map((value) => JSON.stringify(value));
    await context.addInitScript(`(${noteFirstQuote})(${given})`);
    const page = await context.newPage();
    await page.goto(origin + path);
    const first = await page.waitForFunction(() => window.benchFirst, undefined, {
      timeout: PATIENCE_MS,
    });
    return Number(await first.jsonValue());
  } finally {
    await context.close();
    await feed.end();
  }
}

const random = randomFrom(Date.now());
const table: Record<string, Record<string, string>> = {};
const engines: Record<string, object> = {};
for (const engine of ENGINES as Engine[]) {
  const missing = engine === 'chromium' ? undefined : missingEngine(engine);
  if (missing) {
    console.log(`${engine}: ${missing}`);
    continue;
  }
  const { channel, launchOptions } = launching(engine);
  const type = engine === 'chromium' ? chromium : firefox;
  const browser = await type.launch({ ...(channel && { channel }), ...launchOptions });
  if (engine !== 'chromium') await extendBidi(browser, engine);
  const rounds: Record<string, number>[] = [];
  // The first visit of a new browser reads its own files.
  await firstQuote(browser, 'REF');
  for (let round = 0; round < ROUNDS; round++) {
    const found: Record<string, number> = {};
    for (const name of shuffled(NAMES, random)) found[name] = await firstQuote(browser, name);
    rounds.push(found);
  }
  const of = (name: string) => estimate(rounds.map((round) => round[name] ?? Number.NaN));
  const ratioOf = (some: readonly Record<string, number>[]) =>
    medianOf(some.map(({ app = Number.NaN, REF = Number.NaN }) => app / REF));
  const ratio = { median: ratioOf(rounds), ...bootstrap(rounds, ratioOf) };
  engines[engine] = { version: browser.version(), rounds };
  await browser.close();
  const [app, ref] = [of('app'), of('REF')];
  const range = (low: number, high: number, digits: number) =>
    `${low.toFixed(digits)} to ${high.toFixed(digits)}`;
  table[engine] = {
    'app, ms': `${app.median.toFixed(0)} (${range(app.low, app.high, 0)})`,
    'REF, ms': `${ref.median.toFixed(0)} (${range(ref.low, ref.high, 0)})`,
    'app / REF': `${ratio.median.toFixed(2)} (${range(ratio.low, ratio.high, 2)})`,
  };
}
console.table(table);
const about = { ...machine(), at: new Date().toISOString() };
writeFileSync(values.out, `${JSON.stringify({ about, engines }, undefined, 2)}\n`);
