import { type FormEvent, useState } from 'react';
import { loginProblems } from '#domain/account/rules';
import { readCode } from '#domain/core/inputText';
import { fieldProblem } from '#domain/core/rule';
import { type CAPTCHA_FIELD, useCaptchaChallenge } from '../../codes/useCaptchaChallenge';
import { useT } from '../../i18n/i18n';
import { useAccountSettings } from '../../requests/accountSettings';
import { Button } from '../../ui/Button';
import { Link } from '../../ui/Link';
import { Page } from '../../ui/Page';
import { PasswordField } from '../../ui/PasswordField';
import { useProblems } from '../../ui/useProblems';
import { useValue } from '../../useValue';
import { DemoAccountButton } from '../../visitors/DemoAccountButton';
import { user } from '../../worker/trading';
import { workerApi } from '../../worker/workerApi';
import { AddressFields } from './AddressFields';
import { accountOf, useAddress } from './address';
import styles from './Form.module.css';
import { FormSkeleton } from './FormSkeleton';
import { OtpField } from './security/OtpField';
import { useEntrancePath } from './useEntrancePath';

/** `/login` (screens.md#login). After the login, useSession navigates on. */
export function LoginScreen() {
  const t = useT();
  const settings = useAccountSettings();
  return (
    <Page title={t('account.login')}>
      {/* Without the settings, users can still log in by email. */}
      {settings.data || settings.failure ? (
        <LoginForm mobile={settings.data?.mobile ?? false} />
      ) : (
        <FormSkeleton fields={2} />
      )}
    </Page>
  );
}

function LoginForm({ mobile }: { mobile: boolean }) {
  const t = useT();
  const address = useAddress({});
  const [password, setPassword] = useState('');
  // Of a login that needs a second factor; the password was right.
  const [ticket, setTicket] = useState('');
  const [code, setCode] = useState('');
  const [busy, setBusy] = useState(false);
  const { form, passes, errorOf, touched } = useProblems<
    'account' | 'password' | 'type' | 'otp' | typeof CAPTCHA_FIELD
  >();
  const challenge = useCaptchaChallenge({
    error: errorOf('captcha'),
    onTouched: () => touched('captcha'),
  });
  const register = useEntrancePath('/register');
  const forgot = useEntrancePath('/forgot');
  const demo = useValue(user)?.demo === true;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const login = { type: address.type, account: accountOf(address), password };
    const codeMissing =
      ticket && code.trim() === '' ? fieldProblem('otp', 'codeRequired') : undefined;
    if (!passes(...loginProblems(login), challenge.problem(), codeMissing)) return;
    setBusy(true);
    const { type: login_type, ...named } = login;
    const second = ticket && { ticket, otp: readCode(code) };
    const result = await workerApi.signIn({ ...named, login_type, ...challenge.params, ...second });
    challenge.applyResult(result);
    if (!result.ok && result.failure.kind === 'refused' && result.failure.ticket) {
      setTicket(result.failure.ticket);
    }
    setBusy(false);
  };

  return (
    <>
      <form ref={form} className={styles.form} noValidate onSubmit={(event) => void submit(event)}>
        <AddressFields
          address={address}
          mobile={mobile}
          error={errorOf('account')}
          onTouched={() => {
            touched('account');
            setTicket('');
          }}
        />
        <PasswordField
          name="password"
          label={t('account.password')}
          autoComplete="current-password"
          value={password}
          error={errorOf('password')}
          onChange={(next) => {
            touched('password');
            setTicket('');
            setPassword(next);
          }}
        />
        {challenge.field}
        {ticket !== '' && (
          <OtpField
            autoFocus
            value={code}
            error={errorOf('otp')}
            hint={t('security.codeHint')}
            onChange={(next) => {
              touched('otp');
              setCode(next);
            }}
          />
        )}
        <Button type="submit" variant="primary" wide className={styles.submit} busy={busy}>
          {t(busy ? 'account.loggingIn' : 'account.login')}
        </Button>
      </form>
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
