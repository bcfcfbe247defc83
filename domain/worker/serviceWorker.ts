import type { PushMessage } from '../api/pushMessage';

/** Address of the service worker: at the root, so that it serves the whole site. */
export const SERVICE_WORKER = '/service-worker.js';

/** The cache of files below `/assets/`; the one that was kept last comes last. */
export const CACHED_FILES = 'files';

/** What the page tells the service worker (architecture.md#installed-and-offline). */
export type ServiceWorkerMessage =
  /**
   * Keep these files of a page of this version; `all`: also those of the screens that it has not
   * opened.
   */
  | { type: 'keep'; version: string; used: readonly string[]; all: boolean }
  /**
   * Do not wait any longer. `version`: only if the worker is of this one, which the page runs
   * already; another one answers `ANOTHER_VERSION`.
   */
  | { type: 'take'; version?: string }
  /** Notify the user, unless a window of the app is on screen or a message of the server has done so. */
  | ({ type: 'notify' } & Notice);

/**
 * A notification of the system. One with the tag of another replaces it; one with the `id` of another is not shown.
 * `path`: the screen that a tap leads to.
 */
export type Notice = Omit<PushMessage, 'kind'>;

/** What the service worker tells a page whose notification was tapped: the path of a screen. */
export interface OpenScreen {
  open: string;
}

/** What the service worker tells a page on screen: a message of the server, which is not shown otherwise. */
export interface Pushed {
  pushed: PushMessage;
}

/** The waiting service worker is of another version than the page. */
export const ANOTHER_VERSION = 'another-version';

/** The server wants the page that was kept to start no more. */
export const REVOKED = 'revoked';
