import { signal } from '@preact/signals-core';
import { transfer, wrap } from 'comlink';
import type { Language } from '#domain/core/language';
import type { Frame, FramePort, Gateway, Start } from '#domain/gateway/gateway';
import type { TradingGateway } from '#domain/gateway/trading';
import { pageSetting } from '../pageSetting';
import { Worker } from '../trustedTypes';
import { setGateway } from './client';
import { pump } from './pump';

/** The worker could not be started or has died. Only reloading the page helps. */
export const workerFailed = signal(false);

/** What determines the base address of the API (protocol.md#base-address). */
export function pageOf(): Start['page'] {
  return {
    origin: location.origin,
    title: document.title,
    fallbackHost: pageSetting('fallback-host'),
  };
}

/**
 * Starts the worker and keeps it informed of the page's state. Called once, before React starts.
 */
export function connect(language: Language, dataSaver: boolean): void {
  const worker = new Worker(new URL('../../workers/gateway.worker.ts', import.meta.url), {
    type: 'module',
  });
  let started = false;
  const failing = new Promise<void>((resolve) => {
    worker.addEventListener('error', () => {
      // After the start, an error is a single failed operation and the worker continues.
      workerFailed.value = !started;
      resolve();
    });
  });
  const frames = new MessageChannel();
  const gateway = wrap<Gateway & TradingGateway>(worker);
  setGateway(gateway);
  const starting = gateway.start({
    language,
    page: pageOf(),
    complaintUrl: pageSetting('complaint-url'),
    version: import.meta.env.VITE_VERSION ?? '',
    visible: !document.hidden,
    online: navigator.onLine,
    dataSaver,
    narrow: location.hash.startsWith('#/panel'),
  });
  const running = starting.then(() => {
    started = true;
  });
  document.addEventListener('visibilitychange', () => void gateway.setVisible(!document.hidden));
  addEventListener('online', () => void gateway.setOnline(true));
  addEventListener('offline', () => void gateway.setOnline(false));
  pump(frames.port1 as FramePort<number, Frame>, Promise.race([running, failing]));
  void gateway.sendFrames(transfer(frames.port2 as FramePort<Frame, number>, [frames.port2]));
}
