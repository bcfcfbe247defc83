import { Mail } from 'lucide-react';
import { useT } from '../../i18n/i18n';
import { Missing } from '../../requests/Missing';
import { useRequest } from '../../requests/queries';
import { buttonClass } from '../../ui/Button';
import { CopyField } from '../../ui/CopyField';
import { Page } from '../../ui/Page';
import { Skeleton } from '../../ui/Skeleton';
import { workerApi } from '../../worker/workerApi';

/** `/mine/email`: the address for complaints. */
export function EmailScreen() {
  const t = useT();
  const email = useRequest(['complaint-email'], () => workerApi.complaintEmail(), {
    scope: 'anyone',
  });
  const { data } = email;
  return (
    <Page title={t('account.complaintEmail')}>
      <p>{t('account.complaintHint')}</p>
      {data && (
        <>
          <CopyField label={t('account.emailAddress')} text={data} />
          <a className={buttonClass('primary')} href={`mailto:${data}`}>
            <Mail size={20} />
            {t('account.writeEmail')}
          </a>
        </>
      )}
      <Missing request={email}>
        <Skeleton width={20} height={3} />
      </Missing>
    </Page>
  );
}
