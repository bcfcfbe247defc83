import { readFields, readText } from '#domain/core/read';
import type { VerificationDraft } from '#domain/worker/account';
import { type Storage, UNREAD } from '../core/ports';
import { removeEnded, type Session } from './session';

const KEY = 'verification-draft';

interface StoredDraft {
  token: string;
  draft: VerificationDraft;
}

/** Stores the half-filled verification of the present session. It holds photos of an ID, so it is removed with its session. */
export function createVerificationDraft(storage: Storage, session: Pick<Session, 'token'>) {
  /** Until a form loads the draft again, saves come from the form that was submitted. */
  let isSubmitted = false;
  /** What the form lacks, because it could not be read when the form loaded it; UNREAD while it can't be. */
  let missed: VerificationDraft | typeof UNREAD | undefined;

  async function read(): Promise<VerificationDraft | typeof UNREAD | undefined> {
    const value = await storage.get(KEY);
    if (value === UNREAD) return UNREAD;
    return isStoredDraft(value) && value.token === session.token ? value.draft : undefined;
  }

  return {
    async load(): Promise<VerificationDraft | undefined> {
      isSubmitted = false;
      const found = await read();
      missed = found === UNREAD ? UNREAD : undefined;
      return found === UNREAD ? undefined : found;
    },
    async save(draft: VerificationDraft): Promise<void> {
      if (missed === UNREAD) missed = await read();
      const { token } = session;
      if (isSubmitted || !token || missed === UNREAD) return;
      const name = draft.name || missed?.name || '';
      const cardId = draft.cardId || missed?.cardId || '';
      const whole = { ...missed, ...draft, name, cardId };
      await storage.set(KEY, { token, draft: whole } satisfies StoredDraft);
    },
    async submitted(): Promise<void> {
      isSubmitted = true;
      await storage.remove(KEY);
    },
    async userChanged(id: number | undefined): Promise<void> {
      isSubmitted = false;
      const { token } = session;
      const value = await storage.get(KEY);
      // Former versions stored the user instead of the token.
      const { userId, draft } = readFields(value) ?? {};
      if (userId && userId === id) await storage.set(KEY, { token, draft });
      else if (value !== undefined) await removeEnded(storage, KEY);
    },
  };
}

function isStoredDraft(value: unknown): value is StoredDraft {
  const { token, draft } = readFields(value) ?? {};
  const { name, cardId } = readFields(draft) ?? {};
  return (
    readText(token) !== undefined && readText(name) !== undefined && readText(cardId) !== undefined
  );
}
