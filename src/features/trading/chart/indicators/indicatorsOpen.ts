import { signal } from '@preact/signals-core';

/** The chart whose sheet of indicators is open. Apart from it, because the chart's button needs no more. */
export const indicatorsOpen = signal<object | undefined>(undefined);
