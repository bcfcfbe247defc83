import type { UnixMs } from '../core/time';
import type { Instrument, Quote } from './instrument';

/** The first rows of the list, as the server writes them into the page (architecture.md#page-start). */
export interface FirstRows {
  /** When the page was sent. */
  at: UnixMs;
  rows: FirstRow[];
}

export interface FirstRow {
  instrument: Pick<Instrument, 'id' | 'code' | 'name' | 'logo' | 'precision'>;
  quote: Pick<Quote, 'close' | 'open' | 'change' | 'time' | 'marketOpen'>;
  /** The feed has a bid and an ask of it. */
  hasBook?: boolean;
}

/** More rows than a phone shows at once: a page has at most as many. */
export const MOST_FIRST_ROWS = 14;

/** Id of the element of the page that holds the first rows as JSON. */
export const FIRST_ROWS_ID = 'first-rows';

/** The HTML of a page with the first rows before its first script, which reads them, as data, which no text in them can end. */
export function withFirstRows(page: string, rows: FirstRows): string {
  const data = JSON.stringify(rows).replaceAll('<', '\\u003c');
  const place = page.search(/<script|<\/head>/);
  return `${page.slice(0, place)}<script type="application/json" id="${FIRST_ROWS_ID}">${data}</script>${page.slice(place)}`;
}
