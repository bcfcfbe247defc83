import { type ReactNode, type RefObject, useEffect } from 'react';
import { failureText } from '../i18n/failure';
import { useT } from '../i18n/i18n';
import { Button } from '../ui/Button';
import { FailedRequest } from './FailedRequest';
import styles from './InfiniteList.module.css';
import { NotRefreshed } from './NotRefreshed';
import type { InfiniteRows } from './useInfiniteList';
import { useVirtualList } from './useVirtualList';

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
  const { rows, loading, loadingMore, failure, outdated, finished } = list;
  const { virtualizer, margin, top } = useVirtualList(list, scroller, estimate);
  const items = virtualizer.getVirtualItems();
  const last = items.at(-1)?.index ?? -1;
  const needsMore = !finished && !failure && !loading && last >= rows.length - AHEAD;
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
