import { beforeEach, describe, expect, it } from 'vitest';
import { toUnixMs, toUnixSeconds, type UnixMs } from '#domain/core/time';
import type { Bar } from '#domain/market/kline';
import type { Source } from '../../../../server/market/live/source';
import { Track, type TrackSink } from '../../../../server/market/live/track';

/** The start of a minute, s. */
const M0 = 1_700_000_040;
const HISTORY = 40;

let now: UnixMs;
let closed: { bar: Bar; whole: boolean }[];

beforeEach(() => {
  now = toUnixMs((M0 + 1) * 1000);
  closed = [];
});

/** Bars before `M0`: each opens at the close of the last one. */
const bars = (): Bar[] =>
  Array.from({ length: HISTORY }, (_, n) => ({
    time: toUnixSeconds(M0 + 60 * (n - HISTORY)),
    open: 100 + n,
    high: 102 + n,
    low: 99 + n,
    close: 101 + n,
    volume: 1,
  }));

function open(klines: Bar[], mayOpenAtClose: boolean): Track {
  const source = {
    codec: mayOpenAtClose ? { mayOpenAtClose } : {},
    time: { now: () => now },
  } as unknown as Source;
  const sink: TrackSink = {
    tick: () => {},
    trade: () => {},
    closed: (_id, bar, whole) => closed.push({ bar, whole }),
    filled: () => {},
    status: () => {},
    topOfBook: () => {},
    gap: () => {},
  };
  const from = toUnixSeconds(M0 - 60 * HISTORY);
  const track = new Track(1, 'BTC/USDT', sink, now, from, true);
  track.begin(source);
  now = toUnixMs((M0 + 3) * 1000);
  track.fill(klines, now);
  return track;
}

/** Trades of the minute after the first one, and the minute's end. */
function tradeAMinute(track: Track): Bar | undefined {
  now = toUnixMs((M0 + 62) * 1000);
  // The first minute was not seen as a whole.
  expect(track.settle(now)).toBe(true);
  track.confirm([{ ...(bars()[0] as Bar), time: toUnixSeconds(M0), close: 141 }], now);
  let id = 0;
  for (const [second, price] of [
    [63, 150],
    [90, 155],
    [110, 152],
  ] as const) {
    now = toUnixMs((M0 + second) * 1000);
    const trade = { symbol: 'BTCUSDT', price, volume: 1, time: now, id: String(++id) };
    track.trade({ kind: 'trade', ...trade }, now);
  }
  return track.current;
}

function end(track: Track): void {
  now = toUnixMs((M0 + 123) * 1000);
  expect(track.settle(now)).toBe(false);
}

describe('a bar of an exchange that may open bars at the close of the last one', () => {
  it('opens there, if all its klines do, and is recorded as a whole', () => {
    const track = open(bars(), true);
    expect(tradeAMinute(track)).toMatchObject({ open: 141, high: 155, low: 141, close: 152 });
    end(track);
    expect(closed.at(-1)).toEqual({
      bar: {
        time: M0 + 60,
        open: 141,
        high: 155,
        low: 141,
        close: 152,
        volume: 3,
      },
      whole: true,
    });
  });

  it.each([
    ['one of its klines does not', (all: Bar[]) => ((all[20] as Bar).open = 7), true],
    ['there are too few of them', (all: Bar[]) => all.splice(0, 20), true],
    ['it is another exchange', () => {}, false],
  ])('opens at its first trade where %s', (_reason, change, mayOpenAtClose) => {
    const klines = bars();
    change(klines);
    const track = open(klines, mayOpenAtClose);
    expect(tradeAMinute(track)).toMatchObject({ open: 150, low: 150 });
    end(track);
    expect(closed.at(-1)).toMatchObject({ bar: { open: 150, low: 150 }, whole: false });
  });
});
