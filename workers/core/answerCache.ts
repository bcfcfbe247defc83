import { readFields } from '#domain/core/read';
import type { Storage } from './ports';

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

  async function all(): Promise<Readonly<Record<string, unknown>>> {
    return readFields(await storage.get(key)) ?? {};
  }

  return {
    get: async (name) => (await all())[name],
    set(name, answer) {
      written = written.then(async () => {
        const { [name]: _, ...others } = await all();
        const entries = [...Object.entries(others), [name, answer]].slice(-most);
        await storage.set(key, Object.fromEntries(entries));
      });
      return written;
    },
  };
}
