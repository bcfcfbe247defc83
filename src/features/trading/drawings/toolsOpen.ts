import { signal } from '@preact/signals-core';

/** The chart whose drawing tools are open. Apart from them, because the chart's button needs no more. */
export const toolsOpen = signal<object | undefined>(undefined);
