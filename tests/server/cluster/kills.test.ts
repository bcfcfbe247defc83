import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { add, toFixed, ZERO } from '#domain/core/decimal';
import { toUnixMs } from '#domain/core/time';
import { CENTS, toUsd, type Usd } from '#domain/core/units';
import { midnightsBetween } from '#domain/trading/swap';
import { CLUSTER, missing, onlyInSoak } from '../../helpers/installed';
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
import {
  allLive,
  openTraders,
  ordersAreKeys,
  MARKET as PLAIN_MARKET,
  p95,
  replaced,
  victimOf,
  WAIT,
} from '../support/clusterChecks';
import { ClusterProcess, portOf } from '../support/clusterProcess';
import { type Trader, Watcher } from '../support/phones';
import { ServerClock } from '../support/serverClock';
import { bundleServer, ServerProcess } from '../support/serverProcess';
import { askingSystemctl } from '../support/systemctl';

/**
 * What is done to which processes, in turns: killed, or paused for some seconds as by a network that is cut. Of feeds and
 * engines one that serves, unless it says standby.
 */
const KINDS: readonly (readonly [how: 'kill' | 'pause', ...roles: string[]])[] = [
  ['kill', 'feed'],
  ['kill', 'engine'],
  ['pause', 'gateway'],
  ['kill', 'gateway'],
  ['kill', 'standby feed'],
  ['kill', 'standby engine'],
  ['kill', 'nats'],
  ['kill', 'postgres'],
  ['kill', 'haproxy'],
  ['pause', 'feed'],
  ['pause', 'engine'],
  ['kill', 'haproxy'],
  ['pause', 'nats'],
  ['pause', 'postgres'],
  ['kill', 'engine', 'gateway'],
  ['kill', 'feed', 'engine'],
  ['kill', 'nats', 'feed'],
  ['kill', 'postgres', 'engine'],
];

/** In a soak each kind of process is killed at least 50 times, alone, as a standby, or with another one. */
const KILLS = samples(2, 25 * KINDS.length);
/** The first one in `KINDS`: the samples of 18 turns have all of them, each once at midnight. */
const FIRST = samples(commit, 0);
/** Of one cluster. */
const OF_CLUSTER = 6;
const kindOf = (index: number) => KINDS[(FIRST + index) % KINDS.length] as (typeof KINDS)[number];
/** Each engine that serves has another one that stands by, where one of them is killed. */
const DRAWN = Array.from({ length: KILLS }, (_, index) => kindOf(index)).flat();
const ROLES = [
  ...['--feeds', '2', '--engines', '2', '--gateways', '2'],
  ...['--spares', DRAWN.includes('standby engine') ? '1' : '0'],
];
const WATCHERS = 24;
const TRADERS = 4;
const MARKET = { ...PLAIN_MARKET, FULCRUM_SWAP: 'true' };
/** A cluster starts on a Monday evening, and sees this midnight. */
const MIDNIGHT = Date.UTC(2027, 0, 5);
const EVENING = MIDNIGHT - 30 * 60_000;
/** A process is killed or paused at most so long, ms, before or after it. */
const AROUND_MS = 400;
const BARS = '/v1/api/forex/kline?period=1min&limit=500&forex_id=';

/** Nobody stands in for them: phones are not live before the pause ends, and what counts is how long after it. */
const ALONE = ['nats', 'postgres'];

interface Outcome {
  tally: Record<string, number>;
  /** How long each phone was without prices, ms, by what was done. */
  breaks: Record<string, number[]>;
}

