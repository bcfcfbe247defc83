import { describe, expect, it } from 'vitest';
import { createTestWorker, instrumentRow, type TestWorker } from '../support/testWorker';
import { tickRow, ticks } from '../support/ticks';

/** `book`: what the first push tells, as a server does after each subscription. */
async function started(book?: { Bid: string; Ask: string }): Promise<TestWorker> {
  const listed = instrumentRow(1, 'EURUSD', {
    ForexQuotations: { Open: '1', Close: '1.1', Change: '10', Time: 1000 },
  });
  const worker = createTestWorker([listed, instrumentRow(2, 'NZDUSD')]);
  worker.start();
  await worker.clock.advance(100);
  if (book) await receive(worker, ticks(tickRow(1, 'EURUSD', '1.1', { Time: 1000, ...book })));
  return worker;
}

/** Books of all frames, in order. */
const booksOf = (worker: TestWorker) => worker.shown.frames.flatMap(({ books }) => books ?? []);

async function receive(worker: TestWorker, ...messages: unknown[]): Promise<void> {
  for (const message of messages) worker.sockets.last.receive(message);
  await worker.clock.advance(100);
}

describe('bid and ask', () => {
  it('are sent where they are watched, in either form', async () => {
    const worker = await started({ Bid: '1.09', Ask: '1.11' });
    expect(booksOf(worker)).toEqual([]);
    worker.gateway.watchBooks({ add: [1], remove: [] });
    await worker.clock.advance(100);
    expect(booksOf(worker)).toEqual([{ id: 1, bid: 1.09, ask: 1.11 }]);
    await receive(worker, ticks(tickRow(1, 'EURUSD', '1.1', { Time: 2000, Bid: '1', Ask: '1.2' })));
    await receive(worker, { type: 'DM', data: [[1, '1.1', 2000, '0', null, null, '1.1', '1.3']] });
    expect(booksOf(worker).slice(1)).toEqual([
      { id: 1, bid: 1, ask: 1.2 },
      { id: 1, bid: 1.1, ask: 1.3 },
    ]);
    worker.gateway.watchBooks({ add: [], remove: [1] });
    await receive(worker, ticks(tickRow(1, 'EURUSD', '1.1', { Time: 2000, Bid: '2', Ask: '3' })));
    expect(booksOf(worker)).toHaveLength(3);
  });

  it('stay while rows do not tell them, and go with 0', async () => {
    const worker = await started({ Bid: '1.09', Ask: '1.11' });
    worker.gateway.watchBooks({ add: [1], remove: [] });
    await receive(worker, ticks(tickRow(1, 'EURUSD', '1.2', { Time: 2000 })), {
      type: 'DM',
      data: [[1, '1.3', 3000, '1']],
    });
    expect(worker.gateway.row('EURUSD')?.quote.close).toBe(1.3);
    expect(booksOf(worker)).toEqual([{ id: 1, bid: 1.09, ask: 1.11 }]);
    await receive(worker, ticks(tickRow(1, 'EURUSD', '1.3', { Time: 3000, Bid: '0', Ask: '0' })));
    expect(booksOf(worker).at(-1)).toEqual({ id: 1, bid: 0, ask: 0 });
  });

  it.each([
    ['x', '1'],
    ['-1', '1'],
    ['1e999', '1'],
  ])('that make no sense drop their row: %s, %s', async (bid, ask) => {
    const worker = await started();
    worker.gateway.watchBooks({ add: [1], remove: [] });
    const row = { ...tickRow(1, 'EURUSD', '1.5', { Time: 5000 }), Bid: bid, Ask: ask };
    await receive(worker, ticks(row), {
      type: 'DM',
      data: [[1, '1.5', 5000, '1', null, null, bid, ask]],
    });
    expect(worker.gateway.row('EURUSD')?.quote.close).toBe(1.1);
    expect(booksOf(worker)).toEqual([]);
  });

  it('cost nothing where the feed has none', async () => {
    const worker = await started();
    worker.gateway.watchBooks({ add: [1], remove: [] });
    const frames = worker.shown.frames.length;
    await receive(worker, ticks(tickRow(1, 'EURUSD', '1.5', { Time: 5000 })));
    expect(worker.shown.frames.length).toBe(frames);
  });
});
