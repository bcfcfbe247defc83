import { classes } from '../ui/classes';
import { Skeleton } from '../ui/Skeleton';
import styles from './InstrumentRow.module.css';
import skeleton from './SkeletonRow.module.css';

/** The placeholder of a row that is loading. */
export function SkeletonRow({ top }: { top: number }) {
  return (
    <div
      className={classes(styles.row, skeleton.row)}
      style={{ transform: `translateY(${top}px)` }}
      aria-hidden="true"
    >
      <span className={styles.label}>
        <Skeleton width={2} height={2} />
        <Skeleton width={5} />
      </span>
      <span className={skeleton.price}>
        <Skeleton width={4} />
      </span>
    </div>
  );
}
