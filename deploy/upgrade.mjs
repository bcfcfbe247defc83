// node deploy/upgrade.mjs --gateways 3011,3012 --engines 3001,3002: a rolling upgrade. Each process is started again on the new
// program, one after the other: gateways, standbys, then the engine, whose work a standby takes over. As root, after the new
// program is at its place (docs/operations.md#rolling-upgrade).
import { spawnSync } from 'node:child_process';
import { setTimeout as after } from 'node:timers/promises';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    gateways: { type: 'string', default: '' },
    engines: { type: 'string', default: '' },
    // Ends a unit and starts it again; UNIT is its name.
    restart: { type: 'string', default: 'systemctl restart UNIT' },
    // For a standby to reach the database: it can't be asked.
    'standby-seconds': { type: 'string', default: '5' },
    // For a process to be ready.
    seconds: { type: 'string', default: '120' },
  },
});
const portsOf = (text) => text.split(',').filter(Boolean).map(Number);
const gateways = portsOf(values.gateways);
const engines = portsOf(values.engines);
if ([...gateways, ...engines].some((port) => !(port > 0)) || engines.length < 2) {
  console.error('--gateways PORT,… --engines PORT,PORT: an engine and at least one standby');
  process.exit(2);
}

for (const port of gateways) {
  restart(`fulcrum-gateway@${port}`);
  await until(`the gateway on ${port} is ready`, () => isReady(port));
}
const serving = await servingEngines();
if (serving.length !== 1) stop('no engine is ready: nothing was done to engines');
for (const port of engines.filter((each) => each !== serving[0])) {
  restart(`fulcrum-engine@${port}`);
}
await after(Number(values['standby-seconds']) * 1_000);
restart(`fulcrum-engine@${serving[0]}`);
await until('an engine is ready', async () => (await servingEngines()).length === 1);
await until('all gateways are ready', async () =>
  (await Promise.all(gateways.map(isReady))).every(Boolean),
);
console.log('upgraded');

function restart(unit) {
  console.log(`${unit}: start again`);
  const [command, ...args] = values.restart.replace('UNIT', unit).split(' ');
  const { status } = spawnSync(command, args, { stdio: 'inherit' });
  if (status !== 0) stop(`${unit} did not start: the others run on the former program`);
}

async function servingEngines() {
  const ready = await Promise.all(engines.map(isReady));
  return engines.filter((_, index) => ready[index]);
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
