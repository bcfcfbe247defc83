import { expect, it } from 'vitest';
import type { WorkerApi } from '#domain/worker/workerApi';
import { createTestWorker, MemoryStorage } from '../support/testWorker';

const item = (id: number, title: string) => ({ id, title, desc: '', img: '', created_at: 0 });

const CACHED = { cached: true };
const NOTHING = { ok: false, failure: { kind: 'transport', code: 'ERR_NOT_CACHED' } };
const list = ({ api }: WorkerApi, page: number, options = {}) =>
  api('news.newsList', { category_id: 1, page }, options);
const article = ({ api }: WorkerApi, id: number) => api('news.newsArticle', { id }, CACHED);

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
  await list(first.workerApi, 1);
  await list(first.workerApi, 2);
  for (let id = 1; id <= 12; id++) await first.workerApi.api('news.newsArticle', { id });
  await list(first.workerApi, 1);
  await first.clock.advance(100);

  const { workerApi } = await started(storage);
  expect(await list(workerApi, 1, CACHED)).toMatchObject({
    ok: true,
    data: { rows: [{ id: 1, title: 'News' }] },
  });
  expect(await article(workerApi, 12)).toMatchObject({ ok: true, data: { content: '<p>' } });
  // Twelve answers are kept.
  expect(await article(workerApi, 1)).toEqual(NOTHING);
  workerApi.setLanguage('de');
  expect(await list(workerApi, 1, CACHED)).toEqual(NOTHING);
});

it('what another version has stored is nothing', async () => {
  const storage = new MemoryStorage();
  storage.values.set('news', {
    'news.newsList {"category_id":1,"page":1} en': { data: 'gone' },
    'news.newsArticle {"id":3} en': 7,
    '3 en': { ...item(3, 'Article'), content: '<p>' },
  });
  const { workerApi } = await started(storage);
  expect(await list(workerApi, 1, CACHED)).toEqual(NOTHING);
  expect(await article(workerApi, 3)).toEqual(NOTHING);
});
