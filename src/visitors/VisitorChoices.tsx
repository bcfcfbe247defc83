import { useT } from '../i18n/i18n';
import { ButtonLink } from '../ui/ButtonLink';
import { DemoAccountButton } from './DemoAccountButton';
import styles from './Visitors.module.css';

interface VisitorChoicesProps {
  /** The path to return to (screens.md#login-redirect). */
  from: string;
  onLeave?(): void;
}

/** What a visitor can do where an account is needed: log in, register, or open a demo account on the spot. */
export function VisitorChoices({ from, onLeave }: VisitorChoicesProps) {
  const t = useT();
  const link = (to: string, text: string) => (
    <ButtonLink to={`${to}?${new URLSearchParams({ from })}`} onClick={onLeave} variant="plain">
      {text}
    </ButtonLink>
  );
  return (
    <div className={styles.choices}>
      <div className={styles.links}>
        {link('/login', t('account.login'))}
        {link('/register', t('account.register'))}
      </div>
      <DemoAccountButton />
    </div>
  );
}
