import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { kraken } from '../../../../server/market/live/codecs/kraken';
import { RestClient } from '../../../../server/market/live/restClient';
import { FakeClock } from '../../support/fakeClock';

let server: Server;
let clock: FakeClock;
let client: RestClient;

beforeEach(async () => {
  server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  clock = new FakeClock();
  client = new RestClient(kraken, `http://127.0.0.1:${port}/`, clock);
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

it('waits a quarter of a minute for an answer, and for the end of one', async () => {
  for (const begun of [false, true]) {
    const asked = once(server, 'request');
    const answer = client.get('/0/public/AssetPairs');
    answer.catch(() => {});
    const [, response] = await asked;
    if (begun) response.writeHead(200).write('{');
    clock.pass(14_999);
    clock.pass(1);
    await expect(answer).rejects.toThrow('Kraken did not answer for 15 s');
  }
  // What is answered is waited for no longer.
  const asked = once(server, 'request');
  const answer = client.get('/0/public/AssetPairs');
  const [, response] = await asked;
  response.end('{}');
  expect(await answer).toEqual({});
  expect(clock.awaited).toBe(false);
});
