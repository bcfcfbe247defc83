import { expose } from 'comlink';
import type { Workload } from '#domain/bench/workload';
import type { Frame, FramePort } from '#domain/gateway/gateway';
import { createFeed } from './bench/feed';
import type { Clock, Ports, RawSocket } from './core/ports';
import { createGateway } from './gateway';

/** The worker of /bench: the app's own gateway, on a market and a memory that end with it. */
const workload = JSON.parse(self.name) as Workload;
const clock: Clock = {
  now: Date.now,
  after(ms, task) {
    const timer = setTimeout(task, ms);
    return () => clearTimeout(timer);
  },
};
const feed = workload.source === 'device' ? createFeed(workload, clock) : undefined;
const memory = new Map<string, unknown>();

const ports: Ports = {
  clock,
  random: Math.random,
  openSocket: feed ? feed.openSocket : (url) => new WebSocket(url) as RawSocket,
  storage: {
    get: async (key) => memory.get(key),
    async set(key, value) {
      memory.set(key, value);
    },
    async remove(key) {
      memory.delete(key);
    },
  },
  logger: { log: console.log, warn: console.warn },
  otherTabs: { publishToken() {}, onToken() {} },
  stopwatch: () => performance.now(),
  ...(feed && { adapter: feed.adapter }),
};
const gateway = createGateway(ports);

expose({
  ...gateway,
  // Of its frames only the market and the ticket: who is logged in, and what happened, is the app's own worker's to say.
  sendFrames(port: FramePort<Frame, number>) {
    const market: FramePort<Frame, number> = {
      onmessage: null,
      postMessage({ link, listRevision, quotes, candles, ticket }, buffers) {
        port.postMessage(
          {
            ...(link && { link }),
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
    gateway.sendFrames(market);
  },
  play: () => feed?.play(),
  end: () => feed?.end(),
});
