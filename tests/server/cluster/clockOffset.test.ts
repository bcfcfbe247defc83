import { expect, it } from 'vitest';
import { type DurationMs, toDurationMs } from '#domain/core/time';
import { ClockOffset } from '../../../server/cluster/clockOffset';

/** By how much the clock of the reader is ahead of the feed's. */
const AHEAD = 1_000_000;

/** A feed that is heard; `tell` returns how old what it has said is taken for. */
function feed(ahead = AHEAD) {
  const time = new ClockOffset();
  const ms = (value: number): DurationMs => toDurationMs(value);
  return {
    tell(sentAt: number, way: number, epoch = 1): number {
      const receivedAt = ms(sentAt + ahead + way);
      time.measure(epoch, ms(sentAt), receivedAt);
      return receivedAt - time.onOwnClock(ms(sentAt), receivedAt);
    },
  };
}

it('takes what comes later than on the shortest way for as old as it is', () => {
  const { tell } = feed();
  expect(tell(1_000, 20)).toBe(0);
  expect(tell(2_000, 5)).toBe(0);
  expect(tell(3_000, 25)).toBe(20);
  // A link that hung: all of it comes at once.
  expect([4_000, 5_000, 11_900].map((sentAt) => tell(sentAt, 12_000 - sentAt))).toEqual([
    7_995, 6_995, 95,
  ]);
  expect(tell(13_000, 5)).toBe(0);
});

it('remembers the shortest way over a stall of half a minute', () => {
  const { tell } = feed();
  for (let sentAt = 0; sentAt < 40_000; sentAt += 1_000) tell(sentAt, 5);
  expect(tell(40_000, 29_000)).toBe(28_995);
  expect(tell(68_000, 1_000)).toBe(995);
});

it('follows clocks that drift apart', () => {
  const { tell } = feed();
  let age = 0;
  // Half a second in a thousand, as much as a clock is slewed at most; for a day.
  for (let sentAt = 0; sentAt < 86_400_000; sentAt += 1_000)
    age = Math.max(age, tell(sentAt, sentAt / 2_000));
  expect(age).toBeLessThan(50);
});

it('knows nothing of the clock of the next feed, and does not listen to the former', () => {
  const { tell } = feed();
  tell(1_000_000, 5);
  expect(tell(3, 9, 2)).toBe(0);
  expect(tell(1_003, 10, 2)).toBe(1);
});
