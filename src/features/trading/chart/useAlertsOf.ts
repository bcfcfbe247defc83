import { useMemo } from 'react';
import type { Alert } from '#domain/trading/alert';
import { useValue } from '../../../useValue';
import { alertsRevision } from '../../../worker/alerts';
import { user } from '../../../worker/trading';
import { useAnswer } from '../../../worker/useAnswer';
import { workerApi } from '../../../worker/workerApi';

const NONE: readonly Alert[] = [];

/** The alerts of an instrument that wait; none of a visitor, nor while they are not known. */
export function useAlertsOf(code: string): readonly Alert[] {
  const id = useValue(user)?.id;
  const result = useAnswer(
    alertsRevision,
    () => (id === undefined ? undefined : workerApi.alerts(false)),
    [id],
  );
  return useMemo(
    () =>
      id !== undefined && result?.ok
        ? result.data.alerts.filter((alert) => alert.code === code)
        : NONE,
    [id, result, code],
  );
}
