import { RotateCw } from 'lucide-react';
import { useT } from '../i18n/i18n';
import { Button } from '../ui/Button';
import styles from './NotRefreshed.module.css';

/** Above what a failed refresh has left as it was (screens.md#lists). A toast has said why. */
export function NotRefreshed({ onRetry }: { onRetry(): void }) {
  const t = useT();
  return (
    <div className={styles.mark} role="status">
      <RotateCw size={16} />
      <span>{t('errors.notRefreshed')}</span>
      <Button variant="quiet" onClick={onRetry}>
        {t('common.retry')}
      </Button>
    </div>
  );
}
