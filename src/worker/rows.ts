import type { ListQuery, ListWindow } from '#domain/market/list';
import { listRevision } from './frameReceiver';
import { workerApi } from './workerApi';

/** Rows are requested in pages of this size, so that scrolling within a page requests nothing. */
const PAGE = 32;

/** The last answer. It is shown until the next one arrives, so that the list does not flicker. */
let latest: { key: string; window: ListWindow } | undefined;

/** The last answer to this query. */
export function latestRows(query: ListQuery): ListWindow | undefined {
  return latest?.key === JSON.stringify(query) ? latest.window : undefined;
}

/** Asks the worker for rows `from` to `to` (excluded) of a query. Undefined where that failed. */
export type ReadRows = (
  query: ListQuery,
  from: number,
  to: number,
) => Promise<ListWindow | undefined>;

/** The rows of the list; grids know how to sort by what takes more than prices. */
export const readRows: ReadRows = async (query, from, to) => {
  if (query.sort === 'volatility') {
    const result = await workerApi.gridRows('list', query, from, to, true);
    return result.ok ? result.data : undefined;
  }
  const window = await workerApi.rows(query, from, to);
  latest = { key: JSON.stringify(query), window };
  return window;
};

/** The index of an instrument among the rows of a query; undefined where it is not among them. */
export async function rowIndex(query: ListQuery, code: string): Promise<number | undefined> {
  return workerApi.rowIndex(query, code);
}

/** The pages that hold rows `from` to `to`, and one more on either side. */
export function pagesAround(from: number, to: number): { first: number; last: number } {
  return {
    first: Math.max(0, (Math.floor(from / PAGE) - 1) * PAGE),
    last: (Math.ceil(to / PAGE) + 1) * PAGE,
  };
}

export interface FollowedRows {
  /** Says which rows are rendered, `to` excluded, so that those around them are loaded. */
  show(from: number, to: number): void;
  /** Asks again. */
  again(): void;
  stop(): void;
}

/**
 * Calls `paint` with the rows around those that are rendered: with each answer of the worker, which
 * is asked again whenever the list changes. Only one request is in flight at a time.
 */
export function followRows(
  query: ListQuery,
  read: ReadRows,
  paint: (window: ListWindow) => void,
): FollowedRows {
  let pages = pagesAround(0, 1);
  let inFlight = false;
  let again = false;
  let stopped = false;

  async function request(): Promise<void> {
    again = true;
    if (inFlight) return;
    inFlight = true;
    while (again) {
      again = false;
      const window = await read(query, pages.first, pages.last);
      if (stopped) return;
      if (window) paint(window);
    }
    inFlight = false;
  }

  const unsubscribe = listRevision.subscribe(() => void request());
  return {
    show(from, to) {
      const next = pagesAround(from, to);
      if (next.first === pages.first && next.last === pages.last) return;
      pages = next;
      void request();
    },
    again: () => void request(),
    stop() {
      stopped = true;
      unsubscribe();
    },
  };
}
