import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { askingSystemctl } from '../support/systemctl';

const servers = new Set<Server>();
const restarted: string[] = [];
/** Units that end soon after each start. */
const failing = new Set<string>();
afterEach(() => {
  for (const server of servers) server.close();
  servers.clear();
  restarted.length = 0;
  failing.clear();
});

async function listen(answer: (path: string) => string, port = 0): Promise<number> {
  const server = createServer((request, response) => {
    response.setHeader('Connection', 'close');
    response.end(answer(request.url ?? ''));
  });
  servers.add(server.listen(port, '127.0.0.1'));
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** One that is ready. */
const serving = () => listen(() => '');

/** One that stands by: it does not listen. */
async function standby(): Promise<number> {
  const port = await serving();
  const [server] = [...servers].slice(-1);
  if (server) servers.delete(server.close());
  return port;
}

/** Runs it; in the place of systemctl it calls this test, where the standby of an engine takes over. */
async function upgrade(args: readonly string[], takesOver: Record<number, number> = {}) {
  let pid = 1;
  const port = await listen((path) => {
    const [, command, unit = ''] = path.split('/');
    if (command === 'show') return String(failing.has(unit) ? ++pid : pid);
    restarted.push(unit);
    const ended = Number(unit.split('@')[1]);
    const next = takesOver[ended];
    if (next !== undefined) {
      for (const server of servers) {
        if ((server.address() as AddressInfo).port === ended) servers.delete(server.close());
      }
      void listen(() => '', next);
    }
    return '';
  });
  const { folder, env } = askingSystemctl(port);
  const options = ['--standby-seconds', '0', '--seconds', '10', ...args];
  const process$ = spawn(process.execPath, ['deploy/upgrade.mjs', ...options], { env });
  let said = '';
  for (const stream of [process$.stdout, process$.stderr]) {
    stream.on('data', (text) => (said += text));
  }
  const [status] = await once(process$, 'exit');
  rmSync(folder, { recursive: true });
  return { status, said };
}

it('changes nothing where two engines are named as one and its standby', async () => {
  const [gateway, one, two] = [await serving(), await serving(), await serving()];
  const { status, said } = await upgrade([
    ...['--gateways', `${gateway}`, '--engines', `${one},${two}`],
  ]);
  expect(status).toBe(1);
  expect(said).toBe(
    `engine on ${one},${two}: ${one} and ${two} ready instead of one: nothing was done\n`,
  );
  expect(restarted).toEqual([]);
});

it('upgrades engine after engine, standbys first', async () => {
  const [gateway, feed] = [await serving(), await serving()];
  const [one, two] = [await serving(), await serving()];
  const [afterOne, afterTwo] = [await standby(), await standby()];
  const { status, said } = await upgrade(
    [
      ...['--gateways', `${gateway}`, '--feeds', `${feed}`],
      ...['--engines', `${one},${afterOne}`, '--engines', `${afterTwo},${two}`],
    ],
    { [one]: afterOne, [two]: afterTwo },
  );
  expect([status, said]).toEqual([0, expect.stringContaining('upgraded')]);
  expect(restarted).toEqual([
    `fulcrum-gateway@${gateway}`,
    ...[`fulcrum-engine@${afterOne}`, `fulcrum-engine@${one}`],
    ...[`fulcrum-engine@${afterTwo}`, `fulcrum-engine@${two}`],
    `fulcrum-feed@${feed}`,
  ]);
});

it('leaves the engine at work where its standby ends on the new program', async () => {
  const [one, two] = [await serving(), await standby()];
  failing.add(`fulcrum-engine@${two}`);
  const { status, said } = await upgrade(['--engines', `${one},${two}`]);
  expect([status, said]).toEqual([1, expect.stringContaining('runs on the former program')]);
  expect(restarted).toEqual([`fulcrum-engine@${two}`]);
});
