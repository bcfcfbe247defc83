import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { largeCount, samples, seed } from '../helpers/samples';
import { INVALID_JSON, NAUGHTY_STRINGS, ODD_JSON } from './support/corpora';
import { createTestWorker, instrumentRow, type TestWorker } from './support/testWorker';

const TYPES = [
  'DAY_MARKET',
  'KLINE.EURUSD',
  'pong',
  'login',
  'error',
  'FOREX_TRADE',
  'FOREX_CLOSED',
  '__proto__',
];
/** Strings and values that have broken parsers. */
const NAUGHTY: unknown[] = [
  '',
  'null',
  'undefined',
  'NaN',
  '-0',
  '1e400',
  '0x1F',
  '١٢',
  '１２',
  '1,000',
  '__proto__',
  'constructor',
  '\u0000',
  '\ud800',
  '💥'.repeat(99),
  -1,
  1e308,
  null,
  true,
  [],
  [[]],
  {},
  { toString: 1 },
];

async function watching(): Promise<TestWorker> {
  const worker = createTestWorker([instrumentRow(1, 'EURUSD')]);
  worker.server.on('/v1/api/forex/kline', () => ({ data: [] }));
  worker.start();
  await worker.clock.advance(100);
  worker.workerApi.watch({
    instruments: { add: [1], remove: [] },
    candles: {
      add: [
        { instrumentId: 1, period: '1min' },
        { instrumentId: 1, period: '1day' },
      ],
      remove: [],
    },
  });
  await worker.clock.advance(5000);
  return worker;
}

/** The market data that a user sees. */
function seen({ shown, workerApi }: TestWorker) {
  return {
    candles: shown.candles.filter(({ bars }) => bars.length > 0),
    close: shown.quotes.get(1)?.close,
    row: workerApi.row('EURUSD')?.quote,
    events: shown.events,
  };
}

const naughty: fc.Arbitrary<unknown> = fc.oneof(fc.constantFrom(...NAUGHTY), fc.jsonValue());
/** Rows of a listed instrument with correct names and wrong values; none has a valid Close. */
const row = fc
  .dictionary(
    fc.constantFrom('Id', 'Open', 'High', 'Low', 'Time', 'Volume', 'Change', '__proto__'),
    naughty,
  )
  .map((fields) => ({ ...fields, Code: 'EURUSD' }));
const message = fc.record({
  type: fc.constantFrom(...TYPES),
  data: fc.oneof(naughty, row, fc.array(row)),
});
const frame = fc.oneof(
  message.map((value) => JSON.stringify(value)),
  naughty.map((value) => JSON.stringify(value)),
  fc.string({ unit: 'binary' }),
  fc.uint8Array().map((bytes) => bytes.buffer),
  message.map((value) => JSON.stringify(value).slice(0, -2)),
);

