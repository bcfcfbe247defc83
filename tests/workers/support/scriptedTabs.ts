import type { OtherTabs } from '../../../workers/core/ports';

/** Tabs of one browser: each receives what another publishes. */
export class ScriptedTabs {
  readonly #listeners: ((token: string) => void)[] = [];

  tab(): OtherTabs {
    let own: ((token: string) => void) | undefined;
    return {
      publishToken: (token) => {
        for (const listener of this.#listeners) if (listener !== own) listener(token);
      },
      onToken: (listener) => {
        own = listener;
        this.#listeners.push(listener);
      },
    };
  }
}
