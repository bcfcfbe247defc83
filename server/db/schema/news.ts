import { index, integer, pgTable, primaryKey, serial, text } from 'drizzle-orm/pg-core';
import type { Language } from '#domain/core/language';
import { timestampMs } from './columns';

/** protocol.md#news-article */
export const news = pgTable(
  'news',
  {
    id: serial().primaryKey(),
    categoryId: integer('category_id').notNull(),
    title: text().notNull(),
    desc: text().notNull(),
    logo: text().notNull().default(''),
    /** HTML; the client sanitises it. */
    content: text().notNull(),
    createdAt: timestampMs('created_at').notNull(),
  },
  (table) => [index('news_category').on(table.categoryId, table.id)],
);

/** News in languages other than that of the row itself. */
export const newsTranslations = pgTable(
  'news_translations',
  {
    newsId: integer('news_id')
      .notNull()
      .references(() => news.id, { onDelete: 'cascade' }),
    language: text().$type<Language>().notNull(),
    title: text().notNull(),
    desc: text().notNull(),
    content: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.newsId, table.language] })],
);

/** Articles that the server posts itself, by name: those that ship with it, by file, and its summaries, by day. */
export const shippedArticles = pgTable(
  'shipped_articles',
  {
    name: text().primaryKey(),
    newsId: integer('news_id')
      .notNull()
      .references(() => news.id, { onDelete: 'cascade' }),
  },
  (table) => [index('shipped_articles_news').on(table.newsId)],
);
