import { render, renderHook } from '@testing-library/react';
import { createElement } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ANOTHER_VERSION } from '#domain/worker/serviceWorker';
import { AlertSheet } from '../../../src/app/lazyParts';
import { newVersion, startServiceWorker, takeNewVersion } from '../../../src/app/serviceWorker';
import { usePreload } from '../../../src/app/usePreload';
import { eventually } from '../../helpers/eventually';

const preloadScreen = vi.hoisted(() => vi.fn<(path: string) => Promise<void>>(async () => {}));
const matchesMedia = vi.hoisted(() => vi.fn(() => false));
vi.mock('../../../src/ui/useMediaQuery', async (original) => ({
  ...(await original<object>()),
  matchesMedia,
}));
vi.mock('../../../src/app/lazyScreen', () => ({ preloadScreen }));
vi.mock('../../../src/alerts/AlertSheet', () => ({ default: () => 'alert' }));
vi.mock('../../../src/features/trading/chart/candleChart', () => ({ default: () => null }));
vi.mock('../../../src/features/trading/chart/chartTypes/ChartSheet', () => ({
  default: () => null,
}));
vi.mock('../../../src/features/trading/chart/indicators/Indicators', () => ({
  default: () => null,
}));
vi.mock('../../../src/features/trading/drawings/DrawingTools', () => ({ default: () => null }));
vi.mock('../../../src/app/KeyboardSheet', () => ({ default: () => null }));
vi.mock('../../../src/ui/PopMenuPopup', () => ({ default: () => null }));
vi.mock('../../../src/ui/SheetDrawer', () => ({ default: () => null }));
vi.mock('../../../src/ui/ToastHost', () => ({ default: () => null }));

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
  vi.unstubAllGlobals();
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

it.each([
  ['phone', '/trade', 1],
  ['desktop', '/workspace', 5],
])(
  'on a %s is registered once what the next taps need is loaded; no idle time passes without a load',
  async (device, second, tools) => {
    const register = browser(true);
    const done: string[] = [];
    register.mockImplementation(() => {
      done.push('register');
      return new Promise(() => {});
    });
    preloadScreen.mockImplementation(async (path) => void done.push(path));
    matchesMedia.mockReturnValue(device === 'desktop');
    vi.stubGlobal('requestIdleCallback', (idle: () => void) => {
      done.push('idle');
      idle();
    });
    const { unmount } = renderHook(() => usePreload());
    const idles = (count: number) => Array.from({ length: count }, () => 'idle');
    const last = [...idles(tools), 'idle'];
    const first = ['idle', '/', 'idle', second, ...idles(4), '/order', 'idle', '/user'];
    const all = [...first, 'idle', 'register', '/rank', 'idle', '/product', ...last];
    await eventually(() => expect(done).toEqual(all));
    // Ready, so that the first tap shows it.
    expect(render(createElement(AlertSheet)).container.textContent).toBe('alert');
    unmount();
  },
);

it('the page that takes a new version reloads once more where it is still there 5 s later', async () => {
  browser(true);
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => {});
  await takeNewVersion();
  await vi.advanceTimersByTimeAsync(4_999);
  expect(reload).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(reload).toHaveBeenCalledTimes(2);
});
