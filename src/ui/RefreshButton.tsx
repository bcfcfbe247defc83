import { RotateCw } from 'lucide-react';
import { useT } from '../i18n/i18n';
import { IconButton } from './Button';
import styles from './RefreshButton.module.css';

/** Refreshes what the screen shows, where nobody can pull. */
export function RefreshButton({ onRefresh }: { onRefresh(): void }) {
  const t = useT();
  return (
    <IconButton label={t('common.refresh')} className={styles.refresh} onClick={onRefresh}>
      <RotateCw size={20} />
    </IconButton>
  );
}
