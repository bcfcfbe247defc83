import { useState } from 'react';
import { useT } from '../../i18n/i18n';
import { openDemo } from '../../positions/openDemo';
import { Button } from '../../ui/Button';
import styles from './Form.module.css';

/** Opens a demo account with one tap. */
export function DemoAccountButton() {
  const t = useT();
  const [opening, setOpening] = useState(false);
  const open = async () => {
    setOpening(true);
    await openDemo();
    setOpening(false);
  };
  return (
    <>
      <p className={styles.or}>{t('account.or')}</p>
      <Button variant="primary" wide busy={opening} onClick={() => void open()}>
        {t('account.demo')}
      </Button>
      <p className={styles.caption}>{t('account.demoHint')}</p>
    </>
  );
}
