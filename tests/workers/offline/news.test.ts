import { expect, it } from 'vitest';
import { createTestWorker, MemoryStorage } from '../support/testWorker';

const item = (id: number, title: string) => ({ id, title, desc: '', img: '', created_at: 0 });

async function started(storage: MemoryStorage) {
  const worker = createTestWorker([], { storage });
  worker.start();
  await worker.clock.advance(100);
  return worker;
}

it('news are kept over visits: the first page and the last articles, in their language', async () => {
  const storage = new MemoryStorage();
  const first = await started(storage);
  first.server.on('/api/news/list', ({ params }) => ({
    data: { data: [item(Number(params['page']), 'News')], current_page: 1, last_page: 9 },
  }));
  first.server.on('/api/news/info', ({ params }) => ({
    data: { ...item(Number(params['id']), 'Article'), content: '<p>' },
  }));
  await first.gateway.news(1);
  await first.gateway.news(2);
  for (let id = 1; id <= 12; id++) await first.gateway.newsArticle(id);
  await first.gateway.news(1);
  await first.clock.advance(100);

  const { gateway } = await started(storage);
  expect(await gateway.keptNews()).toMatchObject({
    ok: true,
    data: { rows: [{ id: 1, title: 'News' }] },
  });
  expect(await gateway.keptArticle(12)).toMatchObject({ ok: true, data: { content: '<p>' } });
  // Twelve answers are kept.
  expect(await gateway.keptArticle(1)).toEqual({ ok: true, data: undefined });
  gateway.setLanguage('de');
  expect(await gateway.keptNews()).toEqual({ ok: true, data: undefined });
});

it('what another version has stored is nothing', async () => {
  const storage = new MemoryStorage();
  storage.values.set('news', { 'list en': { data: 'gone' }, '3 en': 7 });
  const { gateway } = await started(storage);
  expect(await gateway.keptNews()).toEqual({ ok: true, data: undefined });
  expect(await gateway.keptArticle(3)).toEqual({ ok: true, data: undefined });
});
