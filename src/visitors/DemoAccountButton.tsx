import { useT } from '../i18n/i18n';
import { useOpenDemo } from '../positions/openDemo';
import { Button } from '../ui/Button';
import styles from './Visitors.module.css';

interface DemoAccountButtonProps {
  /** That of the ways in beside it. */
  variant?: 'plain' | 'primary';
}

/** Opens a demo account with one tap. */
export function DemoAccountButton({ variant = 'plain' }: DemoAccountButtonProps) {
  const t = useT();
  const { opening, open } = useOpenDemo();
  return (
    <>
      <Button variant={variant} wide busy={opening} onClick={() => void open()}>
        {t('account.demo')}
      </Button>
      <p className={styles.hint}>{t('account.demoHint')}</p>
    </>
  );
}
