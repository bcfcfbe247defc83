import { signal } from '@preact/signals-core';
import { useEffect, useState } from 'react';
import type { Result } from '#domain/core/result';
import { useT } from '../../i18n/i18n';
import { FailedRequest } from '../../requests/FailedRequest';
import { Button } from '../../ui/Button';
import { EmptyState } from '../../ui/State';
import { workerApi } from '../../worker/workerApi';
import { ChartSkeleton } from './chart/ChartSkeleton';

/** Replaces the chart while no instrument is known: the list is loading, failed or empty. */
export function NoInstrument() {
  const t = useT();
  const [result, setResult] = useState<Result<void>>();
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    let current = true;
    const ask = async () => {
      // Entering the screen has requested the list already (screens.md#routing).
      if (attempt === 0 && (await workerApi.row(undefined))) return;
      const next = await workerApi.refreshList();
      // The list has arrived and the screen will show it.
      if (next.ok && (await workerApi.row(undefined))) return;
      if (current) setResult(next);
    };
    void ask();
    return () => {
      current = false;
    };
  }, [attempt]);

  useEffect(() => {
    instrumentMissing.value = result !== undefined;
    return () => {
      instrumentMissing.value = false;
    };
  }, [result]);

  const retry = () => {
    setResult(undefined);
    setAttempt(attempt + 1);
  };
  if (!result) return <ChartSkeleton />;
  if (!result.ok) return <FailedRequest failure={result.failure} onRetry={retry} />;
  return (
    <EmptyState
      title={t('market.emptyTitle')}
      action={<Button onClick={retry}>{t('common.refresh')}</Button>}
    >
      {t('market.emptyMarket')}
    </EmptyState>
  );
}

/** The list has failed or is empty: the place of the chart says so, and nothing waits for an instrument. */
const instrumentMissing = signal(false);
