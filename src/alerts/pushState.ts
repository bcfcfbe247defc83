import { signal } from '@preact/signals-core';

/** Whether the user is told while the app is closed, or why not; undefined while that is not known. */
export type PushState = 'closed' | 'noServer' | 'noBrowser' | 'noService';
export const pushState = signal<PushState | undefined>(undefined);
