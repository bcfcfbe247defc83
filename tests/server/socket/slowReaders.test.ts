import { setImmediate as breathe } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { KlineRow } from '#domain/api/market';
import type { TickRow } from '#domain/api/socket';
import { inTurn } from '../../helpers/samples';
import { sampleOrder, startSockets, type TestClient, type TestSockets } from './testSockets';

const INSTRUMENTS = 3_000;
/** More messages than the kernel buffers for a socket that does not read. */
const TURNS = 120;

let now: TestSockets;
let slow: TestClient;
let quick: TestClient;

async function begin(options: Parameters<typeof startSockets>[0]): Promise<void> {
  now = await startSockets({ instruments: INSTRUMENTS, ...options });
  slow = await now.connect();
  quick = await now.connect();
}
afterEach(() => now.close());

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await breathe();
}

/** Wait for the effect in the market, because nothing arrives at a client that does not read. */
async function sayUnread(client: TestClient, message: unknown): Promise<void> {
  const { releases } = now.market;
  client.send(message);
  await until(() => now.market.releases > releases);
}

const everyInstrument = (price: number) =>
  Array.from({ length: INSTRUMENTS }, (_, i) => [i + 1, price] as [number, number]);

describe('a reader that stalls', () => {
  beforeEach(() => begin({}));

  async function stall(afterTurn: () => Promise<unknown> = breathe): Promise<void> {
    await slow.ask({ type: 'sub', topic: 'DAY_MARKET' });
    slow.socket.pause();
    for (let turn = 1; turn <= TURNS; turn++) {
      await now.market.tick(...everyInstrument(turn));
      await afterTurn();
    }
  }

  inTurn(it)(
    'gets the last price and the whole volume when it reads again, and delays no other reader',
    async () => {
      await quick.ask({ type: 'sub', topic: 'DAY_MARKET' });
      // A machine under load may read late: `quick` has each turn before the next one comes.
      await stall(async () => {
        await until(() => quick.data('DAY_MARKET').length >= INSTRUMENTS);
        expect(quick.data('DAY_MARKET')).toHaveLength(INSTRUMENTS);
        quick.forget();
      });

      slow.socket.resume();
      const volumes = new Map<string, number>();
      const prices = new Map<string, string>();
      await until(() => {
        for (const row of slow.data<TickRow>('DAY_MARKET')) {
          volumes.set(row.Code, (volumes.get(row.Code) ?? 0) + Number(row.Volume));
          prices.set(row.Code, row.Close);
        }
        slow.forget();
        return [...volumes.values()].reduce((a, b) => a + b, 0) >= TURNS * INSTRUMENTS;
      });
      expect(new Set(volumes.values())).toEqual(new Set([TURNS]));
      expect(new Set(prices.values())).toEqual(new Set([TURNS.toFixed(5), TURNS.toFixed(2)]));
    },
  );

  inTurn(it)('costs the server a bounded amount of memory', async () => {
    await stall();
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const held = () => {
      collect();
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external;
    };
    const before = held();
    for (let turn = 1; turn <= 3 * TURNS; turn++) await now.market.tick(...everyInstrument(turn));
    // Unsent, these batches would take 140 MB.
    expect(held() - before).toBeLessThan(40 * 1024 * 1024);
    slow.socket.resume();
  });

  inTurn(it)('gets the last message of every bar', async () => {
    await slow.ask({ type: 'sub', topic: 'KLINE.EURUSD' });
    await stall();
    await sayUnread(slow, { type: 'sub', topic: 'KLINE.NZDUSD' });
    for (let minute = 1; minute <= 3; minute++) {
      now.market.pass(60_000);
      for (let i = 0; i < 100; i++) await now.market.tick([1, minute * 1000 + i], [2, i]);
    }
    slow.socket.resume();
    const closes = () => slow.data<KlineRow>('KLINE.EURUSD').map(({ Close }) => Number(Close));
    await until(() => closes().at(-1) === 3099);
    expect(closes().filter((close) => close % 1000 === 99)).toEqual([1099, 2099, 3099]);
    expect(closes().length).toBeLessThan(TURNS + 300);
  });

  inTurn(it)('is disconnected after a minute without reading, even if it still sends', async () => {
    await stall();
    now.clock.pass(30_000);
    await sayUnread(slow, { type: 'sub', topic: 'KLINE.EURUSD' });
    await quick.settled();
    now.clock.pass(35_000);
    slow.socket.resume();
    expect(await slow.closed()).toBe(1006);
    await quick.settled();
  });

  inTurn(it)('is not disconnected if it reads again in time', async () => {
    await stall();
    now.clock.pass(30_000);
    slow.socket.resume();
    await slow.settled();
    await quick.settled();
    now.clock.pass(45_000);
    await slow.settled();
  });
});

it('a reader with too many unread order messages is disconnected', async () => {
  const caller = { userId: 7, sessionId: 1, isDemo: true };
  await begin({ authenticate: async () => caller });
  await slow.ask({ type: 'login', token: 'x' }, { type: 'sub', topic: 'FOREX_TRADE' });
  slow.socket.pause();
  const order = sampleOrder(1);
  const data = {
    ...order,
    ForexTradeLists: { ...order.ForexTradeLists, ShowCode: 'x'.repeat(100_000) },
  };
  let gone = false;
  slow.socket.on('close', () => {
    gone = true;
  });
  for (let i = 0; i < 300; i++) {
    now.sockets.toUser(7, { type: 'FOREX_TRADE', data });
    await breathe();
  }
  slow.socket.resume();
  await until(() => gone);
  expect(slow.of('FOREX_TRADE').length).toBeLessThan(300);
});

describe('at --speed max', () => {
  beforeEach(async () => {
    await begin({ lossless: true });
    now.market.stopWaiting = new Promise(() => {});
  });

  inTurn(it)('the market waits for the slowest reader, and nothing is conflated', async () => {
    await slow.ask({ type: 'sub', topic: 'DAY_MARKET' });
    slow.socket.pause();
    let turn = 0;
    let held = false;
    const feed = (async () => {
      while (turn < TURNS) {
        turn++;
        held = true;
        await now.market.tick(...everyInstrument(turn));
        held = false;
      }
    })();
    await until(() => held);
    // Round trips of another client, during which the feed could have continued.
    for (let i = 0; i < 20; i++) await quick.settled();
    await until(() => held);
    const reached = turn;
    for (let i = 0; i < 20; i++) await quick.settled();
    expect(turn).toBe(reached);
    expect(turn).toBeLessThan(TURNS);

    slow.socket.resume();
    await feed;
    await slow.settled();
    const first = slow.data<TickRow>('DAY_MARKET').filter(({ Code }) => Code === 'EURUSD');
    expect(first.map(({ Close }) => Number(Close))).toEqual(
      Array.from({ length: TURNS }, (_, i) => i + 1),
    );
    expect(slow.data('DAY_MARKET')).toHaveLength(TURNS * INSTRUMENTS);
  });

  inTurn(it)('the market goes on when that reader leaves', async () => {
    await slow.ask({ type: 'sub', topic: 'DAY_MARKET' });
    slow.socket.pause();
    const feed = (async () => {
      for (let turn = 1; turn <= TURNS; turn++) await now.market.tick(...everyInstrument(turn));
    })();
    for (let i = 0; i < 20; i++) await quick.settled();
    slow.socket.terminate();
    await feed;
  });
});
