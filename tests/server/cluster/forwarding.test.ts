import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { login, uploadPicture } from '#domain/api/account';
import { saveSettings } from '#domain/api/settings';
import { submitOrder } from '#domain/api/trading';
import type { AccountName } from '../../../server/account/otherEngines';
import { forwardCalls } from '../../../server/cluster/forwarding';
import { tokenPrefix } from '../../../server/cluster/shards';
import { DatabaseUnavailable } from '../../../server/db/unavailable';
import { send, serve } from '../http/testHttp';
import { PATIENT } from '../support/patient';

const tokenOf = (shard: number) => tokenPrefix(shard) + 'A'.repeat(43);
const asked: { shard: number; request: IncomingMessage }[] = [];
const engines: Server[] = [];
let broken: 'connection' | 'database' | 'bus' | undefined;
let url: string;
let close: () => Promise<void>;

beforeAll(async () => {
  for (const shard of [1, 2]) {
    const engine = createServer((request, response) => {
      asked.push({ shard, request });
      if (broken === 'connection') request.socket.destroy();
      else if (broken === 'database')
        response.writeHead(503, { 'retry-after': '0' }).end('{"code":503}');
      else response.end('{"code":1}');
    });
    engines.push(engine);
    await new Promise<void>((resolve) => engine.listen(0, '127.0.0.1', resolve));
  }
  const ports = engines.map((engine) => (engine.address() as AddressInfo).port);
  const addressOf = (shard: number) => `http://127.0.0.1:${ports[shard - 1]}`;
  const placeOf = async ({ value }: AccountName) => (value.startsWith('second') ? 2 : 1);
  const gateway = await serve(
    (app) => void forwardCalls(app, { addressOf, placeOf }),
    {},
    async (token) => {
      if (broken === 'bus') throw new DatabaseUnavailable();
      return token === tokenOf(2) ? { userId: 1, sessionId: 1, isDemo: false } : undefined;
    },
  );
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

/** Begins a call whose body does not come, and reads its answer. */
function begin(path: string, token: string) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const lines = [`POST ${path} HTTP/1.1`, 'Host: x', `Authorization: ${token}`];
  socket.write([...lines, 'Content-Length: 100000', '', ''].join('\r\n'));
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  return { socket, answer: () => answer };
}

it.each([uploadPicture, saveSettings])(
  'the large body of $path is not read where nobody is logged in',
  async ({ path }) => {
    const { socket, answer } = begin(path, 'nobody');
    await expect.poll(answer, PATIENT).toContain('"code":999');
    socket.destroy();
  },
);

it('a user has two places for uploads, free again when these end', async () => {
  const status = async () => {
    const headers = { authorization: tokenOf(2), 'content-type': 'image/png' };
    return (await send(url + uploadPicture.path, { method: 'POST', headers, body: 'x' })).status;
  };
  const slow = [1, 2].map(() => begin(uploadPicture.path, tokenOf(2)));
  await expect.poll(status, PATIENT).toBe(429);
  for (const { socket } of slow) socket.destroy();
  await expect.poll(status, PATIENT).toBe(200);
});

it('large bodies go to the engine, which knows the token, while no engine can be asked', async () => {
  const headers = { authorization: tokenOf(2), 'content-type': 'image/png' };
  broken = 'bus';
  const slow = Array.from({ length: 40 }, () => begin(uploadPicture.path, tokenOf(2)));
  const status = async ({ path }: { path: string }) =>
    (await send(url + path, { method: 'POST', headers, body: 'x' })).status;
  await expect.poll(() => status(uploadPicture), PATIENT).toBe(429);
  expect(await status(saveSettings)).toBe(200);
  for (const { socket } of slow) socket.destroy();
  await expect.poll(() => status(uploadPicture), PATIENT).toBe(200);
  broken = undefined;
});
