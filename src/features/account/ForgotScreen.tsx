import { useState } from 'react';
import { CODE_TYPES } from '#domain/account/codes';
import { type ForgottenForm, forgottenProblems } from '#domain/account/rules';
import { readCode } from '#domain/core/inputText';
import { SentCodeField } from '../../codes/SentCodeField';
import { lastSentTo } from '../../codes/sentCodes';
import { useT } from '../../i18n/i18n';
import { useAccountSettings } from '../../requests/accountSettings';
import { Button } from '../../ui/Button';
import { Form } from '../../ui/Form';
import { Page } from '../../ui/Page';
import { showToast } from '../../ui/toastStore';
import { useNavigateHere } from '../../ui/useNavigateHere';
import { useInputs, useProblems } from '../../ui/useProblems';
import { api } from '../../worker/api';
import { AddressFields } from './AddressFields';
import { accountOf, areaIdOf, problemOf, useAddress } from './address';
import styles from './Form.module.css';
import { FormSkeleton } from './FormSkeleton';
import { NewPasswordFields } from './NewPasswordFields';
import { emailOnly } from './RegisterScreen';
import { useEntrancePath } from './useEntrancePath';

/** `/forgot`: sets a new password, confirmed by a sent code. */
export function ForgotScreen() {
  const t = useT();
  const settings = useAccountSettings();
  return (
    <Page title={t('account.resetPassword')}>
      {settings.data || settings.failure ? (
        <ForgotForm mobile={settings.data?.mobile ?? false} />
      ) : (
        <FormSkeleton fields={4} />
      )}
    </Page>
  );
}

function ForgotForm({ mobile }: { mobile: boolean }) {
  const t = useT();
  const navigate = useNavigateHere();
  const login = useEntrancePath('/login');
  const address = useAddress(emailOnly(lastSentTo('reset')));
  const [busy, setBusy] = useState(false);
  const check = useProblems<keyof ForgottenForm>();
  const { inputs, field } = useInputs(check, { password: '', repeated: '', code: '' });
  const account = accountOf(address);

  const submit = async () => {
    const filled = { ...inputs, code: readCode(inputs.code), type: address.type, account };
    if (!check.passes(problemOf(address), ...forgottenProblems(filled))) return;
    setBusy(true);
    const result = await api('account.forgetPassword', {
      type: address.type,
      account,
      new_password: filled.password,
      secondary_password: filled.repeated,
      auth_code: filled.code,
    });
    setBusy(false);
    if (!result.ok) return;
    if (!result.data.text) showToast(t('account.passwordChanged'));
    navigate(login, { replace: true });
  };

  return (
    <Form check={check} busy={busy} onSubmit={submit}>
      <AddressFields
        address={address}
        mobile={mobile}
        error={check.errorOf('account')}
        onTouched={() => check.touched('account')}
      />
      <NewPasswordFields field={field} />
      <SentCodeField
        {...field('code')}
        purpose="reset"
        to={account}
        request={() => {
          if (!check.passes(problemOf(address))) return undefined;
          const area_id = areaIdOf(address);
          const params = { to: account, area_id, type: CODE_TYPES.reset };
          return { kind: address.type, params };
        }}
      />
      <Button type="submit" variant="primary" wide className={styles.submit} busy={busy}>
        {t(busy ? 'account.saving' : 'account.setPassword')}
      </Button>
    </Form>
  );
}
