// npm run cluster -- --gateways 2 --engines 2 --port 3000 --data ./data/cluster: engine, standby and gateways on this machine,
// with NATS, PostgreSQL and HAProxy as they are installed (operations.md#several-processes).
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
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { buildWhenNeeded } from './lib/buildWhenNeeded.mjs';
import { ensureInstalled, root } from './lib/install.mjs';

const HELP = `npm run cluster -- [OPTIONS]

Starts an engine, its standby, gateways, NATS, PostgreSQL and HAProxy on this machine, on one address.

  --engines N    the first one serves, the others stand by (2)
  --gateways N   websockets and market calls (2)
  --port N       of the address (3000)
  --data DIR     database, secrets and logs (./data/cluster)
  --server FILE  a built server, instead of building it
  --help

Settings of the server are variables, such as FULCRUM_INSTRUMENTS.`;

/** A process that died is started again after this long. */
const RESTART_MS = 1_000;
/** One that does not end on its signal is killed. */
const STOP_MS = 20_000;

const { values } = parseArgs({
  options: {
    engines: { type: 'string', default: '2' },
    gateways: { type: 'string', default: '2' },
    feeds: { type: 'string' },
    port: { type: 'string', default: '3000' },
    data: { type: 'string', default: './data/cluster' },
    server: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
});
if (values.help) {
  console.log(HELP);
  process.exit(0);
}
if (values.feeds !== undefined) refuse('--feeds does not exist: the feed is part of the engine');
const engines = number('engines', 1, 8);
const gateways = number('gateways', 1, 32);
const port = number('port', 1, 65_535);
const tools = findTools();
ensureInstalled();
if (!values.server) buildWhenNeeded();
const program = resolve(values.server ?? join(root, 'dist/server/main.js'));
const data = resolve(values.data);
const logs = join(data, 'logs');
for (const folder of [data, logs]) mkdirSync(folder, { recursive: true, mode: 0o700 });
// PostgreSQL's own user has to pass, where it is not ours.
chmodSync(data, 0o711);

const running = new Map();
let stopping = false;
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => void stop());

const [natsPort, postgresPort] = [await freePort(), await freePort()];
const databaseUrl = preparePostgres();
const natsPassword = secret('nats-password');
writePrivate('nats.conf', natsConfig());
const ports = { engine: await freePorts(engines), gateway: await freePorts(gateways) };
writePrivate('haproxy.cfg', proxyConfig());

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
for (const role of ['engine', 'gateway']) {
  for (const [index, own] of ports[role].entries()) keepServer(role, index + 1, own);
}
keep('haproxy', 1, tools.haproxy, ['-f', join(data, 'haproxy.cfg')]);
await ready(async () => {
  const address = `http://127.0.0.1:${port}`;
  const paths = ['/readyz', '/v1/api/forex/getCategories'];
  const found = await Promise.all(
    paths.map((path) => fetch(address + path).catch(() => undefined)),
  );
  return found.every((answer) => answer?.ok);
});
if (!stopping) console.log(`Fulcrum: http://localhost:${port}`);

function keepServer(role, index, own) {
  const bus = `nats://fulcrum:${natsPassword}@127.0.0.1:${natsPort}`;
  const args = ['--role', role, '--port', `${own}`, '--data', join(data, 'server')];
  const environment = {
    ...process.env,
    FULCRUM_BUS: bus,
    DATABASE_URL: role === 'engine' ? databaseUrl : '',
    FULCRUM_TRUST_PROXY: 'loopback',
  };
  const more = role === 'engine' ? ['--standby'] : [];
  keep(role, index, process.execPath, [program, ...args, ...more], { env: environment });
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
  for (const role of ['haproxy', 'gateway', 'engine', 'nats', 'postgres']) {
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

/** Creates the database at the first start; returns its address. */
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
      ],
      { ...user, cwd: '/' },
    );
    writeFileSync(file, '');
    if (made.status !== 0) refuse(`PostgreSQL: ${made.stderr}`);
  }
  const settings = `listen_addresses = '127.0.0.1'\nport = ${postgresPort}\nunix_socket_directories = ''\n`;
  writeFileSync(join(folder, 'postgresql.auto.conf'), settings);
  return `postgresql://fulcrum:${password}@127.0.0.1:${postgresPort}/postgres`;
}

function natsConfig() {
  const config = readFileSync(join(root, 'deploy/nats.conf'), 'utf8');
  const listening = config.replace(/^listen: .*$/m, `listen: 127.0.0.1:${natsPort}`);
  return `${listening}authorization { user: fulcrum, password: "${natsPassword}" }\n`;
}

/** That of deploy/, with the addresses of this cluster. */
function proxyConfig() {
  const config = readFileSync(join(root, 'deploy/haproxy.cfg'), 'utf8');
  const servers = (role) =>
    ports[role]
      .map((own, index) => {
        const spare = role === 'engine' && index > 0 ? ' backup' : '';
        return `  server ${role}${index + 1} 127.0.0.1:${own}${spare}\n`;
      })
      .join('');
  return config
    .replace('bind 127.0.0.1:3000', `bind 127.0.0.1:${port}`)
    .replace(/(?: {2}server gateway.*\n)+/, servers('gateway'))
    .replace(/(?: {2}server engine.*\n?)+/, servers('engine'));
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
  while (found.length < count) found.push(await freePort());
  return found;
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const own = server.address().port;
  server.close();
  await once(server, 'close');
  return own;
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
