import { createCipheriv } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { toUnixSeconds } from '#domain/core/time';
import { MINUTE } from '../../../../server/market/simulated/barNode';
import { nodesBefore } from '../../../../server/market/simulated/history';
import { drawKey, KeyedDraws } from '../../../../server/market/simulated/random';
import { FRIDAY, instrumentOf, testInstruments } from './testInstruments';

describe('keyed draws', () => {
  it('are the keystream of ChaCha: at twenty rounds that of OpenSSL', () => {
    const draws = new KeyedDraws(20);
    for (const [text, level, index] of [
      ['a', 0, 0],
      ['seed/EURUSD', 13, 29_000_000],
      ['', 40, 2 ** 33 + 5],
    ] as const) {
      const key = drawKey(text);
      draws.begin(key, level, index);
      const iv = Buffer.alloc(16);
      iv.writeInt32LE(level, 4);
      iv.writeBigUInt64LE(BigInt(index), 8);
      const cipher = createCipheriv('chacha20', Buffer.from(key.buffer), iv);
      const stream = cipher.update(Buffer.alloc(4 * 100));
      for (let at = 0; at < stream.length; at += 4) {
        expect(draws.word()).toBe(stream.readInt32LE(at));
      }
    }
  });

  it('are the same in any order, and uniform', () => {
    const draws = new KeyedDraws();
    const key = drawKey('x');
    const drawn = (level: number, index: number, count: number) => {
      draws.begin(key, level, index);
      return Array.from({ length: count }, () => draws.next());
    };
    const first = drawn(1, 2, 40);
    drawn(2, 1, 3);
    expect(drawn(1, 2, 40)).toEqual(first);
    const many = drawn(3, 3, 100_000);
    const buckets = new Array<number>(20).fill(0);
    for (const value of many) {
      const bucket = Math.floor(value * 20);
      buckets[bucket] = (buckets[bucket] ?? 0) + 1;
    }
    for (const count of buckets) expect(Math.abs(count - 5_000)).toBeLessThan(5 * Math.sqrt(5_000));
  });
});

/** Closes of the last minutes of an instrument. */
const closes = (seed: string) =>
  nodesBefore(
    instrumentOf(testInstruments(seed), 'BTCUSD'),
    MINUTE,
    toUnixSeconds(FRIDAY / 1000),
    100,
  ).map(({ close }) => close);

/**
 * A search needs something small to go through. Each of the 128 bits of a seed reaches every bit of
 * a 256-bit key (SHA-256), and the draws take all of the key (ChaCha): no 32 bits of the seed, of
 * the key or of its state decide the prices, so that a search over 2^32 candidates has no candidate.
 */
describe('prices of a market', () => {
  it('differ with each single bit of the seed', () => {
    const seed = Buffer.alloc(16, 0x5a);
    const known = closes(seed.toString('hex'));
    for (let bit = 0; bit < 128; bit += 5) {
      const other = Buffer.from(seed);
      other[bit >> 3] = (other[bit >> 3] as number) ^ (1 << (bit & 7));
      const same = closes(other.toString('hex')).filter((close, i) => close === known[i]);
      expect(same.length).toBeLessThan(5);
    }
  });

  it('differ where any 32 bits of the key are the same: no word of it decides the draws alone', () => {
    const key = drawKey('seed/BTCUSD');
    const draws = new KeyedDraws();
    const streamOf = (of: Int32Array) => {
      draws.begin(of, 5, 29_000_000);
      return Array.from({ length: 64 }, () => draws.word());
    };
    const known = streamOf(key);
    for (let kept = 0; kept < key.length; kept++) {
      // All words of the key but one differ.
      const other = key.map((word, i) => (i === kept ? word : word ^ 1));
      expect(streamOf(other).filter((word, i) => word === known[i])).toEqual([]);
      // Only that word differs, by one bit.
      const near = key.map((word, i) => (i === kept ? word ^ 1 : word));
      expect(streamOf(near).filter((word, i) => word === known[i])).toEqual([]);
    }
  });
});
