export interface StartedWorker {
  readonly worker: Worker;
  /** Resolves with the first error in it. */
  readonly failed: Promise<void>;
  /** What it has sent before somebody listens. */
  readonly early: readonly unknown[];
}

declare global {
  /** The worker that the page's first script has started (src/boot.ts); none in development. */
  var fulcrumWorker: StartedWorker | undefined;
}

export function observed(worker: Worker): StartedWorker {
  const failed = new Promise<void>((resolve) => {
    worker.addEventListener('error', () => resolve());
  });
  const early: unknown[] = [];
  worker.onmessage = ({ data }) => early.push(data);
  return { worker, failed, early };
}
