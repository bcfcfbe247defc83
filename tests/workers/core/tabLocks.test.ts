import { afterEach, expect, it, vi } from 'vitest';
import { createTabLocks } from '../../../workers/core/tabLocks';
import { ScriptedLocks } from '../support/scriptedLocks';

afterEach(() => vi.unstubAllGlobals());

it('a tab has its own lock, which no other takes', async () => {
  vi.stubGlobal('navigator', { locks: new ScriptedLocks() });
  const tab = createTabLocks();
  await tab.held;
  expect(await createTabLocks().take(tab.own)).toBeUndefined();
  expect(await tab.take('of a tab that is gone')).toBeTypeOf('function');
});

it.each([
  ['has none', undefined],
  ['refuses them', { request: () => Promise.reject(new DOMException('', 'SecurityError')) }],
])('every other tab counts as gone where the browser %s', async (_, locks) => {
  vi.stubGlobal('navigator', { locks });
  const tab = createTabLocks();
  await tab.held;
  expect(await tab.take('another')).toBeTypeOf('function');
});
