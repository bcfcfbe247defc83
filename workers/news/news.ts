import type { NewsGateway } from '#domain/gateway/news';
import { lazy } from '../core/lazy';
import type { Http } from '../http/client';

/** News. Its code is loaded by the first call. */
export function createNews(http: Http): NewsGateway {
  return lazy(async () => (await import('../http/news')).newsReads(http), {
    news: true,
    newsArticle: true,
  });
}
