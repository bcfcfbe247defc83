import { expect, it } from 'vitest';
import { toDurationMs } from '#domain/core/time';
import { renewed } from '../../../server/core/renewed';
import { FakeClock } from '../support/fakeClock';

it('what was made is kept for a while, also for those who ask at once, and a failure is not', async () => {
  const clock = new FakeClock();
  let count = 0;
  const next = renewed(
    toDurationMs(1000),
    () => clock.now(),
    async () => {
      count += 1;
      if (count === 2) throw new Error('the database is gone');
      return count;
    },
  );
  expect(await Promise.all([next(), next()])).toEqual([1, 1]);
  clock.pass(999);
  expect(await next()).toBe(1);
  clock.pass(1);
  await expect(next()).rejects.toThrow('gone');
  expect(await next()).toBe(3);
});
