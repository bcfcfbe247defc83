import { useT } from '../../../i18n/i18n';
import { TextField } from '../../../ui/TextField';
import type { FieldProps } from '../../../ui/useProblems';

interface OtpFieldProps extends FieldProps {
  hint?: string | undefined;
  autoFocus?: boolean;
}

/** The field of an authenticator app's code, which a recovery code fits too. */
export function OtpField(props: OtpFieldProps) {
  const t = useT();
  return <TextField {...props} label={t('security.code')} autoComplete="one-time-code" exact />;
}
