import type { VerificationDraft } from '#domain/worker/account';
import type { Storage } from '../core/ports';

const KEY = 'verification-draft';

interface StoredDraft {
  userId: number;
  draft: VerificationDraft;
}

/** Stores the half-filled verification of the present user. It holds photos of an ID, so another user's is removed. */
export function createVerificationDraft(storage: Storage) {
  let userId: number | undefined;
  /** Until a form loads the draft again, saves come from the form that was submitted. */
  let isSubmitted = false;

  async function stored(): Promise<StoredDraft | undefined> {
    const value = await storage.get(KEY);
    return isStoredDraft(value) ? value : undefined;
  }

  return {
    async load(): Promise<VerificationDraft | undefined> {
      isSubmitted = false;
      const found = await stored();
      return found && found.userId === userId ? found.draft : undefined;
    },
    async save(draft: VerificationDraft): Promise<void> {
      if (isSubmitted || userId === undefined) return;
      await storage.set(KEY, { userId, draft } satisfies StoredDraft);
    },
    async submitted(): Promise<void> {
      isSubmitted = true;
      await storage.remove(KEY);
    },
    async userChanged(next: number | undefined): Promise<void> {
      isSubmitted = false;
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
