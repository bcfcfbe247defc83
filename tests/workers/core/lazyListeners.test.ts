import { expect, it } from 'vitest';
import type { LateListener } from '../../../workers/core/lazyListeners';
import type { LifecycleListener } from '../../../workers/core/lifecycle';

it('a listener that would wait for moments of which late listeners never hear does not compile', () => {
  const moments: Required<
    Pick<LifecycleListener, 'connectedAgain' | 'languageChanged' | 'loggedIn'>
  > = {
    connectedAgain() {},
    languageChanged() {},
    loggedIn() {},
  };
  const heard: LateListener = { connectedAgain: moments.connectedAgain };
  // @ts-expect-error It hears of no language.
  const language: LateListener = { languageChanged: moments.languageChanged };
  // @ts-expect-error Nor of a login, though the type of its variable says less than it has.
  const login: LateListener = moments;
  expect([heard, language, login]).toHaveLength(3);
});
