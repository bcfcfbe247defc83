import { useState } from 'react';
import { useLocation } from 'react-router-dom';
import { CODE_TYPES } from '#domain/account/codes';
import { type RegisterForm as RegisterFields, registerProblems } from '#domain/account/rules';
import type { AccountSettings } from '#domain/account/settings';
import { readCode } from '#domain/core/inputText';
import { CaptchaField } from '../../codes/CaptchaField';
import { SentCodeField } from '../../codes/SentCodeField';
import { lastSentTo } from '../../codes/sentCodes';
import { useCaptcha } from '../../codes/useCaptcha';
import { useT } from '../../i18n/i18n';
import { useAccountSettings } from '../../requests/accountSettings';
import { Missing } from '../../requests/Missing';
import { Button } from '../../ui/Button';
import { Form } from '../../ui/Form';
import { Link } from '../../ui/Link';
import { Page } from '../../ui/Page';
import { TextField } from '../../ui/TextField';
import { showToast } from '../../ui/toastStore';
import { useInputs, useProblems } from '../../ui/useProblems';
import { workerApi } from '../../worker/workerApi';
import { AddressFields } from './AddressFields';
import { accountOf, areaIdOf, nationalOf, problemOf, useAddress } from './address';
import styles from './Form.module.css';
import { FormSkeleton } from './FormSkeleton';
import { NewPasswordFields } from './NewPasswordFields';
import { useEntrancePath } from './useEntrancePath';

/** `/register` (screens.md#register). */
export function RegisterScreen() {
  const t = useT();
  const settings = useAccountSettings();
  return (
    <Page title={t('account.register')}>
      {settings.data && <RegisterForm settings={settings.data} />}
      <Missing request={settings}>
        <FormSkeleton fields={5} />
      </Missing>
    </Page>
  );
}

function RegisterForm({ settings }: { settings: AccountSettings }) {
  const t = useT();
  const { search } = useLocation();
  const login = useEntrancePath('/login');
  const address = useAddress(emailOnly(lastSentTo('register')));
  const [busy, setBusy] = useState(false);
  const check = useProblems<keyof RegisterFields>();
  const { inputs, change, field } = useInputs(check, {
    password: '',
    repeated: '',
    inviteCode: new URLSearchParams(search).get('invite_code') ?? '',
    code: '',
  });
  const captcha = useCaptcha(settings.byCaptcha);
  const account = accountOf(address);

  const submit = async () => {
    const filled = {
      ...inputs,
      inviteCode: readCode(inputs.inviteCode),
      code: readCode(inputs.code),
      type: address.type,
      account,
    };
    if (!check.passes(problemOf(address), ...registerProblems(filled))) return;
    setBusy(true);
    const result = await workerApi.register({
      type: address.type,
      area_id: areaIdOf(address),
      account,
      password: filled.password,
      re_password: filled.repeated,
      invite_code: filled.inviteCode,
      sms_code: filled.code,
      key: captcha.request.data?.id ?? '',
      mobile: nationalOf(address),
    });
    setBusy(false);
    if (result.ok)
      showToast(t('account.opened'), 'info', { text: t('wallet.deposit'), to: '/mine/charge' });
    if (result.ok || !settings.byCaptcha) return;
    // A captcha is valid for one attempt.
    captcha.another();
    change({ code: '' });
  };

  return (
    <>
      <Form check={check} busy={busy} onSubmit={submit}>
        <AddressFields
          address={address}
          mobile={settings.mobile}
          error={check.errorOf('account')}
          onTouched={() => check.touched('account')}
        />
        <NewPasswordFields label={t('account.password')} field={field} />
        <TextField
          {...field('inviteCode')}
          label={t('account.inviteCode')}
          hint={t('account.inviteCodeHint')}
          autoComplete="off"
          autoCapitalize="characters"
          exact
        />
        {settings.byCaptcha ? (
          <CaptchaField
            {...field('code')}
            captcha={captcha.request}
            onAnother={() => {
              captcha.another();
              change({ code: '' });
            }}
          />
        ) : (
          <SentCodeField
            {...field('code')}
            purpose="register"
            to={account}
            request={() => {
              if (!check.passes(problemOf(address))) return undefined;
              const area_id = areaIdOf(address);
              const params = { to: account, area_id, type: CODE_TYPES.register };
              return { kind: address.type, params };
            }}
          />
        )}
        {/* Instead of a link, which would empty the form. */}
        <p className="caption">
          {t('account.notServed')} {t('account.notServedMeans')}
        </p>
        <Button type="submit" variant="primary" wide className={styles.submit} busy={busy}>
          {t(busy ? 'account.registering' : 'account.register')}
        </Button>
      </Form>
      <p className={styles.links}>
        <span>{t('account.registered')}</span>
        <Link to={login}>{t('account.login')}</Link>
      </p>
    </>
  );
}

/**
 * Prefills the form with the email address that a code was just sent to; mobile numbers are not
 * prefilled.
 */
export function emailOnly(address: string): { email?: string } {
  return address.includes('@') ? { email: address } : {};
}
