import { expect, it } from 'vitest';
import type { LatePart } from '../../../workers/core/lazyParts';
import type { Part } from '../../../workers/core/lifecycle';

it('a part that would wait for moments of which late parts never hear does not compile', () => {
  const moments: Required<Pick<Part, 'connectedAgain' | 'languageChanged' | 'loggedIn'>> = {
    connectedAgain() {},
    languageChanged() {},
    loggedIn() {},
  };
  const heard: LatePart = { connectedAgain: moments.connectedAgain };
  // @ts-expect-error It hears of no language.
  const language: LatePart = { languageChanged: moments.languageChanged };
  // @ts-expect-error Nor of a login, though the type of its variable says less than it has.
  const login: LatePart = moments;
  expect([heard, language, login]).toHaveLength(3);
});