unless(describe, missing(...CLUSTER))(
  'a cluster under load',
  { timeout: samples(180_000, 3_600_000) },
  () => {
    let dist: string;
    beforeAll(async () => {
      dist = await bundleServer();
    }, 600_000);
    afterAll(() => rmSync(dist, { recursive: true, force: true }));

    inTurn(it, RARE)('loses no order and forges no price, whatever is killed or paused', () =>
      largeCountInPieces<Outcome>(
        'kills of a cluster',
        KILLS,
        OF_CLUSTER,
        (piece) => killsOf(piece, join(dist, 'server/main.js')),
        (outcomes) => {
          const happened = tally(addUp(outcomes.map((each) => each.tally)));
          const breaks = outcomes.flatMap((each) => Object.entries(each.breaks));
          const within = (begin: string) =>
            p95(breaks.flatMap(([kind, ms]) => (kind.startsWith(begin) ? ms : [])));
          const kinds = [...new Set(breaks.map(([kind]) => kind))].map(
            (kind) => `${kind} ${p95(breaks.flatMap(([each, ms]) => (each === kind ? ms : [])))}`,
          );
          const all = `kills ${within('kill')}, pauses ${within('pause')}`;
          return `${happened}; ms until phones are live again (p95): ${all}; ${kinds.join(', ')}`;
        },
      ),
    );

    async function killsOf({ from, count }: Piece, program: string): Promise<Outcome> {
      const random = new SeededRandom(seed + from);
      const draw = () => random.between(0, 999_999) / 1_000_000;
      const clock = new ServerClock(EVENING);
      // One of those that are killed or paused; another one in each cluster.
      const atMidnight = from + ((1 + Math.floor(from / KINDS.length)) % count);
      const cluster = await ClusterProcess.start(program, ROLES, MARKET);
      const watchers = Array.from({ length: WATCHERS }, () => new Watcher(cluster.url, draw));
      const happened: Record<string, number> = {};
      const breaks: Record<string, number[]> = {};
      try {
        const recorder = new Recorder();
        const traders = await openTraders(TRADERS, cluster.url, draw, () => clock.now(), recorder);
        for (const trader of traders) trader.start();
        await allLive(watchers, performance.now());
        for (let index = from; index < from + count; index++) {
          const [how, ...roles] = kindOf(index);
          const victims = await Promise.all(roles.map((role) => victimOf(cluster, role, random)));
          if (index === atMidnight) {
            clock.set(MIDNIGHT - random.between(0, AROUND_MS));
            happened[`${how} ${roles.join(' and ')} at midnight`] = 1;
          }
          // Somewhere in the middle of the calls.
          await after(random.between(0, AROUND_MS));
          const since = performance.now();
          for (const victim of victims)
            cluster.signal(victim, how === 'kill' ? 'SIGKILL' : 'SIGSTOP');
          for (const name of roles.map((role) => `${how} ${role}`)) {
            happened[name] = (happened[name] ?? 0) + 1;
          }
          if (roles.length > 1) happened['two at once'] = (happened['two at once'] ?? 0) + 1;
          let resumed = 0;
          if (how === 'pause') {
            await after(random.between(2_000, 8_000));
            for (const victim of victims) cluster.signal(victim, 'SIGCONT');
            if (roles.some((role) => ALONE.includes(role))) resumed = performance.now();
          } else await expect.poll(() => replaced(cluster, victims), WAIT).toBe(true);
          await cluster.whole();
          await allLive(watchers, performance.now());
          // And orders go on.
          const before = traders.map(({ placed }) => placed.size);
          await expect
            .poll(() => traders.every(({ placed }, at) => placed.size > (before[at] ?? 0)), WAIT)
            .toBe(true);
          breaks[`${how} ${roles.join(' and ')}`] = watchers.flatMap((watcher) => {
            const found = watcher.breaks.filter(({ ended }) => ended > since);
            const [began, ended] = [found[0]?.began, found.at(-1)?.ended];
            if (began === undefined || ended === undefined) return [];
            return ended > resumed ? ended - Math.max(began, resumed) : ended - began;
          });
        }
        for (const trader of traders) await trader.stop();
        await ordersAreKeys(traders);
        await someExpired(traders);
        happened['nights'] = await nightsAreCharged(traders, clock);
        expect(await Promise.all(traders.map((trader) => trader.otherAnswers()))).toEqual(
          traders.map(() => []),
        );
        expect(problemsOf(recorder)).toEqual([]);
        happened['recorded events'] = recorder.events;
        for (const database of ['postgres', 'engine2'])
          expect(cluster.audit(database)).toMatchObject({ status: 0 });
        await barsAreUndisturbed(cluster.url);
        happened['orders'] = traders.reduce((sum, { placed }) => sum + placed.size, 0);
        happened['amended'] = traders.reduce((sum, { amended }) => sum + amended.size, 0);
        happened['repeated calls'] = traders.reduce((sum, { repeated }) => sum + repeated, 0);
        return { tally: happened, breaks };
      } finally {
        for (const watcher of watchers) watcher.stop();
        await cluster.stop();
        clock.remove();
      }
    }

    // It starts a cluster of its own, which is too much for `npm test`.
    const pairs = ['--feeds', '2', '--engines', '1', '--spares', '1'];
    const upgrades = [
      { named: 'an engine that has the market', roles: [], back: [] },
      { named: 'feeds', roles: pairs, back: [] },
      { named: 'feeds, and back', roles: pairs, back: ['--back'] },
    ];
    for (const { named, roles, back } of upgrades)
      unless(it, onlyInSoak)(
        `loses no order while deploy/upgrade.mjs starts one process after the other again: ${named}`,
        async () => {
          const random = new SeededRandom(seed);
          const draw = () => random.between(0, 999_999) / 1_000_000;
          const cluster = await ClusterProcess.start(join(dist, 'server/main.js'), roles, MARKET);
          try {
            const traders = await openTraders(TRADERS, cluster.url, draw);
            for (const trader of traders) trader.start();
            const ports = (role: string) =>
              cluster.processes.filter((each) => each.role === role).map(({ pid }) => portOf(pid));
            const [gateways, engines, feeds] = [ports('gateway'), ports('engine'), ports('feed')];
            const before = cluster.processes;
            // In the place of systemctl: ends the process of the unit's port, and waits until it is another one.
            const server = createServer(async ({ url = '' }, response) => {
              const port = Number(url.split('@')[1]);
              const unit = cluster.processes.find(({ pid }) => portOf(pid) === port);
              if (url.startsWith('/show')) return void response.end(String(unit?.pid ?? 0));
              if (unit) cluster.signal(unit, 'SIGTERM');
              while (unit && !replaced(cluster, [unit])) await after(100);
              response.end();
            });
            server.listen(0, '127.0.0.1');
            await once(server, 'listening');
            const { port } = server.address() as AddressInfo;
            const { folder, env } = askingSystemctl(port);
            const parts = ['--engines', engines.join(), '--feeds', feeds.join(), ...back];
            const upgrade = spawn(
              process.execPath,
              ['deploy/upgrade.mjs', '--gateways', gateways.join(), ...parts],
              { env },
            );
            let said = '';
            for (const stream of [upgrade.stdout, upgrade.stderr])
              stream.on('data', (text) => (said += text));
            expect([(await once(upgrade, 'exit'))[0], said]).toEqual([
              0,
              expect.stringContaining('upgraded'),
            ]);
            server.close();
            rmSync(folder, { recursive: true });
            const pids = new Set(before.map(({ pid }) => pid));
            const servers = cluster.processes.filter(({ role }) =>
              /engine|feed|gateway/.test(role),
            );
            expect(servers.filter(({ pid }) => pids.has(pid))).toEqual([]);
            await cluster.whole();
            for (const trader of traders) await trader.stop();
            await ordersAreKeys(traders);
            await someExpired(traders);
            expect(cluster.audit()).toMatchObject({ status: 0 });
          } finally {
            await cluster.stop();
          }
        },
      );

    /** Of the amended orders of each. */
    async function someExpired(traders: readonly Trader[]): Promise<void> {
      for (const trader of traders) {
        const { rows } = await trader.orders();
        const amended = rows.filter(({ Id }) => trader.amended.has(Id));
        expect(amended.some(({ CloseReason }) => CloseReason === 'expired')).toBe(true);
      }
    }

    /** Each position has paid each night that it was held over once, and records and lists agree. Returns the number of nights. */
    async function nightsAreCharged(
      traders: readonly Trader[],
      clock: ServerClock,
    ): Promise<number> {
      let nights = 0;
      for (const trader of traders) {
        const { rows, swaps } = await trader.orders();
        const records = await trader.nights();
        const held = rows.filter(({ Price }) => Number(Price) > 0);
        const expected = held.flatMap(({ Id, CreateTimeHandler, CompleteTimeHandler }) => {
          const since = toUnixMs(Date.parse(CreateTimeHandler));
          const until = toUnixMs(Date.parse(CompleteTimeHandler) || clock.now());
          return midnightsBetween(since, until).map(() => Id);
        });
        expect(records.map(({ order }) => order).sort((a, b) => a - b)).toEqual(
          expected.sort((a, b) => a - b),
        );
        for (const { Id, Swap = '' } of rows) {
          const own = records.filter(({ order }) => order === Id);
          expect(sum([Swap]), `order ${Id}`).toBe(sum(own.map(({ value }) => value)));
        }
        expect(sum(swaps)).toBe(sum(records.map(({ value }) => value)));
        expect(expected).not.toEqual([]);
        nights += records.length;
      }
      return nights;
    }

    /** The closed bars are those of a server that nothing has happened to. */
    async function barsAreUndisturbed(url: string): Promise<void> {
      const data = mkdtempSync(join(tmpdir(), 'fulcrum-undisturbed-'));
      const undisturbed = new ServerProcess(
        dist,
        data,
        ...['--seed', '7', '--instruments', '12', '--ticks-per-second', '60', '--no-traders'],
      );
      try {
        const own = await undisturbed.url();
        for (let id = 1; id <= 12; id++) {
          const [found, expected] = await Promise.all([closedBars(url, id), closedBars(own, id)]);
          expect(expected.size).toBeGreaterThan(100);
          // A minute may have ended between the two answers.
          for (const [time, bar] of found) expect(expected.get(time) ?? bar).toEqual(bar);
        }
      } finally {
        await undisturbed.kill();
        rmSync(data, { recursive: true, force: true });
      }
    }
  },
);

function sum(values: readonly string[]): string {
  const total = values.reduce<Usd>((total, value) => add(total, toUsd(value)), ZERO);
  return toFixed(total, CENTS);
}

/** By time; the newest one is open still. */
async function closedBars(url: string, id: number): Promise<Map<number, unknown>> {
  const { data } = (await (await fetch(`${url}${BARS}${id}`)).json()) as {
    data: { Time: number }[];
  };
  return new Map(data.slice(0, -1).map((bar) => [bar.Time, bar]));
}
