import { notifyManager } from '@tanstack/react-query';
import { cleanup, configure } from '@testing-library/react';
import { afterAll, afterEach, vi } from 'vitest';
import type { Frame, FramePort } from '#domain/worker/workerApi';
import { queries } from '../../src/requests/queries';
import { pricesShown, receiveFrames } from '../../src/worker/frameReceiver';

Object.assign(globalThis, {
  IS_REACT_ACT_ENVIRONMENT: true,
  // Toasts and sheets are removed when they close, not some frames later.
  BASE_UI_ANIMATIONS_DISABLED: true,
  // happy-dom has none. A frame that fails fails the test, with its cause.
  reportError(error: unknown) {
    throw error;
  },
});
// A loaded machine is slow, not wrong.
configure({ asyncUtilTimeout: 30_000 });
afterEach(() => {
  // Testing Library does this by itself only where the test functions are globals.
  cleanup();
  // The next test, also of another file, may ask the same as one that was never answered.
  queries.clear();
});
// Answers reach the screen with the promises that `settle` waits for, not with a timer.
notifyManager.setScheduler(queueMicrotask);
// The files of a process share its document, its storage, its globals, and what its modules know.
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  document.body.replaceChildren();
  localStorage.clear();
  sessionStorage.clear();
  vi.resetModules();
});
// What waits for the first prices waits once; the timers of the test that asks first may be fakes, which never end.
const port: FramePort<number, Frame> = { onmessage: null, postMessage: () => undefined };
receiveFrames(port);
const shown = pricesShown();
for (let i = 0; i < 2; i++) port.onmessage?.({ data: { quotes: new Float64Array() } });
await shown;
