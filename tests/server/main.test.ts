import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  inject,
  it,
  vi,
} from 'vitest';
import { WebSocket } from 'ws';
import { missing, notOnWindows, onlyOnLinux } from '../helpers/installed';
import { drawn, inTurn } from '../helpers/samples';
import { unless } from '../helpers/unless';
import { createDatabase } from './support/postgres';
import { bundleServer, ServerProcess } from './support/serverProcess';

/** Directory of the bundled server. */
let dist: string;
/** A data directory with a database; creating one takes seconds. */
let used: string;
let data: string;
const running = new Set<ServerProcess>();

beforeAll(async () => {
  dist = await bundleServer();
  cpSync('index.html', join(dist, 'client/index.html'));
  used = mkdtempSync(join(tmpdir(), 'fulcrum-used-'));
  cpSync(inject('emptyDirectory'), used, { recursive: true });
  const first = run('audit', '--data', used);
  expect(await first.exit).toBe(0);
  expect(first.output).toBe('The books are right.\n');
});
afterAll(() => {
  for (const directory of [dist, used]) rmSync(directory, { recursive: true, force: true });
});
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'fulcrum-data-'));
  cpSync(used, data, { recursive: true });
});
afterEach(async () => {
  for (const process of running) await process.kill();
  rmSync(data, { recursive: true, force: true });
});

function run(...args: string[]): ServerProcess {
  const process = new ServerProcess(dist, data, ...args);
  running.add(process);
  void process.exit.then(() => running.delete(process));
  return process;
}

