/** Rows of the news as they travel (§3, protocol.md News and mining). */

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
