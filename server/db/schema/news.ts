import { integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import type { Language } from '#domain/core/language';
import { news } from './desk';

/** News in other languages than that of its own row. */
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

/** Articles that come with the server, by the name of their file. */
export const shippedArticles = pgTable('shipped_articles', {
  name: text().primaryKey(),
  newsId: integer('news_id')
    .notNull()
    .references(() => news.id, { onDelete: 'cascade' }),
});
