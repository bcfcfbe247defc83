import { Mail } from 'lucide-react';
import { useT } from '../../i18n/i18n';
import { FailedRequest } from '../../requests/FailedRequest';
import { useRequest } from '../../requests/queries';
import { buttonClass } from '../../ui/Button';
import { CopyField } from '../../ui/CopyField';
import { Page } from '../../ui/Page';
import { Skeleton } from '../../ui/Skeleton';
import { workerApi } from '../../worker/workerApi';

/** `/mine/email`: the address for complaints. */
export function EmailScreen() {
  const t = useT();
  const { data, failure, refetch } = useRequest(
    ['complaint-email'],
    () => workerApi.complaintEmail(),
    {
      scope: 'anyone',
    },
  );
  return (
    <Page title={t('account.complaintEmail')}>
      <p>{t('account.complaintHint')}</p>
      {data && (
        <>
          <CopyField label={t('account.emailAddress')} text={data} />
          <a className={buttonClass('primary')} href={`mailto:${data}`}>
            <Mail size={20} aria-hidden="true" />
            {t('account.writeEmail')}
          </a>
        </>
      )}
      {!data && failure && <FailedRequest failure={failure} onRetry={refetch} />}
      {!data && !failure && <Skeleton width={20} height={3} />}
    </Page>
  );
}
