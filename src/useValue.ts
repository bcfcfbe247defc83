import { type ReadonlySignal, useSignal, useSignalEffect } from '@preact/signals-react';
import { useEffect, useState } from 'react';

/**
 * A signal's value; renders when it changes, so use it for values that change rarely. It subscribes
 * in an effect, so that a hidden `<Activity>` unsubscribes (architecture.md#frames). For quotes use
 * `useQuote`.
 */
export function useValue<T>(source: ReadonlySignal<T>): T {
  const latest = useSignal(source);
  const [, show] = useState(() => source.peek());
  useEffect(() => {
    latest.value = source;
  }, [latest, source]);
  useSignalEffect(() => {
    const value = latest.value.value;
    show(() => value);
  });
  return source.peek();
}
