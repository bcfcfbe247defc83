import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { toDurationMs, toUnixMs } from '#domain/core/time';
import type { Codec, LiveEvent } from '../../../../server/market/live/codec';
import { CODECS } from '../../../../server/market/live/codecs/codecs';
import { LiveConnection } from '../../../../server/market/live/connection';
import { eventually } from '../../../helpers/eventually';
import { inTurn } from '../../../helpers/samples';
import { type ExchangeName, FakeExchange } from '../../../programs/fakeExchange/exchange';
import { FakeClock } from '../../support/fakeClock';
import { RecordingLog } from '../recordingListener';

const START = Date.UTC(2026, 10, 23, 10, 30, 10);

let clock: FakeClock;
let log: RecordingLog;
let exchange: FakeExchange;
let connection: LiveConnection | undefined;
let told: string[];
let events: LiveEvent[];

beforeEach(() => {
  clock = new FakeClock(toUnixMs(START));
  log = new RecordingLog();
  told = [];
  events = [];
});
afterEach(async () => {
  connection?.stop();
  connection = undefined;
  await exchange.stop();
});

async function connect(
  name: ExchangeName,
  symbols: readonly string[],
  limits: Partial<Codec['limits']> = {},
  bases?: string,
): Promise<void> {
  const pairs = bases && [...bases].map((base) => ({ base, quote: 'USD', decimals: 2 }));
  exchange = await FakeExchange.start(name, clock, 1, 0, pairs || undefined);
  const codec: Codec = { ...CODECS[name], limits: { ...CODECS[name].limits, ...limits } };
  const { pathname } = new URL(codec.websocket);
  connection = new LiveConnection(
    {
      codec,
      url: `ws://127.0.0.1:${exchange.port}${pathname}`,
      symbols,
      clock,
      log,
      random: () => 0.5,
    },
    {
      event: (event) => events.push(event),
      ready: (symbol) => told.push(`ready ${symbol}`),
      refused: (symbol, reason) => told.push(`refused ${symbol}: ${reason}`),
      lost: (reason) => told.push(`lost: ${reason}`),
    },
  );
  connection.start();
}

/** Goes on in small steps, in which messages come, until `done`. */
async function until(done: () => boolean, step = 100): Promise<void> {
  await eventually(async () => {
    await clock.advance(step);
    await exchange.read();
    await turn();
    if (!done()) throw new Error('not yet');
  }, 1);
}

const seconds = (count: number) => {
  const end = clock.now() + count * 1000;
  return until(() => clock.now() >= end);
};

