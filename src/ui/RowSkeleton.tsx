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
