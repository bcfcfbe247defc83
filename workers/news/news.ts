import type { NewsGateway } from '#domain/gateway/news';
import { importOnce } from '../core/importOnce';
import { lazy } from '../core/lazy';
import type { NewsOptions } from '../http/news';

const code = importOnce(() => import('../http/news'));

/** News. Its code is loaded by the first call. */
export function createNews(options: NewsOptions): NewsGateway {
  return lazy(async () => (await code()).newsReads(options), {
    news: true,
    keptNews: true,
    newsArticle: true,
    keptArticle: true,
  });
}
