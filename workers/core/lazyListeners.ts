import { toDurationMs } from '#domain/core/time';
import type { Start } from '#domain/worker/workerApi';
import type { LifecycleListener } from './lifecycle';
import type { Clock } from './ports';

/** The prices that follow a connection are there by then. */
const AFTER_CONNECTION = toDurationMs(300);
/** Without a connection it is loaded as well. */
const LATEST = toDurationMs(3000);

type Late =
  | 'started'
  | 'tokenChanged'
  | 'connectedAgain'
  | 'loggedIn'
  | 'visibilityChanged'
  | 'backgroundChanged'
  | 'storageRecovered';

/** A listener that is loaded late hears of these moments only: one that handles another does not compile. */
export type LateListener = Pick<LifecycleListener, Late> & {
  [Moment in Exclude<keyof LifecycleListener, Late>]?: never;
};

/** Listeners whose code is loaded after the first prices, which do not need it. A load that fails is tried again after a reconnect. */
export function lazyListeners(
  clock: Clock,
  load: () => Promise<readonly LateListener[]>,
): LifecycleListener {
  let start: Start | undefined;
  let loading: Promise<readonly LateListener[]> | undefined;

  function notify(moment: (listener: LateListener) => void): void {
    loading ??= load().then((listeners) => {
      for (const listener of listeners) if (start) listener.started?.(start);
      return listeners;
    });
    loading.then(
      (listeners) => listeners.forEach(moment),
      () => {
        loading = undefined;
      },
    );
  }

  return {
    started(options) {
      start = options;
      clock.after(LATEST, () => notify(() => {}));
    },
    connected: () => void clock.after(AFTER_CONNECTION, () => notify(() => {})),
    tokenChanged: (token) => {
      // Not loaded yet, they know of no user.
      if (loading) notify((listener) => listener.tokenChanged?.(token));
    },
    storageRecovered: () => {
      if (loading) notify((listener) => listener.storageRecovered?.());
    },
    backgroundChanged: (isBackground) => {
      // Not loaded yet, they have missed nothing.
      if (loading) notify((listener) => listener.backgroundChanged?.(isBackground));
    },
    connectedAgain: () => notify((listener) => listener.connectedAgain?.()),
    loggedIn: () => {
      if (loading) notify((listener) => listener.loggedIn?.());
    },
    visibilityChanged: (visible) => notify((listener) => listener.visibilityChanged?.(visible)),
  };
}
