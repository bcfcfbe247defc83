// biome-ignore-all lint/a11y/useSemanticElements: rows are positioned absolutely, which the layout of a <table> does not allow
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { ListQuery } from '#domain/market/list';
import { useT } from '../i18n/i18n';
import { PullToRefresh } from '../ui/PullToRefresh';
import { useValue } from '../useValue';
import { COLUMNS, COLUMNS_WITH_STARS, spreads } from './columns';
import styles from './InstrumentList.module.css';
import type { SeenRow } from './lastSeen';
import { ListView } from './listView';
import { watchSpread } from './spreadText';

spreads.watch = watchSpread;

interface InstrumentListProps {
  /** A view that is painted already; by default a new one. */
  view?: ListView;
  query: ListQuery;
  /** The accessible name of the table. */
  label: string;
  /** Code of the current instrument. */
  current?: string | undefined;
  /** Begins with the current instrument in sight. */
  startAtCurrent?: boolean;
  onPick(row: SeenRow): void;
  /** Toggles a favourite; shows the stars. */
  onFavour?: (id: number) => void;
  /** Called by pull to refresh. */
  onRefresh(): void;
  /** The row of column heads: a `role="row"`. */
  head?: ReactNode;
  /** Shown where no instrument matches. */
  empty: ReactNode;
}

/** A table of instruments, whose rows are a view of its own (`ListView`). */
export function InstrumentList({
  view: painted,
  query,
  label,
  current,
  startAtCurrent,
  onPick,
  onFavour,
  onRefresh,
  head,
  empty,
}: InstrumentListProps) {
  const t = useT();
  const scroller = useRef<HTMLDivElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const [view] = useState(() => painted ?? new ListView(onFavour ? COLUMNS_WITH_STARS : COLUMNS));
  const focused = useRef(document.activeElement as HTMLElement | null);
  const { total, loading } = useValue(view.status);

  useLayoutEffect(() => {
    view.onPick = onPick;
    if (onFavour) view.onFavour = onFavour;
  }, [view, onPick, onFavour]);

  // Before it is attached: a list that is shown again has its rows where their stars belong.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a query of the same content is the same query
  useLayoutEffect(() => view.show({ query, current }), [view, JSON.stringify(query), current]);

  useLayoutEffect(() => {
    if (!scroller.current) return;
    host.current?.append(view.element);
    // React has emptied the page, and painted rows lose the focus with that.
    if (view.element.contains(focused.current) && document.activeElement === document.body)
      focused.current?.focus({ preventScroll: true });
    focused.current = null;
    return view.attach(scroller.current);
  }, [view]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: later the list stays where the user has scrolled it
  useEffect(() => {
    if (startAtCurrent) void view.scrollToCurrent();
  }, [view]);

  return (
    <div className={styles.list} role="table" aria-label={label} aria-rowcount={total + 1}>
      {head}
      <PullToRefresh scroller={scroller} className={styles.scroller} onRefresh={onRefresh}>
        {loading && total === 0 && <div role="status" aria-label={t('common.loading')} />}
        {!loading && total === 0 && empty}
        <div ref={host} role="presentation" />
      </PullToRefresh>
    </div>
  );
}
