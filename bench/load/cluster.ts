import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { ClusterProcess } from '../../tests/server/support/clusterProcess';
import type { Quantiles } from './histogram';
import { loadOrders, type OrderLoad, type OrderResult } from './orders';
import { type PhoneLoad, Phones, type Reconnects } from './phones';
import { cpuOf } from './server';

export interface ClusterLoad extends PhoneLoad {
  /** The built program, dist/server/main.js. */
  program: string;
  gateways: number;
  instruments: number;
  ticksPerSecond: number;
  /** Seconds of counting, after some of warming up. */
  seconds: number;
}

export interface ClusterResult {
  gateways: number;
  messagesPerSecond: number;
  bytesPerMessage: number;
  age: Quantiles;
  /** CPU of all processes of a role, as a share of one core. PostgreSQL's own children are counted with it. */
  cores: Record<string, number>;
  /** CPU of all gateways, µs a message. */
  cpuPerMessage: number;
  /** After a gateway was killed. */
  reconnects: Reconnects;
}

const WARM_UP_MS = 5_000;
const BACK_MS = 60_000;

/** Settings of the processes of a cluster, as variables: a simulated market without other traders. */
function settings(instruments: number, ticksPerSecond: number): Record<string, string> {
  return {
    FULCRUM_SEED: '1',
    FULCRUM_INSTRUMENTS: `${instruments}`,
    FULCRUM_TICKS_PER_SECOND: `${ticksPerSecond}`,
    FULCRUM_NO_TRADERS: 'true',
  };
}

/** A whole cluster on this machine with its phones, as many for each gateway, first in peace, then with a gateway killed. */
export async function loadCluster(load: ClusterLoad): Promise<ClusterResult> {
  const { program, gateways, instruments, ticksPerSecond, seconds } = load;
  const cluster = await ClusterProcess.start(
    program,
    ['--engines', '1', '--gateways', `${gateways}`],
    settings(instruments, ticksPerSecond),
  );
  try {
    await cluster.whole();
    const phones = await Phones.open(new URL(cluster.url), {
      ...load,
      sockets: load.sockets * gateways,
    });
    await wait(WARM_UP_MS);
    const before = cpuByRole(cluster);
    const begun = performance.now();
    const { messages, bytes, age } = await phones.count(seconds * 1_000);
    const elapsed = performance.now() - begun;
    const after = cpuByRole(cluster);
    const used = (role: string) => (after.get(role) ?? 0) - (before.get(role) ?? 0);
    const gateway = cluster.processes.find(({ role }) => role === 'gateway');
    const reconnects = await phones.disturb(() => {
      if (gateway) cluster.signal(gateway, 'SIGKILL');
    }, BACK_MS);
    phones.close();
    return {
      gateways,
      messagesPerSecond: (messages / elapsed) * 1_000,
      bytesPerMessage: bytes / messages,
      age,
      cores: Object.fromEntries([...after.keys()].map((role) => [role, used(role) / elapsed])),
      cpuPerMessage: (used('gateway') * 1_000) / messages,
      reconnects,
    };
  } finally {
    await cluster.stop();
  }
}

export interface ClusterOrderLoad extends OrderLoad {
  /** The built program, dist/server/main.js. */
  program: string;
  engines: number;
}

export interface ClusterOrderResult extends OrderResult {
  engines: number;
  /** CPU of each role for a call, ms. `cpuPerOrder` is that of the engines. */
  cpuByRole: Record<string, number>;
}

/**
 * As many users at each engine, who trade through one gateway at a pace that this machine keeps with
 * all engines. As fast as they can, four engines on two cores would have a quarter of the orders each,
 * and what an engine takes by itself would count four times.
 */
export async function loadClusterOrders(load: ClusterOrderLoad): Promise<ClusterOrderResult> {
  const { program, engines, users, ...how } = load;
  const cluster = await ClusterProcess.start(
    program,
    ['--feeds', '1', '--engines', `${engines}`, '--gateways', '1'],
    settings(40, 20),
  );
  try {
    await cluster.whole();
    // Asked at the beginning and at the end of what is counted.
    const asked: Map<string, number>[] = [];
    const usage = () => {
      const used = cpuByRole(cluster);
      asked.push(used);
      return { cpuMs: used.get('engine') ?? 0, memoryMb: 0 };
    };
    const result = await loadOrders(
      { port: cluster.port, usage },
      { users: users * engines, ...how },
    );
    const [before, after] = asked;
    const ofRole = (role: string) => (after?.get(role) ?? 0) - (before?.get(role) ?? 0);
    const byRole = [...(after?.keys() ?? [])].map((role) => [role, ofRole(role) / result.calls]);
    for (const database of databasesOf(engines)) {
      const { status, said } = cluster.audit(database);
      if (status !== 0) throw new Error(`the audit failed:\n${said}`);
    }
    return { ...result, engines, cpuByRole: Object.fromEntries(byRole) };
  } finally {
    await cluster.stop();
  }
}

function databasesOf(engines: number): string[] {
  const others = Array.from({ length: engines - 1 }, (_, index) => `engine${index + 2}`);
  return ['postgres', ...others];
}

function cpuByRole({ processes }: ClusterProcess): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { role, pid } of processes) {
    const own = [pid, ...childrenOf(pid)].reduce((sum, each) => sum + cpuOf(each), 0);
    sums.set(role, (sums.get(role) ?? 0) + own);
  }
  return sums;
}

function childrenOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return children === '' ? [] : children.split(' ').map(Number);
}

/** What so many phones would take if each took what these have: arithmetic, not a measurement. */
export function arithmetic(
  { gateways, messagesPerSecond, bytesPerMessage, cores }: ClusterResult,
  socketsOfGateway: number,
  phones = 1_000_000,
): string {
  const sockets = socketsOfGateway * gateways;
  const times = phones / sockets;
  const ofGateways = (cores['gateway'] ?? 0) * times;
  const megabits = (messagesPerSecond * bytesPerMessage * 8 * times) / 1e6;
  return (
    `arithmetic, not measured: ${phones.toLocaleString('en')} phones like these ${sockets} behind ${gateways} gateways would be sent ` +
    `${Math.round(messagesPerSecond * times).toLocaleString('en')} messages and ${Math.round(megabits).toLocaleString('en')} Mbit a second by ` +
    `${Math.ceil(ofGateways)} cores: ${Math.ceil(ofGateways / BUSY)} gateways that are busy for ${BUSY * 100} % of a core each, ` +
    `and ${Math.ceil(times * sockets * FILES_A_SOCKET).toLocaleString('en')} files of HAProxy`
  );
}

/** Above it, a core has nothing left for a reconnect of everybody. */
const BUSY = 0.5;
const FILES_A_SOCKET = 2;