describe('a connection to an exchange', () => {
  inTurn(it)('is replaced before the exchange ends it, without a wait that grows', async () => {
    await connect('kraken', ['BTC/USD'], { connectionLife: toDurationMs(60_000) });
    await until(() => told.length === 1);
    for (let life = 1; life <= 3; life++) {
      await until(() => told.length === 2 * life, 500);
      expect(told.at(-1)).toContain('replaced before the exchange ends it');
      const lost = clock.now();
      await until(() => told.length === 2 * life + 1, 50);
      expect(clock.now() - lost).toBeLessThan(1_000);
    }
    expect(exchange.connections).toBe(4);
    expect(exchange.violations).toEqual([]);
  });

  it('tells a gap in the sequence, once, and goes on', async () => {
    await connect('coinbase', ['BTC-USD']);
    await until(() => told.length === 1);
    exchange.skipNumber();
    await until(() => told.length === 3);
    expect(told.slice(1)).toEqual(['lost: messages were lost', 'ready BTC-USD']);
    await seconds(5);
    expect(told).toHaveLength(3);
    expect(exchange.connections).toBe(1);
    expect(log.warnings.join()).toContain('did not come');
  });

  it('waits for a slow handshake', async () => {
    await connect('kraken', ['BTC/USD']);
    exchange.faults.handshake = 8_000;
    await seconds(7);
    expect(told).toEqual([]);
    await until(() => told.length === 1);
    expect(exchange.connections).toBe(1);
  });

  it('gives up a handshake that is not answered, and tries again', async () => {
    await connect('kraken', ['BTC/USD']);
    exchange.faults.handshake = 3_600_000;
    await seconds(9);
    expect(log.warnings).toEqual([]);
    await seconds(2);
    expect(log.warnings[0]).toContain('the handshake was not answered for 10 s. Next attempt in');
    exchange.faults.handshake = 0;
    await until(() => told.length === 1);
  });

  it('takes no answer for a subscription that was rejected', async () => {
    await connect('kraken', ['BTC/USD']);
    exchange.market.delist('BTC/USD');
    await until(() => told.length > 0);
    await seconds(5);
    exchange.trade('BTC/USD');
    await seconds(1);
    expect(told).toEqual(['refused BTC/USD: Currency pair not supported']);
    expect(events.filter(({ kind }) => kind === 'trade')).toEqual([]);
  });

  it.each<[ExchangeName, string]>([
    ['kraken', 'A/USD B/USD C/USD D/USD E/USD F/USD'],
    ['binance', 'AUSD BUSD CUSD DUSD EUSD FUSD'],
    ['coinbase', 'A-USD B-USD C-USD D-USD E-USD F-USD'],
    ['okx', 'A-USD B-USD C-USD D-USD E-USD F-USD'],
    ['bybit', 'AUSD BUSD CUSD DUSD EUSD FUSD'],
    ['bitstamp', 'ausd busd cusd dusd eusd fusd'],
  ])(
    'of %s leaves out exactly what the exchange refuses, until it asks again',
    async (name, all) => {
      const symbols = all.split(' ');
      const [b = '', e = ''] = [symbols[1], symbols[4]];
      const lines = (about: string) => told.filter((each) => each.startsWith(about)).sort();
      await connect(name, symbols, {}, 'ABCDEF');
      exchange.market.delist('B/USD');
      exchange.market.delist('E/USD');
      await until(() => told.length === 6);
      const others = symbols.filter((symbol) => symbol !== b && symbol !== e);
      expect(lines('ready')).toEqual(others.map((symbol) => `ready ${symbol}`));
      expect(lines('refused').map((each) => each.split(':')[0])).toEqual([
        `refused ${b}`,
        `refused ${e}`,
      ]);

      // Over the next connection too.
      told = [];
      exchange.kill();
      await until(() => told.length === 5);
      expect(lines('ready')).toEqual(others.map((symbol) => `ready ${symbol}`));
      told = [];
      exchange.market.relist('B/USD');
      connection?.ask(b);
      connection?.ask(e);
      await until(() => told.length === 2);
      expect([lines('ready'), lines(`refused ${e}`).length]).toEqual([[`ready ${b}`], 1]);
      expect(exchange.violations).toEqual([]);
    },
  );

  inTurn(it)(
    'tries again at most each half minute where the exchange does not want us',
    async () => {
      await connect('kraken', ['BTC/USD']);
      exchange.faults.status = 451;
      await until(() => log.warnings.length > 0, 1);
      expect(log.warnings[0]).toContain('HTTP 451; it does not serve this place');
      exchange.faults.status = 200;
      await seconds(25);
      expect(exchange.connections).toBe(0);
      await until(() => told.length === 1, 500);
    },
  );

  it.each<[ExchangeName, string]>([
    ['okx', 'BTC-USDT'],
    ['bybit', 'BTCUSDT'],
    ['bitstamp', 'btcusd'],
  ])('pings %s while nothing is traded', async (name, symbol) => {
    await connect(name, [symbol]);
    await until(() => told.length > 0);
    const answers = () => events.filter(({ kind }) => kind === 'alive').length;
    for (let ping = 1; ping <= 12; ping++) {
      const before = answers();
      // Nothing else may break the silence: not even a look whether messages were read.
      for (let second = 0; second < 6; second++) await clock.advance(1_000);
      await eventually(() => expect(answers()).toBeGreaterThan(before));
    }
    expect(told.filter((each) => each.startsWith('lost'))).toEqual([]);
    expect(exchange.pings).toBe(12);
    expect(exchange.violations).toEqual([]);
  });
});

describe('the fake exchange', () => {
  it('counts a client that does not ping, and too many connections', async () => {
    exchange = await FakeExchange.start('okx', clock, 1);
    const open = async () => {
      const socket = new WebSocket(`ws://127.0.0.1:${exchange.port}/ws/v5/public`);
      await new Promise((resolve) => socket.on('open', resolve));
      return socket;
    };
    const socket = await open();
    const closed = new Promise((resolve) => socket.on('close', resolve));
    await clock.advance(29_000);
    expect(exchange.violations).toEqual([]);
    for (let second = 0; second < 3; second++) await clock.advance(1_000);
    await closed;
    expect(exchange.violations[0]).toBe('no ping for 30 s');

    await exchange.stop();
    exchange = await FakeExchange.start('kraken', clock, 1);
    const path = `ws://127.0.0.1:${exchange.port}/v2`;
    const sockets = Array.from({ length: 151 }, () => new WebSocket(path));
    await Promise.all(sockets.map((each) => new Promise((resolve) => each.on('open', resolve))));
    await eventually(() => expect(exchange.violations).toEqual(['151 connections in ten minutes']));
  });
});
