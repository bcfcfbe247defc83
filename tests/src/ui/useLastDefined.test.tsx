import { renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { useLastDefined } from '../../../src/ui/useLastDefined';

test('keeps the last value while there is none, and takes the next one at once', () => {
  const shown: (string | undefined)[] = [];
  const hook = renderHook(({ value }) => shown.push(useLastDefined(value)), {
    initialProps: { value: undefined as string | undefined },
  });
  for (const value of ['a', undefined, 'b', undefined]) hook.rerender({ value });
  expect([...new Set(shown)]).toEqual([undefined, 'a', 'b']);
  expect(shown.at(-1)).toBe('b');
});
