import type { User } from '#domain/account/user';
import { readUser } from '#domain/api/read-user';
import type { Storage } from '../core/ports';
import type { Http } from '../http/client';
import type { Session } from './session';

const KEY = 'user';

interface StoredUser {
  token: string;
  user: User;
}

export interface CurrentUserOptions {
  http: Http;
  storage: Storage;
  session: () => Session;
  /** Somebody else, nobody any more, or somebody whose fields have changed. */
  changed: (user: User | null) => void;
}

/** Who the token belongs to. */
export interface CurrentUser {
  /** null: nobody; undefined: not known yet. */
  readonly user: User | null | undefined;
  /** With the token that somebody has just been given. */
  signedIn(session: StoredUser): void;
  /** The session has another token than before: of the last visit, of another tab, or none. */
  tokenChanged(token: string): void;
  /** There is a server to ask. */
  start(): void;
  /** Asks where the server has not said it yet: the link is back. */
  check(): void;
}

export function createCurrentUser({
  http,
  storage,
  session,
  changed,
}: CurrentUserOptions): CurrentUser {
  let user: User | null | undefined;
  /** What is known of the user is what the server says of this token. */
  let knownToken: string | undefined;
  let entering = '';
  let asking = '';
  let started = false;

  function set(next: User | null): void {
    const same = JSON.stringify(next) === JSON.stringify(user);
    user = next;
    if (same) return;
    changed(next);
  }

  /** Takes what was stored until the server has answered: a lost network must not make a visitor of a user. */
  async function identify(token: string): Promise<void> {
    if (asking === token) return;
    asking = token;
    await ask(token);
    if (asking === token) asking = '';
  }

  async function ask(token: string): Promise<void> {
    const isCurrent = () => session().token === token && knownToken !== token;
    if (user === undefined) {
      const stored = (await storage.get(KEY)) as Partial<StoredUser> | undefined;
      if (!isCurrent()) return;
      if (stored?.token === token && stored.user) set(stored.user);
    }
    const info = await http.get({ path: '/api/user/info', initial: true, quiet: true }, readUser);
    if (!info.ok || !isCurrent()) return;
    remember({ token, user: info.data });
  }

  function remember(known: StoredUser): void {
    knownToken = known.token;
    void storage.set(KEY, known);
    set(known.user);
  }

  function check(): void {
    const { token } = session();
    if (started && token && knownToken !== token) void identify(token);
  }

  return {
    get user() {
      return user;
    },
    signedIn(given) {
      entering = given.token;
      session().set(given.token);
      entering = '';
      remember(given);
    },
    tokenChanged(token) {
      knownToken = undefined;
      if (token !== '' && entering === token) return;
      if (user !== undefined) set(null);
      if (!token) void storage.remove(KEY);
      check();
    },
    start() {
      started = true;
      void session().ready.then(() => {
        if (session().token) check();
        else set(null);
      });
    },
    check,
  };
}
