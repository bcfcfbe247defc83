/** Readers of the news (protocol.md#news-calls): undefined for a row that can't be trusted. */

import { readFields, readInteger, readIsoTime, readPicture, readText } from '../core/read';
import type { NewsArticle, NewsItem } from '../news/news';

export function readNewsItem(row: unknown): NewsItem | undefined {
  const fields = readFields(row);
  const id = readInteger(fields?.['id']);
  const title = readText(fields?.['title']);
  if (id === undefined || id <= 0 || !title) return undefined;
  return {
    id,
    title,
    desc: readText(fields?.['desc']) ?? '',
    logo: readPicture(fields?.['logo']),
    createdAt: readIsoTime(fields?.['created_at']),
  };
}

/** Its content is HTML from outside: sanitise it before it is shown. */
export function readNewsArticle(value: unknown): NewsArticle | undefined {
  const item = readNewsItem(value);
  return item && { ...item, content: readText(readFields(value)?.['content']) ?? '' };
}
