import type { Start } from '#domain/gateway/gateway';
import type { Part } from './lifecycle';

/** Parts whose code is loaded after the start: the first prices do not need it. A load that fails is tried again after a reconnect. */
export function lazyParts(load: () => Promise<readonly Part[]>): Part {
  let start: Start | undefined;
  let loading: Promise<readonly Part[]> | undefined;

  function notify(moment: (part: Part) => void): void {
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
      notify(() => {});
    },
    tokenChanged: (token) => {
      // Not loaded yet, they know of no user.
      if (loading) notify((part) => part.tokenChanged?.(token));
    },
    connectedAgain: () => notify((part) => part.connectedAgain?.()),
    visibilityChanged: (visible) => notify((part) => part.visibilityChanged?.(visible)),
  };
}
