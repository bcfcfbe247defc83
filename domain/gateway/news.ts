/** The part of the worker's contract about the news. */
import type { ListPage } from '../core/paging';
import type { Result } from '../core/result';
import type { NewsArticle, NewsItem } from '../news/news';

/** A failure is no event: the screen that asked shows it. */
export interface NewsGateway {
  /** One page, newest first; pages are 1-based. */
  news(page: number): Promise<Result<ListPage<NewsItem>>>;
  /** One article in full, behind the busy overlay (screens.md#busy-overlay). */
  newsArticle(id: number): Promise<Result<NewsArticle>>;
}
