import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLUSTER, missing } from '../../helpers/installed';
import { inTurn, RARE } from '../../helpers/samples';
import { unless } from '../../helpers/unless';
import { hasEnded } from '../support/hasEnded';
import { bundleServer } from '../support/serverProcess';
import { freePort } from '../trading/restartedServer';

const SCRIPT = 'scripts/cluster.mjs';
unless(describe, missing(...CLUSTER))('npm run cluster', { timeout: 240_000 }, () => {
  let dist: string;
  let data: string;
  let cluster: ChildProcess;
  let address: string;
  let output = '';
  let args: string[];
  const options = { env: { ...process.env, DATABASE_URL: '' } };
  beforeAll(async () => {
    dist = await bundleServer();
    data = mkdtempSync(join(tmpdir(), 'fulcrum-cluster-'));
    // PostgreSQL runs as its own user, where the tests run as root.
    chmodSync(data, 0o711);
    const port = await freePort();
    address = `http://127.0.0.1:${port}`;
    const server = join(dist, 'server/main.js');
    args = [
      SCRIPT,
      '--feeds',
      '2',
      '--port',
      `${port}`,
      '--data',
      join(data, 'all'),
      '--server',
      server,
    ];
    cluster = spawn(process.execPath, args, options);
    cluster.stdout?.on('data', (chunk) => {
      output += chunk;
    });
  });
  afterAll(async () => {
    if (!hasEnded(cluster)) {
      const exited = once(cluster, 'exit');
      cluster.kill('SIGTERM');
      await exited;
    }
    for (const directory of [dist, data]) rmSync(directory, { recursive: true, force: true });
  });

  /** The processes that were started, as `role number pid`. */
  const started = () =>
    [...output.matchAll(/^(\w+) (\d+) (\d+)$/gm)].map(([, role, index, pid]) => ({
      name: `${role} ${index}`,
      pid: Number(pid),
    }));
  const statusOf = async (path: string) =>
    (await fetch(address + path).catch(() => undefined))?.status;
  const isThere = (pid: number) => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };

  inTurn(it, RARE)(
    'serves on one address, starts again what dies, and ends all on a signal',
    async () => {
      await expect.poll(() => output, { timeout: 120_000 }).toContain(`Fulcrum: http://localhost`);
      expect(started().map(({ name }) => name)).toEqual([
        'nats 1',
        'postgres 1',
        'feed 1',
        'feed 2',
        'engine 1',
        'engine 2',
        'gateway 1',
        'gateway 2',
        'haproxy 1',
      ]);
      expect(await statusOf('/v1/api/forex/trade_list')).toBe(200);
      expect(await statusOf('/api/user/createAccountDemoForU')).toBe(200);
      const pidOf = (name: string) => started().findLast((each) => each.name === name)?.pid ?? 0;
      const settings = () =>
        ['nats.conf', 'haproxy.cfg', 'postgres/postgresql.auto.conf'].map((file) =>
          readFileSync(join(data, 'all', file), 'utf8'),
        );
      const before = settings();
      // Without a refusal it would wait for ever.
      const second = spawnSync(process.execPath, args, { ...options, timeout: 30_000 });
      expect(String(second.stderr)).toContain(
        `is in use by a cluster, whose PostgreSQL is process ${pidOf('postgres 1')}`,
      );
      expect(second.status).toBe(2);
      expect(settings()).toEqual(before);
      const killed = ['engine 1', 'gateway 2'];
      for (const name of killed) process.kill(pidOf(name), 'SIGKILL');
      await expect.poll(() => started().length, { timeout: 60_000 }).toBe(11);
      await expect
        .poll(() => statusOf('/api/user/createAccountDemoForU'), { timeout: 60_000 })
        .toBe(200);
      const exited = once(cluster, 'exit');
      cluster.kill('SIGTERM');
      expect(await exited).toEqual([0, null]);
      expect(started().filter(({ pid }) => isThere(pid))).toEqual([]);
    },
  );
});

describe('the options of npm run cluster', () => {
  it.each([
    [['--feeds', '9'], '--feeds: a whole number from 0 to 8'],
    [['--gateways', '0'], '--gateways: a whole number from 1 to 32'],
    [['--port', 'x'], '--port: a whole number'],
  ])('%j is refused', (args, reason) => {
    const { status, stderr } = spawnSync(process.execPath, [SCRIPT, ...args]);
    expect(String(stderr)).toContain(reason);
    expect(status).toBe(2);
  });
});
