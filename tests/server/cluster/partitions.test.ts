import { execFileSync } from 'node:child_process';
import { rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { CLUSTER, missing } from '../../helpers/installed';
import {
  addUp,
  commit,
  inTurn,
  largeCountInPieces,
  type Piece,
  RARE,
  samples,
  seed,
  tally,
} from '../../helpers/samples';
import { unless } from '../../helpers/unless';
import { problemsOf } from '../../histories/checkHistory';
import { Recorder } from '../../histories/history';
import { SeededRandom } from '../../workers/simulation/seededRandom';
import { MARKET, openTraders, ordersAreKeys, p95, victimOf } from '../support/clusterChecks';
import { ClusterProcess } from '../support/clusterProcess';
import { type Cut, type Link, Links, type Way } from '../support/links';
import { type Trader, Watcher } from '../support/phones';
import { createDatabase } from '../support/postgres';
import { ServerClock } from '../support/serverClock';
import { bundleServer } from '../support/serverProcess';

const RUNS = samples(1, 1_000);
/** Each commit has another run. */
const FIRST = samples(commit, 0);
/** Of one cluster. */
const OF_CLUSTER = samples(1, 10);
const ROLES = ['--feeds', '2', '--engines', '2', '--gateways', '2'];
/** In a soak each engine has another one that stands by. */
const SPARES = ['--spares', `${samples(0, 1)}`];
/** Of a fault. */
const LONGEST_MS = samples(2_000, 7_000);
const WATCHERS = 8;
const TRADERS = 3;
const MORNING = Date.UTC(2027, 0, 5, 8);
const HOUR_MS = 3_600_000;
/** Of PostgreSQL, in a soak. */
const DISK_MB = samples(0, 1_500);
const DATABASES = ['postgres', 'engine2'];

/** After a fault has ended, all phones have prices again and all orders go on within this time. */
const BOUND = { timeout: 45_000, interval: 100 };

const LINKS = [
  'engine>postgres',
  'gateway>nats',
  'engine>nats',
  'feed>nats',
  'feed>postgres',
  'haproxy>gateway',
  'gateways>engine',
];
const WAYS: Readonly<Record<string, readonly Way[]>> = {
  'both ways': ['up', 'down'],
  up: ['up'],
  down: ['down'],
};
const KINDS = [
  ...LINKS,
  'kill',
  'full disk',
  ...LINKS,
  'pause',
  'clock ahead',
  'clock back',
] as const;
const ROLES_HURT = ['feed', 'engine', 'gateway', 'nats', 'postgres', 'haproxy'];

/** What is done to a cluster, and undone. */
interface Fault {
  name: string;
  begin(): unknown;
  end(): unknown;
}

interface World {
  cluster: ClusterProcess;
  links: Links;
  clock: ServerClock;
  random: SeededRandom;
}

interface Outcome {
  tally: Record<string, number>;
  /** How long after each fault phones had prices and orders went on again, ms. */
  recovered: number[];
}

unless(describe, missing(...CLUSTER))(
  'a cluster whose links, disk and clock fail',
  { timeout: samples(180_000, 7_200_000) },
  () => {
    let dist: string;
    beforeAll(async () => {
      dist = await bundleServer();
    }, 600_000);
    afterAll(() => rmSync(dist, { recursive: true, force: true }));

    inTurn(it, RARE)('loses no order, has one writer, and serves again', () =>
      largeCountInPieces<Outcome>(
        'partitions of a cluster',
        RUNS,
        OF_CLUSTER,
        (piece) => runsOf(piece, join(dist, 'server/main.js')),
        (outcomes) => {
          const happened = tally(addUp(outcomes.map((each) => each.tally)));
          const recovered = p95(outcomes.flatMap((each) => each.recovered));
          return `no order lost or doubled, one writer at a time, the books are right after each, histories linearizable; ${happened}; ms until phones and orders go on (p95): ${recovered}`;
        },
      ),
    );
  },
);

unless(it, missing('PostgreSQL'))(
  'a writer that writes after its successor is noticed',
  async () => {
    const url = await createDatabase(inject('postgres').url);
    await query(url, 'create table orders (id int); create table journal_entries (id int)');
    await watchWriters(url);
    const writeAs = (name: string) =>
      query(url, `set application_name = '${name}'; insert into orders values (1)`);
    for (const name of ['first', 'first', 'second']) await writeAs(name);
    await oneWriter(url);
    await writeAs('first');
    await expect(oneWriter(url)).rejects.toThrow();
  },
);

async function runsOf({ from, count }: Piece, program: string): Promise<Outcome> {
  const random = new SeededRandom(seed + FIRST + from);
  const draw = () => random.between(0, 999_999) / 1_000_000;
  const clock = new ServerClock(MORNING);
  const links = await Links.open();
  const args = [...ROLES, ...SPARES, '--links', links.url];
  const cluster = await ClusterProcess.start(program, args, MARKET, DISK_MB);
  const world = { cluster, links, clock, random };
  const watchers = Array.from({ length: WATCHERS }, () => new Watcher(cluster.url, draw));
  const happened: Record<string, number> = {};
  const recovered: number[] = [];
  let run = '';
  try {
    for (const database of DATABASES) await watchWriters(cluster.databaseUrl(database));
    const recorder = new Recorder();
    const traders = await openTraders(TRADERS, cluster.url, draw, () => clock.now(), recorder);
    for (let index = from; index < from + count; index++) {
      for (const trader of traders) trader.start();
      const kinds = [KINDS[(FIRST + index) % KINDS.length] ?? 'kill'];
      if (random.between(0, 3) === 0) kinds.push(random.pick(KINDS));
      const faults = await Promise.all(kinds.map((kind) => faultOf(kind, world)));
      run = `run ${index}: ${faults.map(({ name }) => name).join(' and ')}`;
      await after(random.between(200, 800));
      for (const fault of faults) await fault.begin();
      await after(random.between(500, LONGEST_MS));
      for (const fault of faults) await fault.end();
      const ended = performance.now();
      await goesOn(watchers, traders);
      recovered.push(Math.round(performance.now() - ended));
      await expect.poll(() => cluster.isWhole(), BOUND).toBe(true);
      for (const trader of traders) await trader.pause();
      await ordersAreKeys(traders);
      let writers = 0;
      for (const database of DATABASES) {
        expect(cluster.audit(database)).toMatchObject({ status: 0 });
        writers += await oneWriter(cluster.databaseUrl(database));
      }
      // Where all traders are of one engine, the other one writes nothing.
      expect(writers).toBeGreaterThan(0);
      for (const { name } of faults) happened[name] = (happened[name] ?? 0) + 1;
      if (process.env['SOAK']) writeSync(2, `${run}: ${recovered.at(-1)} ms\n`);
    }
    for (const trader of traders) await trader.stop();
    // What has ended since the last list was pushed to nobody, where a socket had just ended.
    await ordersAreKeys(traders);
    const answers = await Promise.all(traders.map((trader) => trader.otherAnswers()));
    expect(answers).toEqual(traders.map(() => []));
    run = `runs ${from} to ${from + count - 1}`;
    expect(problemsOf(recorder)).toEqual([]);
    happened['recorded events'] = recorder.events;
    happened['orders'] = traders.reduce((sum, { placed }) => sum + placed.size, 0);
    happened['repeated calls'] = traders.reduce((sum, { repeated }) => sum + repeated, 0);
    return { tally: happened, recovered };
  } catch (error) {
    const logs = cluster.processes.map(
      ({ name }) => `${name}:\n${cluster.logOf(name).slice(-1_500)}`,
    );
    console.log(logs.join('\n'));
    (error as Error).message = `${run}: ${(error as Error).message}`;
    throw error;
  } finally {
    for (const watcher of watchers) watcher.stop();
    links.heal();
    await cluster.stop();
    links.stop();
    clock.remove();
  }
}

async function faultOf(kind: string, world: World): Promise<Fault> {
  const { cluster, clock, random } = world;
  if (kind.includes('>')) return linkFault(kind, world);
  switch (kind) {
    case 'full disk':
      return fullDisk(cluster);
    case 'clock ahead': {
      const ahead = random.between(60_000, HOUR_MS);
      // It stays there: nothing ever happens twice.
      return { name: kind, begin: () => clock.set(clock.now() + ahead), end: () => {} };
    }
    case 'clock back': {
      const back = random.between(60_000, 5 * HOUR_MS);
      return {
        name: kind,
        begin: () => clock.set(clock.now() - back),
        end: () => clock.set(clock.now() + back),
      };
    }
    default: {
      const victim = await victimOf(cluster, random.pick(ROLES_HURT), random);
      const [begin, end] =
        kind === 'kill' ? (['SIGKILL'] as const) : (['SIGSTOP', 'SIGCONT'] as const);
      return {
        name: `${kind} ${victim.role}`,
        begin: () => cluster.signal(victim, begin),
        end: () => end && cluster.signal(victim, end),
      };
    }
  }
}

/** One of the links of a kind, or all of them. */
function linkFault(kind: string, { links, random }: World): Fault {
  const [from = '', to = ''] = kind.split('>');
  const found = [...links.all].filter(
    ([name]) => name.startsWith(from) && name.split('>')[1]?.startsWith(to),
  );
  const hurt = random.between(0, 2) === 0 ? found : [random.pick(found)];
  const each = (act: (link: Link) => void) => () => {
    for (const [, link] of hurt) act(link);
  };
  const end = each((link) => link.heal());
  const what = random.between(0, 9);
  if (what === 0) return { name: `${kind} broken`, begin: each((link) => link.break()), end };
  if (what === 1) {
    const delay = random.between(100, 900);
    return { name: `${kind} slow`, begin: each((link) => link.slow(delay)), end };
  }
  const way = random.pick(Object.keys(WAYS));
  const how: Cut = random.pick(['hold', 'lose']);
  const begin = each((link) => link.cut(WAYS[way] ?? [], how));
  return { name: `${kind} cut ${way}${how === 'lose' ? ', lost' : ''}`, begin, end };
}

/** Where PostgreSQL has no disk of its own, nothing happens. */
function fullDisk(cluster: ClusterProcess): Fault {
  const { disk } = cluster;
  if (disk === undefined) return { name: 'no disk to fill', begin() {}, end() {} };
  const filler = join(disk, 'filler');
  return {
    name: 'full disk',
    async begin() {
      const { bavail, bsize } = statfsSync(disk);
      execFileSync('fallocate', ['-l', `${bavail * bsize}`, filler]);
      // The log needs a new file soon, and stops PostgreSQL, where it would fill the present one first.
      for (let files = 0; files < 8; files++) {
        await query(cluster.databaseUrl('postgres'), 'select pg_switch_wal()').catch(() => {});
      }
    },
    end: () => rmSync(filler, { force: true }),
  };
}

/** Each phone has a price, and each trader an order, that it did not have. */
async function goesOn(watchers: readonly Watcher[], traders: readonly Trader[]): Promise<void> {
  const since = performance.now();
  const before = traders.map(({ placed }) => placed.size);
  const isLive = () => [
    watchers.filter(({ lastPrice }) => lastPrice <= since).length,
    traders.filter(({ placed }, at) => placed.size <= (before[at] ?? 0)).length,
  ];
  await expect.poll(isLive, { ...BOUND, message: 'phones, traders that wait' }).toEqual([0, 0]);
}

/** Records which process has written orders and entries, in the order of PostgreSQL's transactions. */
async function watchWriters(url: string): Promise<void> {
  await query(
    url,
    `create schema watched;
     create table watched.writers (application text, xid bigint);
     create function watched.note() returns trigger language plpgsql as $$ begin
       insert into watched.writers values (current_setting('application_name'), pg_current_xact_id()::text::bigint);
       return null;
     end $$;
     create trigger note after insert or update on orders for each statement execute function watched.note();
     create trigger note after insert on journal_entries for each statement execute function watched.note();`,
  );
}

/** Once another process has written, the one before has written for the last time. Returns how many have. */
async function oneWriter(url: string): Promise<number> {
  const { rows } = await query(
    url,
    `select application from (
       select application, lag(application) over (order by xid) as before, xid from watched.writers
     ) as each where before is distinct from application order by xid`,
  );
  const names = rows.map(({ application }) => application);
  expect(new Set(names).size).toBe(names.length);
  return names.length;
}

async function query(url: string, text: string) {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    query_timeout: 10_000,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    return await client.query<{ application: string }>(text);
  } finally {
    client.end().catch(() => {});
  }
}
