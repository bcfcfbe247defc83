import { signal } from '@preact/signals-core';

/** Whether the drawing tools are open. Apart from them, because the chart's button needs no more. */
export const toolsOpen = signal(false);
