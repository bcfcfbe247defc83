import { Download, KeyRound, MonitorSmartphone, ShieldCheck, UserX } from 'lucide-react';
import { useState } from 'react';
import { useT } from '../../../i18n/i18n';
import { useAccountSettings, useFeature } from '../../../requests/accountSettings';
import { Missing } from '../../../requests/Missing';
import { useFreshUser } from '../../../requests/useFreshUser';
import { Page } from '../../../ui/Page';
import { Row } from '../../../ui/Row';
import { saveFile } from '../../../ui/saveFile';
import { showToast } from '../../../ui/toastStore';
import { api } from '../../../worker/api';
import { workerApi } from '../../../worker/workerApi';
import { ProofSheet } from './ProofSheet';

/** `/mine/security` (screens.md#security): second factor, passkeys, devices, own data, closing the account. */
export function SecurityScreen() {
  const t = useT();
  const currentUser = useFreshUser();
  const settings = useAccountSettings();
  const [hasOtp, hasSessions] = [useFeature('otp'), useFeature('sessions')];
  const hasPasskeys = useFeature('passkeys');
  const [action, setAction] = useState<'export' | 'close'>();
  const on = currentUser?.secondFactor;
  return (
    <Page title={t('account.security')} flush>
      <Missing request={settings} />
      {hasOtp && (
        <Row
          lead={<ShieldCheck size={20} />}
          title={t('security.twoFactor')}
          to="/mine/two-factor"
          {...(on !== undefined && { note: t(on ? 'security.on' : 'security.off') })}
        />
      )}
      {hasPasskeys && (
        <Row lead={<KeyRound size={20} />} title={t('security.passkeys')} to="/mine/passkeys" />
      )}
      {hasSessions && (
        <>
          <Row
            lead={<MonitorSmartphone size={20} />}
            title={t('security.devices')}
            to="/mine/devices"
          />
          <Row
            lead={<Download size={20} />}
            title={t('security.export')}
            onClick={() => setAction('export')}
          />
          <Row
            lead={<UserX size={20} />}
            title={t('security.close')}
            onClick={() => setAction('close')}
          />
        </>
      )}
      <ProofSheet
        open={action === 'export'}
        onClose={() => setAction(undefined)}
        title={t('security.export')}
        ask={t('security.exportAsk')}
        send={({ password = '' }) => api('security.exportData', { password })}
        onDone={({ data }) =>
          saveFile(data, `fulcrum-${currentUser?.uid ?? ''}.json`, 'application/json')
        }
      />
      <ProofSheet
        open={action === 'close'}
        onClose={() => setAction(undefined)}
        title={t('security.close')}
        ask={t('security.closeAsk')}
        send={({ password = '' }) => workerApi.closeAccount(password)}
        onDone={() => showToast(t('security.closed'))}
      />
    </Page>
  );
}
