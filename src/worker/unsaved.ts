import { signal } from '@preact/signals-core';

/** Whether the browser does not store what the user would miss of the worker. */
export const workerUnsaved = signal(false);
/** Whether it does not store the layouts of the workspace. */
export const layoutsUnsaved = signal(false);
