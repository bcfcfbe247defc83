import { expect, it } from 'vitest';
import { toUnixMs } from '#domain/core/time';
import type { SwapTerms } from '#domain/market/instrument';
import { Nights } from '#domain/trading/nights';
import { instrument } from '../support/instruments';

const MIDNIGHT = Date.UTC(2026, 0, 6);
const at = (seconds: number) => toUnixMs(MIDNIGHT + seconds * 1000);

it('a tick of the last day that comes late does not make the night due again', () => {
  const nights = new Nights([], true);
  nights.countFrom(at(-3600));
  expect([nights.isDue(at(-1)), nights.isDue(at(1))]).toEqual([false, true]);
  nights.charged(at(1));
  nights.charged(at(-1));
  expect([nights.isDue(at(2)), nights.isDue(at(86_400))]).toEqual([false, true]);
});

it('knows no terms where nights are not charged', () => {
  const swap = {} as SwapTerms;
  const termsOf = (charged: boolean) => new Nights([{ ...instrument(), swap }], charged).termsOf(1);
  expect([termsOf(true), termsOf(false)]).toEqual([swap, undefined]);
});
