import type { Part } from '../core/lifecycle';
import type { Clock, Storage } from '../core/ports';
import type { Http } from '../http/client';
import { features } from '../http/common';

/** Ask this long after the socket has connected, ms: first prices come first. */
const ASKED_AFTER_MS = 3000;
const STORED = 'features';

export interface FeaturesOptions {
  clock: Clock;
  http: Http;
  storage: Storage;
  /** Called whenever the features are learnt, from the last visit or from the server. */
  learnt(features: ReadonlySet<string>): void;
}

/** Knows which optional parts of the protocol the server has (protocol.md#features). */
export function createFeatures({ clock, http, storage, learnt }: FeaturesOptions): Part {
  let fromServer = false;
  let cancel = () => {};

  async function restore(): Promise<void> {
    const stored = await storage.get(STORED);
    if (!fromServer && Array.isArray(stored)) learnt(new Set(stored));
  }

  async function ask(): Promise<void> {
    const result = await features(http);
    if (!result.ok) return;
    fromServer = true;
    learnt(new Set(result.data));
    void storage.set(STORED, result.data);
  }

  return {
    started: () => void restore(),
    connected() {
      cancel();
      cancel = clock.after(ASKED_AFTER_MS, () => void ask());
    },
  };
}
