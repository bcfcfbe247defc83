import styles from './Skeleton.module.css';

/** A placeholder of the given size in rem. It does not animate. */
export function Skeleton({ width, height = 0.75 }: { width: number; height?: number }) {
  return (
    <span
      className={styles.skeleton}
      style={{ inlineSize: `${width}rem`, blockSize: `${height}rem` }}
      aria-hidden="true"
    />
  );
}
