// npm run load: see HELP. One server in a process of its own, its users in this one. Bounded in count and time; loopback only.
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readOptions } from '../../scripts/lib/readOptions.mjs';
import { startCluster } from '../../tests/server/support/postgres';
import { conditions } from '../lib/measure';
import { estimate } from '../lib/statistics';
import {
  arithmetic,
  type ClusterOrderResult,
  type ClusterResult,
  loadCluster,
  loadClusterOrders,
} from './cluster';
import { loadOrders, type OrderResult } from './orders';
import { type PhoneLoad, Phones } from './phones';
import { loadQuotes, type QuoteResult } from './quotes';
import { type Measured, simulated, underLoad } from './server';

const HELP = `npm run load -- [OPTIONS]

Puts the product under load on this machine.

  --only quotes | orders | cluster | cluster-orders
                    without it quotes and orders of one process. cluster: phones of a cluster of each size;
                    cluster-orders: its users
  --seconds N       of counting (20)
  --rounds N        (1)
  --seed N          (1)
  --server FILE     a built server (dist/server/main.js)
  --against COMMIT  the same with the server of that commit, or a built one, in turns
  --out FILE        results of a cluster

Quotes:

  --sockets N       phones, in a cluster of each gateway (4000)
  --codes N         instruments of each phone (20)
  --interval N      ms between two messages (250)
  --compact         rows in their short form
  --slow N          so many phones do not keep up (0)
  --instruments N, --ticks-per-second N
                    of the market (1000, 5000)
  --gateways A,B    sizes of the cluster (1,2,4)
  --floor           also a program that only writes as many bytes
  --url URL         only phones, of a server or cluster that runs already, in a private network

Orders:

  --users N         in a cluster of each engine (16)
  --warm-up N       seconds before counting (5)
  --postgres        instead of the embedded database
  --engines A,B     sizes of the cluster (1,2,4)
  --every N         in a cluster: ms between two calls of a user; 0: as fast as it can (250)

  --help`;

const { values } = readOptions(HELP, {
  options: {
    sockets: { type: 'string', default: '4000' },
    codes: { type: 'string', default: '20' },
    interval: { type: 'string', default: '250' },
    compact: { type: 'boolean', default: false },
    floor: { type: 'boolean', default: false },
    slow: { type: 'string', default: '0' },
    instruments: { type: 'string', default: '1000' },
    'ticks-per-second': { type: 'string', default: '5000' },
    users: { type: 'string', default: '16' },
    every: { type: 'string', default: '250' },
    'warm-up': { type: 'string', default: '5' },
    postgres: { type: 'boolean', default: false },
    gateways: { type: 'string', default: '1,2,4' },
    engines: { type: 'string', default: '1,2,4' },
    url: { type: 'string' },
    only: { type: 'string' },
    seconds: { type: 'string', default: '20' },
    rounds: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    server: { type: 'string', default: 'dist/server/main.js' },
    against: { type: 'string' },
    out: { type: 'string' },
  },
});

/** Limits of the options, so that the load does not exhaust the machine. */
const MOST = { sockets: 8_000, users: 200, seconds: 120, rounds: 20 };

function number(name: keyof typeof values, most = 1_000_000): number {
  const value = Number(values[name]);
  if (!Number.isInteger(value) || value < 0 || value > most) {
    console.error(`--${name}: a whole number from 0 to ${most}`);
    process.exit(2);
  }
  return value;
}

const seconds = number('seconds', MOST.seconds);
const warmUpSeconds = number('warm-up', MOST.seconds);
const rounds = number('rounds', MOST.rounds);
const sockets = number('sockets', MOST.sockets);
const users = number('users', MOST.users);
const programs = [values.server, ...(values.against ? [values.against] : [])].map((path) =>
  resolve(path),
);

interface Round {
  program: string;
  scenario: string;
  result: Measured<QuoteResult | OrderResult>;
}

function quotes(program: string): Promise<Measured<QuoteResult>> {
  const options = {
    program,
    databaseUrl: undefined,
    market: simulated(number('instruments'), number('ticks-per-second')),
  };
  const load = {
    sockets,
    codes: number('codes'),
    interval: number('interval'),
    compact: values.compact,
    slow: number('slow', sockets),
    seconds,
    seed: number('seed'),
  };
  return underLoad(options, (server) => loadQuotes(server, load));
}

