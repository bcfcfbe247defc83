import { effect } from '@preact/signals-core';

/** Resolves once `condition`, which reads signals, is true. */
export function once(condition: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const stop = effect(() => {
      // The effect may run before `stop` is known.
      if (condition()) queueMicrotask(() => resolve(stop()));
    });
  });
}
