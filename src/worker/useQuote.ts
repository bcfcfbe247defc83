import { effect } from '@preact/signals-react';
import { useCallback, useLayoutEffect, useSyncExternalStore } from 'react';
import { type LiveQuote, peekQuote, watchQuote } from './quotes';

/**
 * Paints each quote of an instrument while the component is mounted, without a React render.
 * `paint` writes text into nodes that it holds by ref; it may read other signals (connection,
 * clock) and runs again when they change.
 */
export function useQuote(
  id: number,
  seed: LiveQuote,
  paint: (quote: LiveQuote) => void,
  deps: readonly unknown[] = [],
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: `seed` only matters at the start; `deps` are the caller's
  useLayoutEffect(() => {
    const { quote, release } = watchQuote(id, seed);
    const stop = effect(() => paint(quote.value));
    return () => {
      stop();
      release();
    };
  }, [id, ...deps]);
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
  return useSyncExternalStore(subscribe, () => select(peekQuote(id) ?? seed));
}