describe('the process', () => {
  it('warns of a variable that nobody reads', async () => {
    vi.stubEnv('FULCRUM_SECRE', 'x');
    const server = run('--replay', '/nonexistent.csv');
    vi.unstubAllEnvs();
    expect(await server.exit).toBe(1);
    expect(server.output).toContain('FULCRUM_SECRE is no setting of the server.');
  });

  it.each([
    ['start', true],
    ['test', false],
  ])('of npm run %s names the way for phones: %s', async (script, isNamed) => {
    vi.stubEnv('npm_lifecycle_event', script);
    const server = run();
    vi.unstubAllEnvs();
    await server.url();
    server.child.kill('SIGTERM');
    await server.exit;
    expect(server.output.includes('npm start -- --host')).toBe(isNamed);
  });

  inTurn(it)('serves page, calls and websocket on one port, and stops on a signal', async () => {
    const server = run('--trade-fee-type', '2');
    const url = await server.url();
    expect(await (await fetch(url)).text()).toContain('<title>Fulcrum</title>');
    const { data: list } = await (await fetch(`${url}/v1/api/forex/trade_list`)).json();
    expect(list).toHaveLength(40);
    // The list has the rates of the fees that are charged.
    const rates = list.map(({ ForexFeeRate }: { ForexFeeRate: string }) => ForexFeeRate);
    expect(new Set(rates)).toEqual(new Set(['0.005']));
    const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/ws`, { origin: url });
    await once(socket, 'open');
    const closed = once(socket, 'close');
    server.child.kill('SIGTERM');
    expect((await closed)[0]).toBe(1001);
    expect(await server.exit).toBe(0);
    expect(existsSync(join(data, 'lock'))).toBe(false);
  });

  inTurn(it)(
    'refuses a data directory in use, and takes over one whose process was killed',
    async () => {
      const first = run();
      await first.url();
      const second = run();
      expect(await second.exit).toBe(1);
      expect(second.output).toContain(`in use by process ${first.child.pid}`);
      first.child.kill('SIGKILL');
      await first.exit;
      const third = run();
      await third.url();
    },
  );

  unless(it, onlyOnLinux)('reports a data directory that can’t be used', async () => {
    const server = run('--data', '/proc/nope');
    expect(await server.exit).toBe(1);
    expect(server.output).toBe(
      "Fulcrum: The data directory /proc/nope can't be used: ENOENT. Choose another one with --data.\n",
    );
  });

  unless(it, onlyOnLinux)('reports a limit of too few open files', () => {
    const { status, stderr } = spawnSync('bash', [
      '-c',
      'ulimit -n 64; exec "$0" scripts/start.mjs',
      process.execPath,
    ]);
    expect(String(stderr)).toBe(
      'Fulcrum: 64 open files are too few. Allow at least 256, better 10,000, with ulimit -n.\n',
    );
    expect(status).toBe(1);
  });

  unless(it, notOnWindows)('writes for its own user alone', async () => {
    const umask = process.umask(0o022);
    const server = run();
    process.umask(umask);
    await server.url();
    const all = readdirSync(data, { recursive: true, withFileTypes: true });
    const open = all.filter((entry) => {
      const { mode } = statSync(join(entry.parentPath, entry.name));
      return (mode & 0o777) !== (entry.isDirectory() ? 0o700 : 0o600);
    });
    expect(all.length).toBeGreaterThan(500);
    expect(open.map(({ name }) => name)).toEqual([]);
    expect(statSync(data).mode & 0o777).toBe(0o700);
  });

  inTurn(it)('reports a port in use, and removes its lock', async () => {
    const first = run();
    const { port } = new URL(await first.url());
    const elsewhere = join(data, 'elsewhere');
    cpSync(used, elsewhere, { recursive: true });
    const second = run('--port', port, '--data', elsewhere);
    expect(await second.exit).toBe(1);
    expect(second.output).toBe(
      `Fulcrum: Port ${port} is in use. Stop what uses it, or choose another one with --port.\n`,
    );
    expect(existsSync(join(elsewhere, 'lock'))).toBe(false);
  });

  inTurn(it)('exits immediately on a second signal', async () => {
    const server = run();
    const { port } = new URL(await server.url());
    // A request whose headers never end delays the stop.
    const hanging = connect(Number(port), 'localhost', () => {
      hanging.write('GET / HTTP/1.1\r\nHost: x\r\n');
    });
    hanging.on('error', () => {});
    await once(hanging, 'connect');
    server.child.kill('SIGINT');
    while (await isListening(port));
    server.child.kill('SIGINT');
    expect(await server.exit).toBe(1);
    hanging.destroy();
  });
});

unless(describe, missing('PostgreSQL'))('the process on PostgreSQL', () => {
  inTurn(it)('audits no database that is empty, and leaves it so', async () => {
    const url = await createDatabase(inject('postgres').url);
    for (let time = 0; time < 2; time++) {
      const audit = run('audit', '--database-url', url);
      expect(await audit.exit).toBe(1);
      expect(audit.output).toBe('Fulcrum: This database has no tables of Fulcrum.\n');
    }
  });

  inTurn(it)('locks the database, and starts again after it was killed', async () => {
    const database = ['--database-url', await createDatabase(inject('postgres').url)];
    const first = run(...database);
    await first.url();
    const second = run(...database);
    expect(await second.exit).toBe(1);
    expect(second.output).toMatch(/^Fulcrum: Another server is at work on this database/);
    first.child.kill('SIGKILL');
    await first.exit;
    const third = run(...database);
    expect((await fetch(`${await third.url()}/v1/api/forex/trade_list`)).status).toBe(200);
    third.child.kill('SIGTERM');
    expect(await third.exit).toBe(0);
  });
});

async function isListening(port: string): Promise<boolean> {
  try {
    await fetch(`http://localhost:${port}/manifest.json`);
    return true;
  } catch {
    return false;
  }
}

const ENDS: [args: string[], code: number, output: RegExp][] = [
  [['--help'], 0, /--ticks-per-second R/],
  [['--nonsense'], 2, /^Fulcrum: Unknown option '--nonsense'.*\nSee --help.\n$/s],
  [['--port', 'x'], 2, /^Fulcrum: --port N: expects a whole number from 0 to 65535, not "x"\n/],
  [
    ['--replay', '/nonexistent.csv'],
    1,
    /^Fulcrum: The replay file \/nonexistent.csv can't be used/,
  ],
  [['--database-url', 'postgresql://127.0.0.1:1/x'], 1, /^Fulcrum: PostgreSQL can't be reached/],
];

it.each(drawn(ENDS, 5))('%j exits with %i', async (args, code, output) => {
  const process = run(...args);
  expect(await process.exit).toBe(code);
  expect(process.output).toMatch(output);
});
