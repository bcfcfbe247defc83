import { toDurationMs } from '#domain/core/time';
import type { Start } from '#domain/worker/workerApi';
import type { Part } from './lifecycle';
import type { Clock } from './ports';

/** The prices that follow a connection are there by then. */
const AFTER_CONNECTION = toDurationMs(300);
/** Without a connection it is loaded as well. */
const LATEST = toDurationMs(3000);

type Late = 'started' | 'tokenChanged' | 'connectedAgain' | 'visibilityChanged';

/** A part that is loaded late hears of these moments only: one that handles another does not compile. */
export type LatePart = Pick<Part, Late> & { [Moment in Exclude<keyof Part, Late>]?: never };

/** Parts whose code is loaded after the first prices, which do not need it. A load that fails is tried again after a reconnect. */
export function lazyParts(clock: Clock, load: () => Promise<readonly LatePart[]>): Part {
  let start: Start | undefined;
  let loading: Promise<readonly LatePart[]> | undefined;

  function notify(moment: (part: LatePart) => void): void {
    loading ??= load().then((parts) => {
      for (const part of parts) if (start) part.started?.(start);
      return parts;
    });
    loading.then(
      (parts) => parts.forEach(moment),
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
      if (loading) notify((part) => part.tokenChanged?.(token));
    },
    connectedAgain: () => notify((part) => part.connectedAgain?.()),
    visibilityChanged: (visible) => notify((part) => part.visibilityChanged?.(visible)),
  };
}
