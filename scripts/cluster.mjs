// npm run cluster -- --feeds 2 --engines 2 --gateways 2 --port 3000 --data ./data/cluster: all roles on this machine, with NATS, PostgreSQL and HAProxy as they are installed (operations.md#several-processes).
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { buildWhenNeeded } from './lib/buildWhenNeeded.mjs';
import { freePort } from './lib/freePort.mjs';
import { ensureInstalled, root } from './lib/install.mjs';
import { readOptions } from './lib/readOptions.mjs';

const HELP = `npm run cluster -- [OPTIONS] [-- SETTINGS]

Starts feeds, engines, gateways, NATS, PostgreSQL and HAProxy on this machine, on one address.

  --feeds N      of the market: one is at work, the others stand by; 0: the engine has the market (0)
  --engines N    with feeds they divide the accounts, otherwise the first one serves and the others stand by (2)
  --spares N     processes that stand by for each engine that divides the accounts (0)
  --gateways N   websockets, and the way to the engines (2)
  --port N       of the address (3000)
  --data DIR     database, secrets and logs (./data/cluster)
  --server FILE  a built server, instead of building it
  --links URL    asks URL/FROM/TO/PORT for the port by which one process reaches another, as tests do that cut links
  --help

SETTINGS are options of the server, such as --instruments 100, for all processes; variables, such as FULCRUM_INSTRUMENTS, work too.`;

/** A process that died is started again after this long. */
const RESTART_MS = 1_000;
/** One that does not end on its signal is killed. */
const STOP_MS = 20_000;

const { values, positionals: settings } = readOptions(HELP, {
  allowPositionals: true,
  options: {
    engines: { type: 'string', default: '2' },
    spares: { type: 'string', default: '0' },
    gateways: { type: 'string', default: '2' },
    feeds: { type: 'string', default: '0' },
    port: { type: 'string', default: '3000' },
    data: { type: 'string', default: './data/cluster' },
    server: { type: 'string' },
    links: { type: 'string' },
  },
});
const feeds = number('feeds', 0, 8);
const engines = number('engines', 1, 7);
const spares = number('spares', 0, 2);
const gateways = number('gateways', 1, 32);
const port = number('port', 1, 65_535);
const tools = findTools();
const data = resolve(values.data);
refuseSecond();
ensureInstalled();
if (!values.server) buildWhenNeeded();
const program = resolve(values.server ?? join(root, 'dist/server/main.js'));
const logs = join(data, 'logs');
for (const folder of [data, logs]) mkdirSync(folder, { recursive: true, mode: 0o700 });
// PostgreSQL's own user has to pass, where it is not ours.
chmodSync(data, 0o711);

const running = new Map();
let stopping = false;
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => void stop());

const [natsPort, postgresPort] = await freePorts(2);
const databaseUrl = preparePostgres();
const serverSecret = commonSecret();
const natsPassword = secret('nats-password');
writePrivate('nats.conf', natsConfig());
const ports = {
  feed: await freePorts(feeds),
  // After the engines their spares, in the same order.
  engine: await freePorts(engines * (1 + spares)),
  gateway: await freePorts(gateways),
};
writePrivate('haproxy.cfg', await proxyConfig());

keep('nats', 1, tools.nats, ['-c', join(data, 'nats.conf')]);
keep(
  'postgres',
  1,
  join(tools.postgres, 'postgres'),
  ['-D', join(data, 'postgres')],
  postgresUser(),
);
await ready(() => answers(natsPort));
await ready(() => answers(postgresPort));
await createDatabases();
for (const role of ['feed', 'engine', 'gateway']) {
  for (const [index, own] of ports[role].entries()) await keepServer(role, index + 1, own);
}
const gatewayAddresses = ports.gateway.map(addressOf);
// One that has not heard the engines yet passes no calls on.
await ready(async () => (await Promise.all(gatewayAddresses.map(takesCalls))).every(Boolean));
// Last, so that its first checks find the gateways there.
keep('haproxy', 1, tools.haproxy, ['-f', join(data, 'haproxy.cfg')]);
await ready(() => takesCalls(addressOf(port)));
if (!stopping) console.log(`Fulcrum: http://localhost:${port}`);

async function keepServer(role, index, own) {
  const name = `${role}-${index}`;
  const bus = `nats://fulcrum:${natsPassword}@127.0.0.1:${await portFrom(name, 'nats', natsPort)}`;
  const database = role === 'gateway' ? 0 : await portFrom(name, 'postgres', postgresPort);
  const args = ['--role', role, '--port', `${own}`, '--data', folderOf(role, index)];
  const environment = {
    ...process.env,
    FULCRUM_BUS: bus,
    FULCRUM_SECRET: serverSecret,
    DATABASE_URL: role === 'gateway' ? '' : databaseUrl(databaseOf(role, index), database),
    FULCRUM_TRUST_PROXY: 'loopback',
  };
  const more = {
    feed: ['--standby'],
    engine: [
      ...(feeds > 0 ? ['--shard', `${shardOf(index)}/${engines}`] : []),
      ...(values.links ? ['--advertise', addressOf(await portFrom('gateways', name, own))] : []),
      '--standby',
    ],
  };
  keep(role, index, process.execPath, [program, ...args, ...(more[role] ?? []), ...settings], {
    env: environment,
  });
}

