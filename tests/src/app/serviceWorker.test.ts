import { renderHook } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ANOTHER_VERSION } from '#domain/worker/serviceWorker';
import { newVersion, startServiceWorker, takeNewVersion } from '../../../src/app/serviceWorker';
import { usePreload } from '../../../src/app/usePreload';

/** A browser whose registrations are counted; `served`: a service worker answers for the page. */
function browser(served: boolean) {
  // The page keeps it, also for files of tests that come after.
  const registration = { waiting: null, update: async () => undefined };
  const register = vi.fn(async () => Object.assign(new EventTarget(), registration));
  const controller = served ? { postMessage: vi.fn() } : null;
  const serviceWorker = Object.assign(new EventTarget(), { register, controller });
  Object.defineProperty(navigator, 'serviceWorker', { configurable: true, value: serviceWorker });
  return register;
}

/** The page goes to the background, or comes back. */
function hide(hidden: boolean): void {
  Object.defineProperty(document, 'hidden', { configurable: true, value: hidden });
  document.dispatchEvent(new Event('visibilitychange'));
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubEnv('VITE_VERSION', 'v1');
});
afterEach(() => {
  hide(false);
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  Reflect.deleteProperty(document, 'hidden');
  Reflect.deleteProperty(navigator, 'serviceWorker');
});

describe('the service worker of a first visit', () => {
  it('is installed after 30 s without input, not before', async () => {
    const register = browser(false);
    void startServiceWorker();
    await vi.advanceTimersByTimeAsync(29_999);
    expect(register).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(register).toHaveBeenCalledOnce();
  });

  it.each(['pointerdown', 'touchmove', 'wheel', 'keydown'])('waits on after %s', async (input) => {
    const register = browser(false);
    void startServiceWorker();
    await vi.advanceTimersByTimeAsync(29_000);
    document.body.dispatchEvent(new Event(input, { bubbles: true }));
    await vi.advanceTimersByTimeAsync(29_999);
    expect(register).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(register).toHaveBeenCalledOnce();
  });

  it('is installed as soon as the page is hidden, once', async () => {
    const register = browser(false);
    void startServiceWorker();
    hide(false);
    await vi.advanceTimersByTimeAsync(0);
    expect(register).not.toHaveBeenCalled();
    hide(true);
    await vi.advanceTimersByTimeAsync(0);
    expect(register).toHaveBeenCalledOnce();
    hide(false);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(register).toHaveBeenCalledOnce();
  });

  it('is installed at once where the page was opened in the background', async () => {
    const register = browser(false);
    hide(true);
    void startServiceWorker();
    await vi.advanceTimersByTimeAsync(0);
    expect(register).toHaveBeenCalledOnce();
  });
});

it('on later visits the service worker is registered at once', async () => {
  const register = browser(true);
  void startServiceWorker();
  await vi.advanceTimersByTimeAsync(0);
  expect(register).toHaveBeenCalledOnce();
});

it('is heard before anything is preloaded', async () => {
  const register = browser(true);
  const { serviceWorker } = navigator;
  const { unmount } = renderHook(() => usePreload());
  const said = (data: unknown) =>
    serviceWorker.dispatchEvent(new MessageEvent('message', { data }));
  said({ open: '/alerts' });
  expect(location.hash).toBe('#/alerts');
  said(ANOTHER_VERSION);
  expect(newVersion.value).toBe(true);
  expect(register).not.toHaveBeenCalled();
  unmount();
  said({ open: '/order' });
  expect(location.hash).toBe('#/alerts');
  newVersion.value = false;
  location.hash = '';
});

it('the page that takes a new version reloads once more where it is still there 5 s later', async () => {
  browser(true);
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => {});
  await takeNewVersion();
  await vi.advanceTimersByTimeAsync(4_999);
  expect(reload).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(reload).toHaveBeenCalledTimes(2);
});
