import type { ReadonlySignal } from '@preact/signals-core';
import { useCallback, useSyncExternalStore } from 'react';

/**
 * A signal's value; renders when it changes, so use it for values that change rarely. It subscribes
 * through React, so that a hidden `<Activity>` unsubscribes (architecture.md#frames). For quotes
 * use `useQuote`.
 */
export function useValue<T>(source: ReadonlySignal<T>): T {
  const subscribe = useCallback((changed: () => void) => source.subscribe(changed), [source]);
  return useSyncExternalStore(subscribe, () => source.peek());
}
