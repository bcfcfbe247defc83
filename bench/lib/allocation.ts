import { PerformanceObserver } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export type Allocation = {
  /** Pieces of work done. */
  pieces: number;
  /** Growth of the JavaScript heap for each piece, bytes. */
  heapBytesEach: number;
  /** Garbage collections of any kind meanwhile. */
  collections: number;
};

/**
 * Heap growth of `work`, which returns how many pieces it did, after warm-up and without collecting
 * garbage first.
 */
export async function allocation(work: () => number, atLeast = 5_000_000): Promise<Allocation> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let done = 0; done < atLeast / 5; ) done += work();
  collect();
  await wait(10);
  let collections = 0;
  const observer = new PerformanceObserver((list) => {
    collections += list.getEntries().length;
  });
  observer.observe({ entryTypes: ['gc'] });
  const before = process.memoryUsage().heapUsed;
  let pieces = 0;
  while (pieces < atLeast) pieces += work();
  const grown = process.memoryUsage().heapUsed - before;
  await wait(10);
  observer.disconnect();
  return { pieces, heapBytesEach: grown / pieces, collections };
}
