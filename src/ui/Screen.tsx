import { type ReactNode, type RefObject, useContext } from 'react';
import { classes } from './classes';
import { Embedded } from './embedded';
import { PullToRefresh } from './PullToRefresh';
import { RefreshButton } from './RefreshButton';
import styles from './Screen.module.css';
import { ScreenHeader } from './ScreenHeader';

interface ScreenProps {
  title: string;
  back?: boolean;
  /** Icons at the end of the title bar. */
  actions?: ReactNode;
  /** Fixed content above the scrolling area: tabs. */
  head?: ReactNode;
  /** The element that scrolls. */
  scroller: RefObject<HTMLDivElement | null>;
  /** Called by the pull gesture, or by the button where there is no touch. */
  onRefresh(): void;
  /**
   * Set it where nothing inside can take the focus: the area itself takes it, so that keys scroll
   * it.
   */
  reading?: boolean;
  /** Allows columns side by side on wide screens. */
  wide?: boolean;
  /** Class of the scrolling content. */
  className?: string | undefined;
  children: ReactNode;
}

/** A screen of a title bar and scrolling content with pull to refresh. */
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
  // The tab of a panel has its title.
  const panel = useContext(Embedded) === 'root';
  return (
    <section
      className={styles.screen}
      data-wide={wide || undefined}
      data-panel={panel || undefined}
      aria-label={title}
    >
      <ScreenHeader title={title} {...(back && { back })} {...(panel && head && { field: head })}>
        <RefreshButton onRefresh={onRefresh} />
        {actions}
      </ScreenHeader>
      {!panel && head}
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
