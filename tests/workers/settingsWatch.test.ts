import { expect, it } from 'vitest';
import { TestServer } from './support/testServer';
import { createTestWorker, instrumentRow, MemoryStorage } from './support/testWorker';

it('tells the page that settings were written, or may have been without a connection', async () => {
  const rows = [instrumentRow(1, 'EURUSD')];
  const storage = new MemoryStorage();
  await storage.set('token', 'secret');
  const worker = createTestWorker(rows, { storage });
  new TestServer(worker, rows);
  worker.start();
  const { clock, sockets } = worker;
  await clock.advance(10_000);
  const events = () => worker.shown.events.filter(({ type }) => type === 'settings-changed');
  sockets.last.receive({ type: 'SETTINGS', data: { revision: 4 } });
  sockets.last.receive({ type: 'SETTINGS', data: 'nonsense' });
  await clock.advance(100);
  expect(events()).toEqual([
    { type: 'settings-changed', revision: 4 },
    { type: 'settings-changed', revision: undefined },
  ]);
  sockets.last.drop();
  await clock.advance(20_000);
  // The network may open sockets and let nothing through.
  expect(events()).toHaveLength(2);
  sockets.last.receive({ type: 'login', code: 1 });
  await clock.advance(100);
  expect(events()).toHaveLength(3);
});
