import { notifyManager } from '@tanstack/react-query';
import { cleanup, configure } from '@testing-library/react';
import { afterAll, afterEach } from 'vitest';
import type { Frame, FramePort } from '#domain/worker/workerApi';
import { showLanguage } from '../../src/i18n/i18n';
import { queries } from '../../src/requests/queries';
import { pricesShown, receiveFrames } from '../../src/worker/frameReceiver';
import { user } from '../../src/worker/trading';

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
// The files of a process share its document, its language, its storage and who is logged in.
afterAll(async () => {
  document.body.replaceChildren();
  user.value = undefined;
  localStorage.clear();
  sessionStorage.clear();
  await showLanguage('en');
});
// What waits for the first prices waits once in a process; the timers of the file that asks first may
// be fakes, which never end.
const port: FramePort<number, Frame> = { onmessage: null, postMessage: () => undefined };
receiveFrames(port);
const shown = pricesShown();
for (let i = 0; i < 2; i++) port.onmessage?.({ data: { quotes: new Float64Array() } });
await shown;
