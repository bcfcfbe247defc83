import { Worker } from '../trustedTypes';
import { observed } from './startedWorker';

/** The worker, and its first error. */
export const { worker, failed: workerError } =
  globalThis.fulcrumWorker ??
  observed(
    new Worker(new URL('../../workers/client.worker.ts', import.meta.url), { type: 'module' }),
  );
