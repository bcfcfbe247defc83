/** The part of the worker's contract about web push (protocol.md#web-push). */
import type { NoticeKind } from '../account/notices';
import type { Confirmed, Result } from '../core/result';

/** A PushSubscription as `toJSON()` writes it. */
export interface BrowserSubscription {
  endpoint: string;
  keys: { p256dh: string; auth: string };
}

/** What the user wants to be told while the app is closed. */
export interface PushChoice {
  kinds: NoticeKind[];
  /** Whether names, prices and results may be in the messages. */
  details: boolean;
}

/** What the service worker needs to tell the server of another subscription, while no page is open. */
export interface SavedPush extends PushChoice {
  /** The session that it belongs to, the address of the call, and the header `lang`. */
  token: string;
  address: string;
  language: string;
  /** The key to subscribe with, in base64url. */
  key: string;
  /** The browser has another subscription by now, of which the server has not been told. */
  untold: boolean;
}

export interface PushWorkerApi {
  /** The key to subscribe with, in base64url; undefined where the server sends no messages. */
  pushKey(): Promise<Result<string | undefined>>;
  /** Has the server send messages to this browser, or changes what it sends. `key`: that of the subscription. */
  addPush(
    subscription: BrowserSubscription,
    choice: PushChoice,
    key: string,
  ): Promise<Result<Confirmed<null>>>;
  /** Has the server send no more messages to this browser. */
  deletePush(endpoint: string): Promise<Result<Confirmed<null>>>;
}