/** The port by which one process reaches another. */
async function portFrom(from, to, port) {
  if (!values.links) return port;
  return Number(await (await fetch(`${values.links}/${from}/${to}/${port}`)).text());
}

/** The first engine has the names that an engine has which is alone. */
function folderOf(role, index) {
  const shard = shardOf(index);
  if (role === 'engine') return join(data, shard === 1 ? 'server' : `server-${shard}`);
  return join(data, `${role}-${index}`);
}

function databaseOf(role, index) {
  if (role === 'feed') return 'feed';
  return shardOf(index) === 1 ? 'postgres' : `engine${shardOf(index)}`;
}

/** Which part of the accounts an engine or a spare has. */
function shardOf(index) {
  return feeds > 0 ? ((index - 1) % engines) + 1 : 1;
}

async function createDatabases() {
  const { default: pg } = await import('pg');
  const open = async () => {
    const client = new pg.Client({ connectionString: databaseUrl('postgres') });
    await client.connect();
    return client;
  };
  let client;
  // PostgreSQL listens before it lets anybody in.
  while (!client && !stopping) client = await open().catch(() => after(200));
  if (!client) return;
  const { rows } = await client.query('select datname as name from pg_database');
  const wanted = new Set([
    'feed',
    ...ports.engine.map((_, index) => databaseOf('engine', index + 1)),
  ]);
  for (const name of wanted) {
    if (!rows.some((row) => row.name === name)) await client.query(`create database ${name}`);
  }
  await client.end();
}

/** What all engines derive their keys from: codes and invitations count at each of them. */
function commonSecret() {
  const file = join(data, 'server/secret');
  return existsSync(file) ? readFileSync(file, 'utf8') : secret('server-secret');
}

function addressOf(own) {
  return `http://127.0.0.1:${own}`;
}

/** Whether an address is ready, and calls reach each engine through it. */
async function takesCalls(address) {
  const shards = new Set(ports.engine.map((_, index) => shardOf(index + 1)));
  const checks = [isReady(address), ...[...shards].map((shard) => serves(address, shard))];
  return (await Promise.all(checks)).every(Boolean);
}

