import { signal } from '@preact/signals-core';

/** Whether the browser does not store what the user would miss: of the worker, */
export const workerUnsaved = signal(false);
/** and of the workspace. */
export const layoutsUnsaved = signal(false);
