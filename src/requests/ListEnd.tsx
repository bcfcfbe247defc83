import { failureText } from '../i18n/failure';
import { useT } from '../i18n/i18n';
import { Button } from '../ui/Button';
import styles from './InfiniteList.module.css';
import type { InfiniteRows } from './useInfiniteList';

/** Below the last row: more is loading, loading failed, or there is no more (screens.md#lists). */
export function ListEnd<T>({ list }: { list: InfiniteRows<T> }) {
  const t = useT();
  if (list.failure) {
    return (
      <div className={styles.end} role="alert">
        <span>{failureText(list.failure)}</span>
        <Button variant="quiet" onClick={list.outdated ? list.refresh : list.more}>
          {t('common.retry')}
        </Button>
      </div>
    );
  }
  return (
    <p className={styles.end} role="status">
      {list.finished ? t('common.noMore') : t('common.loading')}
    </p>
  );
}
