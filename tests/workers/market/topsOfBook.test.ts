import { describe, expect, it } from 'vitest';
import { held } from '../support/scriptedHttp';
import { createTestWorker, instrumentRow, type TestWorker } from '../support/testWorker';
import { tickRow, ticks } from '../support/ticks';

/** `book`: what the first push tells, as a server does after each subscription. */
async function started(topOfBook?: { Bid: string; Ask: string }): Promise<TestWorker> {
  const listed = instrumentRow(1, 'EURUSD', {
    ForexQuotations: { Open: '1', Close: '1.1', Change: '10', Time: 1000 },
  });
  const worker = createTestWorker([listed, instrumentRow(2, 'NZDUSD')]);
  worker.start();
  await worker.clock.advance(100);
  if (topOfBook)
    await receive(worker, ticks(tickRow(1, 'EURUSD', '1.1', { Time: 1000, ...topOfBook })));
  return worker;
}

/** Books of all frames, in order. */
const booksOf = (worker: TestWorker) =>
  worker.shown.frames.flatMap(({ topsOfBook }) => topsOfBook ?? []);

async function receive(worker: TestWorker, ...messages: unknown[]): Promise<void> {
  for (const message of messages) worker.sockets.last.receive(message);
  await worker.clock.advance(100);
}

describe('bid and ask', () => {
  it('are sent where they are watched, in either form', async () => {
    const worker = await started({ Bid: '1.09', Ask: '1.11' });
    expect(booksOf(worker)).toEqual([]);
    worker.workerApi.watchTopsOfBook({ add: [1], remove: [] }, 'both');
    await worker.clock.advance(100);
    expect(booksOf(worker)).toEqual([{ id: 1, bid: 1.09, ask: 1.11 }]);
    await receive(worker, ticks(tickRow(1, 'EURUSD', '1.1', { Time: 2000, Bid: '1', Ask: '1.2' })));
    await receive(worker, { type: 'DM', data: [[1, '1.1', 2000, '0', null, null, '1.1', '1.3']] });
    expect(booksOf(worker).slice(1)).toEqual([
      { id: 1, bid: 1, ask: 1.2 },
      { id: 1, bid: 1.1, ask: 1.3 },
    ]);
    worker.workerApi.watchTopsOfBook({ add: [], remove: [1] }, 'both');
    await receive(worker, ticks(tickRow(1, 'EURUSD', '1.1', { Time: 2000, Bid: '2', Ask: '3' })));
    expect(booksOf(worker)).toHaveLength(3);
  });

  it('are sent with their spread alone where no more is shown of them', async () => {
    const worker = await started({ Bid: '1.09', Ask: '1.11' });
    const { watchTopsOfBook } = worker.workerApi;
    const move = (Bid: string, Ask: string) =>
      receive(worker, ticks(tickRow(1, 'EURUSD', '1.1', { Time: 2000, Bid, Ask })));
    watchTopsOfBook({ add: [1], remove: [] }, 'spread');
    await worker.clock.advance(100);
    expect(booksOf(worker)).toEqual([{ id: 1, bid: 1.09, ask: 1.11 }]);
    await move('1.19', '1.21');
    expect(booksOf(worker)).toHaveLength(1);
    await move('1.19', '1.22');
    expect(booksOf(worker).slice(1)).toEqual([{ id: 1, bid: 1.19, ask: 1.22 }]);
    // Both are shown somewhere else.
    watchTopsOfBook({ add: [1], remove: [] }, 'both');
    await move('1.2', '1.23');
    expect(booksOf(worker).at(-1)).toEqual({ id: 1, bid: 1.2, ask: 1.23 });
    watchTopsOfBook({ add: [], remove: [1] }, 'both');
    await worker.clock.advance(100);
    const before = booksOf(worker).length;
    await move('1.21', '1.24');
    expect(booksOf(worker)).toHaveLength(before);
    await move('0', '1.24');
    expect(booksOf(worker).at(-1)).toEqual({ id: 1, bid: 0, ask: 1.24 });
    watchTopsOfBook({ add: [], remove: [1] }, 'spread');
    await worker.clock.advance(100);
    await move('1', '1.24');
    expect(booksOf(worker)).toHaveLength(before + 1);
  });

  it('stay while rows do not tell them, and go with 0', async () => {
    const worker = await started({ Bid: '1.09', Ask: '1.11' });
    worker.workerApi.watchTopsOfBook({ add: [1], remove: [] }, 'both');
    await receive(worker, ticks(tickRow(1, 'EURUSD', '1.2', { Time: 2000 })), {
      type: 'DM',
      data: [[1, '1.3', 3000, '1']],
    });
    expect(worker.workerApi.row('EURUSD')?.quote.close).toBe(1.3);
    expect(booksOf(worker)).toEqual([{ id: 1, bid: 1.09, ask: 1.11 }]);
    await receive(worker, ticks(tickRow(1, 'EURUSD', '1.3', { Time: 3000, Bid: '0', Ask: '0' })));
    expect(booksOf(worker).at(-1)).toEqual({ id: 1, bid: 0, ask: 0 });
  });

  it.each(['', '--', 'x', '1e999', null])(
    'that are %j stay, and the price comes',
    async (wrong) => {
      const worker = await started({ Bid: '1.09', Ask: '1.11' });
      worker.workerApi.watchTopsOfBook({ add: [1], remove: [] }, 'both');
      const row = { ...tickRow(1, 'EURUSD', '1.5', { Time: 5000 }), Bid: wrong, Ask: wrong };
      await receive(worker, ticks(row), {
        type: 'DM',
        data: [[1, '1.6', 5000, '1', null, null, wrong, wrong]],
      });
      expect(worker.workerApi.row('EURUSD')?.quote.close).toBe(1.6);
      expect(booksOf(worker)).toEqual([{ id: 1, bid: 1.09, ask: 1.11 }]);
    },
  );

  it('change each by itself, in either form, and go each by itself', async () => {
    const worker = await started();
    worker.workerApi.watchTopsOfBook({ add: [1], remove: [] }, 'both');
    const row = (topOfBook: object) =>
      ticks({ ...tickRow(1, 'EURUSD', '1.1', { Time: 2000 }), ...topOfBook });
    const compact = (...topOfBook: unknown[]) => ({
      type: 'DM',
      data: [[1, '1.1', 2000, '0', null, null, ...topOfBook]],
    });
    const seen: unknown[] = [];
    for (const message of [
      compact(null, '1.2'),
      compact('1.05'),
      row({ Bid: '1.06' }),
      row({ Ask: '1.3' }),
      row({ Bid: '0' }),
      compact('1.07'),
      compact(null, '0'),
      row({ Bid: '-1' }),
    ]) {
      await receive(worker, message);
      const { bid, ask } = booksOf(worker).at(-1) ?? {};
      seen.push([bid, ask]);
    }
    expect(seen).toEqual([
      [0, 1.2],
      [1.05, 1.2],
      [1.06, 1.2],
      [1.06, 1.3],
      [0, 1.3],
      [1.07, 1.3],
      [1.07, 0],
      [0, 0],
    ]);
  });

  describe('of before a reconnect', () => {
    const told = { Time: 1000, Bid: '1.09', Ask: '1.11' };
    const bare = { type: 'DM', data: [[1, '1.1', 1000, '0', '1', 1]] };
    const later = ticks(tickRow(1, 'EURUSD', '1.2', { Time: 2000 }));
    const withSides = ticks(tickRow(1, 'EURUSD', '1.2', { Time: 2000, Bid: '1.19', Ask: '1.21' }));
    it.each([
      ['go where the list has none', [], {}, [0, 0]],
      ['go by a late list too, where its rows come first and have none', [bare, later], {}, [0, 0]],
      ['go each by itself', [later], { Bid: '1.08' }, [1.08, 0]],
      ['stay where both have them', [bare], { Bid: '1.09', Ask: '1.11' }, [1.09, 1.11]],
      ['are replaced by newer ones than the list', [withSides], {}, [1.19, 1.21]],
      ['are not set back by a list', [withSides], { Bid: '1.08', Ask: '1.1' }, [1.19, 1.21]],
    ])('%s', async (_, pushed, sides, [bid, ask]) => {
      const worker = await started(told);
      worker.workerApi.watchTopsOfBook({ add: [1], remove: [] }, 'both');
      const list = held();
      worker.server.on('/v1/api/forex/trade_list', list.route);
      worker.sockets.last.drop();
      await worker.clock.advance(5000);
      expect(list.waiting()).toBe(1);
      await receive(worker, ...pushed);
      const quotations = { Open: '1', Close: '1.1', Change: '10', Time: 1000, ...sides };
      list.release({ data: [instrumentRow(1, 'EURUSD', { ForexQuotations: quotations })] });
      await worker.clock.advance(100);
      expect(booksOf(worker).at(-1)).toEqual({ id: 1, bid, ask });
      expect(worker.workerApi.row('EURUSD')?.stale).toBe(false);
    });
  });

  it('cost nothing where the feed has none', async () => {
    const worker = await started();
    worker.workerApi.watchTopsOfBook({ add: [1], remove: [] }, 'both');
    const frames = worker.shown.frames.length;
    await receive(worker, ticks(tickRow(1, 'EURUSD', '1.5', { Time: 5000 })));
    expect(worker.shown.frames.length).toBe(frames);
  });
});
