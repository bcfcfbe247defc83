import { signal } from '@preact/signals-core';

/** Whether clicks are blocked by the spinner (screens.md#busy-overlay). */
export const busy = signal(false);
