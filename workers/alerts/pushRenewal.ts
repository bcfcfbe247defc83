import { CODE_OK, CODE_SIGNED_OUT } from '#domain/api/envelope';
import { readFields, readText } from '#domain/core/read';
import type { SavedPush } from '#domain/worker/push';
import type { Storage } from '../core/ports';
import { PUSH_KEY, readSavedPush } from './savedPush';

/** Waits before the tries of one event: the browser ends a service worker that takes long. */
const TRIES_MS = [0, 2_000, 10_000];

/** Tells the server of another subscription of this browser, as the worker of a page would. */
export interface PushRenewal {
  /** The browser has replaced or dropped its subscription. Rejects where the server has not taken the new one. */
  renew(): Promise<void>;
  /** Tells what the server has not taken yet, if there is anything. Rejects where it still has not. */
  tell(): Promise<void>;
}

/** `subscribed`: the present subscription of the browser, made where there is none, with the key that the server gave. */
export function createPushRenewal(
  storage: Pick<Storage, 'get' | 'set'>,
  sleep: (ms: number) => Promise<unknown>,
  subscribed: (key: string) => Promise<PushSubscriptionJSON>,
  send: typeof fetch,
): PushRenewal {
  /** What is kept for the present session: another user may have logged in since. */
  async function saved() {
    const found = readSavedPush(await storage.get(PUSH_KEY));
    return found?.token === (await storage.get('token')) ? found : undefined;
  }

  async function mark(untold: boolean): Promise<void> {
    const found = await saved();
    if (found) await storage.set(PUSH_KEY, { ...found, untold });
  }

  /** Whether the server has taken it, or the session is over. */
  async function isTaken({ token, address, language, kinds, key, details }: SavedPush) {
    const response = await send(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', lang: language, authorization: token },
      body: JSON.stringify({ ...(await subscribed(key)), kinds, details: details ? 1 : 0 }),
    });
    const code = Number(readText(readFields(await response.json())?.['code']));
    return code === CODE_OK || code === CODE_SIGNED_OUT;
  }

  async function tell(): Promise<void> {
    for (const wait of TRIES_MS) {
      await sleep(wait);
      const found = await saved();
      if (!found?.untold) return;
      if (await isTaken(found).catch(() => false)) return mark(false);
    }
    throw new Error('untold');
  }

  let last = Promise.resolve();
  /** What is told of one subscription does not count for the next. */
  function inTurn(job: () => Promise<void>): Promise<void> {
    last = last.then(job, job);
    return last;
  }

  return {
    renew: () => inTurn(() => mark(true).then(tell)),
    tell: () => inTurn(tell),
  };
}
