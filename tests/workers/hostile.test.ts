import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instrumentRow, type Rig, rig } from './support/worker';

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
/** Strings and values that parsers have stumbled over. */
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

async function watching(): Promise<Rig> {
  const worker = rig([instrumentRow(1, 'EURUSD')]);
  worker.server.on('/v1/api/forex/kline', () => ({ data: [] }));
  worker.start();
  await worker.clock.advance(100);
  worker.gateway.watch({
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

/** What a user sees of market data. */
function seen({ shown, gateway }: Rig) {
  return {
    candles: shown.candles.filter(({ bars }) => bars.length > 0),
    close: shown.quotes.get(1)?.close,
    row: gateway.row('EURUSD')?.quote,
    events: shown.events,
  };
}

const naughty: fc.Arbitrary<unknown> = fc.oneof(fc.constantFrom(...NAUGHTY), fc.jsonValue());
/** Rows of our instrument with the right names and wrong values; none has the Close that it needs. */
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

describe('bad frames', () => {
  it('throw nothing and apply nothing', async () => {
    const worker = await watching();
    const before = seen(worker);
    const runs = process.env['SOAK'] ? 1_000_000 : 5000;
    fc.assert(
      fc.property(frame, (data) => worker.wires.last.receiveRaw(data)),
      { numRuns: runs },
    );
    await worker.clock.advance(1000);
    expect(seen(worker)).toEqual(before);
    expect(worker.wires.all).toHaveLength(1);
    worker.wires.last.receive({ type: 'DAY_MARKET', data: { Code: 'EURUSD', Close: '1.9' } });
    await worker.clock.advance(100);
    expect(worker.shown.quotes.get(1)?.close).toBe(1.9);
  }, 900_000);

  it('nested a hundred thousand deep do no harm', async () => {
    const worker = await watching();
    const before = seen(worker);
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      const deep = `${open.repeat(100_000)}1${close.repeat(100_000)}`;
      worker.wires.last.receiveRaw(deep);
      worker.wires.last.receiveRaw(`{"type":"DAY_MARKET","data":${deep}}`);
    }
    await worker.clock.advance(100);
    expect(seen(worker)).toEqual(before);
  });

  it.each([undefined, 'x', '0', -1, 1e300, {}, []])(
    'say nothing of the clock when a pong holds %j',
    async (now) => {
      const worker = await watching();
      worker.wires.last.receive({ type: 'pong', now });
      await worker.clock.advance(100);
      expect(worker.shown.link).toEqual({ state: 'live', marketOffset: undefined });
    },
  );
});
