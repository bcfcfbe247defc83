import { signal } from '@preact/signals-core';

/** Uploads under way, by their id: the share that was sent, 0 to 1. */
export const uploads = signal<Readonly<Record<string, number>>>({});
