/** The part of the worker's contract about the news. */
import type { ListPage } from '../core/paging';
import type { Result } from '../core/result';
import type { NewsArticle, NewsItem } from '../news/news';

/** A failure is no event: the screen that asked shows it. */
export interface NewsGateway {
  /** One page, newest first; pages are 1-based. */
  news(page: number): Promise<Result<ListPage<NewsItem>>>;
  /** The first page as an earlier visit has left it, for when `news` fails; undefined where none is stored. */
  keptNews(): Promise<Result<ListPage<NewsItem> | undefined>>;
  /** One article in full, behind the busy overlay (screens.md#busy-overlay). */
  newsArticle(id: number): Promise<Result<NewsArticle>>;
  /** An article as an earlier visit has left it, for when `newsArticle` fails; undefined where it is not stored. */
  keptArticle(id: number): Promise<Result<NewsArticle | undefined>>;
}
