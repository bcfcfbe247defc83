import { signal } from '@preact/signals-core';

/** Changes when the alerts may have changed. */
export const alertsRevision = signal(0);
