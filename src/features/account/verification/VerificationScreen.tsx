import { useEffect, useState } from 'react';
import type { Verification } from '#domain/account/verification';
import type { VerificationDraft } from '#domain/gateway/account';
import { gateway } from '../../../gateway/client';
import { useT } from '../../../i18n/i18n';
import { FailedRequest } from '../../../requests/FailedRequest';
import { useRequest } from '../../../requests/queries';
import { Page } from '../../../ui/Page';
import { RowSkeleton } from '../../../ui/RowSkeleton';
import { ReviewState } from './ReviewState';
import { VerificationForm } from './VerificationForm';

/** A review of the sandbox takes half a minute, one by people hours: often enough for either. */
const ASK_AGAIN_MS = 10_000;

/** `/mine/auth` (screens.md#verification): not submitted, waiting, finished. */
export function VerificationScreen() {
  const t = useT();
  const { data, failure, again } = useRequest(['verification'], () => gateway.verification());
  const reviewing = data?.status === 'reviewing';

  // biome-ignore lint/correctness/useExhaustiveDependencies: `again` is another one with each render
  useEffect(() => {
    if (!reviewing) return;
    const timer = setInterval(() => {
      if (!document.hidden) again();
    }, ASK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [reviewing]);

  return (
    <Page title={t('verification.title')}>
      {data?.status === 'none' && <Drafted verification={data} />}
      {data && data.status !== 'none' && <ReviewState verification={data} />}
      {!data && failure && <FailedRequest failure={failure} onRetry={again} />}
      {!data && !failure && <RowSkeleton />}
    </Page>
  );
}

/** The form, once it is known how far it was filled in before. */
function Drafted({ verification }: { verification: Verification }) {
  const [draft, setDraft] = useState<{ found: VerificationDraft | undefined }>();
  useEffect(() => {
    let current = true;
    void gateway.verificationDraft().then((found) => {
      if (current) setDraft({ found });
    });
    return () => {
      current = false;
    };
  }, []);
  return draft ? <VerificationForm rejected={verification} draft={draft.found} /> : <RowSkeleton />;
}
