import { expose, transfer } from 'comlink';
import { buffersOf } from './frame';
import { createGateway } from './gateway';
import { createOtherTabs } from './otherTabs';
import type { Wire } from './outside';
import { createStorage } from './storage';

const logger = { log: console.log, warn: console.warn };

const gateway = createGateway({
  clock: {
    now: Date.now,
    after(ms, task) {
      const timer = setTimeout(task, ms);
      return () => clearTimeout(timer);
    },
  },
  random: Math.random,
  openWire: (url) => new WebSocket(url) as Wire,
  storage: createStorage(logger),
  logger,
  otherTabs: createOtherTabs(),
  stopwatch: () => performance.now(),
});

expose({
  ...gateway,
  async nextFrame() {
    const frame = await gateway.nextFrame();
    return transfer(frame, buffersOf(frame));
  },
});
