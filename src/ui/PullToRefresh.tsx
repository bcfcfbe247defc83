import { RotateCw } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { classes } from './classes';
import styles from './PullToRefresh.module.css';

interface PullToRefreshProps {
  onRefresh(): void;
  /** The element that scrolls. */
  scroller: RefObject<HTMLDivElement | null>;
  className?: string | undefined;
  /**
   * Set it where nothing inside can take the focus: the area itself takes it, so that keys scroll
   * it.
   */
  reading?: boolean | undefined;
  children: ReactNode;
}

/**
 * A scrolling area that refreshes when it is pulled down from its top. The gesture moves transforms
 * without React, and its code is loaded after the first paint. Without touch, a button elsewhere
 * refreshes.
 */
export function PullToRefresh({
  onRefresh,
  scroller,
  className,
  reading,
  children,
}: PullToRefreshProps) {
  const indicator = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const refresh = useRef(onRefresh);
  refresh.current = onRefresh;

  useEffect(() => {
    const element = scroller.current;
    const moved = [indicator.current, content.current].filter((part) => part !== null);
    if (!element || !matchMedia('(any-pointer: coarse)').matches) return;
    let stop: (() => void) | undefined;
    let unmounted = false;
    import('./pullGesture').then(
      ({ followPull }) => {
        if (!unmounted) stop = followPull(element, moved, () => refresh.current());
      },
      // Without the gesture, the button elsewhere is left.
      () => {},
    );
    return () => {
      unmounted = true;
      stop?.();
    };
  }, [scroller]);

  return (
    <div
      ref={scroller}
      className={classes(styles.scroller, className)}
      tabIndex={reading ? 0 : undefined}
    >
      <div ref={indicator} className={styles.indicator} aria-hidden="true">
        <RotateCw size={20} />
      </div>
      <div ref={content} className={styles.content}>
        {children}
      </div>
    </div>
  );
}
