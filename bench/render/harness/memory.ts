import { type Cdp, Target } from './cdp';

interface HeapUsage {
  usedSize: number;
  /** Of the objects of the document. */
  embedderHeapUsedSize?: number;
  /** Of array buffers. */
  backingStorageSize?: number;
}

/** Bytes. */
export interface Memory {
  page: number;
  worker: number;
}

/** One frees what only the one before has made free. */
const COLLECTIONS = 3;

/** The heaps of a page and its workers. */
export class Heaps {
  readonly #cdp: Cdp;
  readonly #page: Target;
  #workers: Target[] | undefined;

  constructor(cdp: Cdp, page: Target) {
    this.#cdp = cdp;
    this.#page = page;
  }

  /** After collections: what is in use. */
  async read(): Promise<Memory> {
    this.#workers ??= await this.#attach();
    let worker = 0;
    for (const each of this.#workers) worker += await heap(each);
    return { page: await heap(this.#page), worker };
  }

  async #attach(): Promise<Target[]> {
    const workers: Target[] = [];
    this.#cdp.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
      if ((targetInfo as { type: string }).type === 'worker')
        workers.push(new Target(this.#cdp, String(sessionId)));
    });
    await this.#page.send('Target.setAutoAttach', {
      autoAttach: true,
      waitForDebuggerOnStart: false,
      flatten: true,
    });
    return workers;
  }
}

async function heap(target: Target): Promise<number> {
  for (let i = 0; i < COLLECTIONS; i++) await target.send('HeapProfiler.collectGarbage');
  const usage = (await target.send('Runtime.getHeapUsage')) as unknown as HeapUsage;
  return usage.usedSize + (usage.embedderHeapUsedSize ?? 0) + (usage.backingStorageSize ?? 0);
}