function isReady(address) {
  return fetch(`${address}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Whether an engine takes calls: it refuses a token that it does not know. */
async function serves(address, index) {
  const prefix = index === 1 ? '' : `${index}.`;
  const headers = { authorization: prefix + 'A'.repeat(43) };
  // Where HAProxy has taken both gateways for down, as on a busy machine, it answers with a page.
  const answer = await fetch(`${address}/api/user/info`, { headers })
    .then((response) => response.json())
    .catch(() => undefined);
  return answer?.code === 999;
}

/** Starts a process, says its id, and starts it again when it ends. */
function keep(role, index, command, args, options = {}) {
  if (stopping) return;
  const name = `${role} ${index}`;
  const log = openSync(join(logs, `${role}-${index}.log`), 'a', 0o600);
  const child = spawn(command, args, { cwd: root, ...options, stdio: ['ignore', log, log] });
  running.set(name, child);
  console.log(`${name} ${child.pid}`);
  child.once('exit', () => {
    running.delete(name);
    if (!stopping) setTimeout(() => keep(role, index, command, args, options), RESTART_MS);
  });
}

async function stop() {
  if (stopping) return;
  stopping = true;
  for (const role of ['haproxy', 'gateway', 'engine', 'feed', 'nats', 'postgres']) {
    const children = [...running].filter(([name]) => name.startsWith(`${role} `));
    await Promise.all(children.map(([, child]) => end(child, role)));
  }
  process.exit(0);
}

async function end(child, role) {
  const exited = once(child, 'exit');
  // PostgreSQL would otherwise wait for its clients.
  child.kill(role === 'postgres' ? 'SIGINT' : 'SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  await exited;
  clearTimeout(timer);
}

function findTools() {
  const found = (name) => {
    const paths = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/usr/local/sbin'];
    return paths.map((folder) => join(folder, name)).find((file) => existsSync(file));
  };
  const versions = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql') : [];
  const newest = versions.sort((a, b) => Number(b) - Number(a))[0];
  const postgres = newest && `/usr/lib/postgresql/${newest}/bin`;
  const tools = { nats: found('nats-server'), haproxy: found('haproxy'), postgres };
  const packages = { nats: 'nats-server', haproxy: 'haproxy', postgres: 'postgresql' };
  const missing = Object.keys(tools).filter((name) => !tools[name]);
  if (missing.length > 0) {
    refuse(
      `Install what is missing: apt install ${missing.map((name) => packages[name]).join(' ')}`,
    );
  }
  return tools;
}

/** PostgreSQL refuses to run as root. */
function postgresUser() {
  if (process.getuid?.() !== 0) return {};
  const id = (flag) => Number(execFileSync('id', [flag, 'postgres']));
  return { uid: id('-u'), gid: id('-g') };
}

/** Its settings would be written into a cluster at work on the same data. */
function refuseSecond() {
  const folder = join(data, 'postgres');
  const asked = ['status', '-D', folder];
  const program = join(tools.postgres, 'pg_ctl');
  if (spawnSync(program, asked, { ...postgresUser(), cwd: '/' }).status !== 0) return;
  const [pid] = readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n');
  refuse(
    `The data directory ${data} is in use by a cluster, whose PostgreSQL is process ${pid}. Stop it first, or choose another directory with --data.`,
  );
}

/** Creates PostgreSQL's files at the first start; returns the addresses of databases. */
function preparePostgres() {
  const folder = join(data, 'postgres');
  const password = secret('postgres-password');
  const user = postgresUser();
  if (!existsSync(join(folder, 'PG_VERSION'))) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const file = join(folder, '..', 'postgres-first-password');
    writeFileSync(file, password, { mode: 0o600 });
    if (user.uid !== undefined)
      for (const path of [folder, file]) chownSync(path, user.uid, user.gid);
    const made = spawnSync(
      join(tools.postgres, 'initdb'),
      [
        '-D',
        folder,
        '-U',
        'fulcrum',
        '-A',
        'scram-sha-256',
        '--pwfile',
        file,
        '-E',
        'UTF8',
        '--locale=C',
        '--data-checksums',
      ],
      { ...user, cwd: '/' },
    );
    writeFileSync(file, '');
    if (made.status !== 0) refuse(`PostgreSQL: ${made.stderr}`);
  }
  const settings = `listen_addresses = '127.0.0.1'\nport = ${postgresPort}\nunix_socket_directories = ''\n`;
  writeFileSync(join(folder, 'postgresql.auto.conf'), settings);
  return (name, port = postgresPort) =>
    `postgresql://fulcrum:${password}@127.0.0.1:${port}/${name}`;
}

function natsConfig() {
  const config = readFileSync(join(root, 'deploy/nats.conf'), 'utf8');
  const listening = config.replace(/^listen: .*$/m, `listen: 127.0.0.1:${natsPort}`);
  return `${listening}authorization { user: fulcrum, password: "${natsPassword}" }\n`;
}

/** That of deploy/, with the addresses of this cluster. */
async function proxyConfig() {
  const config = readFileSync(join(root, 'deploy/haproxy.cfg'), 'utf8');
  const servers = async (role) => {
    const lines = ports[role].map(async (own, index) => {
      const spare = role === 'engine' && index > 0 ? ' backup' : '';
      const port = await portFrom('haproxy', `${role}-${index + 1}`, own);
      return `  server ${role}${index + 1} 127.0.0.1:${port}${spare}\n`;
    });
    return (await Promise.all(lines)).join('');
  };
  const own = config
    .replace('bind 127.0.0.1:3000', `bind 127.0.0.1:${port}`)
    .replace(/(?: {2}server gateway.*\n)+/, await servers('gateway'))
    .replace(/(?: {2}server engine.*\n?)+/, await servers('engine'));
  // Where accounts are divided, only gateways know the engine of a call.
  return feeds > 0 ? own.replace('default_backend engine', 'default_backend gateways') : own;
}

/** Made at the first start, and kept. */
function secret(name) {
  const file = join(data, name);
  if (!existsSync(file)) writePrivate(name, randomBytes(24).toString('base64url'));
  return readFileSync(file, 'utf8');
}

function writePrivate(name, text) {
  writeFileSync(join(data, name), text, { mode: 0o600 });
}

async function ready(test) {
  while (!stopping && !(await test())) await after(200);
}

function answers(own) {
  return fetch(`http://127.0.0.1:${own}`).then(
    () => true,
    // Something listens, and speaks another protocol.
    ({ cause }) => cause?.code !== 'ECONNREFUSED',
  );
}

async function freePorts(count) {
  const found = [];
  while (found.length < count) {
    const own = await freePort();
    // HAProxy listens there last.
    if (own !== port) found.push(own);
  }
  return found;
}

function number(name, least, most) {
  const value = Number(values[name]);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  return refuse(`--${name}: a whole number from ${least} to ${most}`);
}

function refuse(reason) {
  console.error(reason);
  process.exit(2);
}
