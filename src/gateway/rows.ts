import { useCallback, useState } from 'react';
import type { ListQuery, ListRow, ListWindow } from '#domain/market/list';
import { gateway } from './client';
import { listRevision } from './pump';
import { useAnswer } from './useAnswer';

/** Rows are requested in pages of this size, so that scrolling within a page requests nothing. */
const PAGE = 32;

/** The last answer. It is shown until the next one arrives, so that the list does not flicker. */
let latest: { key: string; window: ListWindow } | undefined;

/** Requests the first rows before React starts. Resolves once there is a list. */
export async function prefetchRows(query: ListQuery): Promise<void> {
  while ((await ask(query, 0, 2 * PAGE)).loading) await changed();
}

/** Resolves when the list changes. */
function changed(): Promise<void> {
  const seen = listRevision.peek();
  return new Promise((resolve) => {
    const stop = listRevision.subscribe((revision) => {
      if (revision === seen) return;
      stop();
      resolve();
    });
  });
}

/** The last answer to this query. */
export function latestRows(query: ListQuery): ListWindow | undefined {
  return latest?.key === JSON.stringify(query) ? latest.window : undefined;
}

async function ask(query: ListQuery, from: number, to: number): Promise<ListWindow> {
  const window = await gateway.rows(query, from, to);
  latest = { key: JSON.stringify(query), window };
  return window;
}

export interface Rows {
  total: number;
  /** True until a list has come from the server or from storage. */
  loading: boolean;
  /** The row at an index; undefined until it is loaded. */
  at(index: number): ListRow | undefined;
}

/** The pages that hold rows `from` to `to`, and one more on either side. */
export function pagesAround(from: number, to: number): { first: number; last: number } {
  return {
    first: Math.max(0, (Math.floor(from / PAGE) - 1) * PAGE),
    last: (Math.ceil(to / PAGE) + 1) * PAGE,
  };
}

/**
 * The pages to request, `first` to `last` (excluded). Call `show` with the rows that are rendered.
 */
export function usePages(): { first: number; last: number; show(from: number, to: number): void } {
  const [pages, setPages] = useState(() => pagesAround(0, 1));
  const show = useCallback((from: number, to: number) => {
    const next = pagesAround(from, to);
    setPages((now) => (now.first === next.first && now.last === next.last ? now : next));
  }, []);
  return { ...pages, show };
}

/**
 * Rows `first` to `last` (excluded) of the worker's list, requested again whenever the list
 * changes.
 */
export function useRows(query: ListQuery, first: number, last: number): Rows {
  const window = useAnswer(
    listRevision,
    () => ask(query, first, last),
    [JSON.stringify(query), first, last],
    () => latestRows(query),
  );
  return {
    total: window?.total ?? 0,
    loading: window?.loading ?? true,
    at: (index) => window?.rows[index - window.from],
  };
}

/**
 * The row of an instrument by its code; the first open instrument of the list where the code is
 * unknown or undefined.
 */
export function useRow(code: string | undefined): ListRow | undefined {
  return useAnswer(listRevision, () => gateway.row(code), [code]);
}
