/** The news (protocol.md#news-calls). */
import * as v from 'valibot';
import { call } from './call';
import { id, neededText, page, picture, text, time } from './fields';
import * as params from './params';
import type { Read, Sent } from './schema';

const fields = { id, title: neededText, desc: text, logo: picture, created_at: time };

/** An article as the list shows it (protocol.md#news-article). */
const item = v.pipe(
  v.object(fields),
  v.title('NewsItem'),
  v.transform(({ created_at: createdAt, ...item }) => ({ ...item, createdAt })),
);

const article = v.pipe(
  v.object({ ...fields, content: text }),
  v.title('NewsArticle'),
  v.transform(({ created_at: createdAt, ...article }) => ({ ...article, createdAt })),
);

/** Rows as they are sent. */
export type NewsItemRow = Sent<typeof item>;
export type NewsArticleRow = Sent<typeof article>;

export type NewsItem = Read<typeof item>;

/** An article in full. Its content is HTML from outside: sanitise it before it is shown. */
export type NewsArticle = Read<typeof article>;

/** Newest first. Category 1 is all. */
export const newsList = call({
  method: 'GET',
  path: '/api/news/list',
  access: 'public',
  effect: 'reads',
  cached: true,
  params: { category_id: params.optional(params.id, 1), page: params.page },
  answer: page(item),
});

export const newsArticle = call({
  method: 'GET',
  path: '/api/news/info',
  access: 'public',
  effect: 'reads',
  cached: true,
  params: { id: params.id },
  answer: article,
});
