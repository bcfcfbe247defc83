import { expose } from 'comlink';
import type { Frame, FramePort } from '#domain/worker/workerApi';
import type { Workload } from '#domain/workload/workload';
import { isFirstEvaluation } from './core/firstEvaluation';
import type { Ports } from './core/ports';
import { realClock } from './core/realClock';
import { createFeed } from './speedTest/feed';
import { createWorkerApi } from './workerApi';

/** The worker of the benchmark screen: the app's worker on its own market and storage, which end with it (screens.md#benchmark). */
const workload = JSON.parse(self.name) as Workload;
const feed = createFeed(workload, realClock);
const memory = new Map<string, unknown>();

const ports: Ports = {
  clock: realClock,
  random: Math.random,
  openSocket: feed.openSocket,
  storage: {
    get: async (key) => memory.get(key),
    async set(key, value) {
      memory.set(key, value);
    },
    async remove(key) {
      memory.delete(key);
    },
    all: async () => [],
    superseded() {},
    listen() {},
    setVisible() {},
  },
  logger: { log: console.log, warn: console.warn },
  otherTabs: { publishToken() {}, onToken() {}, publishAlerts() {}, onAlerts() {} },
  tabLocks: { own: '', held: Promise.resolve(), take: async () => undefined },
  stopwatch: () => performance.now(),
  adapter: feed.adapter,
};
const workerApi = createWorkerApi(ports);

if (isFirstEvaluation())
  expose({
    ...workerApi,
    // Passes on market data and the ticket only: the user and events come from the app's own worker.
    sendFrames(port: FramePort<Frame, number>) {
      const market: FramePort<Frame, number> = {
        onmessage: null,
        postMessage({ connection, listRevision, quotes, candles, ticket }, buffers) {
          port.postMessage(
            {
              ...(connection && { connection }),
              ...(listRevision !== undefined && { listRevision }),
              ...(quotes && { quotes }),
              ...(candles && { candles }),
              ...(ticket && { ticket }),
            },
            buffers,
          );
        },
      };
      port.onmessage = (event) => market.onmessage?.(event);
      workerApi.sendFrames(market);
    },
    play: feed.play,
    end: feed.end,
    now: realClock.now,
  });
