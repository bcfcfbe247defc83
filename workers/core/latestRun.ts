/** Work whose result is of use only if it began after it was asked for. */
export interface LatestRun<T> {
  /** The result of a run that begins after this. Who ask before it begins share it. */
  (): Promise<T>;
  /** The result of the run that is under way, for whom that is new enough; otherwise of one that begins now. */
  join(): Promise<T>;
  /** What is under way is of no use any more; what was asked for since begins at once. */
  abort(): void;
}

/** Runs `work`, which does not reject, once at a time. */
export function latestRun<T>(work: (signal: AbortSignal) => Promise<T>): LatestRun<T> {
  let running: Promise<unknown> = Promise.resolve();
  let underWay: Promise<T> | undefined;
  let next: Promise<T> | undefined;
  let current = new AbortController();

  function run(): Promise<T> {
    next = undefined;
    current = new AbortController();
    const result = work(current.signal);
    running = underWay = result;
    void result.then(() => {
      if (underWay === result) underWay = undefined;
    });
    return result;
  }

  function ask(): Promise<T> {
    next ??= running.then(run);
    return next;
  }

  return Object.assign(ask, {
    join: () => underWay ?? ask(),
    abort: () => current.abort(),
  });
}
