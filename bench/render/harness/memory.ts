import { readFileSync } from 'node:fs';
import { type Cdp, Target } from './cdp';

interface HeapUsage {
  usedSize: number;
  /** Heap of the document's objects. */
  embedderHeapUsedSize?: number;
  /** Memory of array buffers. */
  backingStorageSize?: number;
}

/** Bytes. */
export interface Memory {
  page: number;
  worker: number;
  /** Proportional set size of the page's process: what a phone counts; undefined without Linux. */
  process?: number;
}

/** Repeat, because a collection can release objects for the next one. */
const COLLECTIONS = 5;

/** The JavaScript heaps of a page and its workers. */
export class Heaps {
  readonly #cdp: Cdp;
  readonly #page: Target;
  readonly #pid: number | undefined;
  #workers: Target[] | undefined;

  /** `pid` of the page's process. */
  constructor(cdp: Cdp, page: Target, pid?: number) {
    this.#cdp = cdp;
    this.#page = page;
    this.#pid = pid;
  }

  /** Memory in use after garbage collections. */
  async read(): Promise<Memory> {
    this.#workers ??= await this.#attach();
    let worker = 0;
    for (const each of this.#workers) worker += await heap(each);
    const page = await heap(this.#page);
    const process = this.#pid && proportional(this.#pid);
    return { page, worker, ...(process && { process }) };
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

/** Pages that processes share are divided between them. */
function proportional(pid: number): number | undefined {
  try {
    const found = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'));
    return found ? Number(found[1]) * 1024 : undefined;
  } catch {
    return undefined;
  }
}

/** The smallest of several readings, because quotes arrive between a collection and its reading. */
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