/** What the same bytes to the same sockets take without a server around them. */
async function floorUnder({ bytesPerMessage }: QuoteResult): Promise<Measured<QuoteResult>> {
  process.env['FLOOR_BYTES'] = `${Math.round(bytesPerMessage)}`;
  process.env['FLOOR_INTERVAL'] = values.interval;
  return quotes(fileURLToPath(new URL('floor.js', import.meta.url)));
}

async function orders(program: string): Promise<Measured<OrderResult>> {
  const cluster = values.postgres ? await startCluster() : undefined;
  try {
    const databaseUrl = await cluster?.createDatabase();
    const options = { program, databaseUrl, market: simulated(40, 20) };
    return await underLoad(options, (server) =>
      loadOrders(server, { users, warmUpSeconds, seconds }),
    );
  } finally {
    await cluster?.stop();
  }
}

const phoneLoad = (): PhoneLoad => ({
  sockets,
  codes: number('codes'),
  interval: number('interval'),
  compact: values.compact,
  seed: number('seed'),
});

/** Only what phones see: the processes may be elsewhere. */
async function phonesOf(address: URL): Promise<void> {
  const nearby = /^(localhost|\[::1\]|127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.)/;
  if (address.protocol !== 'http:' || !nearby.test(address.hostname)) {
    console.error('--url: http, this machine or a private network');
    process.exit(2);
  }
  const phones = await Phones.open(address, phoneLoad());
  for (let round = 0; round < rounds; round++) {
    const { messages, bytes, age } = await phones.count(seconds * 1_000);
    console.table({ connected: phones.connected, messages, bytes, ...age });
  }
  const { lost, back, time } = phones.comebacks();
  console.table({ lost, back, ...time });
  phones.close();
}

/** The sizes of an option, such as 1,2,4. */
function sizes(name: 'gateways' | 'engines'): number[] {
  const counts = values[name].split(',').map(Number);
  if (!counts.every((count) => Number.isInteger(count) && count >= 1 && count <= 32)) {
    console.error(`--${name}: whole numbers from 1 to 32, by commas`);
    process.exit(2);
  }
  return counts;
}

/** Runs clusters of each size, in turns. */
async function inTurns<Result>(
  counts: readonly number[],
  run: (count: number, round: number) => Promise<Result>,
): Promise<Result[]> {
  const found: Result[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const count of round % 2 ? counts.toReversed() : counts) {
      found.push(await run(count, round + 1));
    }
  }
  return found;
}

/** Prints the CPU of each size as a ratio to that of the first one in the same round. */
function compareSizes<Result>(
  what: string,
  counts: readonly number[],
  results: readonly Result[],
  sizeOf: (result: Result) => number,
  cpuOf: (result: Result) => number,
): void {
  const of = (count: number) =>
    results.filter((result) => sizeOf(result) === count).map((result) => cpuOf(result));
  const first = of(counts[0] as number);
  for (const count of counts) {
    const ratios = of(count).map((cpu, at) => cpu / (first[at] ?? Number.NaN));
    const { median, low, high } = estimate(ratios);
    console.log(
      `CPU ${what} at ${count}, of that at ${counts[0]}: ${median.toFixed(2)} [${low.toFixed(2)}, ${high.toFixed(2)}], ${ratios.length} rounds`,
    );
  }
}

/** CPU a message beside different numbers of gateways. */
async function clusters(): Promise<ClusterResult[]> {
  const counts = sizes('gateways');
  const found = await inTurns(counts, async (gateways, round) => {
    const result = await loadCluster({
      ...phoneLoad(),
      program: programs[0] as string,
      gateways,
      instruments: number('instruments'),
      ticksPerSecond: number('ticks-per-second'),
      seconds,
    });
    const { age, cores, reconnects, ...figures } = result;
    console.log(`cluster, round ${round}, ${gateways} gateways`);
    console.table({ ...figures, ...prefixed('age', age), ...prefixed('cores', cores) });
    const { lost, back, time } = reconnects;
    console.log(`a gateway killed: ${lost} phones lost, ${back} back`);
    console.table(prefixed('back', time));
    return result;
  });
  const cpu = ({ cpuPerMessage }: ClusterResult) => cpuPerMessage;
  compareSizes('a message, gateways', counts, found, ({ gateways }) => gateways, cpu);
  const last = found.at(-1);
  if (last) console.log(arithmetic(last, sockets));
  return found;
}

