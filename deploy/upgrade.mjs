// node deploy/upgrade.mjs --gateways 3011,3012 --engines 3001,3002 --feeds 3021,3022: a rolling upgrade. Each process is started again
// on the new program, one after the other: gateways, then engines and feeds, first those that stand by, which take over the work of
// the last one. --engines once for each engine with its standbys, in the order of the upgrade. --back: in the other order, because a former program may not read what a newer feed says. As root, once the program
// is at its place (docs/operations.md#rolling-upgrade).
import { spawnSync } from 'node:child_process';
import { setTimeout as after } from 'node:timers/promises';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    gateways: { type: 'string', default: '' },
    engines: { type: 'string', multiple: true, default: [] },
    feeds: { type: 'string', default: '' },
    back: { type: 'boolean', default: false },
    // For a standby to reach the database. It can't be asked, but one that can't start ends.
    'standby-seconds': { type: 'string', default: '5' },
    // For a process to be ready.
    seconds: { type: 'string', default: '120' },
  },
});
const portsOf = (text) => text.split(',').filter(Boolean).map(Number);
const gateways = portsOf(values.gateways);
const engines = values.engines.map(portsOf);
const feeds = portsOf(values.feeds);
const ports = [gateways, engines, feeds].flat(2);
if (
  ports.some((port) => !(port > 0)) ||
  new Set(ports).size < ports.length ||
  engines.length === 0 ||
  engines.some(({ length }) => length < 2)
) {
  console.error('--gateways PORT,… --engines PORT,PORT: an engine and at least one standby');
  process.exit(2);
}

const pairs = [
  ...engines.map((each) => ['engine', each]),
  ...(feeds.length > 0 ? [['feed', feeds]] : []),
];
// Before anything is changed: two that are ready are no pair.
for (const [role, each] of pairs) await servingOf(role, each, 'nothing was done');

const steps = [upgradeGateways, ...pairs.map((pair) => () => upgradePair(...pair))];
for (const step of values.back ? steps.reverse() : steps) await step();
// Gateways and engines begin anew where the feed's market is another one.
await until('all are ready', async () => {
  const serving = await Promise.all(pairs.map(([, each]) => readyOf(each)));
  return (
    serving.every(({ length }) => length === 1) &&
    (await Promise.all(gateways.map(isReady))).every(Boolean)
  );
});
console.log('upgraded');

async function upgradeGateways() {
  for (const port of gateways) {
    restart(`fulcrum-gateway@${port}`);
    await until(`the gateway on ${port} is ready`, () => isReady(port));
  }
}

/** Those that stand by, then the one at work. */
async function upgradePair(role, ports) {
  const serving = await servingOf(role, ports, 'the others run on the former program');
  const standbys = ports.filter((port) => port !== serving);
  const started = standbys.map((port) => {
    const unit = `fulcrum-${role}@${port}`;
    restart(unit);
    return { unit, pid: pidOf(unit) };
  });
  if (standbys.length > 0) await after(Number(values['standby-seconds']) * 1_000);
  for (const { unit, pid } of started) {
    if (pid === '0' || pidOf(unit) !== pid) {
      stop(`${unit} ends again and again: the one at work runs on the former program`);
    }
  }
  restart(`fulcrum-${role}@${serving}`);
  await until(`the ${role} is ready`, async () => (await readyOf(ports)).length === 1);
}

/** The port of the one at work, while the others stand by. */
async function servingOf(role, ports, left) {
  const ready = await readyOf(ports);
  if (ready.length === 1) return ready[0];
  const many = ready.join(' and ') || 'none';
  stop(`${role} on ${ports.join(',')}: ${many} ready instead of one: ${left}`);
}

function restart(unit) {
  console.log(`${unit}: start again`);
  const { status } = spawnSync('systemctl', ['restart', unit], { stdio: 'inherit' });
  if (status !== 0) stop(`${unit} did not start: the others run on the former program`);
}

/** 0 while it does not run. */
function pidOf(unit) {
  const { stdout } = spawnSync('systemctl', ['show', '--property=MainPID', '--value', unit]);
  return String(stdout).trim();
}

async function readyOf(ports) {
  const ready = await Promise.all(ports.map(isReady));
  return ports.filter((_, index) => ready[index]);
}

async function isReady(port) {
  const signal = AbortSignal.timeout(2_000);
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`, { signal }).catch(() => undefined);
  return answer?.ok ?? false;
}

async function until(what, test) {
  const deadline = Date.now() + Number(values.seconds) * 1_000;
  while (!(await test())) {
    if (Date.now() > deadline) stop(`waited too long: ${what}`);
    await after(200);
  }
  console.log(what);
}

function stop(reason) {
  console.error(reason);
  process.exit(1);
}
