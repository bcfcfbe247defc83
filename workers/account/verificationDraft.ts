import type { VerificationDraft } from '#domain/gateway/account';
import type { Storage } from '../core/ports';

const KEY = 'verification-draft';

interface StoredDraft {
  userId: number;
  draft: VerificationDraft;
}

/** Stores the half-filled verification of the present user. It holds photos of an ID, so another user's is removed. */
export function createVerificationDraft(storage: Storage) {
  let userId: number | undefined;

  async function stored(): Promise<StoredDraft | undefined> {
    const value = await storage.get(KEY);
    return isStoredDraft(value) ? value : undefined;
  }

  return {
    async load(): Promise<VerificationDraft | undefined> {
      const found = await stored();
      return found && found.userId === userId ? found.draft : undefined;
    },
    async save(draft: VerificationDraft | undefined): Promise<void> {
      if (!draft || userId === undefined) return storage.remove(KEY);
      await storage.set(KEY, { userId, draft } satisfies StoredDraft);
    },
    async userChanged(next: number | undefined): Promise<void> {
      userId = next;
      const found = await stored();
      if (found && found.userId !== userId) await storage.remove(KEY);
    },
  };
}

function isStoredDraft(value: unknown): value is StoredDraft {
  const { userId, draft } = (value ?? {}) as Partial<StoredDraft>;
  return (
    typeof userId === 'number' &&
    typeof draft?.name === 'string' &&
    typeof draft.cardId === 'string'
  );
}
