import { expect, it } from 'vitest';
import { ages } from '#domain/workload/ages';
import { priceText } from '#domain/workload/stream';
import { MAIN } from '#domain/workload/workload';

const { record } = await import('../../bench/render/harness/stream' as string);

it('only rows in sight have ages, although a list without a window paints all', () => {
  const recording = record({ ...MAIN, n: 2, rate: 2, perMessage: 1 }, 20);
  const sentAt = Array.from(recording.due as number[]);
  const nameOf = (quote: number) =>
    recording.instruments[recording.instrumentOf[quote]].ShowCode as string;
  // Each quote is painted 10 ms after it was sent.
  const seen = sentAt.map((at, quote) => ({
    at: at + 10,
    name: nameOf(quote),
    price: priceText(recording.priceOf[quote]) as string,
  }));
  const all: number[] = ages(recording, sentAt, seen);
  const one: number[] = ages(recording, sentAt, seen, new Set([nameOf(0)]));
  expect(new Set(all.map(Math.round))).toEqual(new Set([10]));
  expect(one.length).toBeGreaterThan(15);
  expect(one.length).toBeLessThan(0.6 * all.length);
});
