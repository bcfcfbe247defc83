import { expect, it, vi } from 'vitest';
import { failed, type Result, success } from '#domain/core/result';
import { createFetchOpenOrders } from '../../../workers/trading/fetchOpenOrders';
import { createOpenOrders } from '../../../workers/trading/openOrders';
import type { OrderReads } from '../../../workers/trading/orderReads';
import { order } from '../../src/features/sampleOrder';

type Page = Result<{ rows: ReturnType<typeof order>[]; received: number; total: number }>;

/** Positions, of which the server sends two a page. */
function fetching(answer: (page: number, ids: number[]) => Page) {
  const openOrders = createOpenOrders({ changed() {} });
  const server = { ids: [5, 4, 3, 2, 1] };
  const page = async ({ status, page }: { status: string; page: number }) =>
    status === 'pending'
      ? success({ rows: [], received: 0, total: 0 })
      : answer(page, server.ids.slice(2 * page - 2, 2 * page));
  const fetch = createFetchOpenOrders(
    page as unknown as OrderReads['orderPage'],
    openOrders,
    (read) => read as ReturnType<typeof order>,
    () => {},
  );
  return { fetch, openOrders, server };
}

it('a list whose total changes between two pages is read again: an order would be missing', async () => {
  const { fetch, openOrders, server } = fetching((page, ids) => {
    const total = server.ids.length;
    // It ends unseen: what follows moves up by one.
    if (page === 1) server.ids = server.ids.filter((id) => id !== 5);
    return success({ rows: ids.map((id) => order({ id })), received: ids.length, total });
  });
  await fetch();
  expect(openOrders.of('holding').map(({ id }) => id)).toEqual([4, 3, 2, 1]);
});

it('a list that fails is over: what is known since it was asked for is not kept', async () => {
  const { fetch, openOrders } = fetching(() => failed({ kind: 'transport', code: '500' }));
  const begun = vi.spyOn(openOrders, 'beginRequest');
  const ended = vi.spyOn(openOrders, 'endRequest');
  expect((await fetch()).ok).toBe(false);
  expect(ended.mock.calls.flat()).toEqual(begun.mock.results.map(({ value }) => value));
});
