import styles from './Skeleton.module.css';

/** The shape of what comes, in rem. Stands still: nothing moves by itself but prices. */
export function Skeleton({ width, height = 0.75 }: { width: number; height?: number }) {
  return (
    <span
      className={styles.skeleton}
      style={{ inlineSize: `${width}rem`, blockSize: `${height}rem` }}
      aria-hidden="true"
    />
  );
}
