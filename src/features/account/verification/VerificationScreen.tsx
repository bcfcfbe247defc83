import { useEffect, useState } from 'react';
import type { Verification } from '#domain/api/account';
import type { VerificationDraft } from '#domain/worker/account';
import { useT } from '../../../i18n/i18n';
import { Missing } from '../../../requests/Missing';
import { NotRefreshed } from '../../../requests/NotRefreshed';
import { useRequest } from '../../../requests/queries';
import { usePolling } from '../../../requests/usePolling';
import { Page } from '../../../ui/Page';
import { RowSkeleton } from '../../../ui/RowSkeleton';
import { api } from '../../../worker/api';
import { workerApi } from '../../../worker/workerApi';
import { ReviewState } from './ReviewState';
import { VerificationForm } from './VerificationForm';

/** `/mine/auth` (screens.md#verification): the form, or the state of the review. */
export function VerificationScreen() {
  const t = useT();
  const verification = useRequest(['verification'], () => api('account.verificationCenter', {}));
  const { data, failure, refetch, poll } = verification;
  usePolling(data?.status === 'reviewing', poll);
  return (
    <Page title={t('verification.title')}>
      {data && failure && <NotRefreshed onRetry={refetch} />}
      {data?.status === 'none' && <DraftedForm verification={data} />}
      {data && data.status !== 'none' && <ReviewState verification={data} />}
      <Missing request={verification} />
    </Page>
  );
}

/** Loads the saved draft before it shows the form. */
function DraftedForm({ verification }: { verification: Verification }) {
  const [draft, setDraft] = useState<{ found: VerificationDraft | undefined }>();
  useEffect(() => {
    let current = true;
    void workerApi.verificationDraft().then((found) => {
      if (current) setDraft({ found });
    });
    return () => {
      current = false;
    };
  }, []);
  return draft ? <VerificationForm rejected={verification} draft={draft.found} /> : <RowSkeleton />;
}
