import { signal } from '@preact/signals-react';
import { useValue } from '../useValue';
import { lazyPart, ToldInBanner } from './lazyPart';

/** Whether a spinner blocks the page (screens.md#busy-overlay). */
export const busy = signal(false);

const Spinner = lazyPart(() => import('./Spinner'), ToldInBanner);

/**
 * The modal spinner (screens.md#busy-overlay): it has no timeout and blocks clicks. Its code is
 * loaded at its first use.
 */
export function BusyOverlay() {
  return useValue(busy) ? <Spinner /> : null;
}
