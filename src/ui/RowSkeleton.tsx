import { useT } from '../i18n/i18n';
import styles from './Row.module.css';
import { Skeleton } from './Skeleton';

/** The placeholder of a Row. */
export function RowSkeleton() {
  return (
    <div className={styles.row}>
      <span className={styles.words}>
        <Skeleton width={9} height={0.875} />
        <Skeleton width={6} />
      </span>
      <span className={styles.figures}>
        <Skeleton width={5} height={0.875} />
      </span>
    </div>
  );
}

/** The placeholder of a list of Rows. */
export function ListSkeleton({ rows = 3 }: { rows?: number }) {
  const t = useT();
  return (
    <div role="status" aria-label={t('common.loading')}>
      {Array.from({ length: rows }, (_, index) => `row ${index}`).map((key) => (
        <RowSkeleton key={key} />
      ))}
    </div>
  );
}
