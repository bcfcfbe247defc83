import { index, integer, pgTable, serial, text, timestamp } from 'drizzle-orm/pg-core';

/** Instruments that the operator has closed, by code. */
export const halts = pgTable('halts', {
  code: text().primaryKey(),
});

/** §3 News. */
export const news = pgTable(
  'news',
  {
    id: serial().primaryKey(),
    categoryId: integer('category_id').notNull(),
    title: text().notNull(),
    desc: text().notNull(),
    logo: text().notNull().default(''),
    /** HTML; whoever shows it cleans it. */
    content: text().notNull(),
    createdAt: timestamp('created_at', { withTimezone: true, precision: 3 }).notNull(),
  },
  (table) => [index('news_category').on(table.categoryId, table.id)],
);
