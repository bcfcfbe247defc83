import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';

const { Phones } = await import('../../bench/load/phones' as string);
const { arithmetic } = await import('../../bench/load/cluster' as string);

const LOAD = { sockets: 30, codes: 1, interval: 0, compact: false, seed: 1 };

it('phones of the load come back after a loss, each after a wait of its own', async () => {
  const http = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ code: 1, data: [{ Code: 'EURUSD' }] }));
  });
  const server = new WebSocketServer({ server: http, path: '/v1/ws' });
  const came: number[] = [];
  server.on('connection', (socket: WebSocket) => {
    came.push(performance.now());
    socket.on('message', (text) => {
      const { type } = JSON.parse(String(text)) as { type: string };
      const row = { Time: Date.now() };
      if (type === 'sub') socket.send(JSON.stringify({ type: 'DAY_MARKET', data: [row] }));
    });
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const address = new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}`);
  const phones = await Phones.open(address, LOAD);
  expect(phones.connected).toBe(30);
  came.length = 0;
  const found = await phones.disturb(() => {
    for (const socket of server.clients) socket.terminate();
  }, 30_000);
  expect(found).toMatchObject({ lost: 30, back: 30 });
  expect(found.time.p95).toBeGreaterThan(20);
  // Full jitter: not all of them in the same moment.
  expect(Math.max(...came) - Math.min(...came)).toBeGreaterThan(50);
  phones.close();
  server.close();
  http.close();
});

it('arithmetic says that it is no measurement', () => {
  const said = arithmetic(
    { gateways: 2, messagesPerSecond: 8_000, bytesPerMessage: 500, cores: { gateway: 0.4 } },
    1_000,
  );
  expect(said).toContain('arithmetic, not measured: 1,000,000 phones');
  expect(said).toContain('4,000,000 messages and 16,000 Mbit a second by 200 cores: 400 gateways');
});
