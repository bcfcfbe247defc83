import { expose } from 'comlink';
import { createOtherTabs } from './core/otherTabs';
import type { RawSocket } from './core/ports';
import { realClock } from './core/realClock';
import { createStorage } from './core/storage';
import { createTabLocks } from './core/tabLocks';
import { createGateway } from './gateway';

const logger = { log: console.log, warn: console.warn };

expose(
  createGateway({
    clock: realClock,
    random: Math.random,
    openSocket: (url) => new WebSocket(url) as RawSocket,
    storage: createStorage(logger),
    logger,
    otherTabs: createOtherTabs(),
    tabLocks: createTabLocks(),
    stopwatch: () => performance.now(),
  }),
);
