import type { User } from '#domain/account/user';
import { type Result, success } from '#domain/core/result';
import { uuidOf } from '#domain/core/uuid';
import { type Storage, UNREAD } from '../core/ports';
import { createSingleFlight } from '../core/singleFlight';
import type { Api } from '../http/api';

const KEY = 'demo-id';

/** Login to a demo account without registration. `signedIn` gets its token and user. */
export function createDemoLogin(
  api: Api,
  storage: Storage,
  signedIn: (session: { token: string; user: User }) => void,
): () => Promise<Result<User>> {
  const opening = createSingleFlight<'demo', Result<User>>();

  /** Made once for a device and stored: the same id gives the same account (protocol.md#demo-login). */
  async function demoId(): Promise<string> {
    const stored = await storage.get(KEY);
    if (typeof stored === 'string') return stored;
    const made = uuidOf(crypto.getRandomValues(new Uint8Array(16)));
    // The former one stays where it can't be read.
    if (stored !== UNREAD) await storage.set(KEY, made);
    return made;
  }

  async function open(): Promise<Result<User>> {
    const result = await api('user.openDemo', { demo_id: await demoId() });
    if (!result.ok) return result;
    signedIn(result.data.data);
    return success(result.data.data.user);
  }

  return () => opening('demo', open);
}
