import { expose } from 'comlink';
import { afterAhead } from './connection/socketAhead';
import { isFirstEvaluation } from './core/firstEvaluation';
import { createOtherTabs } from './core/otherTabs';
import type { RawSocket } from './core/ports';
import { realClock } from './core/realClock';
import { createStorage } from './core/storage';
import { createTabLocks } from './core/tabLocks';
import { createWorkerApi } from './workerApi';

const logger = { log: console.log, warn: console.warn };
const open = (url: string) => new WebSocket(url) as RawSocket;

if (isFirstEvaluation())
  expose(
    createWorkerApi({
      clock: realClock,
      random: Math.random,
      openSocket: afterAhead(globalThis.socketAhead, open),
      storage: createStorage(logger, realClock),
      logger,
      otherTabs: createOtherTabs(),
      tabLocks: createTabLocks(),
      stopwatch: () => performance.now(),
    }),
  );
