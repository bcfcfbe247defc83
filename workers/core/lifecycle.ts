import type { Language } from '#domain/core/language';
import type { Start } from '#domain/worker/workerApi';

/** Moments that concern several parts of the worker. Each part handles those that concern it. */
export interface Part {
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
  /** The link has become proven or unproven: whether quotes are stale may have changed. */
  linkProvenChanged?(): void;
  /** A list of instruments has come. `setBack`: it is of another market, so bars known before are void. */
  listReplaced?(setBack: boolean): void;
  visibilityChanged?(visible: boolean): void;
}

/** Notifies every part of a moment, in the order in which the parts were added. */
export interface Lifecycle extends Required<Part> {
  add(...parts: Part[]): void;
}

export function createLifecycle(): Lifecycle {
  const parts: Part[] = [];
  const each = (notify: (part: Part) => void) => parts.forEach(notify);
  return {
    add: (...added) => void parts.push(...added),
    started: (start) => each((part) => part.started?.(start)),
    tokenChanged: (token) => each((part) => part.tokenChanged?.(token)),
    languageChanged: (language) => each((part) => part.languageChanged?.(language)),
    connected: () => each((part) => part.connected?.()),
    connectedAgain: () => each((part) => part.connectedAgain?.()),
    loggedIn: () => each((part) => part.loggedIn?.()),
    linkProvenChanged: () => each((part) => part.linkProvenChanged?.()),
    listReplaced: (setBack) => each((part) => part.listReplaced?.(setBack)),
    visibilityChanged: (visible) => each((part) => part.visibilityChanged?.(visible)),
  };
}
