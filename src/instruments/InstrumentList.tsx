// biome-ignore-all lint/a11y/useSemanticElements: rows are positioned absolutely, which the layout of a <table> does not allow
// biome-ignore-all lint/a11y/useFocusableInteractive: the focus is on the button in the row, not on the cell
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { ListQuery, ListRow } from '#domain/market/list';
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
  /** The accessible name of the table. */
  label: string;
  /** Code of the current instrument. */
  current?: string | undefined;
  onPick(row: ListRow): void;
  /** Toggles a favourite; shows the stars. */
  onFavour?: (id: number) => void;
  /** Called by pull to refresh. */
  onRefresh(): void;
  /** The row of column heads: a `role="row"`. */
  head?: ReactNode;
  /** Shown where no instrument matches. */
  empty: ReactNode;
}

/** Height of a row, in rem. */
const ROW = 3.5;
const ROW_DENSE = 2.5;
/**
 * Rows rendered beyond those in sight on either side: several live ones while scrolling, otherwise
 * one that is not updated.
 */
const READY_SCROLLING = 4;
const READY = 1;

/** A table of instruments that renders only the rows in sight. */
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

  // Another query starts at the top; coming back to the same one does not.
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
