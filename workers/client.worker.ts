import { expose } from 'comlink';
import type { Start } from '#domain/worker/workerApi';
import { type BrowserSocket, openAhead } from './connection/socketAhead';
import { isFirstEvaluation } from './core/firstEvaluation';
import { createOtherTabs } from './core/otherTabs';
import { realClock } from './core/realClock';
import { createStorage } from './core/storage';
import { createTabLocks } from './core/tabLocks';
import { baseAddress, isDecided } from './http/baseAddress';
import { createWorkerApi } from './workerApi';

const logger = { log: console.log, warn: console.warn };
const open = (url: string) => new WebSocket(url) as BrowserSocket;

/** The page's first script names the worker by where the page is from (src/boot.ts). */
const page = self.name ? (JSON.parse(self.name) as Start['page']) : undefined;
const ahead = page && isDecided(page) && baseAddress(page).ws;

if (isFirstEvaluation())
  expose(
    createWorkerApi({
      clock: realClock,
      random: Math.random,
      openSocket: ahead ? openAhead(ahead, open) : open,
      storage: createStorage(logger, realClock),
      logger,
      otherTabs: createOtherTabs(),
      tabLocks: createTabLocks(),
      stopwatch: () => performance.now(),
    }),
  );
