import { signal } from '@preact/signals-core';

/** Whether clicks are blocked by the spinner of §8. */
export const busy = signal(false);
