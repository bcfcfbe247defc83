import { useEffect, useState } from 'react';
import type { Period } from '#domain/core/calendar';
import type { Failure, Result } from '#domain/core/result';
import { language } from '../../../i18n/i18n';
import { useValue } from '../../../useValue';
import { ordersRevision, user } from '../../../worker/trading';

interface Loading<T> {
  data: T | undefined;
  /** Why the last attempt failed. What was loaded before stays. */
  failure: Failure | undefined;
  retry(): void;
}

/**
 * An answer of the worker that loads a part of the history with each call, until it is complete.
 * Asked for again when `period` or the orders change.
 */
export function useLoading<T extends { complete: boolean }>(
  period: Period,
  ask: (period: Period) => Promise<Result<T>>,
): Loading<T> {
  const revision = useValue(ordersRevision);
  const owner = useValue(user)?.id;
  const key = `${period.from} ${period.until} ${owner} ${useValue(language)}`;
  const [known, setKnown] = useState<{ key: string; data?: T; failure?: Failure }>();
  const [attempt, setAttempt] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` stands for the period; a new revision or attempt asks again
  useEffect(() => {
    let outdated = owner === undefined;
    const load = async () => {
      while (!outdated) {
        const result = await ask(period);
        if (outdated) return;
        if (result.ok) setKnown({ key, data: result.data });
        else if (result.failure.kind !== 'cancelled') {
          const { failure } = result;
          setKnown((former) => ({ ...(former?.key === key && former), key, failure }));
          return;
        }
        if (result.ok && result.data.complete) return;
      }
    };
    void load();
    return () => {
      outdated = true;
    };
  }, [key, revision, attempt]);

  const now = known?.key === key ? known : undefined;
  return {
    data: now?.data,
    failure: now?.failure,
    retry: () => setAttempt((count) => count + 1),
  };
}
