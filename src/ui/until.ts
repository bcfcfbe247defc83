import { effect } from '@preact/signals-core';

/** Resolves as soon as `condition`, which reads signals, is true. */
export function until(condition: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const stop = effect(() => {
      // The effect may run before `stop` is known.
      if (condition()) queueMicrotask(() => resolve(stop()));
    });
  });
}
