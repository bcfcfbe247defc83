import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { OrderPageRow, OrderRow } from '#domain/api/trading';
import { toUnixMs } from '#domain/core/time';
import { SerialQueue } from '../../../server/core/serialQueue';
import { Transactions, type WriteOnlyWork } from '../../../server/db/transactions';
import { DatabaseUnavailable } from '../../../server/db/unavailable';
import { Refusal } from '../../../server/http/refusal';
import { BatchedRequests } from '../../../server/idempotency/batchedRequests';
import { IdempotentRequests } from '../../../server/idempotency/idempotentRequests';
import { audit } from '../../../server/ledger/audit';
import { onEachDatabase } from '../support/database';
import { EUR, TestExchange } from '../trading/testExchange';

onEachDatabase((database) => {
  describe.each(['with', 'without'])(
    'requests that wait together, %s a position of the feed',
    (feed) => {
      let transactions: Transactions;
      let batched: BatchedRequests;
      /** Number of batches. */
      let begun: number;
      let userId: number;
      beforeEach(async () => {
        begun = 0;
        const queue = new SerialQueue();
        const exchange = await TestExchange.open(database.db);
        userId = (await exchange.demo()).id;
        await exchange.close();
        transactions = new Transactions({
          db: database.db,
          concurrent: database.name === 'PostgreSQL',
          exclusively: (action) => queue.run(action),
          beforeCommit: feed === 'with' ? async () => {} : undefined,
        });
        const requests = new IdempotentRequests(transactions, () => toUnixMs(Date.now()));
        batched = new BatchedRequests(requests, async () => {
          begun++;
        });
      });

      const call = (job: (work: WriteOnlyWork) => Promise<unknown>, key: string = randomUUID()) =>
        batched
          .serve({ userId, request: { userId, key, fingerprint: 'f' }, language: 'en', job })
          .then(({ envelope }) => envelope);

      it('share one transaction, in the order of arrival', async () => {
        const order: number[] = [];
        // The first may take its turn alone.
        const answers = await Promise.all(
          Array.from({ length: 20 }, (_, index) =>
            call(async () => {
              order.push(index);
              return index;
            }),
          ),
        );
        expect(answers.map(({ data }) => data)).toEqual(Array.from({ length: 20 }, (_, i) => i));
        expect(order).toEqual(Array.from({ length: 20 }, (_, i) => i));
        expect(begun).toBeLessThanOrEqual(2);
      });

      it('share one transaction where each arrives by itself', async () => {
        // As requests do: each in a callback of its own, all in one turn of the event loop.
        const answers = await Promise.all(
          Array.from({ length: 20 }, async (_, index) => {
            await new Promise((resolve) => setTimeout(resolve));
            return call(async () => index);
          }),
        );
        expect(answers.map(({ data }) => data)).toEqual(Array.from({ length: 20 }, (_, i) => i));
        expect(begun).toBeLessThanOrEqual(5);
      });

      it('have each its own refusal, which is stored', async () => {
        const key = randomUUID();
        const refuse = async () => {
          throw new Refusal(2, 'server.orderUnknown');
        };
        const [good, bad] = await Promise.all([call(async () => 'done'), call(refuse, key)]);
        expect(good).toMatchObject({ code: 1, data: 'done' });
        expect(bad).toMatchObject({ code: 2 });
        expect(await call(async () => 'would be done', key)).toEqual(bad);
      });

      it('are tried one by one if the transaction fails', async () => {
        const broken = new Error('broken');
        const outcomes = await Promise.allSettled([
          call(async () => 1),
          call(async () => {
            throw broken;
          }),
          call(async () => 3),
        ]);
        expect(outcomes).toMatchObject([
          { status: 'fulfilled', value: { data: 1 } },
          { status: 'rejected', reason: broken },
          { status: 'fulfilled', value: { data: 3 } },
        ]);
      });

      it('leave nothing written if one of them fails late', async () => {
        const key = randomUUID();
        const outcomes = await Promise.allSettled([
          call(async () => 'done', key),
          call(async (work) => work.writeRows({ newOrders: [{ id: 1 } as never] })),
        ]);
        expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
        expect(await call(async () => 'twice', key)).toMatchObject({ data: 'done' });
      });

      it('write nothing if the database was lost and found again meanwhile', async () => {
        const key = randomUUID();
        const interrupted = async () => {
          transactions.interrupt();
          return 'lost';
        };
        await expect(call(interrupted, key)).rejects.toBeInstanceOf(DatabaseUnavailable);
        await expect(transactions.run(interrupted)).rejects.toBeInstanceOf(DatabaseUnavailable);
        expect(await call(async () => 'done', key)).toMatchObject({ data: 'done' });
      });

      it('are not tried again if the database was lost: they may be committed', async () => {
        let done = 0;
        const lost = async () => {
          done++;
          transactions.interrupt();
        };
        const outcomes = await Promise.allSettled([call(lost), call(lost)]);
        for (const outcome of outcomes)
          expect(outcome).toMatchObject({ reason: expect.any(DatabaseUnavailable) });
        expect(done).toBe(2);
      });

      it('are refused if their key is of a running request or of another call', async () => {
        const key = randomUUID();
        let end = () => {};
        const running = new Promise<void>((resolve) => {
          end = resolve;
        });
        const first = call(async () => {
          await running;
          return 'done';
        }, key);
        await expect(call(async () => 'twice', key)).rejects.toMatchObject({ code: 409 });
        end();
        await first;
        const other = batched.serve({
          userId,
          request: { userId, key, fingerprint: 'other' },
          language: 'en',
          job: async () => 'other',
        });
        await expect(other).rejects.toMatchObject({ code: 422 });
      });
    },
  );

  it('simultaneous orders of many users are booked once each, and the ledger passes the audit', async () => {
    const exchange = await TestExchange.open(database.db);
    await exchange.market.tick([EUR, 1.1]);
    const traders = await Promise.all(Array.from({ length: 8 }, () => exchange.demo()));
    const placed = await Promise.all(
      traders.flatMap((trader) =>
        Array.from({ length: 5 }, () => {
          const headers = { 'idempotency-key': randomUUID() };
          // A double tap, of which one is the first.
          return Promise.all([
            trader.submit<OrderRow>({ cont: '0.1' }, headers),
            trader.submit<OrderRow>({ cont: '0.1' }, headers),
          ]);
        }),
      ),
    );
    for (const pair of placed)
      expect(pair.filter(({ code }) => code === 1).length).toBeGreaterThan(0);
    await Promise.all(
      traders.map(async (trader) => {
        const { data } = await trader.data<OrderPageRow>('/v1/api/forex/my_deal', { status: 1 });
        expect(data).toHaveLength(5);
        await Promise.all(
          data.map(({ Id }) => trader.data<OrderRow>('/v1/api/forex/close', { id: Id })),
        );
      }),
    );
    expect(await audit(database.db)).toEqual([]);
    await exchange.close();
  });
});
