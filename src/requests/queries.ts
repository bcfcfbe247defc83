import {
  hashKey,
  type InfiniteData,
  QueryCache,
  QueryClient,
  type QueryKey,
  useQuery,
} from '@tanstack/react-query';
import type { RequestKind } from '#domain/api/call';
import type { Failure, Result } from '#domain/core/result';
import { language } from '../i18n/i18n';
import { useValue } from '../useValue';
import { user } from '../worker/trading';
import { showFailure } from './showFailure';

/**
 * How long answers that are the same for everybody stay fresh, ms. A user's own answers are never
 * fresh: each screen requests them when it opens.
 */
const FRESH_MS = 15_000;

/** Answers whose failed refresh was shown; repeated in the background, it is not shown again. */
const shown = new Set<string>();

export const queries = new QueryClient({
  queryCache: new QueryCache({
    // Data that was never loaded is a failure of its screen. Loaded data stays there.
    onError(error, { queryHash, state }) {
      const failure = failureOf(error);
      // The list shows at its end that the next page failed.
      if (state.data === undefined || state.fetchMeta?.fetchMore) return;
      if (!failure || shown.has(queryHash)) return;
      shown.add(queryHash);
      if (failure.kind !== 'signed-out') showFailure(failure);
    },
    onSuccess: (_, { queryHash }) => void shown.delete(queryHash),
  }),
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
  const remaining = [seenBy, 'anyone'] as unknown[];
  queries.removeQueries({ predicate: ({ queryKey }) => !remaining.includes(queryKey.at(-1)) });
});

/**
 * A failed Result, thrown as TanStack Query expects it. Not an Error: the stack of one keeps the functions of its call, these
 * the query's state before it, and that the failure before it, so that a query that goes on failing would keep them all.
 */
class RequestFailed {
  readonly failure: Failure;

  constructor(failure: Failure) {
    this.failure = failure;
  }
}

export async function unwrap<T>(call: Promise<Result<T>>): Promise<T> {
  const result = await call;
  if (!result.ok) throw new RequestFailed(result.failure);
  return result.data;
}

/**
 * As `unwrap(call)`. Where that fails and nothing is loaded yet, the `cached` answer of an earlier visit
 * is shown as what a failed refresh leaves.
 */
export async function unwrapOrCached<T>(
  queryKey: readonly unknown[],
  call: Promise<Result<T>>,
  cached: (() => Promise<unknown>) | undefined,
): Promise<T> {
  try {
    return await unwrap(call);
  } catch (failure) {
    const known = () => queries.getQueryData(queryKey) !== undefined;
    // Nor does reading the cache throw: the failure is that of the call.
    const data = cached && !known() ? await cached().catch(() => undefined) : undefined;
    if (data !== undefined && !known()) queries.setQueryData(queryKey, data, { updatedAt: 0 });
    throw failure;
  }
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
  const currentUser = useValue(user);
  if (scope === 'anyone') {
    return { queryKey: [...key, shown, scope], enabled: true, staleTime: FRESH_MS };
  }
  return {
    queryKey: [...key, shown, currentUser?.id],
    enabled: currentUser !== undefined,
    staleTime: 0,
  };
}

/** The former language's answer, until there is one: a form that is shown with it keeps what was typed. */
function ofFormerLanguage(queryKey: QueryKey) {
  const withoutLanguage = (key: QueryKey) => hashKey(key.filter((_, at) => at !== key.length - 2));
  return <T>(former: T | undefined, query?: { queryKey: QueryKey }) =>
    query && withoutLanguage(query.queryKey) === withoutLanguage(queryKey) ? former : undefined;
}

/** The answer that an earlier visit has left, or a failure where there is none. */
export type Cached<T> = () => Promise<Result<T>>;

export interface Request<T> {
  data: T | undefined;
  loading: boolean;
  /** The last attempt failed. What was loaded before stays. */
  failure: Failure | undefined;
  /** Requests again, for the user; the former data stay until the answer arrives. */
  refetch(): void;
  /** As `refetch`, regularly: a failure that lasts is shown once. */
  poll(): void;
}

interface RequestOptions<T> {
  scope?: Scope;
  enabled?: boolean;
  /** Another answer would be another thing: only the user asks again, with another key. */
  once?: boolean;
  /** What an earlier visit has left, for when `ask` fails. */
  cached?: Cached<T>;
}

/**
 * A cached answer of the worker. `ask` may only change together with `key`; it gets whether nothing is loaded yet: what
 * refreshes in the background must not block the page (screens.md#busy-overlay).
 */
export function useRequest<T>(
  key: RequestKey,
  ask: (first: { busy: boolean }) => Promise<Result<T>>,
  { scope = 'user', enabled = true, once = false, cached }: RequestOptions<T> = {},
): Request<T> {
  const { enabled: userKnown, ...refreshed } = useQueryKey(key, scope);
  const stored = once
    ? { queryKey: [...key, scope], staleTime: Number.POSITIVE_INFINITY }
    : { ...refreshed, placeholderData: ofFormerLanguage(refreshed.queryKey) };
  const query = useQuery(
    {
      ...stored,
      queryFn() {
        const { queryKey } = stored;
        const asked = ask({ busy: queries.getQueryData(queryKey) === undefined });
        return unwrapOrCached(queryKey, asked, cached && (() => unwrap(cached())));
      },
      enabled: userKnown && enabled,
    },
    queries,
  );
  return {
    data: query.data,
    loading: query.isPending,
    // While it is asked for again, the mark on old data stays.
    failure: query.isFetching && !query.data ? undefined : failureOf(query.error),
    refetch() {
      showAgain(stored.queryKey);
      void query.refetch();
    },
    poll: () => void query.refetch(),
  };
}

/** The user asks again, so another failure is shown. */
export function showAgain(queryKey: readonly unknown[]): void {
  shown.delete(hashKey(queryKey));
}

/** Only the first page, so that a refreshed list starts at its top. */
export function firstPage<T>(
  data: InfiniteData<T, number> | undefined,
): InfiniteData<T, number> | undefined {
  return data && { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) };
}

/** Marks cached answers as outdated. Those on screen are requested immediately. */
export async function invalidate(...names: string[]): Promise<void> {
  await Promise.all(names.map((name) => queries.invalidateQueries({ queryKey: [name] })));
}

/** What a change makes outdated here. Orders and alerts are refreshed by the worker. */
const OUTDATED: Partial<Record<RequestKind, readonly string[]>> = {
  deposit: ['deposits'],
  withdrawal: ['withdrawals', 'records'],
  payoutMethod: ['payoutMethods'],
  deletion: ['payoutMethods'],
  verification: ['verification'],
  subscription: ['subscriptions', 'records'],
  redemption: ['subscriptions', 'incomes'],
};

/** As `invalidate`, for a change that was made or refused: a refusal may say that it was made before. */
export function invalidateChanged(kind: RequestKind): Promise<void> {
  return invalidate(...(OUTDATED[kind] ?? []));
}

/** Requests cached answers again, also those that no screen shows; resolves when they are there. */
export async function reload(name: string): Promise<void> {
  await queries.invalidateQueries({ queryKey: [name], refetchType: 'all' });
}
