import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { type NewsItemRow, newsArticle, newsList } from '#domain/api/news';
import { parse } from '#domain/api/schema';
import { LANGUAGES } from '#domain/core/language';
import { news } from '../../../server/db/schema';
import { createNews, type News } from '../../../server/news/news';
import { NewsPictures } from '../../../server/news/newsPictures';
import {
  type ArticleText,
  type ShippedArticle,
  shippedArticles,
} from '../../../server/news/shipped';
import { onEachDatabase } from '../support/database';
import { dataDirectory } from '../support/dataDirectory';
import { startBackend, type TestBackend } from '../support/testBackend';

const words = (text: string): ArticleText => ({
  title: text,
  desc: `${text}, in short`,
  content: `<p>${text}, at length</p>`,
});
const article = (name: string, hk = true): ShippedArticle => ({
  name,
  texts: new Map([
    ['en', words(`${name} in English`)],
    ...(hk ? [['hk', words(`${name} 中文`)] as const] : []),
  ]),
});

const pictures = new NewsPictures({
  directory: dataDirectory(),
  fetch: () => Promise.reject(new Error('no network')),
});

onEachDatabase((database) => {
  let backend: TestBackend;

  beforeEach(async () => {
    await backend?.close();
  });
  afterAll(() => backend.close());

  const open = async (articles?: ShippedArticle[]): Promise<News> => {
    let opened: News | undefined;
    backend = await startBackend(database.db, (app, { db, now }) => {
      opened = createNews({ db, now, pictures, ...(articles ? { articles } : {}) });
      opened.routes(app);
    });
    if (!opened) throw new Error('nothing was registered');
    await opened.start();
    return opened;
  };
  const get = async (path: string, lang: string) => {
    const answer = await fetch(`${backend.url}/api/news/${path}`, { headers: { lang } });
    // biome-ignore lint/suspicious/noExplicitAny: what comes is what is tested
    return (await answer.json()) as { code: number; msg: string; data: any };
  };
  const titles = async (lang: string, query = '') =>
    ((await get(`list?category_id=1${query}`, lang)).data.data as NewsItemRow[]).map(
      ({ title }) => title,
    );

  it('lists newest first, in the requested language, otherwise in English', async () => {
    await open([article('one'), article('two', false), article('three')]);
    expect(await titles('en')).toEqual(['three in English', 'two in English', 'one in English']);
    expect(await titles('hk')).toEqual(['three 中文', 'two in English', 'one 中文']);
    expect(await titles('cs')).toEqual(['three in English', 'two in English', 'one in English']);
    const { data } = await get('list?category_id=1', 'hk');
    expect(data.total).toBe(3);
    expect(data.data[0]).toEqual({
      id: 3,
      title: 'three 中文',
      desc: 'three 中文, in short',
      logo: '',
      created_at: '2026-01-31T08:00:00.000Z',
    });
    expect(data.data[2].created_at).toBe('2026-01-25T08:00:00.000Z');
    expect((await get('list?category_id=2', 'hk')).data).toEqual({ data: [], total: 0 });
    expect((await get('list?page=2', 'hk')).data).toEqual({ data: [], total: 3 });
  });

  it('returns an article in full, or a refusal if there is none', async () => {
    await open([article('one')]);
    expect((await get('info?id=1', 'hk')).data).toEqual({
      id: 1,
      title: 'one 中文',
      desc: 'one 中文, in short',
      logo: '',
      created_at: '2026-01-31T08:00:00.000Z',
      content: '<p>one 中文, at length</p>',
    });
    expect((await get('info?id=1', 'jp')).data.content).toBe('<p>one in English, at length</p>');
    expect(await get('info?id=9', 'en')).toMatchObject({
      code: 2,
      msg: 'There is no such article',
    });
  });

  it('publishes each article once, adds new ones and updates changed ones', async () => {
    await open([article('one'), article('two')]);
    const changed = article('one');
    const later = new Map(changed.texts).set('hk', words('改正'));
    const again = createNews({
      db: database.db,
      now: backend.now,
      pictures,
      articles: [{ ...changed, texts: later }, article('two'), article('three')],
    });
    await again.start();
    await again.start();
    expect(await titles('hk')).toEqual(['three 中文', 'two 中文', '改正']);
  });

  it('shows a post of the operator in every language as it was posted', async () => {
    await open([article('one')]);
    await database.db.insert(news).values({
      categoryId: 1,
      title: 'Maintenance on Sunday',
      desc: 'From 02:00 UTC',
      content: '<p>From 02:00 UTC</p>',
      createdAt: new Date(backend.now()),
    });
    expect(await titles('hk')).toEqual(['Maintenance on Sunday', 'one 中文']);
  });

  it('has pages of twenty', async () => {
    await open(Array.from({ length: 23 }, (_, index) => article(`no-${index}`)));
    expect(await titles('en')).toHaveLength(20);
    expect(await titles('en', '&page=2')).toEqual([
      'no-2 in English',
      'no-1 in English',
      'no-0 in English',
    ]);
  });

  it('serves its own articles in a form that the app shows', async () => {
    await open();
    const page = parse(newsList.answer, (await get('list?category_id=1', 'hk')).data);
    expect(page?.rows).toHaveLength(12);
    for (const { id } of page?.rows ?? []) {
      const read = parse(newsArticle.answer, (await get(`info?id=${id}`, 'hk')).data);
      expect(read?.content.length).toBeGreaterThan(200);
    }
  });
});

describe('the articles of the server', () => {
  const articles = shippedArticles();

  it('are a dozen, each in every language', () => {
    expect(articles).toHaveLength(12);
    for (const { texts: each } of articles) {
      expect([...each.keys()].sort()).toEqual([...LANGUAGES].sort());
    }
  });

  it.each(
    articles.flatMap(({ name, texts: each }) =>
      [...each].map(([language, text]) => ({ name, language, text })),
    ),
  )('$name in $language is clean HTML', ({ name, language, text }) => {
    const { title, desc, content } = text;
    expect(`${title}${desc}`).not.toMatch(/[<>]/);
    const tags = [...content.matchAll(/<\/?([a-z\d]+)([^>]*)>/g)];
    const known = ['p', 'h2', 'ul', 'li', 'strong'];
    expect(tags.filter(([, tag = '', rest]) => !known.includes(tag) || rest)).toEqual([]);
    const opened = tags.filter(([tag]) => !tag.startsWith('</')).length;
    expect(tags.length).toBe(2 * opened);
    expect(/\p{Script=Han}/u.test(content)).toBe(['hk', 'jp'].includes(language));
    // A translation has the paragraphs and lists of the English text.
    const english = articles.find((article) => article.name === name)?.texts.get('en');
    expect(tags.map(([tag]) => tag)).toEqual(
      [...(english?.content ?? '').matchAll(/<[^>]+>/g)].map(([tag]) => tag),
    );
  });
});
