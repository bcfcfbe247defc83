import { effect, type ReadonlySignal, type Signal, signal } from '@preact/signals-core';
import { useCallback, useLayoutEffect, useSyncExternalStore } from 'react';
import { toUnixMs, type UnixMs } from '#domain/core/time';
import {
  type ListRow,
  QUOTE,
  QUOTE_MARKET_OPEN,
  QUOTE_STALE,
  QUOTE_STRIDE,
} from '#domain/gateway/gateway';
import type { Quote } from '#domain/market/instrument';
import { onUnwatched, watchInstrument } from './watching';

/** The latest of an instrument as it is shown. */
export interface LiveQuote extends Quote {
  /** Wall clock of its arrival. */
  arrived: UnixMs;
  /** Not to be trusted: the link is unproven, or it was not refreshed since a reconnect (protocol.md#staleness). */
  stale: boolean;
}

/** What a row of the list knows before the first frame. */
export function liveQuote(row: ListRow): LiveQuote {
  return { ...row.quote, arrived: row.arrived, stale: row.stale };
}

/** Only what is watched has one: a row out of sight costs nothing here. */
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

/** The latest of an instrument that is watched. */
export function peekQuote(id: number): LiveQuote | undefined {
  return quotes.get(id)?.peek();
}

/** Watches an instrument, from `seed` on where nothing newer is known. `release` gives the reference back. */
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
 * Paints each quote of an instrument for as long as the component is in sight,
 * without rendering it: `paint` writes text into nodes that it holds by ref.
 * It may read other signals (the link, the clock) and runs again with them.
 * What is out of sight (`live` is false) stays as it was.
 */
export function useQuote(
  id: number,
  seed: LiveQuote,
  paint: (quote: LiveQuote) => void,
  deps: readonly unknown[] = [],
  live = true,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first quote seeds, later ones come by frames; deps are the caller's
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

/** One aspect of the live quote, rendering again only when that changes: open or closed, stale or not. */
export function useQuoteState<T extends string | number | boolean | undefined>(
  id: number,
  seed: LiveQuote,
  select: (quote: LiveQuote) => T,
): T {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first quote seeds, later ones come by frames
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
