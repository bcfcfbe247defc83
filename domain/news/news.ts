import type { UnixMs } from '../core/time';

/** An article as the list shows it (protocol.md#news-article). */
export interface NewsItem {
  id: number;
  title: string;
  desc: string;
  /** A picture's URL, or empty. */
  logo: string;
  createdAt: UnixMs | undefined;
}

/** An article in full (protocol.md#news-article). */
export interface NewsArticle extends NewsItem {
  /** HTML from outside: sanitise it before it is shown. */
  content: string;
}
