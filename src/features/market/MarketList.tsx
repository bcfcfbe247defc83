import { useCallback, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useT } from '../../i18n/i18n';
import { FilterChips } from '../../instruments/FilterChips';
import { InstrumentList } from '../../instruments/InstrumentList';
import type { SeenRow } from '../../instruments/lastSeen';
import { marketView } from '../../instruments/marketView';
import { RowMenu } from '../../instruments/RowMenu';
import { Watchlists } from '../../instruments/Watchlists';
import type { WatchlistsView } from '../../instruments/WatchlistsSheet';
import { instrument, tradePath } from '../../preferences/instrument';
import { marketQuery } from '../../preferences/marketQuery';
import { toggleFavourite } from '../../preferences/preferences';
import { filter, type ListId, setFilter } from '../../preferences/watchlists';
import { useValue } from '../../useValue';
import { workerApi } from '../../worker/workerApi';
import { ColumnHead } from './ColumnHead';
import { NoMatches } from './NoMatches';

export function refreshMarket(): void {
  marketView.sortStarred();
  void workerApi.refreshList();
}

/** The instruments and their filter: on a phone, and until a desktop's grid is loaded. */
export function MarketList() {
  const t = useT();
  const navigate = useNavigate();
  const query = useValue(marketQuery);
  const shown = useValue(filter);
  const [lists, setLists] = useState<WatchlistsView>();
  const pick = useCallback(
    (row: SeenRow) => {
      void navigate(tradePath(row.instrument.code));
    },
    [navigate],
  );
  const edit = (id: ListId) => setLists({ at: 'edit', id });
  return (
    <>
      <FilterChips value={shown} onChange={setFilter} onLists={() => setLists({ at: 'lists' })} />
      <InstrumentList
        view={marketView}
        query={query}
        label={t('market.title')}
        current={useValue(instrument)}
        onPick={pick}
        onFavour={toggleFavourite}
        onRefresh={refreshMarket}
        head={<ColumnHead filter={shown} onEdit={edit} />}
        empty={
          <NoMatches
            filter={shown}
            onAdd={(id) => setLists({ at: 'add', id })}
            onFilter={setFilter}
          />
        }
      />
      <RowMenu view={marketView} onPick={pick} />
      <Watchlists view={lists} onView={setLists} onCreated={setFilter} />
    </>
  );
}