describe('invalid messages', () => {
  const runs = samples(5000, 1_000_000);
  it(
    `throw nothing and apply nothing, ${runs} of them`,
    {
      timeout: samples(180_000, 3_600_000),
    },
    () =>
      largeCount('fuzzed socket frames', runs, async () => {
        const worker = await watching();
        const before = seen(worker);
        fc.assert(
          fc.property(frame, (data) => worker.sockets.last.receiveRaw(data)),
          { numRuns: runs, seed },
        );
        await worker.clock.advance(1000);
        expect(seen(worker)).toEqual(before);
        expect(worker.sockets.all).toHaveLength(1);
        worker.sockets.last.receive({ type: 'DAY_MARKET', data: { Code: 'EURUSD', Close: '1.9' } });
        await worker.clock.advance(100);
        expect(worker.shown.quotes.get(1)?.close).toBe(1.9);
        return `nothing thrown, nothing applied; ${worker.logged.length} logged, ${worker.warned.length} warned about`;
      }),
  );

  it('of the JSON corpus throw nothing and apply nothing, and the broken ones are logged', async () => {
    const worker = await watching();
    const before = seen(worker);
    for (const text of INVALID_JSON) {
      const { length } = worker.logged;
      worker.sockets.last.receiveRaw(text);
      expect(worker.logged.length, text.slice(0, 80)).toBe(length + 1);
      worker.sockets.last.receiveRaw(`{"type":"DAY_MARKET","data":${text}}`);
      worker.sockets.last.receiveRaw(`{"type":"KLINE.EURUSD","data":[${text}]}`);
    }
    const { length } = worker.logged;
    for (const text of ODD_JSON) {
      worker.sockets.last.receiveRaw(text);
      for (const type of TYPES) worker.sockets.last.receiveRaw(`{"type":"${type}","data":${text}}`);
    }
    expect(worker.logged).toHaveLength(length);
    await worker.clock.advance(1000);
    expect(seen(worker)).toEqual(before);
  });

  it('with a naughty string where something must be known are dropped as a whole', async () => {
    const worker = await watching();
    const before = seen(worker);
    const now = worker.clock.now();
    const time = Math.floor(now / 60_000) * 60;
    const tick = {
      Code: 'EURUSD',
      Close: '1.9',
      Open: '1',
      Change: '1',
      Time: now,
      MarketStatus: 1,
    };
    const bar = { Time: time, Open: '1.9', High: '1.9', Low: '1.9', Close: '1.9', Volume: '9' };
    for (const text of NAUGHTY_STRINGS) {
      for (const field of ['Code', 'Close'])
        worker.sockets.last.receive({ type: 'DAY_MARKET', data: { ...tick, [field]: text } });
      for (const field of ['Time', 'Open', 'High', 'Low', 'Close'])
        worker.sockets.last.receive({ type: 'KLINE.EURUSD', data: { ...bar, [field]: text } });
      worker.sockets.last.receive({ type: text, data: tick });
      worker.sockets.last.receive({ type: 'pong', now: text });
      worker.sockets.last.receive({ type: 'login', code: text });
      worker.sockets.last.receive({ type: 'FOREX_TRADE', data: { Id: text, Status: text } });
    }
    await worker.clock.advance(1000);
    expect(seen(worker)).toEqual(before);
    // Elsewhere it costs only its field.
    for (const [at, text] of NAUGHTY_STRINGS.entries()) {
      const close = 2 + (at % 7);
      const optional = { Open: text, Change: text, MarketStatus: text, Bid: text, Ask: text };
      worker.sockets.last.receive({
        type: 'DAY_MARKET',
        data: { ...tick, Close: close, ...optional },
      });
      expect(worker.workerApi.row('EURUSD')?.quote.close).toBe(close);
    }
    // The rows themselves are valid.
    worker.sockets.last.receive({ type: 'DAY_MARKET', data: tick });
    worker.sockets.last.receive({ type: 'KLINE.EURUSD', data: bar });
    await worker.clock.advance(1000);
    expect(worker.shown.quotes.get(1)?.close).toBe(1.9);
    expect(seen(worker).candles.length).toBeGreaterThan(before.candles.length);
  });

  it('nested a hundred thousand deep are dropped', async () => {
    const worker = await watching();
    const before = seen(worker);
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      const deep = `${open.repeat(100_000)}1${close.repeat(100_000)}`;
      worker.sockets.last.receiveRaw(deep);
      worker.sockets.last.receiveRaw(`{"type":"DAY_MARKET","data":${deep}}`);
    }
    await worker.clock.advance(100);
    expect(seen(worker)).toEqual(before);
  });

  it.each([undefined, 'x', '0', -1, 1e300, {}, []])(
    'do not set the clock if a pong holds %j',
    async (now) => {
      const worker = await watching();
      worker.sockets.last.receive({ type: 'pong', now });
      await worker.clock.advance(100);
      expect(worker.shown.connection).toEqual({ state: 'live', marketOffset: undefined });
    },
  );
});
