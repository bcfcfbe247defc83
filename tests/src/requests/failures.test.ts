import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { InfiniteQueryObserver } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { failed } from '#domain/core/result';
import { queries, unwrap } from '../../../src/requests/queries';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

it('a query that goes on failing lets its earlier failures go', async () => {
  const failures: WeakRef<object>[] = [];
  const ask = async () => {
    const failure = { kind: 'transport', code: 'ERR_NETWORK' } as const;
    failures.push(new WeakRef(failure));
    return failed(failure);
  };
  for (let visit = 0; visit < 5; visit++) {
    const observer = new InfiniteQueryObserver(queries, {
      queryKey: ['failing'],
      queryFn: () => unwrap(ask()),
      initialPageParam: 1,
      getNextPageParam: () => undefined,
    });
    await observer.refetch();
    observer.destroy();
  }
  // A WeakRef keeps its target until the task has ended.
  await new Promise((resolve) => setTimeout(resolve));
  collectGarbage();
  const kept = failures.filter((each) => each.deref());
  // The present one, and that before it: a cancelled request goes back to it.
  expect(kept.length).toBeLessThanOrEqual(2);
});
