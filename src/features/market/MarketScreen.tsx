import { Languages, RotateCw, Search } from 'lucide-react';
import { Suspense, useCallback, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { gateway } from '../../gateway/client';
import { pricesShown } from '../../gateway/pump';
import { useRow } from '../../gateway/useRow';
import { useT } from '../../i18n/i18n';
import { emptyText } from '../../instruments/emptyText';
import { FilterChips } from '../../instruments/FilterChips';
import { InstrumentList } from '../../instruments/InstrumentList';
import { marketView } from '../../instruments/marketView';
import { useRowAlerts } from '../../instruments/useRowAlerts';
import { Watchlists } from '../../instruments/Watchlists';
import type { WatchlistsView } from '../../instruments/WatchlistsSheet';
import { marketGrid } from '../../session/gridSettings';
import { instrument, tradePath } from '../../session/instrument';
import type { SeenRow } from '../../session/lastSeen';
import { marketQuery } from '../../session/marketQuery';
import { toggleFavourite } from '../../session/preferences';
import { type Filter, filter, isListId, type ListId, setFilter } from '../../session/watchlists';
import { Button, IconButton, iconButtonClass } from '../../ui/Button';
import { Link } from '../../ui/Link';
import { LeftOut, lazyPart } from '../../ui/lazyPart';
import { ScreenHeader } from '../../ui/ScreenHeader';
import { EmptyState } from '../../ui/State';
import { useMediaQuery, WIDE } from '../../ui/useMediaQuery';
import { useValue } from '../../useValue';
import { ColumnHead } from './ColumnHead';
import styles from './MarketScreen.module.css';

// A desktop's list until it can be loaded.
const InstrumentGrid = lazyPart(async () => {
  await pricesShown();
  return import('./grid/InstrumentGrid');
});

const MoreLinks = lazyPart(() => import('./MoreLinks'), LeftOut);

function refresh(): void {
  marketView.sortStarred();
  void gateway.refreshList();
}

/** `/` (screens.md#home): the market list. */
export function MarketScreen() {
  const t = useT();
  const navigate = useNavigate();
  useRowAlerts(marketView);
  const query = useValue(marketQuery);
  const shown = useValue(filter);
  const [lists, setLists] = useState<WatchlistsView>();
  const chosen = useValue(instrument);
  const wide = useMediaQuery(WIDE);
  const first = useRow(undefined)?.instrument.code;
  // A desktop shows a chart beside the list: of the first instrument where none is chosen.
  const current = chosen ?? (wide ? first : undefined);
  const pick = useCallback(
    (row: SeenRow) => {
      void navigate(tradePath(row.instrument.code));
    },
    [navigate],
  );

  const edit = (id: ListId) => setLists({ at: 'edit', id });
  const add = (id: ListId) => setLists({ at: 'add', id });
  const empty = <NoMatches filter={shown} onAdd={add} />;
  const list = (
    <InstrumentList
      view={marketView}
      query={query}
      label={t('market.title')}
      current={current}
      onPick={pick}
      onFavour={toggleFavourite}
      onRefresh={refresh}
      head={<ColumnHead filter={shown} onEdit={edit} />}
      empty={empty}
    />
  );

  return (
    <section className={styles.market} aria-label={t('market.title')}>
      <ScreenHeader title={t('market.title')}>
        <IconButton label={t('market.refresh')} className={styles.refresh} onClick={refresh}>
          <RotateCw size={20} aria-hidden="true" />
        </IconButton>
        <Link to="/product" className={iconButtonClass} aria-label={t('market.search')}>
          <Search size={20} aria-hidden="true" />
        </Link>
        <Link to="/language" className={iconButtonClass} aria-label={t('market.language')}>
          <Languages size={20} aria-hidden="true" />
        </Link>
        <span className={styles.more}>
          <Suspense>
            <MoreLinks />
          </Suspense>
        </span>
      </ScreenHeader>
      <FilterChips value={shown} onChange={setFilter} onLists={() => setLists({ at: 'lists' })} />
      {wide ? (
        <Suspense fallback={list}>
          <InstrumentGrid
            grid={marketGrid}
            label={t('market.title')}
            filter={shown}
            current={current}
            onPick={pick}
            onAdd={add}
            onEdit={edit}
            empty={empty}
          />
        </Suspense>
      ) : (
        list
      )}
      <Watchlists view={lists} onView={setLists} onCreated={setFilter} />
    </section>
  );
}

function NoMatches({ filter, onAdd }: { filter: Filter; onAdd(id: ListId): void }) {
  const t = useT();
  const own = filter !== 'favourites' && isListId(filter);
  return (
    <EmptyState
      title={t('market.emptyTitle')}
      action={
        own ? (
          <Button variant="primary" onClick={() => onAdd(filter)}>
            {t('market.lists.add')}
          </Button>
        ) : filter !== undefined ? (
          <Button onClick={() => setFilter(undefined)}>{t('market.showAll')}</Button>
        ) : (
          <Button onClick={refresh}>{t('market.refresh')}</Button>
        )
      }
    >
      {t(emptyText(filter))}
    </EmptyState>
  );
}
