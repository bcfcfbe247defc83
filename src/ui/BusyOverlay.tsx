import { lazy, Suspense } from 'react';
import { useValue } from '../signals';
import { busy } from './busy';

const Spinner = lazy(() => import('./Spinner'));

/** The spinner of screens.md#busy-overlay: no timeout, forbids clicks. Its code comes with the first one. */
export function BusyOverlay() {
  return useValue(busy) ? (
    <Suspense fallback={null}>
      <Spinner />
    </Suspense>
  ) : null;
}
