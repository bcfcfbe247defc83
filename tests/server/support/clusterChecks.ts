import { expect } from 'vitest';
import { eventually } from '../../helpers/eventually';
import type { Recorder } from '../../histories/history';
import type { SeededRandom } from '../../workers/simulation/seededRandom';
import { type ClusterProcess, type Started, serves } from './clusterProcess';
import { Trader, type Watcher } from './phones';

/** A small market that ticks often. */
export const MARKET = {
  FULCRUM_SEED: '7',
  FULCRUM_INSTRUMENTS: '12',
  FULCRUM_TICKS_PER_SECOND: '60',
  FULCRUM_NO_TRADERS: 'true',
};

/** Of how many. */
export function p95(values: readonly number[]): string {
  const sorted = [...values].sort((a, b) => a - b);
  return `${Math.round(sorted[Math.ceil(sorted.length * 0.95) - 1] ?? 0)} of ${sorted.length}`;
}

export const WAIT = { timeout: 240_000, interval: 100 };

/** A process with this role, once there is one. */
export function victimOf(
  cluster: ClusterProcess,
  role: string,
  random: SeededRandom,
): Promise<Started> {
  return eventually(async () => {
    const all = cluster.processes.filter((each) => role.endsWith(each.role));
    const serving = await Promise.all(all.map(({ pid }) => serves(pid)));
    const found = /feed|engine/.test(role)
      ? all.filter((_, at) => serving[at] !== role.startsWith('standby'))
      : all;
    const victim = found[random.between(0, found.length - 1)];
    if (!victim) throw new Error(`no ${role} among ${JSON.stringify(cluster.processes)}`);
    return victim;
  });
}

export function replaced({ processes }: ClusterProcess, victims: readonly Started[]): boolean {
  return victims.every((victim) =>
    processes.some(({ name, pid }) => name === victim.name && pid !== victim.pid),
  );
}

/** Waits until each has had a price since then. */
export async function allLive(watchers: readonly Watcher[], since: number): Promise<void> {
  await expect.poll(() => watchers.every(({ lastPrice }) => lastPrice > since), WAIT).toBe(true);
}

/** A gateway shows closed markets until it has heard the engine. */
export function openTraders(
  count: number,
  url: string,
  draw: () => number,
  now?: () => number,
  recorder?: Recorder,
): Promise<Trader[]> {
  return Promise.all(
    Array.from({ length: count }, () => eventually(() => Trader.open(url, draw, now, recorder))),
  );
}

/** Each key that was answered has made one order, and nothing else has made any. */
export async function ordersAreKeys(traders: readonly Trader[]): Promise<void> {
  for (const trader of traders) {
    expect(trader.placed.size).toBeGreaterThan(0);
    const answered = [...trader.placed.values()].sort((a, b) => a - b);
    const { rows: listed } = await trader.orders();
    expect(listed.map(({ Id }) => Id).sort((a, b) => a - b)).toEqual(answered);
    const amended = listed.filter(({ Id }) => trader.amended.has(Id));
    expect(amended.length).toBe(trader.amended.size);
    for (const { Id, OriginPrice, CloseReason } of amended) {
      expect(Number(OriginPrice), `order ${Id}`).toBe(trader.amended.get(Id));
      expect(['', 'expired']).toContain(CloseReason);
    }
  }
}
