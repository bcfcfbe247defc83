import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useNavigationType } from 'react-router-dom';
import { isFinished, type ListPage, rowsOf } from '#domain/core/paging';
import type { Failure, Result } from '#domain/core/result';
import {
  failureOf,
  firstPage,
  queries,
  type RequestKey,
  unwrap,
  useQueryKey,
  type Whose,
} from './queries';

/** A list that is loaded page by page (protocol.md#lists). */
export interface InfiniteRows<T> {
  /** Each once, in the order of the server. */
  rows: readonly T[];
  /** Nothing is there yet. */
  loading: boolean;
  loadingMore: boolean;
  /** The last attempt failed: nothing is loaded by itself any more (screens.md#lists). */
  failure: Failure | undefined;
  finished: boolean;
  /** Loads the next page, also after a failure. */
  more(): void;
  /** Begins again at the first page; what is there stays until that is. */
  refresh(): void;
  /** Where the list stood when it was left, by its key. */
  place: string;
}

/** `ask` may change with `key` only. */
export function useInfiniteList<T extends { id: number }>(
  key: RequestKey,
  ask: (page: number) => Promise<Result<ListPage<T>>>,
  whose: Whose = 'user',
): InfiniteRows<T> {
  const { queryKey, ...stored } = useQueryKey(key, whose);
  const restart = () =>
    queries.setQueryData<InfiniteData<ListPage<T>, number>>(queryKey, firstPage);
  // Who comes back finds the list as it was; who comes anew need not wait for all pages of old.
  const came = useNavigationType();
  useState(() => came !== 'POP' && restart());
  const query = useInfiniteQuery(
    {
      queryKey,
      queryFn: ({ pageParam }) => unwrap(ask(pageParam)),
      initialPageParam: 1,
      getNextPageParam: (_, pages, last: number) => (isFinished(pages) ? undefined : last + 1),
      ...stored,
    },
    queries,
  );
  const pages = query.data?.pages;
  const rows = useMemo(() => rowsOf(pages ?? []), [pages]);
  return {
    rows,
    loading: query.isPending && !query.isError,
    loadingMore: query.isFetchingNextPage,
    failure: query.isFetching ? undefined : failureOf(query.error),
    finished: pages !== undefined && !query.hasNextPage,
    more() {
      if (query.isFetching) return;
      if (pages) void query.fetchNextPage();
      else void query.refetch();
    },
    refresh() {
      restart();
      void query.refetch();
    },
    place: JSON.stringify(queryKey),
  };
}
