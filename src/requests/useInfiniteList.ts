import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useNavigationType } from 'react-router-dom';
import { isFinished, type ListPage, rowsOf } from '#domain/core/paging';
import type { Failure, Result } from '#domain/core/result';
import {
  type Cached,
  failureOf,
  firstPage,
  queries,
  type RequestKey,
  type Scope,
  showAgain,
  unwrap,
  unwrapOrCached,
  useQueryKey,
} from './queries';

/** A list that is loaded page by page (protocol.md#lists). */
export interface InfiniteRows<T> {
  /** Without duplicates, in the order of the server. */
  rows: readonly T[];
  /** The first page is loading. */
  loading: boolean;
  loadingMore: boolean;
  /** Any page is loading. */
  fetching: boolean;
  /** The last attempt failed. Nothing more is loaded automatically (screens.md#lists). */
  failure: Failure | undefined;
  /** That attempt was a refresh: the rows are those of before. */
  outdated: boolean;
  finished: boolean;
  /** Loads the next page, also after a failure. */
  more(): void;
  /** Reloads from the first page, for the user; the former rows stay until it arrives. */
  refresh(): void;
  /** Key of the list's saved scroll position. */
  place: string;
}

/** A list loaded by `ask`, which may only change together with `key`. `cached` is the first page of an earlier visit. */
export function useInfiniteList<T extends { id: number }>(
  key: RequestKey,
  ask: (page: number) => Promise<Result<ListPage<T>>>,
  scope: Scope = 'user',
  cached?: Cached<ListPage<T>>,
): InfiniteRows<T> {
  const { queryKey, ...stored } = useQueryKey(key, scope);
  // What stays is as old as before, and its refresh as failed; only the failure of a page that goes, goes too.
  const restart = () => {
    const query = queries.getQueryCache().find<InfiniteData<ListPage<T>, number>>({ queryKey });
    query?.setState({
      data: firstPage(query.state.data),
      ...(query.state.fetchMeta?.fetchMore && { error: null, status: 'success' }),
    });
  };
  // Going back restores all pages; opening the screen again loads only the first one.
  const navigation = useNavigationType();
  useState(() => navigation !== 'POP' && restart());
  const pageByPage = {
    queryKey,
    queryFn: ({ pageParam }: { pageParam: number }) =>
      unwrapOrCached(queryKey, ask(pageParam), cached && (() => asPages(cached))),
    initialPageParam: 1,
    getNextPageParam: (_: ListPage<T>, pages: ListPage<T>[], last: number) =>
      isFinished(pages) ? undefined : last + 1,
  };
  const query = useInfiniteQuery({ ...pageByPage, ...stored }, queries);
  async function reload(): Promise<void> {
    // The list starts again: discard the next page. Nor may it be asked for between this and the first one.
    void queries.cancelQueries({ queryKey, exact: true });
    const first = { ...pageByPage, pages: 1, staleTime: 0 };
    // The query holds the failure.
    await queries.fetchInfiniteQuery(first).catch(() => {});
  }
  const pages = query.data?.pages;
  const rows = useMemo(() => rowsOf(pages ?? []), [pages]);
  return {
    rows,
    loading: query.isPending && !query.isError,
    loadingMore: query.isFetchingNextPage,
    fetching: query.isFetching,
    failure: query.isFetching && !query.isRefetchError ? undefined : failureOf(query.error),
    outdated: query.isRefetchError,
    finished: pages !== undefined && !query.hasNextPage,
    more() {
      if (query.isFetching) return;
      if (pages) void query.fetchNextPage();
      else void query.refetch();
    },
    refresh() {
      showAgain(queryKey);
      void reload();
    },
    place: JSON.stringify(queryKey),
  };
}

async function asPages<T>(cached: Cached<ListPage<T>>): Promise<InfiniteData<ListPage<T>, number>> {
  return { pages: [await unwrap(cached())], pageParams: [1] };
}
