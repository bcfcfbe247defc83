import { useEffect, useState } from 'react';
import type { Result } from '#domain/core/result';
import { gateway } from '../../gateway/client';
import { useT } from '../../i18n/i18n';
import { FailedRequest } from '../../requests/FailedRequest';
import { Button } from '../../ui/Button';
import { EmptyState } from '../../ui/State';
import { ChartSkeleton } from './chart/ChartSkeleton';

/** In place of the chart while no instrument is known: it comes, its list could not be had, or is empty. */
export function NoInstrument() {
  const t = useT();
  const [result, setResult] = useState<Result<void>>();
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    let current = true;
    const ask = async () => {
      // Entering has asked for the list already (screens.md#routing): what there is now may be enough.
      if (attempt === 0 && (await gateway.row(undefined))) return;
      const next = await gateway.refreshList();
      // It is on its way to the screen.
      if (next.ok && (await gateway.row(undefined))) return;
      if (current) setResult(next);
    };
    void ask();
    return () => {
      current = false;
    };
  }, [attempt]);

  const retry = () => {
    setResult(undefined);
    setAttempt(attempt + 1);
  };
  if (!result) return <ChartSkeleton />;
  if (!result.ok) return <FailedRequest failure={result.failure} onRetry={retry} />;
  return (
    <EmptyState
      title={t('market.emptyTitle')}
      action={<Button onClick={retry}>{t('market.refresh')}</Button>}
    >
      {t('market.emptyMarket')}
    </EmptyState>
  );
}
