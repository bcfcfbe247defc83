import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toDurationMs, toUnixMs, toUnixSeconds } from '#domain/core/time';
import {
  decodeMarketUpdate,
  decodePage,
  decodePart,
  encodeMarketUpdate,
  encodePage,
  encodePart,
  type MarketUpdate,
  type MarketUpdateEvent,
} from '../../../server/cluster/marketUpdate';
import { samples } from '../../helpers/samples';

const double = fc.double({ noNaN: true }).map((value) => value + 0);
const time = fc.integer({ min: 0, max: 4_000_000_000_000 }).map(toUnixMs);
const id = fc.integer({ min: 1, max: 2 ** 32 - 1 });
const bar = fc.record({
  time: fc.integer({ min: 0, max: 4_000_000_000 }).map(toUnixSeconds),
  open: double,
  high: double,
  low: double,
  close: double,
  volume: double,
});
const closedReason = fc.oneof(
  fc.constantFrom('halted' as const, 'clock' as const, 'price' as const, 'doubt' as const),
  fc.record({ feed: fc.string({ unit: 'grapheme' }), since: time }),
);
const quote = fc
  .record(
    {
      price: double,
      open: double,
      time,
      marketOpen: fc.boolean(),
      nextOpen: fc.option(time, { nil: undefined }),
      closedReason,
      bid: double,
      ask: double,
      freshUntil: time,
    },
    { requiredKeys: ['price', 'open', 'time', 'marketOpen', 'nextOpen'] },
  )
  .map((value) => value as Required<typeof value>);
const state = fc.record({
  id,
  quote: fc.option(quote, { nil: undefined }),
  bar: fc.option(bar, { nil: undefined }),
});
const states = fc.array(state, { maxLength: 5 });
const side = fc.option(double, { nil: undefined });
const ticks = fc.array(
  fc.record({ instrumentId: id, price: double, volume: double, time, bid: side, ask: side }),
  {
    maxLength: 5,
  },
);
const event: fc.Arbitrary<MarketUpdateEvent> = fc.oneof(
  fc.record({ kind: fc.constant('ticks' as const), ticks, states }),
  fc.record({
    kind: fc.constantFrom('status' as const, 'book' as const, 'changed' as const),
    states,
  }),
  fc.record({
    kind: fc.constant('bars' as const),
    bars: fc.array(fc.record({ id, bar }), { maxLength: 5 }),
  }),
  fc.record({ kind: fc.constant('skipped' as const) }),
);
const update: fc.Arbitrary<MarketUpdate> = fc.record({
  epoch: fc.maxSafeNat(),
  sequence: fc.maxSafeNat(),
  sentAt: double.map(toDurationMs),
  now: time,
  events: fc.array(event, { maxLength: 6 }),
});
const page = fc.record({
  epoch: fc.maxSafeNat(),
  sequence: fc.maxSafeNat(),
  sentAt: double.map(toDurationMs),
  now: time,
  market: fc.string({ unit: 'grapheme' }),
  total: fc.nat(100_000),
  states,
});
const part = fc.record({
  digest: fc.string({ unit: 'grapheme' }),
  total: fc.nat(),
  bytes: fc.uint8Array({ maxLength: 2_000 }),
});
const runs = { numRuns: samples(300, 20_000) };

describe('an update on the bus', () => {
  it('arrives as it was sent, to the last bit', () => {
    fc.assert(
      fc.property(update, (sent) => {
        expect(decodeMarketUpdate(encodeMarketUpdate(sent))).toEqual(sent);
      }),
      runs,
    );
  });

  it('arrives from the middle of other memory', () => {
    fc.assert(
      fc.property(update, fc.nat(16), (sent, before) => {
        const bytes = encodeMarketUpdate(sent);
        const memory = new Uint8Array(before + bytes.length + 3);
        memory.set(bytes, before);
        expect(decodeMarketUpdate(memory.subarray(before, before + bytes.length))).toEqual(sent);
      }),
      runs,
    );
  });

  it('that was cut or goes on is refused', () => {
    fc.assert(
      fc.property(update, fc.nat(), (sent, at) => {
        const bytes = encodeMarketUpdate(sent);
        expect(() => decodeMarketUpdate(bytes.slice(0, at % bytes.length))).toThrow(RangeError);
        expect(() => decodeMarketUpdate(new Uint8Array([...bytes, 0]))).toThrow(RangeError);
      }),
      runs,
    );
  });

  it('of any bytes is read or refused, and nothing else', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const data = new Uint8Array([1, ...bytes]);
        try {
          decodeMarketUpdate(data);
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
        }
      }),
      runs,
    );
  });
});

it('a page of a snapshot arrives as it was sent', () => {
  fc.assert(
    fc.property(page, (sent) => {
      expect(decodePage(encodePage(sent))).toEqual(sent);
    }),
    runs,
  );
});

it('a part of a description arrives as it was sent, and not where it was cut', () => {
  fc.assert(
    fc.property(part, fc.nat(), (sent, at) => {
      const bytes = encodePart(sent);
      expect(decodePart(bytes)).toEqual(sent);
      expect(() => decodePart(bytes.slice(0, at % bytes.length))).toThrow(RangeError);
    }),
    runs,
  );
});

it('bytes of another version are refused', () => {
  const bytes = encodeMarketUpdate({
    ...{ epoch: 1, sequence: 1, sentAt: toDurationMs(0) },
    now: toUnixMs(0),
    events: [],
  });
  bytes[0] = 99;
  expect(() => decodeMarketUpdate(bytes)).toThrow(RangeError);
});
