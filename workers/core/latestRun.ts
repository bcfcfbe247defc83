/** Work whose result is valid only if the run began after it was requested. */
export interface LatestRun<T> {
  /** Returns the result of a run that begins after this call. Callers before it begins share it. */
  (): Promise<T>;
  /** Returns the result of the running one, for callers to whom that is new enough; otherwise of a run that begins now. */
  join(): Promise<T>;
  /** Aborts the running one; a run requested since then begins immediately. */
  abort(): void;
}

/** Runs `work`, which must not reject, once at a time. */
export function latestRun<T>(work: (signal: AbortSignal) => Promise<T>): LatestRun<T> {
  let running: Promise<unknown> = Promise.resolve();
  let inFlight: Promise<T> | undefined;
  let next: Promise<T> | undefined;
  let current = new AbortController();

  function run(): Promise<T> {
    next = undefined;
    current = new AbortController();
    const result = work(current.signal);
    running = inFlight = result;
    void result.then(() => {
      if (inFlight === result) inFlight = undefined;
    });
    return result;
  }

  function request(): Promise<T> {
    next ??= running.then(run);
    return next;
  }

  return Object.assign(request, {
    join: () => inFlight ?? request(),
    abort: () => current.abort(),
  });
}
