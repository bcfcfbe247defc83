import type { OtherTabs, TabLocks } from '../../../workers/core/ports';

/** Tabs of one browser: each receives what another publishes, and sees which others are open. */
export class ScriptedTabs {
  readonly #listeners: ((token: string, refused?: boolean) => void)[] = [];
  readonly #ofAlerts: (() => void)[] = [];
  /** Locks that are held: those of open tabs, and of gone ones while one is taken over. */
  readonly #held = new Set<string>();
  #opened = 0;
  /** What happens before a tab asks for the lock of another one. */
  beforeTake = async () => {};

  open(): { otherTabs: OtherTabs; tabLocks: TabLocks } {
    return { otherTabs: this.tab(), tabLocks: this.#locks() };
  }

  tab(): OtherTabs {
    let own: ((token: string, refused?: boolean) => void) | undefined;
    let ownOfAlerts: (() => void) | undefined;
    return {
      publishAlerts: () => {
        for (const listener of this.#ofAlerts) if (listener !== ownOfAlerts) listener();
      },
      onAlerts: (listener) => {
        ownOfAlerts = listener;
        this.#ofAlerts.push(listener);
      },
      publishToken: (token, refused) => {
        for (const listener of this.#listeners) if (listener !== own) listener(token, refused);
      },
      onToken: (listener) => {
        own = listener;
        this.#listeners.push(listener);
      },
    };
  }

  /** Ends a tab: the n-th that was opened, from 1. */
  end(tab: number): void {
    this.#held.delete(`tab ${tab}`);
  }

  #locks(): TabLocks {
    const own = `tab ${++this.#opened}`;
    this.#held.add(own);
    return {
      own,
      held: Promise.resolve(),
      take: async (tab) => {
        await this.beforeTake();
        if (this.#held.has(tab)) return undefined;
        this.#held.add(tab);
        return () => this.#held.delete(tab);
      },
    };
  }
}
