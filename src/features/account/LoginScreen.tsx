import { useEffect, useState } from 'react';
import { loginProblems } from '#domain/account/rules';
import { readCode } from '#domain/core/inputText';
import { fieldProblem } from '#domain/core/rule';
import { type CAPTCHA_FIELD, useCaptchaChallenge } from '../../codes/useCaptchaChallenge';
import { useT } from '../../i18n/i18n';
import { useAccountSettings } from '../../requests/accountSettings';
import { Button } from '../../ui/Button';
import { Form } from '../../ui/Form';
import { Link } from '../../ui/Link';
import { Page } from '../../ui/Page';
import { PasswordField } from '../../ui/PasswordField';
import { useInputs, useProblems } from '../../ui/useProblems';
import { useValue } from '../../useValue';
import { DemoAccountButton } from '../../visitors/DemoAccountButton';
import { user } from '../../worker/trading';
import { workerApi } from '../../worker/workerApi';
import { AddressFields } from './AddressFields';
import { accountOf, useAddress } from './address';
import styles from './Form.module.css';
import { FormSkeleton } from './FormSkeleton';
import { OtpField } from './security/OtpField';
import { PasskeyButton } from './security/PasskeyButton';
import { useEntrancePath } from './useEntrancePath';

/** `/login` (screens.md#login). After the login, useSession navigates on. */
export function LoginScreen() {
  const t = useT();
  const settings = useAccountSettings();
  return (
    <Page title={t('account.login')}>
      {/* Without the settings, users can still log in by email. */}
      {settings.data || settings.failure ? (
        <LoginForm
          mobile={settings.data?.mobile ?? false}
          passkeys={settings.data?.features.includes('passkeys') ?? false}
        />
      ) : (
        <FormSkeleton fields={2} />
      )}
    </Page>
  );
}

function LoginForm({ mobile, passkeys }: { mobile: boolean; passkeys: boolean }) {
  const t = useT();
  const address = useAddress({});
  // Of a login that needs a second factor; the password was right.
  const [ticket, setTicket] = useState('');
  const [busy, setBusy] = useState(false);
  const check = useProblems<'account' | 'password' | 'type' | 'otp' | typeof CAPTCHA_FIELD>();
  const { inputs, field } = useInputs(check, { password: '', otp: '' });
  const password = field('password');
  const challenge = useCaptchaChallenge({
    error: check.errorOf('captcha'),
    onTouched: () => check.touched('captcha'),
  });
  const register = useEntrancePath('/register');
  const forgot = useEntrancePath('/forgot');
  const demo = useValue(user)?.demo === true;
  usePasskeyOffer(passkeys);

  const submit = async () => {
    const login = { type: address.type, account: accountOf(address), password: inputs.password };
    const otp = readCode(inputs.otp);
    const codeMissing = ticket && otp === '' ? fieldProblem('otp', 'codeRequired') : undefined;
    if (!check.passes(...loginProblems(login), challenge.problem(), codeMissing)) return;
    setBusy(true);
    const { type: login_type, ...named } = login;
    const second = ticket && { ticket, otp };
    const result = await workerApi.signIn({ ...named, login_type, ...challenge.params, ...second });
    challenge.applyResult(result);
    if (!result.ok && result.failure.kind === 'refused' && result.failure.ticket) {
      setTicket(result.failure.ticket);
    }
    setBusy(false);
  };

  return (
    <>
      <Form check={check} busy={busy} onSubmit={submit}>
        <AddressFields
          address={address}
          mobile={mobile}
          error={check.errorOf('account')}
          passkeys={passkeys}
          onTouched={() => {
            check.touched('account');
            setTicket('');
          }}
        />
        <PasswordField
          {...password}
          label={t('account.password')}
          autoComplete="current-password"
          onChange={(next) => {
            setTicket('');
            password.onChange(next);
          }}
        />
        {challenge.field}
        {ticket !== '' && <OtpField {...field('otp')} autoFocus hint={t('security.codeHint')} />}
        <Button type="submit" variant="primary" wide className={styles.submit} busy={busy}>
          {t(busy ? 'account.loggingIn' : 'account.login')}
        </Button>
      </Form>
      {passkeys && <PasskeyButton />}
      <p className={styles.links}>
        <Link to={forgot}>{t('account.forgot')}</Link>
        <Link to={register}>{t('account.toRegister')}</Link>
      </p>
      {!demo && (
        <>
          <p className={styles.or}>{t('account.or')}</p>
          <DemoAccountButton variant="primary" />
        </>
      )}
    </>
  );
}

/** While the login is open, the browser offers passkeys where it fills in the address. Without their code it just does not. */
function usePasskeyOffer(wanted: boolean): void {
  useEffect(() => {
    if (!wanted || !('PublicKeyCredential' in window)) return;
    const open = new AbortController();
    import('./security/passkeys').then(
      ({ offerPasskeys }) => offerPasskeys(open.signal),
      () => undefined,
    );
    return () => open.abort();
  }, [wanted]);
}
