/** The news (protocol.md#news-calls). */
import { endpoint, type IdParams } from './endpoint';
import type { Page } from './envelope';

export interface NewsItemRow {
  id: number;
  title: string;
  desc: string;
  logo: string;
  created_at: string;
}

export interface NewsArticleRow extends NewsItemRow {
  /** HTML. */
  content: string;
}

export interface NewsListParams {
  category_id?: number;
  page?: number;
}

export const newsList = endpoint<NewsListParams, Page<NewsItemRow>>()({
  method: 'GET',
  path: '/api/news/list',
  access: 'public',
  effect: 'reads',
});

export const newsArticle = endpoint<IdParams, NewsArticleRow>()({
  method: 'GET',
  path: '/api/news/info',
  access: 'public',
  effect: 'reads',
});
