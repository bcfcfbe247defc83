import { MIN_PASSWORD } from '#domain/account/rules';
import { useT } from '../../i18n/i18n';
import { PasswordField } from '../../ui/PasswordField';

type Name = 'password' | 'repeated';

interface NewPasswordFieldsProps {
  inputs: Record<Name, string>;
  errorOf(name: Name): string | undefined;
  change(name: Name): (value: string) => void;
}

/** A new password and its repetition. */
export function NewPasswordFields({ inputs, errorOf, change }: NewPasswordFieldsProps) {
  const t = useT();
  return (
    <>
      <PasswordField
        name="password"
        label={t('account.newPassword')}
        autoComplete="new-password"
        hint={t('account.passwordHint', { min: MIN_PASSWORD })}
        value={inputs.password}
        error={errorOf('password')}
        onChange={change('password')}
      />
      <PasswordField
        name="repeated"
        label={t('account.repeatPassword')}
        autoComplete="new-password"
        value={inputs.repeated}
        error={errorOf('repeated')}
        onChange={change('repeated')}
      />
    </>
  );
}
