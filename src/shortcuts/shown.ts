import { signal } from '@preact/signals-core';

/** What the keyboard has opened: the palette, or the list of all keys. */
export const keyboardShown = signal<'palette' | 'keys' | undefined>(undefined);
