import type { User } from '#domain/account/user';
import * as api from '#domain/api/common';
import { readSession } from '#domain/api/read-user';
import { type Result, success } from '#domain/core/result';
import { uuidOf } from '#domain/core/uuid';
import type { AccountGateway } from '#domain/gateway/account';
import type { Storage } from '../core/ports';
import { createSingleFlight } from '../core/singleFlight';
import { type Http, readNothing } from '../http/client';
import type { CurrentUser } from './currentUser';
import type { Session } from './session';

const KEY = 'demo-id';

export interface SessionCallsOptions {
  http: Http;
  storage: Storage;
  session: Session;
  currentUser: CurrentUser;
}

/** Login to a demo account without registration, and logout of any session. */
export function createSessionCalls({
  http,
  storage,
  session,
  currentUser,
}: SessionCallsOptions): Pick<AccountGateway, 'signInDemo' | 'signOut'> {
  const opening = createSingleFlight<'demo', Result<User>>();

  /** Made once for a device and stored: the same id gives the same account (protocol.md#demo-login). */
  async function demoId(): Promise<string> {
    const stored = await storage.get(KEY);
    if (typeof stored === 'string') return stored;
    const made = uuidOf(crypto.getRandomValues(new Uint8Array(16)));
    await storage.set(KEY, made);
    return made;
  }

  async function open(): Promise<Result<User>> {
    const result = await http.get(api.openDemo, { demo_id: await demoId() }, readSession);
    if (!result.ok) return result;
    currentUser.signedIn(result.data);
    return success(result.data.user);
  }

  return {
    signInDemo: () => opening('demo', open),
    async signOut() {
      if (!session.token) return;
      const sent = http.send(api.logout, {}, readNothing, { initial: true, quiet: true });
      // The session ends here, whatever the server answers (protocol.md#logout).
      session.set('');
      await sent;
    },
  };
}
