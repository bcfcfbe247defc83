import { readFields } from '#domain/core/read';
import { type Storage, UNREAD } from './ports';

/** The latest answers of one kind, stored for a start without a network (architecture.md#installed-and-offline). */
export interface AnswerCache {
  /** Undefined where it is not stored. It may be of another version of the app: read it like an answer. */
  get(name: string): Promise<unknown>;
  set(name: string, answer: unknown): Promise<void>;
}

/** Holds at most `most` answers; the oldest goes first. */
export function createAnswerCache(storage: Storage, key: string, most: number): AnswerCache {
  /** Each write replaces all answers: one after the other. */
  let written = Promise.resolve();

  async function all(): Promise<Readonly<Record<string, unknown>> | undefined> {
    const stored = await storage.get(key);
    return stored === UNREAD ? undefined : (readFields(stored) ?? {});
  }

  return {
    get: async (name) => (await all())?.[name],
    set(name, answer) {
      written = written.then(async () => {
        const stored = await all();
        if (!stored) return;
        const { [name]: _, ...others } = stored;
        const entries = [...Object.entries(others), [name, answer]].slice(-most);
        await storage.set(key, Object.fromEntries(entries), true);
      });
      return written;
    },
  };
}
