import { useMemo } from 'react';
import type { Alert } from '#domain/trading/alert';
import { useValue } from '../../../useValue';
import { alertsRevision } from '../../../worker/alerts';
import { user } from '../../../worker/trading';
import { useAnswer } from '../../../worker/useAnswer';
import { workerApi } from '../../../worker/workerApi';

const NONE: readonly Alert[] = [];

type Answer = ReturnType<typeof workerApi.alerts>;

/** The answer that all charts share, until the alerts may have changed. */
let shared: { of: string; answer: Answer } | undefined;

function waitingOf(userId: number | null): Answer {
  const of = `${userId} ${alertsRevision.peek()}`;
  if (shared?.of === of) return shared.answer;
  const answer = workerApi.alerts(false);
  shared = { of, answer };
  // The next chart asks again.
  void answer.then(({ ok }) => {
    if (!ok && shared?.answer === answer) shared = undefined;
  });
  return answer;
}

/** The price alerts of an instrument that wait; none while they are not known. */
export function useAlertsOf(code: string): readonly Alert[] {
  const known = useValue(user);
  const id = known === null ? null : known?.id;
  const result = useAnswer(alertsRevision, () => (id === undefined ? undefined : waitingOf(id)), [
    id,
  ]);
  return useMemo(
    () =>
      id !== undefined && result?.ok
        ? result.data.alerts.filter(
            (alert) => alert.code === code && alert.condition.kind === 'price',
          )
        : NONE,
    [id, result, code],
  );
}
