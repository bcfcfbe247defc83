type Task = (lock: Lock | null) => unknown;

interface Request {
  name: string;
  task: Task;
  end(done: Promise<unknown>): void;
  fail(): void;
}

/** The Web Locks of a browser, for exclusive locks: the workers of a test are its tabs. */
export class ScriptedLocks {
  readonly #held = new Map<string, Request>();
  #waiting: Request[] = [];

  readonly request: LockManager['request'] = (name: string, ...rest: unknown[]) => {
    const task = rest.at(-1) as Task;
    const { ifAvailable, steal, signal } = (rest.length > 1 ? rest[0] : {}) as LockOptions;
    return new Promise<never>((end, reject) => {
      const fail = () => reject(new DOMException('', 'AbortError'));
      const request: Request = { name, task, end: (done) => end(done as never), fail };
      if (steal) {
        this.#held.get(name)?.fail();
        this.#held.delete(name);
        this.#grant(request);
      } else if (ifAvailable && this.#held.has(name)) end(task(null) as never);
      else {
        this.#waiting.push(request);
        signal?.addEventListener('abort', () => {
          if (!this.#waiting.includes(request)) return;
          this.#waiting = this.#waiting.filter((other) => other !== request);
          fail();
        });
        this.#next(name);
      }
    });
  };

  #next(name: string): void {
    const next = this.#waiting.find((request) => request.name === name);
    if (!next || this.#held.has(name)) return;
    this.#waiting = this.#waiting.filter((other) => other !== next);
    this.#grant(next);
  }

  #grant(request: Request): void {
    const { name } = request;
    this.#held.set(name, request);
    const done = Promise.resolve(request.task({ name, mode: 'exclusive' }));
    void done.finally(() => {
      request.end(done);
      if (this.#held.get(name) !== request) return;
      this.#held.delete(name);
      this.#next(name);
    });
  }
}
