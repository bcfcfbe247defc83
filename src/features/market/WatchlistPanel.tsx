import { useCallback, useState } from 'react';
import { gateway } from '../../gateway/client';
import { useT } from '../../i18n/i18n';
import { emptyText } from '../../instruments/emptyText';
import { FilterChips } from '../../instruments/FilterChips';
import { InstrumentList } from '../../instruments/InstrumentList';
import { Watchlists } from '../../instruments/Watchlists';
import type { WatchlistsView } from '../../instruments/WatchlistsSheet';
import type { PanelProps } from '../../panels/panel';
import type { SeenRow } from '../../session/lastSeen';
import { filterQuery, marketQuery } from '../../session/marketQuery';
import { toggleFavourite } from '../../session/preferences';
import { type Filter, watchlists } from '../../session/watchlists';
import { useValue } from '../../signals';
import { EmptyState } from '../../ui/State';
import { ColumnHead } from './ColumnHead';
import styles from './WatchlistPanel.module.css';

const refresh = () => void gateway.refreshList();

/** A list of instruments as a panel of the workspace; each keeps a filter of its own. */
export default function WatchlistPanel({ row, pick, settings, keep }: PanelProps) {
  const t = useT();
  const filter = readFilter(settings);
  const { sort, descending, favourites } = useValue(marketQuery);
  // What the filter stands for changes with them.
  useValue(watchlists);
  const [lists, setLists] = useState<WatchlistsView>();
  const onPick = useCallback((picked: SeenRow) => pick(picked.instrument.code), [pick]);
  return (
    <section className={styles.list} aria-label={t('market.title')}>
      <FilterChips value={filter} onChange={keep} onLists={() => setLists({ at: 'lists' })} />
      <InstrumentList
        query={{ ...filterQuery(filter), sort, descending, favourites }}
        label={t('market.title')}
        current={row?.instrument.code}
        onPick={onPick}
        onFavour={toggleFavourite}
        onRefresh={refresh}
        head={<ColumnHead filter={filter} onEdit={(id) => setLists({ at: 'edit', id })} />}
        empty={<EmptyState title={t('market.emptyTitle')}>{t(emptyText(filter))}</EmptyState>}
      />
      <Watchlists view={lists} onView={setLists} onCreated={keep} />
    </section>
  );
}

/** What a panel has kept: a category, a list, or open markets. */
function readFilter(settings: unknown): Filter {
  if (typeof settings === 'number' && Number.isSafeInteger(settings)) return settings;
  if (settings === 'open' || settings === 'favourites') return settings;
  return typeof settings === 'string' && settings.startsWith('list-')
    ? (settings as Filter)
    : undefined;
}
