import type { Language } from '#domain/core/language';
import type { Start } from '#domain/worker/workerApi';

/** Moments that concern several parts of the worker. Each listener handles those that concern it. */
export interface LifecycleListener {
  /** The page has called `start`, once: there is a server to ask. */
  started?(start: Start): void;
  /** The session has another token than before; empty: nobody is logged in. */
  tokenChanged?(token: string): void;
  languageChanged?(language: Language): void;
  /** The socket is open, the login is sent and all topics are subscribed: at first and after each loss. */
  connected?(): void;
  /** As `connected`, and after it, but not the first time: pushes may have been missed. */
  connectedAgain?(): void;
  /** The server has accepted the login: pushes for the user come from now on. */
  loggedIn?(): void;
  /** The connection has become proven or unproven: whether quotes are stale may have changed. */
  connectionProvenChanged?(): void;
  /** A list of instruments has come. `setBack`: it is of another market, so bars known before are void. */
  listReplaced?(setBack: boolean): void;
  visibilityChanged?(visible: boolean): void;
  /** The page has been hidden for some seconds, or is shown again after that: hidden, it wants only what may notify. */
  backgroundChanged?(isBackground: boolean): void;
  /** The database answers again: what could not be read can be. */
  storageRecovered?(): void;
}

/** Notifies every listener of a moment, in the order in which they were added. */
export interface Lifecycle extends Required<LifecycleListener> {
  add(...listeners: LifecycleListener[]): void;
}

export function createLifecycle(): Lifecycle {
  const listeners: LifecycleListener[] = [];
  const each = (notify: (listener: LifecycleListener) => void) => listeners.forEach(notify);
  return {
    add: (...added) => void listeners.push(...added),
    started: (start) => each((listener) => listener.started?.(start)),
    tokenChanged: (token) => each((listener) => listener.tokenChanged?.(token)),
    languageChanged: (language) => each((listener) => listener.languageChanged?.(language)),
    connected: () => each((listener) => listener.connected?.()),
    connectedAgain: () => each((listener) => listener.connectedAgain?.()),
    loggedIn: () => each((listener) => listener.loggedIn?.()),
    connectionProvenChanged: () => each((listener) => listener.connectionProvenChanged?.()),
    listReplaced: (setBack) => each((listener) => listener.listReplaced?.(setBack)),
    visibilityChanged: (visible) => each((listener) => listener.visibilityChanged?.(visible)),
    backgroundChanged: (isBackground) =>
      each((listener) => listener.backgroundChanged?.(isBackground)),
    storageRecovered: () => each((listener) => listener.storageRecovered?.()),
  };
}
