import { useVirtualizer, type VirtualItem, type Virtualizer } from '@tanstack/react-virtual';
import {
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useNavigationType } from 'react-router-dom';
import { failureText } from '../i18n/failure';
import { useT } from '../i18n/i18n';
import { Button } from '../ui/Button';
import { remToPx } from '../ui/rem';
import { FailedRequest } from './FailedRequest';
import styles from './InfiniteList.module.css';
import { NotRefreshed } from './NotRefreshed';
import type { InfiniteRows } from './useInfiniteList';

interface InfiniteListProps<T> {
  label: string;
  list: InfiniteRows<T>;
  /** The element that scrolls; it may contain more than the list. */
  scroller: RefObject<HTMLDivElement | null>;
  /** Expected height of a row, in rem. */
  estimate: number;
  row(row: T, index: number): ReactNode;
  /** The placeholder of a row. */
  skeleton: ReactNode;
  /** Shown where there are no rows. */
  empty: ReactNode;
}

/** Request the next page when the last rendered row is this close to the end. */
const AHEAD = 6;
const SKELETONS = ['a', 'b', 'c', 'd', 'e', 'f'];

/** A list that renders only the rows in sight and loads its pages as the user scrolls. */
export function InfiniteList<T extends { id: number }>({
  label,
  list,
  scroller,
  estimate,
  row,
  skeleton,
  empty,
}: InfiniteListProps<T>) {
  const t = useT();
  const { rows, loading, loadingMore, fetching, failure, outdated, finished } = list;
  const { virtualizer, margin, top } = useVirtualList(list, scroller, estimate);
  const items = virtualizer.getVirtualItems();
  const last = items.at(-1)?.index ?? -1;
  const needsMore = !finished && !failure && !loading && !fetching && last >= rows.length - AHEAD;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each page
  useEffect(() => {
    if (needsMore) list.more();
  }, [needsMore, rows.length]);

  const nothing = rows.length === 0;
  return (
    <div ref={top}>
      {nothing && failure && <FailedRequest failure={failure} onRetry={list.more} />}
      {nothing && !failure && finished && empty}
      {nothing && !failure && !finished && (
        <div role="status" aria-label={t('common.loading')}>
          {SKELETONS.map((key) => (
            <div key={key}>{skeleton}</div>
          ))}
        </div>
      )}
      {!nothing && outdated && <NotRefreshed onRetry={list.refresh} />}
      {!nothing && (
        <ul
          className={styles.rows}
          aria-label={label}
          aria-busy={loadingMore}
          style={{ blockSize: virtualizer.getTotalSize() }}
        >
          {items.map(({ key, index, start }) => {
            const item = rows[index];
            return (
              item && (
                <li
                  key={key}
                  ref={virtualizer.measureElement}
                  data-index={index}
                  className={styles.place}
                  style={{ transform: `translateY(${start - margin}px)` }}
                  aria-setsize={finished ? rows.length : -1}
                  aria-posinset={index + 1}
                >
                  {row(item, index)}
                </li>
              )
            );
          })}
        </ul>
      )}
      {!nothing && <ListEnd list={list} />}
    </div>
  );
}

/** Below the last row: more is loading, loading failed, or there is no more (screens.md#lists). */
function ListEnd<T>({ list }: { list: InfiniteRows<T> }) {
  const t = useT();
  if (list.failure) {
    return (
      <div className={styles.end} role="alert">
        <span>{failureText(list.failure)}</span>
        <Button variant="quiet" onClick={list.outdated ? list.refresh : list.more}>
          {t('common.retry')}
        </Button>
      </div>
    );
  }
  return (
    <p className={styles.end} role="status">
      {list.finished ? t('common.noMore') : t('common.loading')}
    </p>
  );
}

/** Scroll positions and row heights of lists that were left. */
const places = new Map<string, { top: number; sizes: VirtualItem[] }>();

interface ListLayout {
  virtualizer: Virtualizer<HTMLDivElement, Element>;
  /** Distance from the top of the scrolling element to the list, px. */
  margin: number;
  /** The element of the list. */
  top: RefObject<HTMLDivElement | null>;
}

/**
 * The rendered rows of a list and their positions. Going back restores the scroll position; opening
 * the screen again starts at the top.
 */
function useVirtualList<T extends { id: number }>(
  { rows, place: name }: InfiniteRows<T>,
  scroller: RefObject<HTMLDivElement | null>,
  estimate: number,
): ListLayout {
  const top = useRef<HTMLDivElement>(null);
  const [margin, setMargin] = useState(0);
  const back = useNavigationType() === 'POP';
  const [place] = useState(() => (back ? places.get(name) : undefined));
  // The scrolling element is an ancestor, so its ref is set after the first effects here.
  const [attached, attach] = useState(false);
  useLayoutEffect(() => attach(true), []);

  const virtualizer = useVirtualizer<HTMLDivElement, Element>({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => remToPx(estimate),
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 4,
    scrollMargin: margin,
    ...(place && { initialMeasurementsCache: place.sizes }),
  });

  useLayoutEffect(() => {
    const outer = scroller.current;
    const inner = top.current;
    if (!attached || !outer || !inner) return;
    const measure = () => {
      const start = outer.getBoundingClientRect().top - outer.scrollTop;
      setMargin(Math.round(inner.getBoundingClientRect().top - start));
    };
    measure();
    // The content above the list may change its height.
    const observer = new ResizeObserver(measure);
    for (const child of outer.children) observer.observe(child);
    return () => observer.disconnect();
  }, [attached, scroller]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the list is attached
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!attached || !element) return;
    if (place) element.scrollTop = place.top;
    return () => {
      places.set(name, { top: element.scrollTop, sizes: virtualizer.takeSnapshot() });
    };
  }, [attached, name]);

  return { virtualizer, margin, top };
}
