import { type Cdp, Target } from './cdp';

interface HeapUsage {
  usedSize: number;
  backingStorageSize?: number;
}

/** Bytes of the page's and its worker's heaps after a collection, their array buffers included. */
export async function memoryOf(cdp: Cdp, page: Target): Promise<{ page: number; worker: number }> {
  const workers: Target[] = [];
  cdp.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
    if ((targetInfo as { type: string }).type === 'worker')
      workers.push(new Target(cdp, String(sessionId)));
  });
  await page.send('Target.setAutoAttach', {
    autoAttach: true,
    waitForDebuggerOnStart: false,
    flatten: true,
  });
  let worker = 0;
  for (const each of workers) worker += await heap(each);
  return { page: await heap(page), worker };
}

async function heap(target: Target): Promise<number> {
  await target.send('HeapProfiler.collectGarbage');
  const usage = (await target.send('Runtime.getHeapUsage')) as unknown as HeapUsage;
  return usage.usedSize + (usage.backingStorageSize ?? 0);
}
