import { expect, it } from 'vitest';
import { failed } from '#domain/core/result';
import { failureOf, queries, unwrapOrCached } from '../../../src/requests/queries';

it('a call that fails is what is told, although what was kept can’t be read', async () => {
  const refused = { kind: 'refused', code: 2, text: 'No' } as const;
  const asked = unwrapOrCached(['news'], Promise.resolve(failed(refused)), () =>
    Promise.reject(new Error('storage')),
  );
  await expect(asked.catch(failureOf)).resolves.toEqual(refused);
  expect(queries.getQueryData(['news'])).toBeUndefined();
});
