import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { login } from '#domain/api/account';
import { submitOrder } from '#domain/api/trading';
import type { AccountName } from '../../../server/account/otherEngines';
import { forwardCalls } from '../../../server/cluster/forwarding';
import { tokenPrefix } from '../../../server/cluster/shards';
import { send, serve } from '../http/testHttp';

const tokenOf = (shard: number) => tokenPrefix(shard) + 'A'.repeat(43);
const asked: { shard: number; request: IncomingMessage }[] = [];
const engines: Server[] = [];
let broken: 'connection' | 'database' | undefined;
let url: string;
let close: () => Promise<void>;

beforeAll(async () => {
  for (const shard of [1, 2]) {
    const engine = createServer((request, response) => {
      asked.push({ shard, request });
      if (broken === 'connection') request.socket.destroy();
      else if (broken) response.writeHead(503, { 'retry-after': '0' }).end('{"code":503}');
      else response.end('{"code":1}');
    });
    engines.push(engine);
    await new Promise<void>((resolve) => engine.listen(0, '127.0.0.1', resolve));
  }
  const ports = engines.map((engine) => (engine.address() as AddressInfo).port);
  const addressOf = (shard: number) => `http://127.0.0.1:${ports[shard - 1]}`;
  const placeOf = async ({ value }: AccountName) => (value.startsWith('second') ? 2 : 1);
  const gateway = await serve((app) => void forwardCalls(app, { addressOf, placeOf }));
  url = gateway.url;
  close = () => gateway.app.close();
});
afterAll(async () => {
  await close();
  for (const engine of engines) engine.close();
});

/** The engine that a login is passed to. */
async function engineOf(account: string, token?: string): Promise<number | undefined> {
  const body = JSON.stringify({ login_type: 'email', account, password: 'x' });
  const headers = { 'content-type': 'application/json', ...(token && { authorization: token }) };
  await send(url + login.path, { method: 'POST', body, headers });
  return asked.at(-1)?.shard;
}

it('a login goes to the engine of its name, whatever token comes along', async () => {
  expect(await engineOf('second@example.com')).toBe(2);
  expect(await engineOf('first@example.com', tokenOf(2))).toBe(1);
});

it.each(['connection', 'database'] as const)(
  'a call that ends with a broken %s is not sent again: its client does that, with its key',
  async (what) => {
    broken = what;
    const { length } = asked;
    const headers = { authorization: tokenOf(2) };
    const { status } = await send(url + submitOrder.path, { headers });
    broken = undefined;
    expect(status).toBe(503);
    expect(asked.slice(length).map(({ shard }) => shard)).toEqual([2]);
  },
);
