import type { NewsGateway } from '#domain/gateway/news';
import { lazy } from '../core/lazy';
import type { NewsOptions } from '../http/news';

/** News. Its code is loaded by the first call. */
export function createNews(options: NewsOptions): NewsGateway {
  return lazy(async () => (await import('../http/news')).newsReads(options), {
    news: true,
    keptNews: true,
    newsArticle: true,
    keptArticle: true,
  });
}
