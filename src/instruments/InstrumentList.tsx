// biome-ignore-all lint/a11y/useSemanticElements: rows stand where they are put, which the layout of a <table> does not allow
// biome-ignore-all lint/a11y/useFocusableInteractive: what is focused is the button in a row, not the cell around it
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { ListQuery, ListRow } from '#domain/gateway/gateway';
import { usePages, useRows } from '../gateway/rows';
import { useT } from '../i18n/i18n';
import { PullToRefresh } from '../ui/PullToRefresh';
import { remToPx } from '../ui/rem';
import { useMediaQuery, WIDE } from '../ui/useMediaQuery';
import styles from './InstrumentList.module.css';
import { InstrumentRow } from './InstrumentRow';
import { SkeletonRow } from './SkeletonRow';
import { useRowKeys } from './useRowKeys';

interface InstrumentListProps {
  query: ListQuery;
  /** Names the table for those who don't see it. */
  label: string;
  /** Code of the instrument that is current. */
  current?: string | undefined;
  onPick(row: ListRow): void;
  /** Shows the stars. */
  onFavour?: (id: number) => void;
  /** What is pulled down for. */
  onRefresh(): void;
  /** The head of the columns: a `role="row"`. */
  head?: ReactNode;
  /** Shown where nothing matches. */
  empty: ReactNode;
}

/** Height of a row, in rem: it grows with the text size that the user has set. */
const ROW = 3.5;
const ROW_DENSE = 2.5;
/** Rows kept ready on either side: many, and kept up, for a fling; one at rest, which stays as it is. */
const READY_SCROLLING = 4;
const READY = 1;

/** Instruments as a table of which only the rows in sight exist. */
export function InstrumentList({
  query,
  label,
  current,
  onPick,
  onFavour,
  onRefresh,
  head,
  empty,
}: InstrumentListProps) {
  const t = useT();
  const wide = useMediaQuery(WIDE);
  const scroller = useRef<HTMLDivElement>(null);
  const { first, last, show } = usePages();
  const rows = useRows(query, first, last);
  const height = remToPx(wide ? ROW_DENSE : ROW);
  const [scrolling, setScrolling] = useState(false);
  const virtualizer = useVirtualizer({
    count: rows.total,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: scrolling ? READY_SCROLLING : READY,
    onChange: (changed) => setScrolling(changed.isScrolling),
  });
  const items = virtualizer.getVirtualItems();
  const { range } = virtualizer;
  const from = items[0]?.index ?? 0;
  const to = (items.at(-1)?.index ?? 0) + 1;

  useEffect(() => show(from, to), [from, to, show]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the virtualizer keeps its identity
  useEffect(() => virtualizer.measure(), [height]);

  // Another question begins at its top; coming back to the same one does not.
  const key = JSON.stringify(query);
  const asked = useRef(key);
  useEffect(() => {
    if (asked.current !== key) virtualizer.scrollToOffset(0);
    asked.current = key;
  }, [key, virtualizer]);

  const keys = useRowKeys(scroller, rows.total, from, to, (index) =>
    virtualizer.scrollToIndex(index),
  );

  return (
    <div className={styles.list} role="table" aria-label={label} aria-rowcount={rows.total + 1}>
      {head}
      <PullToRefresh scroller={scroller} className={styles.scroller} onRefresh={onRefresh}>
        {rows.loading && rows.total === 0 && (
          <div role="status" aria-label={t('common.loading')}>
            {Array.from({ length: 12 }, (_, index) => (
              <SkeletonRow key={`skeleton ${index.toString()}`} top={index * height} />
            ))}
          </div>
        )}
        {!rows.loading && rows.total === 0 && empty}
        <div
          className={styles.rows}
          role="rowgroup"
          style={{ blockSize: virtualizer.getTotalSize() }}
          onKeyDown={keys.onKeyDown}
          onFocus={keys.onFocus}
        >
          {items.map((item) => {
            const row = rows.at(item.index);
            if (!row) return <SkeletonRow key={item.key} top={item.start} />;
            const { id, code } = row.instrument;
            return (
              <InstrumentRow
                key={id}
                row={row}
                index={item.index}
                top={item.start}
                reachable={item.index === keys.reachable}
                current={code === current}
                inSight={
                  scrolling ||
                  !range ||
                  (item.index >= range.startIndex && item.index <= range.endIndex)
                }
                favourite={query.favourites.includes(id)}
                onPick={onPick}
                {...(onFavour && { onFavour })}
              />
            );
          })}
        </div>
      </PullToRefresh>
    </div>
  );
}
