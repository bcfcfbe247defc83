import { eq, sql } from 'drizzle-orm';
import { DAY_MS, toDurationMs, type UnixMs } from '#domain/core/time';
import type { Db, Tx } from '../db/database';
import { news, newsTranslations, shippedArticles } from '../db/schema';
import type { ShippedArticle } from './shipped';

const CATEGORY = 1;
/** Days between the articles of a new sandbox; the last one is dated today. */
const ARTICLE_INTERVAL_MS = toDurationMs(3 * DAY_MS);

/** Publishes new articles and updates the texts of published ones. */
export async function publishShipped(
  db: Db,
  articles: readonly ShippedArticle[],
  now: UnixMs,
): Promise<void> {
  await db.transaction(async (tx) => {
    const known = await tx.select().from(shippedArticles);
    const ids = new Map(known.map(({ name, newsId }) => [name, newsId]));
    const fresh = articles.filter(({ name }) => !ids.has(name));
    for (const [index, article] of fresh.entries()) {
      const age = (fresh.length - 1 - index) * ARTICLE_INTERVAL_MS;
      ids.set(article.name, await insert(tx, article, new Date(now - age)));
    }
    for (const { name, texts } of articles) {
      const english = texts.get('en');
      const newsId = ids.get(name);
      if (english && newsId) await tx.update(news).set(english).where(eq(news.id, newsId));
    }
    await translate(tx, articles, ids);
  });
}

async function insert(tx: Tx, { name, texts }: ShippedArticle, createdAt: Date): Promise<number> {
  const english = texts.get('en');
  if (!english) throw new Error(`the article ${name} is not there in English`);
  const [row] = await tx
    .insert(news)
    .values({ categoryId: CATEGORY, ...english, createdAt })
    .returning({ id: news.id });
  if (!row) throw new Error('an article was not inserted');
  await tx.insert(shippedArticles).values({ name, newsId: row.id });
  return row.id;
}

/** In one statement, because there are hundreds of texts at every start. */
async function translate(
  tx: Tx,
  articles: readonly ShippedArticle[],
  ids: ReadonlyMap<string, number>,
): Promise<void> {
  const rows = articles.flatMap(({ name, texts }) => {
    const newsId = ids.get(name);
    if (newsId === undefined) return [];
    return [...texts]
      .filter(([language]) => language !== 'en')
      .map(([language, text]) => ({ newsId, language, ...text }));
  });
  if (rows.length === 0) return;
  await tx
    .insert(newsTranslations)
    .values(rows)
    .onConflictDoUpdate({
      target: [newsTranslations.newsId, newsTranslations.language],
      set: {
        title: sql`excluded.title`,
        desc: sql`excluded.desc`,
        content: sql`excluded.content`,
      },
    });
}