/** CPU an order beside different numbers of engines. */
async function clusterOrders(): Promise<ClusterOrderResult[]> {
  const counts = sizes('engines');
  const found = await inTurns(counts, async (engines, round) => {
    const program = programs[0] as string;
    const result = await loadClusterOrders({
      ...{ program, engines, users, warmUpSeconds, seconds },
      everyMs: number('every'),
    });
    const { latency, cpuByRole, memoryMb: _, ...figures } = result;
    console.log(`orders of a cluster, round ${round}, ${engines} engines`);
    console.table({ ...figures, ...prefixed('latency', latency), ...prefixed('ms', cpuByRole) });
    return result;
  });
  const cpu = ({ cpuPerOrder }: ClusterOrderResult) => cpuPerOrder;
  compareSizes('an order, engines', counts, found, ({ engines }) => engines, cpu);
  return found;
}

function prefixed(prefix: string, figures: object): Record<string, number> {
  return Object.fromEntries(
    Object.entries(figures).map(([name, value]) => [`${prefix} ${name}`, value]),
  );
}

if (values.url) {
  await phonesOf(new URL(values.url));
  process.exit(0);
}
if (values.only === 'cluster' || values.only === 'cluster-orders') {
  const results = await (values.only === 'cluster' ? clusters() : clusterOrders());
  if (values.out) {
    const { only, gateways, engines, every, instruments, seconds } = values;
    const asked =
      only === 'cluster'
        ? { sockets, gateways, instruments, seconds, rounds }
        : { users, every, engines, seconds, rounds };
    writeFileSync(
      values.out,
      `${JSON.stringify({ machine: conditions(), asked, results }, null, 1)}\n`,
    );
  }
  process.exit(0);
}

const scenarios = { quotes, orders };
const results: Round[] = [];
for (let round = 0; round < rounds; round++) {
  // Both programs in each round, so that a slow minute of the machine falls on both.
  for (const [name, run] of Object.entries(scenarios)) {
    if (values.only && values.only !== name) continue;
    for (const program of round % 2 ? programs.toReversed() : programs) {
      const result = await run(program);
      results.push({ program, scenario: name, result });
      const { age, latency, startMs, ...figures } = result as Measured<QuoteResult & OrderResult>;
      console.log(`${name}, round ${round + 1}, ${program}: started in ${Math.round(startMs)} ms`);
      console.table({ ...figures, ...(age ?? latency) });
      if (!values.floor || name !== 'quotes') continue;
      const { cpuPerMessage } = await floorUnder(result as Measured<QuoteResult>);
      const times = (result as Measured<QuoteResult>).cpuPerMessage / cpuPerMessage;
      console.log(
        `${times.toFixed(2)} times the floor of ${cpuPerMessage.toFixed(1)} µs a message`,
      );
    }
  }
}

const CLAIMED = ['cores', 'memoryMb', 'cpuPerMessage', 'perSecond', 'cpuPerOrder'] as const;
for (const name of Object.keys(scenarios)) {
  for (const program of programs) {
    const own = results.filter((each) => each.scenario === name && each.program === program);
    for (const figure of CLAIMED) {
      const found = own.flatMap(({ result }) => {
        const value = (result as Partial<QuoteResult & OrderResult>)[figure];
        return value === undefined ? [] : [value];
      });
      if (found.length < 2) continue;
      const { median, low, high } = estimate(found);
      const text = [median, low, high].map((value) => value.toFixed(2));
      console.log(`${name}, ${program}: ${figure} ${text[0]} [${text[1]}, ${text[2]}]`);
    }
  }
}
if (values.out) {
  const { server: _, against: __, out: ___, ...asked } = values;
  const document = { machine: conditions(), asked, results };
  writeFileSync(values.out, `${JSON.stringify(document, null, 1)}\n`);
}
process.exit(0);
