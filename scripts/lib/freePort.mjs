import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ports that systems give to outgoing connections: otherwise one may have taken the port
 * before its server starts.
 */
const LOWEST = 20_000;
const COUNT = 10_000;
const given = new Set();

/** A port on loopback that nothing listens to. */
export async function freePort() {
  for (;;) {
    const port = LOWEST + Math.floor(Math.random() * COUNT);
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return port;
  }
}

async function isFree(port) {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
