import { and, desc, eq, sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { PAGE_SIZE, type Page } from '#domain/api/envelope';
import { type NewsArticleRow, type NewsItemRow, newsArticle, newsList } from '#domain/api/news';
import type { Language } from '#domain/core/language';
import type { UnixMs } from '#domain/core/time';
import type { Db } from '../db/database';
import { pageOffset } from '../db/page';
import { news, newsTranslations } from '../db/schema';
import { CODE_REFUSED, Refusal } from '../http/refusal';
import { route } from '../http/route';
import { originOf } from '../uploads/routes';
import type { NewsPictures } from './newsPictures';
import { publishShipped } from './publish';
import { type ShippedArticle, shippedArticles } from './shipped';

export interface NewsOptions {
  db: Db;
  /** The wall clock. */
  now(): UnixMs;
  pictures: NewsPictures;
  articles?: readonly ShippedArticle[];
}

export interface News {
  routes(app: FastifyInstance): void;
  /** Publishes the articles that ship with the server. */
  start(): Promise<void>;
}

/** News in the user's language where there is a translation, otherwise as posted. */
export function createNews({ db, now, pictures, articles = shippedArticles() }: NewsOptions): News {
  return {
    routes(app) {
      route(app, newsList, {
        handler: ({ params, language }) => list(db, params.category_id, params.page, language),
      });

      route(app, newsArticle, {
        async handler({ params, language, request }) {
          const article = await info(db, params.id, language);
          return { ...article, content: pictures.withOrigin(article.content, originOf(request)) };
        },
      });
      pictures.routes(app);
    },
    start: () => publishShipped(db, articles, now()),
  };
}

const ITEM = {
  id: news.id,
  title: sql<string>`coalesce(${newsTranslations.title}, ${news.title})`,
  desc: sql<string>`coalesce(${newsTranslations.desc}, ${news.desc})`,
  logo: news.logo,
  createdAt: news.createdAt,
};

function translated(language: Language) {
  return and(eq(newsTranslations.newsId, news.id), eq(newsTranslations.language, language));
}

/** Newest first. */
async function list(
  db: Db,
  categoryId: number,
  number: number,
  language: Language,
): Promise<Page<NewsItemRow>> {
  const listed = eq(news.categoryId, categoryId);
  const rows = await db
    .select(ITEM)
    .from(news)
    .leftJoin(newsTranslations, translated(language))
    .where(listed)
    .orderBy(desc(news.id))
    .limit(PAGE_SIZE)
    .offset(pageOffset(number));
  return { data: rows.map(itemRow), total: await db.$count(news, listed) };
}

async function info(db: Db, newsId: number, language: Language): Promise<NewsArticleRow> {
  const [row] = await db
    .select({
      ...ITEM,
      content: sql<string>`coalesce(${newsTranslations.content}, ${news.content})`,
    })
    .from(news)
    .leftJoin(newsTranslations, translated(language))
    .where(eq(news.id, newsId));
  if (!row) throw new Refusal(CODE_REFUSED, 'server.newsUnknown');
  return { ...itemRow(row), content: row.content };
}

function itemRow({ createdAt, ...item }: Omit<NewsItemRow, 'created_at'> & { createdAt: Date }) {
  const { id: newsId, title, desc: summary, logo } = item;
  return { id: newsId, title, desc: summary, logo, created_at: createdAt.toISOString() };
}
