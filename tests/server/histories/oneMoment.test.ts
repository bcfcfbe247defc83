import type { PGlite } from '@electric-sql/pglite';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { OrderPageRow, OrderRow } from '#domain/api/trading';
import type { RecordPageRow } from '#domain/api/wallet';
import { emptyDatabase } from '../support/database';
import { TestExchange } from '../trading/testExchange';

/** Found by histories of the cluster: between the rows and their sums another order had ended. */
describe('a list and its sums are of one moment', () => {
  afterEach(() => vi.restoreAllMocks());

  const lists: [path: string, params: Record<string, number>][] = [
    ['/v1/api/forex/my_deal', { status: 3 }],
    ['/v1/api/main/accountLog/forexChange', {}],
  ];
  it.each(lists)('%s', async (path, params) => {
    const database = await emptyDatabase();
    const exchange = await TestExchange.open(database.db);
    const trader = await exchange.demo();
    const placed = [await trader.submit<OrderRow>(), await trader.submit<OrderRow>()];
    const [first, second] = placed.map(({ data }) => data.Id);
    await trader.data('/v1/api/forex/close', { id: first ?? 0 });

    const { $client: client } = database.db as unknown as { $client: PGlite };
    const { query } = client;
    const listed = { isDone: false };
    vi.spyOn(client, 'query').mockImplementation(async function (this: PGlite, ...args) {
      const found = await query.apply(this, args);
      if (/from "(orders|postings)"/.test(args[0]) && !listed.isDone) {
        listed.isDone = true;
        await trader.data('/v1/api/forex/close', { id: second ?? 0 });
      }
      return found as never;
    });
    const page = await trader.data<Partial<OrderPageRow & RecordPageRow>>(path, params);
    expect(listed.isDone).toBe(true);
    expect(page.total).toBe((page.data ?? page.list)?.length);
    await exchange.close();
    await database.close();
  });
});
