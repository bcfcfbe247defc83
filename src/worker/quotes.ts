import { type ReadonlySignal, type Signal, signal } from '@preact/signals-core';
import { toUnixMs, type UnixMs } from '#domain/core/time';
import type { Quote } from '#domain/market/instrument';
import type { ListRow } from '#domain/market/list';
import { QUOTE, QUOTE_MARKET_OPEN, QUOTE_STALE, QUOTE_STRIDE } from '#domain/worker/workerApi';
import { onUnwatched, watchInstrument } from './watching';

/** The latest quote of an instrument as it is shown. */
export interface LiveQuote extends Quote {
  /** When it arrived, on the time of `steadyTime`. */
  arrived: UnixMs;
  /**
   * Not to be trusted: the connection is unproven, or the quote was not refreshed since a reconnect
   * (protocol.md#staleness).
   */
  stale: boolean;
}

/** The quote in a row of the list, used before the first frame. */
export function liveQuote(row: Pick<ListRow, 'quote' | 'arrived' | 'stale'>): LiveQuote {
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
