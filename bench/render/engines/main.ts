// The first live quote and the lists in each engine of this machine: npm run bench -- --only engines [--quick] [--rounds N]
// [--contenders "app;REF"] [--minutes N] [--resume] [--out FOLDER]. In turn, each in a new page of a new profile. Engines on
// this machine are not those of phones: read the ratio to REF in the same engine, and two engines only side by side.
import { parseArgs } from 'node:util';
import { type Browser, chromium, firefox } from '@playwright/test';
import { randomFrom } from '#domain/workload/draws';
import { ENGINES, type Engine, missingEngine } from '../../../scripts/lib/engines.mjs';
import { extendBidi } from '../../../tests/e2e/engines/bidi';
import { launching } from '../../../tests/e2e/engines/engine';
import { conditions } from '../../lib/measure';
import { orRefuse } from '../../lib/orRefuse';
import { shuffled } from '../../lib/statistics';
import { CONTENDERS, contender } from '../harness/contenders';
import { fingerprint } from '../harness/manifest';
import { builtSite } from '../harness/site';
import { firstQuote } from './firstQuote';
import { listSample } from './listSample';
import {
  type EngineResult,
  type EngineResults,
  loadEngines,
  resumedEngines,
  saveEngines,
} from './results';
import { engineTables } from './tables';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    contenders: { type: 'string' },
    minutes: { type: 'string', default: '90' },
    resume: { type: 'boolean', default: false },
    out: { type: 'string', default: 'bench/results/engines.json' },
  },
});

const ROUNDS = Number(values.rounds ?? (values.quick ? 1 : 7));
const OWN = ['app', 'REF'];
const lists = CONTENDERS.filter(({ about }) => about?.kind === 'list').map(({ name }) => name);
const names = (values.contenders?.split(';') ?? [...OWN, ...lists]).map((name) => contender(name));
const starting = names.filter(({ name }) => OWN.includes(name));
const deadline = Date.now() + Number(values.minutes) * 60_000;
const site = builtSite();
const random = randomFrom(Date.now());
const empty: EngineResults = {
  about: { ...conditions() },
  sources: Object.fromEntries(
    names.flatMap(({ name, about }) => (about ? [[name, fingerprint(name)]] : [])),
  ),
  engines: {},
};
const before = values.resume ? loadEngines(values.out) : undefined;
const results = before ? orRefuse(() => resumedEngines(before, empty)) : empty;

async function launch(engine: Engine): Promise<Browser> {
  const { channel, launchOptions } = launching(engine);
  const type = engine === 'chromium' ? chromium : firefox;
  const browser = await type.launch({ ...(channel && { channel }), ...launchOptions });
  if (engine !== 'chromium') await extendBidi(browser, engine);
  return browser;
}

const has = ({ lists = [] }: EngineResult, name: string, round: number) =>
  lists.some((run) => run.contender === name && run.round === round);

const isComplete = (result: EngineResult, round: number) =>
  (starting.length === 0 || result.rounds.length > round) &&
  names.every(({ name }) => has(result, name, round));

/** One round in one engine: what it has not yet got. */
async function measure(browser: Browser, result: EngineResult, round: number): Promise<void> {
  if (!result.rounds[round] && starting.length > 0) {
    const found: Record<string, number> = {};
    for (const { name } of shuffled(starting, random)) {
      found[name] = await firstQuote(browser, name, site);
    }
    result.rounds.push(found);
  }
  result.lists ??= [];
  for (const one of shuffled(names, random)) {
    const { name } = one;
    if (Date.now() > deadline) return;
    if (has(result, name, round)) continue;
    const key = { contender: name, round };
    try {
      result.lists.push({ ...key, sample: await listSample(browser, one, site) });
    } catch (error) {
      const failure = error instanceof Error ? error.message : String(error);
      result.lists.push({ ...key, failure });
      console.log(`${name}: FAILED: ${failure}`);
    }
    saveEngines(values.out, results);
  }
}

const present = (ENGINES as Engine[]).filter((engine) => {
  const missing = engine === 'chromium' ? undefined : missingEngine(engine);
  if (missing) console.log(`${engine} is left out: ${missing}.`);
  return missing === undefined;
});
for (let round = 0; round < ROUNDS; round++) {
  for (const engine of present) {
    const known = results.engines[engine];
    if (Date.now() > deadline || (known && isComplete(known, round))) continue;
    console.log(`${round + 1}/${ROUNDS}, ${engine}`);
    const browser = await launch(engine);
    const result = known ?? { version: browser.version(), rounds: [], lists: [] };
    results.engines[engine] = result;
    // The first visit of a new browser reads its own files.
    await firstQuote(browser, 'REF', site);
    await measure(browser, result, round);
    await browser.close();
  }
}
saveEngines(values.out, results);
console.log(engineTables(results));
