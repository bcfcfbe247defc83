import type { ReactNode } from 'react';
import styles from './Page.module.css';
import { ScreenHeader } from './ScreenHeader';

interface PageProps {
  title: string;
  /** No back button: a screen of the tab bar. */
  root?: boolean;
  /** Icons at the end of the title bar. */
  actions?: ReactNode;
  /** Rows reach from edge to edge, without padding. */
  flush?: boolean;
  children: ReactNode;
}

/** A screen of a title bar and one scrolling column. */
export function Page({ title, root, actions, flush, children }: PageProps) {
  return (
    <section className={styles.page} aria-label={title} data-flush={flush || undefined}>
      <ScreenHeader title={title} {...(!root && { back: true })}>
        {actions}
      </ScreenHeader>
      <div className={styles.scroller}>
        <div className={styles.column}>{children}</div>
      </div>
    </section>
  );
}
