import { signal } from '@preact/signals-core';
import { createSteadyTime } from '#domain/core/steadyTime';
import { toUnixMs, type UnixMs } from '#domain/core/time';
import type { ConnectionState } from '#domain/worker/workerApi';
import type { LiveQuote } from './quotes';

/** Ages are shown from this age on, ms (domain.md#quote-age). */
export const AGE_SHOWN = 15_000;

const TICK = 5_000;
let timer: ReturnType<typeof setInterval> | undefined;

/** The time of this page for ages, which is not set back with the wall clock. The worker has one like it. */
export const steadyTime = createSteadyTime(
  () => toUnixMs(Date.now()),
  () => performance.now(),
);

/** That time in steps of five seconds. Runs only while something subscribes to it. */
export const clock = signal(steadyTime(), {
  watched() {
    this.value = steadyTime();
    timer = setInterval(() => {
      this.value = steadyTime();
    }, TICK);
  },
  unwatched() {
    clearInterval(timer);
  },
});

/**
 * Age of a quote in ms (domain.md#quote-age): by the market's clock where that and the quote's time
 * are known, otherwise since its arrival.
 */
export function quoteAge(
  quote: LiveQuote,
  marketOffset: ConnectionState['marketOffset'],
  now: UnixMs,
): number {
  return Math.max(
    0,
    quote.time !== undefined && marketOffset !== undefined
      ? now + marketOffset - quote.time
      : now - quote.arrived,
  );
}
