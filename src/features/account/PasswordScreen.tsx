import { useState } from 'react';
import type { AddressKind } from '#domain/account/address';
import { CODE_TYPES } from '#domain/account/codes';
import { type AmendForm, amendProblems } from '#domain/account/rules';
import type { User } from '#domain/account/user';
import { readCode } from '#domain/core/inputText';
import { masked } from '../../codes/masked';
import { SentCodeField } from '../../codes/SentCodeField';
import { useT } from '../../i18n/i18n';
import { useFeature } from '../../requests/accountSettings';
import { useRequest } from '../../requests/queries';
import { Button } from '../../ui/Button';
import { Form } from '../../ui/Form';
import { Link } from '../../ui/Link';
import { Page } from '../../ui/Page';
import { PasswordField } from '../../ui/PasswordField';
import { Segmented } from '../../ui/Segmented';
import { showToast } from '../../ui/toastStore';
import { useGoBackHere } from '../../ui/useNavigateHere';
import { useInputs, useProblems } from '../../ui/useProblems';
import { useValue } from '../../useValue';
import { api } from '../../worker/api';
import { user } from '../../worker/trading';
import { areaIdOfNumber } from './address';
import styles from './Form.module.css';
import { NewPasswordFields } from './NewPasswordFields';

/**
 * `/mine/password`: changes the password, confirmed by the old one and a code sent to one of
 * the user's addresses.
 */
export function PasswordScreen() {
  const t = useT();
  const currentUser = useValue(user);
  return (
    <Page title={t('account.changePassword')}>
      {currentUser && <PasswordForm currentUser={currentUser} />}
    </Page>
  );
}

function PasswordForm({ currentUser }: { currentUser: User }) {
  const t = useT();
  const goBack = useGoBackHere();
  const [type, setType] = useState<AddressKind>(currentUser.email ? 'email' : 'mobile');
  const [busy, setBusy] = useState(false);
  // Nothing would check it elsewhere.
  const asksOld = useFeature('old_password');
  const check = useProblems<keyof AmendForm>();
  const { inputs, field } = useInputs(check, {
    oldPassword: '',
    password: '',
    repeated: '',
    code: '',
  });
  const to = currentUser[type];
  const areas = useRequest(['areas'], () => api('account.areaList', {}), {
    scope: 'anyone',
    enabled: type === 'mobile',
  });
  const areaId = type === 'mobile' ? areaIdOfNumber(to, areas.data ?? []) : 0;

  const submit = async () => {
    const filled = {
      ...inputs,
      oldPassword: asksOld ? inputs.oldPassword : undefined,
      code: readCode(inputs.code),
    };
    if (!check.passes(...amendProblems(filled))) return;
    setBusy(true);
    const result = await api('account.amendPassword', {
      old_password: filled.oldPassword,
      new_password: filled.password,
      auth_code: filled.code,
      type,
    });
    setBusy(false);
    if (!result.ok) return;
    if (!result.data.text) showToast(t('account.passwordChanged'));
    goBack();
  };

  return (
    <Form check={check} busy={busy} onSubmit={submit}>
      {/* Tells password managers which account the new password belongs to. */}
      <input type="text" hidden readOnly autoComplete="username" value={to} />
      {asksOld && (
        <PasswordField
          {...field('oldPassword')}
          label={t('account.oldPassword')}
          autoComplete="current-password"
        />
      )}
      <NewPasswordFields field={field} />
      {currentUser.email !== '' && currentUser.mobile !== '' && (
        <Segmented
          label={t('account.codeTo')}
          options={[
            { value: 'email', label: t('account.email') },
            { value: 'mobile', label: t('account.mobile') },
          ]}
          value={type}
          onChange={(next) => setType(next)}
        />
      )}
      <p className={styles.note}>{t('account.codeGoesTo', { to: masked(to) })}</p>
      <SentCodeField
        {...field('code')}
        purpose="reset"
        to={to}
        request={() => ({
          kind: type,
          params: { to, area_id: areaId, type: CODE_TYPES.reset },
        })}
      />
      <Button type="submit" variant="primary" wide className={styles.submit} busy={busy}>
        {t(busy ? 'account.saving' : 'account.changePassword')}
      </Button>
      <p className={styles.links}>
        <Link to="/forgot">{t('account.forgot')}</Link>
      </p>
    </Form>
  );
}
