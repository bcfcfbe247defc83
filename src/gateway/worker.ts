import { Worker } from '../trustedTypes';

/** The worker. The build makes a script of this module alone, so that the worker loads while the page still does (D130). */
export const worker = new Worker(new URL('../../workers/gateway.worker.ts', import.meta.url), {
  type: 'module',
});

/** Resolves with the first error in it. */
export const workerError = new Promise<void>((resolve) => {
  worker.addEventListener('error', () => resolve());
});
