import { type Remote, transfer, wrap } from 'comlink';
import type { Language } from '#domain/core/language';
import type { Frame, FramePort } from '#domain/worker/workerApi';
import type { BenchWorkerApi } from '#domain/workload/benchWorkerApi';
import type { Workload } from '#domain/workload/workload';
import { addressing } from '../pageSetting';
import { Worker } from '../trustedTypes';
import { currentFrameInterval } from './frameInterval';
import { connectionState, listRevision, receiveFrames } from './frameReceiver';
import { setWorkerApi, workerApi } from './workerApi';

export interface BenchSession {
  worker: Remote<BenchWorkerApi>;
  /** Ends the benchmark's worker and reconnects the page to the app's own. */
  end(): void;
}

/**
 * Replaces the app's worker with one that simulates its own market, so that lists, charts and
 * tickets draw that one. Meanwhile the app's worker draws nothing and queues its events, as if the
 * page were hidden. Nobody is logged out and nothing is stored.
 */
export function startBenchWorker(workload: Workload, language: Language): BenchSession {
  const own = workerApi;
  const before = { connectionState: connectionState.peek(), listRevision: listRevision.peek() };
  const thread = new Worker(new URL('../../workers/speedTest.worker.ts', import.meta.url), {
    type: 'module',
    name: JSON.stringify(workload),
  });
  const worker = wrap<BenchWorkerApi>(thread);
  const frames = new MessageChannel();
  let ended = false;

  void own.setVisible(false);
  setWorkerApi(worker as unknown as typeof own);
  void worker.start({
    language,
    page: addressing(),
    version: '',
    visible: true,
    online: true,
    // With it there is less to measure.
    dataSaver: false,
  });
  void worker.setFrameInterval(currentFrameInterval());
  receiveFrames(frames.port1 as FramePort<number, Frame>);
  void worker.sendFrames(transfer(frames.port2 as FramePort<Frame, number>, [frames.port2]));

  return {
    worker,
    end() {
      if (ended) return;
      ended = true;
      frames.port1.close();
      thread.terminate();
      setWorkerApi(own);
      connectionState.value = before.connectionState;
      listRevision.value = before.listRevision;
      void own.setFrameInterval(currentFrameInterval());
      void own.setVisible(!document.hidden);
    },
  };
}
