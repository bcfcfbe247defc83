import { expect, test } from 'vitest';
import { failed, success } from '#domain/core/result';
import { lazy } from '../../../workers/core/lazy';

test('a call whose code cannot be loaded fails and says so; the next call loads the code again', async () => {
  const failure = { kind: 'transport', code: 'ERR_NETWORK' } as const;
  let offline = true;
  const told: unknown[] = [];
  const part = lazy(
    async () => {
      if (offline) throw new Error('offline');
      return { twice: async (count: number) => success(2 * count) };
    },
    { twice: true },
    (event) => told.push(event),
  );
  expect(await part.twice(2)).toEqual(failed(failure));
  expect(told).toEqual([{ type: 'failure', failure }]);

  offline = false;
  expect(await part.twice(2)).toEqual(success(4));
  expect(told).toHaveLength(1);
});
