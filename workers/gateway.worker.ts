import { expose } from 'comlink';
import { createGateway } from './gateway';
import { createOtherTabs } from './otherTabs';
import type { Wire } from './outside';
import { createStorage } from './storage';

const logger = { log: console.log, warn: console.warn };

expose(
  createGateway({
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
  }),
);
