import { RotateCw } from 'lucide-react';
import type { Captcha } from '#domain/api/account';
import { failureText } from '../i18n/failure';
import { useT } from '../i18n/i18n';
import type { Request } from '../requests/queries';
import { IconButton } from '../ui/Button';
import { isComposing } from '../ui/isComposing';
import { TextField } from '../ui/TextField';
import styles from './CaptchaField.module.css';

interface CaptchaFieldProps {
  name: string;
  captcha: Request<Captcha>;
  onAnother(): void;
  value: string;
  onChange(value: string): void;
  error: string | undefined;
  /** Instead of submitting the form. */
  onEnter?: (() => void) | undefined;
  autoFocus?: boolean;
}

/** A picture captcha (domain.md#registration-form). */
export function CaptchaField({
  name,
  captcha,
  onAnother,
  value,
  onChange,
  error,
  onEnter,
  autoFocus = false,
}: CaptchaFieldProps) {
  const t = useT();
  const { data, failure } = captcha;
  return (
    <div className={styles.captcha}>
      <div className={styles.picture} role="status">
        {data && <img src={data.picture} alt={t('account.captchaPicture')} />}
        {failure && <p>{failureText(failure)}</p>}
      </div>
      <IconButton label={t('account.captchaAnother')} onClick={onAnother}>
        <RotateCw size={20} />
      </IconButton>
      <TextField
        className={styles.captchaText}
        name={name}
        label={t('account.captcha')}
        autoComplete="off"
        autoCapitalize="characters"
        exact
        value={value}
        error={error}
        onChange={onChange}
        autoFocus={autoFocus}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !onEnter || isComposing(event.nativeEvent)) return;
          event.preventDefault();
          onEnter();
        }}
      />
    </div>
  );
}
