import { expect, test } from 'vitest';
import { toDurationMs, toUnixMs } from '#domain/core/time';
import { quoteAge } from '../../../src/gateway/age';
import { liveQuote } from '../../../src/gateway/quotes';
import { listRow } from '../scriptedGateway';

const quote = (time: number | undefined) => ({
  ...liveQuote(listRow(1)),
  time: time === undefined ? undefined : toUnixMs(time),
  arrived: toUnixMs(100_000),
});

test('the age is by the market’s clock if it and the quote’s time are known', () => {
  expect(quoteAge(quote(5_000), toDurationMs(-90_000), toUnixMs(110_000))).toBe(15_000);
});

test('the age is the time since arrival otherwise, and never negative', () => {
  expect(quoteAge(quote(undefined), toDurationMs(-90_000), toUnixMs(110_000))).toBe(10_000);
  expect(quoteAge(quote(5_000), undefined, toUnixMs(110_000))).toBe(10_000);
  expect(quoteAge(quote(50_000), toDurationMs(-90_000), toUnixMs(110_000))).toBe(0);
});
