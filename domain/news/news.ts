import type { UnixMs } from '../core/time';

/** An article as it stands in the list (protocol.md#news-article). */
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
  /** HTML from outside: never shown before it is cleaned. */
  content: string;
}
