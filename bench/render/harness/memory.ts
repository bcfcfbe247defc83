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
const COLLECTIONS = 5;

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

/** The least of some readings: quotes that are under way between a collection and the reading are nobody's. */
async function heap(target: Target): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < COLLECTIONS; i++) {
    const [, answer] = await Promise.all([
      target.send('HeapProfiler.collectGarbage'),
      target.send('Runtime.getHeapUsage'),
    ]);
    const usage = answer as unknown as HeapUsage;
    const used =
      usage.usedSize + (usage.embedderHeapUsedSize ?? 0) + (usage.backingStorageSize ?? 0);
    least = Math.min(least, used);
  }
  return least;
}
