import { readNewsArticle, readNewsItem } from '#domain/api/read-news';
import { readPage } from '#domain/api/read-page';
import type { NewsGateway } from '#domain/gateway/news';
import type { Http } from './client';

/** The one that §7 names. */
const CATEGORY = 1;

/** News (§7). */
export function newsReads(http: Http): NewsGateway {
  return {
    news: (page) =>
      http.get(
        { path: '/api/news/list', params: { category_id: CATEGORY, page }, quiet: true },
        (data) => readPage(data, readNewsItem),
      ),
    newsArticle: (id) =>
      http.get(
        { path: '/api/news/info', params: { id }, quiet: true, busy: true },
        readNewsArticle,
      ),
  };
}
