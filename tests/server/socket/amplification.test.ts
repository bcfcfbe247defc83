import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { TickRow } from '#domain/api/socket';
import { inTurn } from '../../helpers/samples';
import { startSockets, type TestClient, type TestSockets } from './testSockets';

const INSTRUMENTS = 200;

let running: TestSockets;
let client: TestClient;
beforeEach(async () => {
  running = await startSockets({ instruments: INSTRUMENTS, trustProxy: ['loopback'] });
  client = await running.connect();
  await running.market.tick(
    ...Array.from({ length: INSTRUMENTS }, (_, i) => [i + 1, 1.25] as [number, number]),
  );
});
afterEach(() => running.close());

const sub = (more: object = {}) => ({ type: 'sub', topic: 'DAY_MARKET', ...more });
const rows = () => client.data<TickRow>('DAY_MARKET');

describe('repeated subscriptions', () => {
  it('send the present state of DAY_MARKET once, and once more after a second', async () => {
    for (let i = 0; i < 40; i++) {
      await client.ask(sub({ interval: 1 + (i % 2) }), sub({ interval: 3 }));
    }
    expect(rows()).toHaveLength(INSTRUMENTS);
    client.forget();
    running.clock.pass(1_010);
    await client.settled();
    expect(rows()).toHaveLength(INSTRUMENTS);
  });

  it('lose nothing meanwhile: price, volume, and from then on every tick', async () => {
    await client.ask(sub({ interval: 5 }), sub());
    client.forget();
    await running.market.tick([1, 1.5, 7]);
    running.market.setOpen(2, false);
    await client.settled();
    expect(rows()).toEqual([]);
    running.clock.pass(1_010);
    await client.settled();
    expect(rows()).toHaveLength(INSTRUMENTS);
    expect(rows()[0]).toMatchObject({ Code: 'EURUSD', Close: '1.50000', Volume: '7' });
    expect(rows()[1]).toMatchObject({ Code: 'NZDUSD', MarketStatus: 0 });
    client.forget();
    await running.market.tick([1, 1.51], [1, 1.52]);
    await client.settled();
    expect(rows().map(({ Close }) => Close)).toEqual(['1.51000', '1.52000']);
  });

  it('send instruments that scroll into sight immediately', async () => {
    const codes = running.market.instruments.map(({ code }) => code);
    for (let from = 0; from < 80; from += 20) {
      await client.ask(sub({ codes: codes.slice(from, from + 20) }));
    }
    expect(rows().map(({ Code }) => Code)).toEqual(codes.slice(0, 80));
  });

  it('send the open bar of an instrument once a second', async () => {
    for (let i = 0; i < 40; i++) {
      await client.ask(
        { type: 'sub', topic: 'KLINE.EURUSD' },
        { type: 'unsub', topic: 'KLINE.EURUSD' },
      );
    }
    expect(client.of('KLINE.EURUSD')).toHaveLength(1);
    running.clock.pass(1_000);
    await client.ask({ type: 'sub', topic: 'KLINE.EURUSD' });
    expect(client.of('KLINE.EURUSD')).toHaveLength(2);
  });

  it('send the open bar of those that are subscribed again when the second is over, once', async () => {
    const sub = { type: 'sub', topic: 'KLINE.EURUSD' };
    const other = { type: 'sub', topic: 'KLINE.NZDUSD' };
    const unsub = { ...sub, type: 'unsub' };
    await client.ask(sub, unsub, sub, unsub, sub, other, { ...other, type: 'unsub' }, other);
    await client.ask({ ...other, type: 'unsub' });
    expect(client.of('KLINE.EURUSD')).toHaveLength(1);
    running.clock.pass(999);
    await client.settled();
    expect(client.of('KLINE.EURUSD')).toHaveLength(1);
    running.clock.pass(1);
    await client.settled();
    expect(client.of('KLINE.EURUSD')).toHaveLength(2);
    await client.ask(unsub, sub);
    expect(client.of('KLINE.EURUSD')).toHaveLength(2);
    expect(client.of('KLINE.NZDUSD')).toHaveLength(1);
  });
});

inTurn(it)(
  'a network has at most 500 sockets, and another one its own',
  async () => {
    const from = (address: string) => ({ 'x-forwarded-for': address });
    const refused = (address: string) =>
      new Promise<string>((resolve, reject) => {
        const url = `${running.url.replace('http', 'ws')}/v1/ws`;
        const socket = new WebSocket(url, { headers: from(address) });
        socket.on('unexpected-response', async (_request, response) =>
          resolve(
            [
              response.statusCode,
              response.headers['retry-after'],
              JSON.parse(await text(response)).msg,
            ].join(' '),
          ),
        );
        socket.on('open', () => reject(new Error('accepted')));
        socket.on('error', () => {});
      });
    const [first] = await Promise.all(
      Array.from({ length: 500 }, (_, i) =>
        running.connect(from(i % 2 ? '2001:db8::1' : `2001:db8::${i.toString(16)}`)),
      ),
    );
    expect(await refused('2001:db8::beef')).toMatch(/^429 2 開啟的連線過多/);
    await (await running.connect(from('2001:db8:0:1::1'))).settled();
    first?.socket.terminate();
    let taken = false;
    while (!taken) {
      taken = await running.connect(from('2001:db8::2')).then(
        () => true,
        () => false,
      );
    }
  },
  30_000,
);
