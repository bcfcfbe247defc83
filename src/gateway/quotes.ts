import { effect, type ReadonlySignal, type Signal, signal } from '@preact/signals-core';
import { useCallback, useLayoutEffect, useSyncExternalStore } from 'react';
import { toUnixMs, type UnixMs } from '#domain/core/time';
import { QUOTE, QUOTE_MARKET_OPEN, QUOTE_STALE, QUOTE_STRIDE } from '#domain/gateway/gateway';
import type { Quote } from '#domain/market/instrument';
import type { ListRow } from '#domain/market/list';
import { onUnwatched, watchInstrument } from './watching';

/** The latest quote of an instrument as it is shown. */
export interface LiveQuote extends Quote {
  /** Wall-clock time of its arrival. */
  arrived: UnixMs;
  /**
   * Not to be trusted: the connection is unproven, or the quote was not refreshed since a reconnect
   * (protocol.md#staleness).
   */
  stale: boolean;
}

/** The quote in a row of the list, used before the first frame. */
export function liveQuote(row: ListRow): LiveQuote {
  return { ...row.quote, arrived: row.arrived, stale: row.stale };
}

/** Watched instruments only, so that a row out of sight costs nothing here. */
const quotes = new Map<number, Signal<LiveQuote>>();
onUnwatched((id) => quotes.delete(id));

export function applyQuotes(changed: Float64Array): void {
  for (let at = 0; at + QUOTE_STRIDE <= changed.length; at += QUOTE_STRIDE) {
    const quote = quotes.get(changed[at + QUOTE.id] as number);
    if (quote) quote.value = readQuote(changed, at);
  }
}

function readQuote(numbers: Float64Array, at: number): LiveQuote {
  const number = (offset: number) => numbers[at + offset] as number;
  const time = number(QUOTE.time);
  const has = (flag: number) => (number(QUOTE.flags) & flag) !== 0;
  return {
    close: number(QUOTE.close),
    open: number(QUOTE.open),
    change: number(QUOTE.change),
    time: Number.isNaN(time) ? undefined : toUnixMs(time),
    arrived: toUnixMs(number(QUOTE.arrived)),
    marketOpen: has(QUOTE_MARKET_OPEN),
    stale: has(QUOTE_STALE),
  };
}

/** The latest quote of a watched instrument. */
export function peekQuote(id: number): LiveQuote | undefined {
  return quotes.get(id)?.peek();
}

/**
 * Watches an instrument. `seed` is used where no newer quote is known. `release` ends the watch.
 */
export function watchQuote(
  id: number,
  seed: LiveQuote,
): { quote: ReadonlySignal<LiveQuote>; release: () => void } {
  let quote = quotes.get(id);
  if (!quote) {
    quote = signal(seed);
    quotes.set(id, quote);
  }
  return { quote, release: watchInstrument(id) };
}

/**
 * Paints each quote of an instrument while the component is mounted, without a React render.
 * `paint` writes text into nodes that it holds by ref; it may read other signals (connection,
 * clock) and runs again when they change. With `live` false it paints once and stops.
 */
export function useQuote(
  id: number,
  seed: LiveQuote,
  paint: (quote: LiveQuote) => void,
  deps: readonly unknown[] = [],
  live = true,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: `seed` only matters at the start; `deps` are the caller's
  useLayoutEffect(() => {
    if (!live) return paint(peekQuote(id) ?? seed);
    const { quote, release } = watchQuote(id, seed);
    const stop = effect(() => paint(quote.value));
    return () => {
      stop();
      release();
    };
  }, [id, live, ...deps]);
}

/**
 * One aspect of the live quote (open or closed, stale or not). Renders only when that aspect
 * changes.
 */
export function useQuoteState<T extends string | number | boolean | undefined>(
  id: number,
  seed: LiveQuote,
  select: (quote: LiveQuote) => T,
): T {
  // biome-ignore lint/correctness/useExhaustiveDependencies: `seed` only matters at the start
  const subscribe = useCallback(
    (changed: () => void) => {
      const { quote, release } = watchQuote(id, seed);
      const stop = quote.subscribe(changed);
      return () => {
        stop();
        release();
      };
    },
    [id],
  );
  return useSyncExternalStore(subscribe, () => select(quotes.get(id)?.peek() ?? seed));
}
