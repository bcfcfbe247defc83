import { BadgeCheck, Hourglass } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Verification } from '#domain/api/account';
import type { VerificationDraft } from '#domain/worker/account';
import { useT } from '../../../i18n/i18n';
import { Missing } from '../../../requests/Missing';
import { NotRefreshed } from '../../../requests/NotRefreshed';
import { useRequest } from '../../../requests/queries';
import { usePolling } from '../../../requests/usePolling';
import { Facts } from '../../../ui/Facts';
import { Ltr } from '../../../ui/Ltr';
import { Page } from '../../../ui/Page';
import { RowSkeleton } from '../../../ui/RowSkeleton';
import { SignedImage } from '../../../ui/SignedImage';
import { EmptyState } from '../../../ui/State';
import { api } from '../../../worker/api';
import { workerApi } from '../../../worker/workerApi';
import styles from './Verification.module.css';
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

/** The state of a submitted verification (screens.md#verification) and its data. */
function ReviewState({ verification }: { verification: Verification }) {
  const t = useT();
  const { status, name, cardId, front, reverse } = verification;
  const finished = status === 'verified';
  const Icon = finished ? BadgeCheck : Hourglass;
  return (
    <>
      <div role="status">
        <EmptyState
          icon={<Icon size={24} />}
          title={t(finished ? 'verification.finished' : 'verification.reviewing')}
        >
          {t(finished ? 'verification.finishedHint' : 'verification.reviewingHint')}
        </EmptyState>
      </div>
      <Facts
        facts={[
          { name: t('verification.name'), value: name },
          {
            name: t('verification.cardId'),
            value: <Ltr>{masked(cardId)}</Ltr>,
          },
        ]}
      />
      {!finished && front && reverse && (
        <div className={styles.photos}>
          <SignedImage src={front} alt={t('verification.front')} />
          <SignedImage src={reverse} alt={t('verification.reverse')} />
        </div>
      )}
    </>
  );
}

/** A card number in part: `A••••••56`. */
function masked(cardId: string): string {
  return cardId.length < 5 ? cardId : `${cardId.slice(0, 1)}••••••${cardId.slice(-2)}`;
}
