import * as api from '#domain/api/news';
import { readNewsArticle, readNewsItem } from '#domain/api/read-news';
import { readPage } from '#domain/api/read-page';
import type { NewsGateway } from '#domain/gateway/news';
import type { Http } from './client';

/** The only category of news (protocol.md#news-calls). */
const CATEGORY = 1;

/** The calls of news (protocol.md#news-calls). */
export function newsReads(http: Http): NewsGateway {
  return {
    news: (page) =>
      http.get(
        api.newsList,
        { category_id: CATEGORY, page },
        (data) => readPage(data, readNewsItem),
        { quiet: true },
      ),
    newsArticle: (id) =>
      http.get(api.newsArticle, { id }, readNewsArticle, { quiet: true, busy: true }),
  };
}
