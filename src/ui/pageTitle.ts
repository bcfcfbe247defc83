import { signal } from '@preact/signals-core';

/** What the title of the page names instead of the screen; undefined: the screen's own title. */
export const pageTitle = signal<string | undefined>(undefined);

/** How much happened while the page was hidden; the title begins with it (screens.md#alerts). */
export const unseen = signal(0);
