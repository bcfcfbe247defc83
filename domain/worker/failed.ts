/** What a worker or service worker tells the page of an error in it, so that the page reports it (protocol.md#client-errors). */
export interface FailedElsewhere {
  failed: {
    name: string;
    message: string;
    stack: string;
    /** The build of a service worker, which may be another one than the page's. */
    release?: string;
  };
}

/**
 * What the three engines say where a network has failed, or somebody has stopped waiting, and a service worker that can't be installed
 * yet. Only the name is the same in Firefox and WebKit where a service worker has no file for the page.
 */
const EXPECTED =
  /^NetworkError|: (Failed to fetch|NetworkError|Load failed|The operation was aborted|signal is aborted|not installed: )|dynamically imported module|Importing a module/;

/** Whether an error is none of ours. */
export function isExpected({ name, message }: { name: string; message: string }): boolean {
  return EXPECTED.test(`${name}: ${message}`);
}

/** An error of any kind, as it is sent to the page. */
export function failedElsewhere(error: unknown, release?: string): FailedElsewhere {
  const known = error instanceof Error;
  return {
    failed: {
      name: known ? error.name : 'Error',
      message: known ? error.message : `thrown ${typeof error}`,
      stack: (known && error.stack) || '',
      ...(release !== undefined && { release }),
    },
  };
}
