import { beforeEach, describe, expect, it } from 'vitest';
import { toUnixMs, toUnixSeconds, type UnixMs } from '#domain/core/time';
import type { PlausibilityLimits } from '#domain/market/plausibility';
import type { Source } from '../../../../server/market/live/source';
import { Track, type TrackGates } from '../../../../server/market/live/track';
import type { Tick } from '../../../../server/market/market';
import { PriceGate } from '../../../../server/market/priceGate';
import { RecordingLog } from '../recordingListener';

/** The start of a minute, s. */
const M0 = 1_700_000_040;
const LIMITS: PlausibilityLimits = {
  jump: 10,
  floor: 0.005,
  spread: 10,
  silence: 30,
  confirmations: 3,
};

let now: UnixMs;
let told: Pick<Tick, 'price' | 'volume'>[];
let status: boolean[];
let log: RecordingLog;
let track: Track;
let exchange: Source;
let lastId: number;

const sourceOf = (key: string) =>
  ({ codec: { key }, time: { now: () => now } }) as unknown as Source;

function fillAt(price: number): void {
  const start = Math.floor(now / 60_000) * 60;
  const bar = { open: price, high: price, low: price, close: price, volume: 1 };
  track.fill([{ time: toUnixSeconds(start), ...bar }], now);
}

beforeEach(() => {
  now = toUnixMs((M0 + 5) * 1000);
  [told, status, lastId] = [[], [], 0];
  log = new RecordingLog();
  const options = { limits: LIMITS, log, codeOf: () => 'BTC/USD' };
  const gates: TrackGates = {
    limits: LIMITS,
    trades: new PriceGate(options),
    topsOfBook: new PriceGate(options),
  };
  const sink = {
    tick: ({ price, volume }: Tick) => void told.push({ price, volume }),
    trade: () => {},
    closed: () => {},
    filled: () => {},
    status: () => void status.push(track.isOpen && !track.isInDoubt),
    topOfBook: () => {},
    gap: () => {},
  };
  exchange = sourceOf('kraken');
  track = new Track(1, 'BTC/USD', sink, now, toUnixSeconds(M0), true, gates);
  track.begin(exchange);
  fillAt(100);
  [told, status] = [[], []];
});

function tradeOf(price: number, id = ++lastId, time = now) {
  return { kind: 'trade' as const, symbol: 'BTC/USD', price, volume: 1, time, id: String(id) };
}

/** A trade half a second later. */
function trade(price: number, id?: number): void {
  now = toUnixMs(now + 500);
  track.trade(tradeOf(price, id), now);
}

const prices = () => told.map(({ price }) => price);
const at = (time: number) => new Date(time).toISOString();

describe('a trade of an exchange', () => {
  it('that is far from the last one reaches neither quote nor bar, and the next one drops it', () => {
    trade(100.1);
    trade(90);
    expect([track.price, track.isInDoubt, status]).toEqual([100.1, true, [false]]);
    trade(100.2);
    expect([prices(), status, track.isInDoubt]).toEqual([[100.1, 100.2], [false, true], false]);
    expect(track.current).toMatchObject({ low: 100, high: 100.2 });
    expect(log.warnings).toEqual([
      `BTC/USD: trading is halted at 100.1. 90 of ${at(now - 500)} has to be confirmed: it is too far from the last price.`,
      `BTC/USD: trading goes on at 100.2 of ${at(now)}. 90 of ${at(now - 500)} was wrong and is dropped.`,
    ]);
  });

  it('counts with those that confirm it, each once, in quote and bar', () => {
    for (const price of [100, 95, 95.1, 94.9]) trade(price);
    expect(prices()).toEqual([100]);
    trade(95);
    expect(prices()).toEqual([100, 95, 95.1, 94.9, 95]);
    expect(told.every(({ volume }) => volume === 1)).toBe(true);
    expect(track.current).toMatchObject({ low: 94.9, close: 95 });
    expect([track.isInDoubt, status]).toEqual([false, [false, true]]);
    expect(log.warnings.at(-1)).toBe(
      `BTC/USD: trading goes on at 95 of ${at(now)}. 95 of ${at(now - 1_500)} is confirmed.`,
    );
  });

  it('that is repeated confirms nothing, and an old one drops nothing', () => {
    trade(100, 1);
    for (let i = 0; i < 10; i++) trade(95, 2);
    trade(100, 1);
    expect([prices(), track.isInDoubt]).toEqual([[100], true]);
  });

  it('that comes late and is far is not in its bar either', () => {
    trade(100);
    const late = toUnixMs(now - 2_000);
    track.trade(tradeOf(50, undefined, late), now);
    track.trade(tradeOf(99.9, undefined, late), now);
    expect(track.current).toMatchObject({ low: 99.9, close: 100 });
    expect([prices(), track.isInDoubt]).toEqual([[100], false]);
  });

  it('is in doubt where an exchange that stands by has another price', () => {
    const other = sourceOf('binance');
    for (let i = 0; i < 5; i++) {
      track.standBy(other, tradeOf(100.2));
      trade(100);
    }
    // Those of another exchange are judged too.
    track.standBy(other, tradeOf(70));
    trade(100);
    expect(track.isInDoubt).toBe(false);
    for (let i = 0; i < 5; i++) {
      now = toUnixMs(now + 500);
      track.standBy(other, tradeOf(102));
    }
    trade(100);
    expect(track.isInDoubt).toBe(true);
    expect(log.warnings.at(-1)).toContain('another exchange has another price');
    now = toUnixMs(now + 15_000);
    trade(100);
    expect(track.isInDoubt).toBe(false);
  });
});

describe('a top of the book', () => {
  it('that is crossed or too wide halts trading and is not told until it is confirmed', () => {
    const book = (bid: number, ask: number) => {
      now = toUnixMs(now + 500);
      track.topOfBook(bid, ask, now);
      return [track.bid, track.ask, track.isInDoubt];
    };
    expect(book(99.9, 100.1)).toEqual([99.9, 100.1, false]);
    expect(book(100.1, 99.9)).toEqual([99.9, 100.1, true]);
    expect(book(99.9, 100.2)).toEqual([99.9, 100.2, false]);
    for (let i = 0; i < 3; i++) expect(book(95, 105)).toEqual([99.9, 100.2, true]);
    expect(book(95, 105)).toEqual([95, 105, false]);
    expect(status).toEqual([false, true, false, true]);
  });
});

describe('a connection', () => {
  it('that is lost takes with it what nothing confirms any more, and bars are no proof', () => {
    trade(95);
    track.lose();
    expect(track.isInDoubt).toBe(false);
    track.begin(exchange);
    fillAt(94);
    expect([track.isOpen, track.isInDoubt, track.price]).toEqual([true, true, 100]);
    trade(100.1);
    expect([track.isInDoubt, prices().at(-1)]).toEqual([false, 100.1]);
  });

  it('to another exchange, whose price is far, opens once its trades confirm it', () => {
    trade(100);
    track.lose();
    track.begin(sourceOf('binance'));
    fillAt(90);
    expect([track.isOpen, track.isInDoubt, track.price]).toEqual([true, true, 100]);
    const before = told.length;
    for (let i = 0; i < 3; i++) trade(90);
    expect([track.isInDoubt, track.price]).toEqual([false, 90]);
    expect(prices().slice(before)).toEqual([90, 90, 90]);
  });
});
