import { expect, it } from 'vitest';
import { inOrder } from '../../../server/core/inOrder';

it('takes every step in order, also after one that fails, and throws the first failure', async () => {
  const taken: string[] = [];
  const step =
    (name: string, fails = false) =>
    async () => {
      await Promise.resolve();
      taken.push(name);
      if (fails) throw new Error(name);
    };
  const all = inOrder([
    step('one'),
    step('two', true),
    () => {
      throw new Error('three');
    },
    step('four'),
  ]);
  await expect(all).rejects.toThrow('two');
  expect(taken).toEqual(['one', 'two', 'four']);
});
