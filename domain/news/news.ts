import type { UnixMs } from '../core/units';

/** §3 News, as it stands in the list. */
export interface NewsItem {
  id: number;
  title: string;
  desc: string;
  /** A picture's URL, or empty. */
  logo: string;
  createdAt: UnixMs | undefined;
}

/** §3 News, in full. */
export interface NewsArticle extends NewsItem {
  /** HTML from outside: never shown before it is cleaned. */
  content: string;
}
