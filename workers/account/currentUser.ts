import type { User } from '#domain/account/user';
import type { LifecycleListener } from '../core/lifecycle';
import type { Storage } from '../core/ports';
import { createSingleFlight } from '../core/singleFlight';
import type { Api } from '../http/api';
import { removeEnded, type Session } from './session';

const KEY = 'user';

interface StoredUser {
  token: string;
  user: User;
}

export interface CurrentUserOptions {
  api: Api;
  storage: Storage;
  session: Session;
  /** Another user, none any more, or one whose fields have changed. */
  changed: (user: User | null) => void;
}

/** The user that the session's token belongs to. */
export interface CurrentUser extends LifecycleListener {
  /** null: nobody; undefined: not known yet. */
  readonly user: User | null | undefined;
  /** Starts a session with the token that a login, registration or demo login returned. */
  signedIn(session: StoredUser): void;
  /**
   * Asks the server for the user and returns whether it named one; code 999 ends the session. `initial`: it does not lead to
   * the login then.
   */
  check(initial: boolean): Promise<boolean>;
  /** Fetches the user if the server has not named the present token's. */
  find(): void;
  /** A call has changed fields of the user. */
  update(change: Partial<User>): void;
}

export function createCurrentUser({
  api,
  storage,
  session,
  changed,
}: CurrentUserOptions): CurrentUser {
  let user: User | null | undefined;
  /** The token that the server last named the user of. */
  let knownToken: string | undefined;
  /** The token that `signedIn` is setting; its user is known already. */
  let entering = '';
  const fetching = createSingleFlight<string, boolean>();
  let started = false;
  /** The token whose user `find` is asking for, and whether it was called again meanwhile. */
  let finding: string | undefined;
  let again = false;

  function set(next: User | null): void {
    const same = JSON.stringify(next) === JSON.stringify(user);
    user = next;
    if (same) return;
    changed(next);
  }

  /** Uses the stored user until the server has answered: without a network a user must not look like a visitor. */
  async function fetchUser(token: string, initial: boolean): Promise<boolean> {
    const isCurrent = () => session.token === token && knownToken !== token;
    if (user === undefined) {
      const stored = (await storage.get(KEY)) as Partial<StoredUser> | undefined;
      if (isCurrent() && stored?.token === token && stored.user) set(stored.user);
    }
    const info = await api('user.userInfo', {}, { initial });
    if (info.ok && isCurrent()) remember({ token, user: info.data });
    return info.ok;
  }

  const check = (initial: boolean) =>
    fetching(session.token, () => fetchUser(session.token, initial));

  function remember(known: StoredUser): void {
    knownToken = known.token;
    void storage.set(KEY, known, true);
    set(known.user);
  }

  /** Asked again meanwhile, an attempt that fails is repeated: it may have begun on a network that is gone. */
  function find(): void {
    const { token } = session;
    if (!started || !token || knownToken === token) return;
    again = finding === token;
    if (again) return;
    finding = token;
    void check(true).then((found) => {
      if (finding !== token) return;
      finding = undefined;
      if (!found && again) find();
    });
  }

  return {
    get user() {
      return user;
    },
    signedIn(given) {
      entering = given.token;
      session.set(given.token);
      entering = '';
      remember(given);
    },
    check,
    find,
    update(change) {
      if (user) remember({ token: session.token, user: { ...user, ...change } });
    },
    tokenChanged(token) {
      knownToken = undefined;
      if (token !== '' && entering === token) return;
      // Until its user is named, a new token leaves open who this is; without one it is a visitor.
      if (user !== undefined || !token) set(null);
      if (!token) void removeEnded(storage, KEY);
      find();
    },
    started() {
      started = true;
      void session.ready.then(() => {
        if (session.token) find();
        else set(null);
      });
    },
    connected: find,
  };
}
