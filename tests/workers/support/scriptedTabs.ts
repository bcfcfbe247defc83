import type { OtherTabs } from '../../../workers/core/ports';

/** Tabs of one browser: what one says, all others hear. */
export class ScriptedTabs {
  readonly #hearers: ((token: string) => void)[] = [];

  tab(): OtherTabs {
    let own: ((token: string) => void) | undefined;
    return {
      publishToken: (token) => {
        for (const hear of this.#hearers) if (hear !== own) hear(token);
      },
      onToken: (hear) => {
        own = hear;
        this.#hearers.push(hear);
      },
    };
  }
}
