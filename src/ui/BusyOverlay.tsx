import { signal } from '@preact/signals-core';
import { lazy, Suspense } from 'react';
import { useValue } from '../signals';

/** Whether a spinner blocks the page (screens.md#busy-overlay). */
export const busy = signal(false);

const Spinner = lazy(() => import('./Spinner'));

/** The spinner of screens.md#busy-overlay: no timeout, forbids clicks. Its code comes with the first one. */
export function BusyOverlay() {
  return useValue(busy) ? (
    <Suspense fallback={null}>
      <Spinner />
    </Suspense>
  ) : null;
}
