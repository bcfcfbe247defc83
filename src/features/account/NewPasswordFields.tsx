import { MIN_PASSWORD } from '#domain/account/rules';
import { useT } from '../../i18n/i18n';
import { PasswordField } from '../../ui/PasswordField';
import type { FieldProps } from '../../ui/useProblems';

type Name = 'password' | 'repeated';

interface NewPasswordFieldsProps {
  /** Of the password; *New password* unless given. */
  label?: string;
  field(name: Name, ...judged: Name[]): FieldProps;
}

/** A new password and its repetition. */
export function NewPasswordFields({ label, field }: NewPasswordFieldsProps) {
  const t = useT();
  return (
    <>
      <PasswordField
        {...field('password', 'repeated')}
        label={label ?? t('account.newPassword')}
        autoComplete="new-password"
        hint={t('account.passwordHint', { min: MIN_PASSWORD })}
      />
      <PasswordField
        {...field('repeated')}
        label={t('account.repeatPassword')}
        autoComplete="new-password"
      />
    </>
  );
}
