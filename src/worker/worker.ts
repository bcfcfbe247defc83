import { Worker } from '../trustedTypes';
import { observed } from './startedWorker';

/** The worker, its first error, and what its first stage has sent already. */
export const {
  worker,
  failed: workerError,
  early,
} = globalThis.fulcrumWorker ??
observed(
  new Worker(new URL('../../workers/client.worker.ts', import.meta.url), { type: 'module' }),
);
