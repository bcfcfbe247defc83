// The servers under load: npm run bench -- --only load [--quick] [--rounds N] [--against COMMIT]
import { writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { randomFrom } from '#domain/workload/draws';
import { postgresInstalled } from '../../tests/helpers/installed';
import { startCluster } from '../../tests/server/support/postgres';
import { conditions, trueTime } from '../lib/measure';
import { shuffled } from '../lib/statistics';
import { loadOrders } from './orders';
import { loadQuotes } from './quotes';
import type { LoadResult, Pair, Sample, Scenario } from './sample';
import { type LoadedServer, simulated, underLoad } from './server';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '' },
    program: { type: 'string', default: 'dist/server/main.js' },
    commit: { type: 'string', default: '' },
    // The built server of the commit, or why there is none.
    before: { type: 'string' },
    missing: { type: 'string' },
    out: { type: 'string' },
  },
});

const ROUNDS = Number(values.rounds || (values.quick ? 1 : 5));
const SECONDS = values.quick ? 2 : 3;
const SEED = 20_140_507;

interface Part {
  market: readonly string[];
  load(server: LoadedServer): Promise<Omit<Sample, 'startMs'>>;
}

const quotes = (compact: boolean): Part => ({
  market: simulated(1000, 5000),
  load: (server) =>
    loadQuotes(server, {
      sockets: 4000,
      codes: 20,
      interval: 250,
      compact,
      slow: 0,
      seconds: SECONDS,
      seed: SEED,
    }),
});

const orders: Part = {
  market: simulated(40, 20),
  load: (server) =>
    loadOrders(server, { users: 16, warmUpSeconds: 2 * SECONDS, seconds: 2 * SECONDS }),
};

const PARTS: Record<Scenario, Part> = {
  quotes: quotes(false),
  compact: quotes(true),
  embedded: orders,
  postgres: orders,
  many: {
    market: simulated(3000, 1000),
    async load(server) {
      const [before, begun] = [server.usage(), performance.now()];
      await wait(SECONDS * 1000);
      const { cpuMs, memoryMb } = server.usage();
      return { cores: (cpuMs - before.cpuMs) / (performance.now() - begun), memoryMb };
    },
  },
};
// A turn: what is compared runs right after each other, so that a slow minute of the machine falls on all of it.
const TURNS: Scenario[][] = [
  ['quotes', 'compact'],
  ['embedded'],
  ...(postgresInstalled ? [['postgres'] satisfies Scenario[]] : []),
  ['many'],
];

const cluster = postgresInstalled ? await startCluster() : undefined;

async function measure(name: Scenario, program: string): Promise<Sample> {
  const { load, ...options } = PARTS[name];
  const databaseUrl = name === 'postgres' ? await cluster?.createDatabase() : undefined;
  return underLoad({ program, databaseUrl, ...options }, load);
}

const random = randomFrom(SEED);
const clock = Date.now();
const rounds: LoadResult['rounds'] = [];
try {
  for (let round = 1; round <= ROUNDS; round++) {
    const done: Partial<Record<Scenario, Partial<Pair>>> = {};
    for (const turn of TURNS) {
      const runs = turn.flatMap((name) => [
        { name, side: 'after', program: values.program } as const,
        // The commit does not know compact rows: its list is what they are compared with.
        ...(values.before && name !== 'compact'
          ? [{ name, side: 'before', program: values.before } as const]
          : []),
      ]);
      for (const { name, side, program } of shuffled(runs, random)) {
        const sample = await measure(name, program);
        done[name] = { ...done[name], [side]: sample };
        console.log(`load ${round}/${ROUNDS}: ${name}, ${side}`);
        console.table(
          Object.fromEntries(
            Object.entries(sample).filter(([, figure]) => typeof figure === 'number'),
          ),
        );
      }
    }
    rounds.push(done as LoadResult['rounds'][number]);
  }
} finally {
  await cluster?.stop();
}

if (values.out) {
  const result: LoadResult = {
    machine: conditions(),
    at: trueTime(clock),
    clock: new Date(clock).toISOString(),
    seconds: SECONDS,
    before: { commit: values.commit, ...(values.missing && { missing: values.missing }) },
    rounds,
  };
  writeFileSync(values.out, `${JSON.stringify(result, null, 1)}\n`);
}
process.exit(0);
