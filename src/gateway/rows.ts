import { useCallback, useState } from 'react';
import type { ListQuery, ListRow, ListWindow } from '#domain/gateway/gateway';
import { gateway } from './client';
import { listRevision } from './pump';
import { useAnswer } from './useAnswer';

/** Rows are asked for by pages, so that scrolling within one asks for nothing. */
const PAGE = 32;

/** The last answer; shown until the next one is there, so that nothing blinks. */
let latest: { key: string; window: ListWindow } | undefined;

/** Asks for the first rows before there is anything to show them. Resolves once there is a list. */
export async function prefetchRows(query: ListQuery): Promise<void> {
  while ((await ask(query, 0, 2 * PAGE)).loading) await changed();
}

/** Resolves when the list has changed. */
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

/** The last answer to this question. */
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
  /** The row at a place of the list; undefined while it is on its way. */
  at(index: number): ListRow | undefined;
}

/** The pages that hold rows `from` to `to`, and one more on either side. */
export function pagesAround(from: number, to: number): { first: number; last: number } {
  return {
    first: Math.max(0, (Math.floor(from / PAGE) - 1) * PAGE),
    last: (Math.ceil(to / PAGE) + 1) * PAGE,
  };
}

/** The pages to ask for, `first` to `last` (excluded). `show` is told which rows are rendered. */
export function usePages(): { first: number; last: number; show(from: number, to: number): void } {
  const [pages, setPages] = useState(() => pagesAround(0, 1));
  const show = useCallback((from: number, to: number) => {
    const next = pagesAround(from, to);
    setPages((now) => (now.first === next.first && now.last === next.last ? now : next));
  }, []);
  return { ...pages, show };
}

/** Rows `first` to `last` (excluded) of the list as the worker has it, asked for again whenever it changes. */
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

/** One row by its instrument's code; the list's first that is open where the code is unknown or undefined. */
export function useRow(code: string | undefined): ListRow | undefined {
  return useAnswer(listRevision, () => gateway.row(code), [code]);
}
