import type { ReadonlySignal } from '@preact/signals-core';
import { useCallback, useSyncExternalStore } from 'react';

/**
 * A signal's value, rendering again when it changes: for what changes slowly.
 * A subscription of React's own, so that a hidden `<Activity>` lets go of it
 * (architecture.md#frames). Quotes go to their text node by `useQuote` instead.
 */
export function useValue<T>(source: ReadonlySignal<T>): T {
  const subscribe = useCallback((changed: () => void) => source.subscribe(changed), [source]);
  return useSyncExternalStore(subscribe, () => source.peek());
}
