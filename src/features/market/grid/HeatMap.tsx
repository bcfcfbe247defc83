import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import type { ListQuery } from '#domain/market/list';
import { formatCount } from '../../../i18n/format';
import { useT } from '../../../i18n/i18n';
import type { SeenRow } from '../../../instruments/lastSeen';
import styles from './HeatMap.module.css';
import { HeatView, MOST_SQUARES } from './heatView';

interface HeatMapProps {
  query: ListQuery;
  onPick(row: SeenRow): void;
  /** Shown where no instrument matches. */
  empty: ReactNode;
}

/** Instruments as squares in the colour of their change (screens.md#heat-map). They are a `HeatView`. */
export default function HeatMap({ query, onPick, empty }: HeatMapProps) {
  const t = useT();
  const host = useRef<HTMLDivElement>(null);
  const [view] = useState(() => new HeatView());
  const [state, setState] = useState({ total: 0, loading: true });
  useLayoutEffect(() => {
    view.onPick = onPick;
    view.onTotal = (total, loading) =>
      setState((now) =>
        now.total === total && now.loading === loading ? now : { total, loading },
      );
  });
  useLayoutEffect(() => view.show(query), [view, query]);
  useLayoutEffect(() => {
    host.current?.append(view.element);
    return view.attach();
  }, [view]);
  const { total, loading } = state;
  return (
    <div className={styles.scroller}>
      {!loading && total === 0 && empty}
      <div ref={host} />
      {total > MOST_SQUARES && (
        <p className={styles.note}>
          {t('grid.most', { shown: formatCount(MOST_SQUARES), total: formatCount(total) })}
        </p>
      )}
    </div>
  );
}
