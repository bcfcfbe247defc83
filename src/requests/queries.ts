import { type InfiniteData, QueryClient, useQuery } from '@tanstack/react-query';
import type { Failure, Result } from '#domain/core/result';
import { user } from '../gateway/trading';
import { language } from '../i18n/i18n';
import { useValue } from '../signals';

/**
 * How long answers that are the same for everybody stay fresh, ms. A user's own answers are never
 * fresh: each screen requests them when it opens.
 */
const FRESH_MS = 15_000;

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // The worker retries where the server asks for it; beyond that the user decides.
      retry: false,
      networkMode: 'always',
    },
  },
});

/** The user whose answers are cached; they are removed when it changes. */
let seenBy: number | undefined;
user.subscribe((now) => {
  if (now === undefined || now?.id === seenBy) return;
  seenBy = now?.id;
  const kept = [seenBy, 'anyone'] as unknown[];
  queries.removeQueries({ predicate: ({ queryKey }) => !kept.includes(queryKey.at(-1)) });
});

/** A failed Result as an error, as TanStack Query expects it. */
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

/** Whether an answer is the same for everybody or belongs to the user. */
export type Scope = 'anyone' | 'user';

/**
 * The cache key includes the language, because answers contain texts. A user's request waits until
 * the worker has reported who is logged in.
 */
export function useQueryKey(
  key: RequestKey,
  scope: Scope,
): { queryKey: readonly unknown[]; enabled: boolean; staleTime: number } {
  const shown = useValue(language);
  const asking = useValue(user);
  if (scope === 'anyone') {
    return { queryKey: [...key, shown, scope], enabled: true, staleTime: FRESH_MS };
  }
  return { queryKey: [...key, shown, asking?.id], enabled: asking !== undefined, staleTime: 0 };
}

export interface Request<T> {
  data: T | undefined;
  loading: boolean;
  failure: Failure | undefined;
  /** Requests again; the former data stay until the answer arrives. */
  refetch(): void;
}

/** A cached answer of the worker. `ask` may only change together with `key`. */
export function useRequest<T>(
  key: RequestKey,
  ask: () => Promise<Result<T>>,
  { scope = 'user', wanted = true }: { scope?: Scope; wanted?: boolean } = {},
): Request<T> {
  const { enabled, ...stored } = useQueryKey(key, scope);
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

/** Only the first page, so that a refreshed list starts at its top. */
export function firstPage<T>(
  data: InfiniteData<T, number> | undefined,
): InfiniteData<T, number> | undefined {
  return data && { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) };
}

/** Marks cached answers as outdated. Those on screen are requested at once. */
export async function invalidate(...names: string[]): Promise<void> {
  await Promise.all(names.map((name) => queries.invalidateQueries({ queryKey: [name] })));
}
