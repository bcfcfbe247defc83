import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { useT } from '../i18n/i18n';
import { IconButton } from './Button';
import { TextField } from './TextField';

type PasswordFieldProps = Omit<ComponentProps<typeof TextField>, 'type' | 'after'> & {
  /** What a password manager fills in. */
  autoComplete: 'current-password' | 'new-password';
};

/** A password field with a button that shows the text. */
export function PasswordField(props: PasswordFieldProps) {
  const t = useT();
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <TextField
      {...props}
      type={shown ? 'text' : 'password'}
      exact
      after={
        <IconButton
          label={t(shown ? 'common.hidePassword' : 'common.showPassword')}
          onClick={() => setShown(!shown)}
        >
          <Icon size={20} />
        </IconButton>
      }
    />
  );
}
