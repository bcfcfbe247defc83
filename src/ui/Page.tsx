import type { ReactNode } from 'react';
import { classes } from './classes';
import styles from './Page.module.css';
import { ScreenHeader } from './ScreenHeader';

interface PageProps {
  title: string;
  /** Rows reach from edge to edge, without padding. */
  flush?: boolean;
  /**
   * Set it where nothing inside can take the focus: the area itself takes it, so that keys scroll
   * it.
   */
  reading?: boolean;
  /** May set the width of the column, `--column`. */
  className?: string | undefined;
  children: ReactNode;
}

/** A screen of a title bar and one scrolling column. */
export function Page({ title, flush, reading, className, children }: PageProps) {
  return (
    <section
      className={classes(styles.page, className)}
      aria-label={title}
      data-flush={flush || undefined}
    >
      <ScreenHeader title={title} back />
      <div className={styles.scroller} {...(reading && { tabIndex: 0 })}>
        <div className={styles.column}>{children}</div>
      </div>
    </section>
  );
}
