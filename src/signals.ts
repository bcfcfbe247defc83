import { effect, type ReadonlySignal } from '@preact/signals-core';
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

/** Resolves once `condition`, which reads signals, is true. */
export function once(condition: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const stop = effect(() => {
      // The effect may run before `stop` is known.
      if (condition()) queueMicrotask(() => resolve(stop()));
    });
  });
}
