import { signal } from '@preact/signals-core';

/** The list has failed or is empty: the place of the chart says so, and nothing waits for an instrument. */
export const instrumentMissing = signal(false);
