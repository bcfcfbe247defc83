import { RotateCw } from 'lucide-react';
import type { ReactNode, RefObject } from 'react';
import { useT } from '../i18n/i18n';
import { IconButton } from './Button';
import { classes } from './classes';
import { PullToRefresh } from './PullToRefresh';
import styles from './Screen.module.css';
import { ScreenHeader } from './ScreenHeader';

interface ScreenProps {
  title: string;
  back?: boolean;
  /** Icons at the end of the title bar. */
  actions?: ReactNode;
  /** Stands still above what scrolls: tabs. */
  head?: ReactNode;
  /** The element that scrolls. */
  scroller: RefObject<HTMLDivElement | null>;
  /** By pulling, or by a button for who has no finger. */
  onRefresh(): void;
  /** Nothing in it takes the focus: all of it does, to be scrolled by keys. */
  reading?: boolean;
  /** Columns side by side, where there is room for them. */
  wide?: boolean;
  /** Of what scrolls. */
  className?: string | undefined;
  children: ReactNode;
}

/** A screen of a title bar and what scrolls below it, refreshed by pulling. */
export function Screen({
  title,
  back,
  actions,
  head,
  scroller,
  onRefresh,
  reading,
  wide,
  className,
  children,
}: ScreenProps) {
  const t = useT();
  return (
    <section className={styles.screen} data-wide={wide || undefined} aria-label={title}>
      <ScreenHeader title={title} {...(back && { back })}>
        <IconButton label={t('common.refresh')} className={styles.refresh} onClick={onRefresh}>
          <RotateCw size={20} aria-hidden="true" />
        </IconButton>
        {actions}
      </ScreenHeader>
      {head}
      <PullToRefresh
        scroller={scroller}
        className={styles.scroller}
        onRefresh={onRefresh}
        reading={reading}
      >
        <div className={classes(styles.content, className)}>{children}</div>
      </PullToRefresh>
    </section>
  );
}
