import type { Failure } from '#domain/core/result';
import { failureText } from '../i18n/failure';
import { useT } from '../i18n/i18n';
import { Button } from '../ui/Button';
import { FailureState } from '../ui/State';

/** A failed request and a button that retries it. */
export function FailedRequest({ failure, onRetry }: { failure: Failure; onRetry(): void }) {
  const t = useT();
  return (
    <FailureState
      title={t('errors.loading')}
      action={<Button onClick={onRetry}>{t('common.retry')}</Button>}
    >
      {failureText(failure)}
    </FailureState>
  );
}
