import { signal } from '@preact/signals-core';
import { useDeferredValue } from 'react';
import { useValue } from '../../../useValue';

/** The chart whose drawing tools are open. Apart from them, because the chart's button needs no more. */
export const toolsOpen = signal<object | undefined>(undefined);

/** The same, a frame after the button is marked: the tools give the chart another size (D168). */
export const useToolsOpen = (): object | undefined => useDeferredValue(useValue(toolsOpen));
