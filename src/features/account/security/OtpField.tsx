import { useT } from '../../../i18n/i18n';
import { TextField } from '../../../ui/TextField';

interface OtpFieldProps {
  value: string;
  onChange(value: string): void;
  error: string | undefined;
  hint?: string;
  autoFocus?: boolean;
}

/** The field of an authenticator app's code, which a recovery code fits too. */
export function OtpField(props: OtpFieldProps) {
  const t = useT();
  return (
    <TextField
      {...props}
      name="otp"
      label={t('security.code')}
      type="text"
      autoComplete="one-time-code"
      autoCapitalize="off"
      autoCorrect="off"
      spellCheck={false}
      dir="ltr"
    />
  );
}
