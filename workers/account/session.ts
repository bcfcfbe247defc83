import { readFields } from '#domain/core/read';
import type { WorkerEvent } from '#domain/worker/workerApi';
import type { LifecycleListener } from '../core/lifecycle';
import { type OtherTabs, type Storage, UNREAD } from '../core/ports';

const KEY = 'token';

export interface SessionOptions {
  storage: Storage;
  otherTabs: OtherTabs;
  emit: (event: WorkerEvent) => void;
  /** The token has changed; empty: nobody is logged in. */
  changed: (token: string) => void;
}

/** The token of the logged-in user, stored over visits (domain.md#sessions). */
export interface Session extends LifecycleListener {
  /** Empty for a visitor. */
  readonly token: string;
  /** Resolves once the token of the last visit was read. */
  readonly ready: Promise<void>;
  set(token: string): void;
  /** Code 999 came to a call that carried `token` (protocol.md#errors). Ignored if the session has another token by now. */
  signedOut(token: string, initial: boolean): void;
}

export function createSession({ storage, otherTabs, emit, changed }: SessionOptions): Session {
  let token = '';
  let decided = false;
  /** The token of the session that the server has ended, as another tab was told. */
  let endedElsewhere = '';

  function take(next: string): void {
    decided = true;
    if (next === token) return;
    token = next;
    changed(next);
  }

  function set(next: string, refused?: boolean): void {
    if (decided && next === token) return;
    // First: `removeEnded` reads it.
    void (next ? storage.set(KEY, next) : storage.remove(KEY));
    take(next);
    otherTabs.publishToken(next, refused);
  }

  // The other tab has stored and published this token already.
  otherTabs.onToken((next, refused) => {
    storage.superseded(KEY);
    endedElsewhere = refused ? token : '';
    take(next);
  });

  async function load(): Promise<void> {
    const stored = await storage.get(KEY);
    if (decided || typeof stored !== 'string' || stored === token) return;
    token = stored;
    changed(stored);
  }

  return {
    get token() {
      return token;
    },
    ready: load(),
    set,
    storageRecovered: () => void load(),
    signedOut(refused, initial) {
      // Another tab was told first; the user may look at this one.
      if (refused && refused === endedElsewhere && !initial) endedElsewhere = '';
      else if (refused === token) set('', true);
      else return;
      emit({ type: 'signed-out', initial });
    },
  };
}

/**
 * Removes what was stored for a session that is over, but not for the one whose token is stored: a tab may hear late of the end, when
 * another has begun the next session.
 */
export async function removeEnded(storage: Storage, key: string): Promise<void> {
  const token = await storage.get(KEY);
  if (token === UNREAD) return;
  if (token !== undefined) {
    const entry = await storage.get(key);
    if (entry === undefined || entry === UNREAD) return;
    if ((typeof entry === 'string' ? entry : readFields(entry)?.['token']) === token) return;
  }
  await storage.remove(key);
}
