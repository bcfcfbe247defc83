import { Download, KeyRound, MonitorSmartphone, ShieldCheck, UserX } from 'lucide-react';
import { useState } from 'react';
import type { Result } from '#domain/core/result';
import { fieldProblem } from '#domain/core/rule';
import { useT } from '../../../i18n/i18n';
import { useAccountSettings, useFeature } from '../../../requests/accountSettings';
import { Missing } from '../../../requests/Missing';
import { Button } from '../../../ui/Button';
import { Form, paddedFormClass } from '../../../ui/Form';
import { Page } from '../../../ui/Page';
import { PasswordField } from '../../../ui/PasswordField';
import { Row } from '../../../ui/Row';
import { Sheet } from '../../../ui/Sheet';
import { saveFile } from '../../../ui/saveFile';
import { showToast } from '../../../ui/toastStore';
import { useOpening } from '../../../ui/useOpening';
import { useInputs, useProblems } from '../../../ui/useProblems';
import { useValue } from '../../../useValue';
import { api } from '../../../worker/api';
import { user } from '../../../worker/trading';
import { workerApi } from '../../../worker/workerApi';

/** `/mine/security` (screens.md#security): second factor, passkeys, devices, own data, closing the account. */
export function SecurityScreen() {
  const t = useT();
  const currentUser = useValue(user);
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
      <PasswordSheet
        open={action === 'export'}
        onClose={() => setAction(undefined)}
        title={t('security.export')}
        ask={t('security.exportAsk')}
        send={(password) => api('security.exportData', { password })}
        onDone={({ data }) =>
          saveFile(data, `fulcrum-${currentUser?.uid ?? ''}.json`, 'application/json')
        }
      />
      <PasswordSheet
        open={action === 'close'}
        onClose={() => setAction(undefined)}
        title={t('security.close')}
        ask={t('security.closeAsk')}
        send={workerApi.closeAccount}
        onDone={() => showToast(t('security.closed'))}
      />
    </Page>
  );
}

interface PasswordSheetProps<T> {
  open: boolean;
  onClose(): void;
  title: string;
  ask: string;
  send(password: string): Promise<Result<T>>;
  onDone(done: T): void;
}

/** Asks for the password before an action that another person with the phone must not take. */
export function PasswordSheet<T>(props: PasswordSheetProps<T>) {
  const { key, onClose } = useOpening(props.open, props.onClose);
  return <OpenedPassword key={key} {...props} onClose={onClose} />;
}

function OpenedPassword<T>({ open, onClose, title, ask, send, onDone }: PasswordSheetProps<T>) {
  const t = useT();
  const check = useProblems<'password'>();
  const { inputs, change, field } = useInputs(check, { password: '' });
  const [busy, setBusy] = useState(false);
  const submit = async () => {
    const { password } = inputs;
    const empty = password === '' ? fieldProblem('password', 'passwordRequired') : undefined;
    if (!check.passes(empty)) return;
    setBusy(true);
    const result = await send(password);
    setBusy(false);
    change({ password: '' });
    if (!result.ok) return;
    onClose();
    onDone(result.data);
  };
  return (
    <Sheet open={open} onClose={onClose} title={title}>
      <Form check={check} className={paddedFormClass} busy={busy} onSubmit={submit}>
        <p>{ask}</p>
        <PasswordField
          {...field('password')}
          label={t('account.password')}
          autoComplete="current-password"
        />
        <Button type="submit" variant="primary" wide busy={busy}>
          {title}
        </Button>
      </Form>
    </Sheet>
  );
}
