import { type InfiniteData, QueryClient, useQuery } from '@tanstack/react-query';
import type { Failure, Result } from '#domain/core/result';
import { user } from '../gateway/trading';
import { language } from '../i18n/i18n';
import { useValue } from '../signals';

/** How long what is the same for everybody counts as new; what is somebody's own never does: each screen asks on entry. */
const FRESH_MS = 15_000;

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // The worker waits where the server asks to; the user decides on the rest.
      retry: false,
      networkMode: 'always',
    },
  },
});

/** What one user has seen is nobody else's. */
let seenBy: number | undefined;
user.subscribe((now) => {
  if (now === undefined || now?.id === seenBy) return;
  seenBy = now?.id;
  const kept = [seenBy, 'anyone'] as unknown[];
  queries.removeQueries({ predicate: ({ queryKey }) => !kept.includes(queryKey.at(-1)) });
});

/** A failed Result, as a query takes it. */
class RequestFailed extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.kind);
    this.failure = failure;
  }
}

export async function unwrap<T>(asked: Promise<Result<T>>): Promise<T> {
  const result = await asked;
  if (!result.ok) throw new RequestFailed(result.failure);
  return result.data;
}

export function failureOf(error: Error | null): Failure | undefined {
  if (!error) return undefined;
  return error instanceof RequestFailed ? error.failure : { kind: 'transport', code: error.name };
}

export type RequestKey = readonly [name: string, ...args: (string | number)[]];

/** Whose an answer is: everybody's, or that of the user who asks. */
export type Whose = 'anyone' | 'user';

/** Texts depend on the language. What belongs to a user waits until it is known who that is. */
export function useQueryKey(
  key: RequestKey,
  whose: Whose,
): { queryKey: readonly unknown[]; enabled: boolean; staleTime: number } {
  const shown = useValue(language);
  const asking = useValue(user);
  if (whose === 'anyone') {
    return { queryKey: [...key, shown, whose], enabled: true, staleTime: FRESH_MS };
  }
  return { queryKey: [...key, shown, asking?.id], enabled: asking !== undefined, staleTime: 0 };
}

export interface Request<T> {
  data: T | undefined;
  loading: boolean;
  failure: Failure | undefined;
  /** Asks again; what is there stays until the answer is. */
  refetch(): void;
}

/** An answer of the worker, kept for a while. `ask` may change with `key` only. */
export function useRequest<T>(
  key: RequestKey,
  ask: () => Promise<Result<T>>,
  { whose = 'user', wanted = true }: { whose?: Whose; wanted?: boolean } = {},
): Request<T> {
  const { enabled, ...stored } = useQueryKey(key, whose);
  const query = useQuery(
    { ...stored, queryFn: () => unwrap(ask()), enabled: enabled && wanted },
    queries,
  );
  return {
    data: query.data,
    loading: query.isPending,
    failure: query.isFetching ? undefined : failureOf(query.error),
    refetch: () => void query.refetch(),
  };
}

/** The first page alone: a list that is asked for anew begins at its top. */
export function firstPage<T>(
  data: InfiniteData<T, number> | undefined,
): InfiniteData<T, number> | undefined {
  return data && { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) };
}

/** Something has changed these answers: they are asked for again, now where they are on screen. */
export async function invalidate(...names: string[]): Promise<void> {
  await Promise.all(names.map((name) => queries.invalidateQueries({ queryKey: [name] })));
}
