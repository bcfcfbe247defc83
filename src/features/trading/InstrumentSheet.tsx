import { useDeferredValue, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import type { Instrument } from '#domain/market/instrument';
import type { ListQuery } from '#domain/market/list';
import { useT } from '../../i18n/i18n';
import { COLUMNS } from '../../instruments/columns';
import { emptyText } from '../../instruments/emptyText';
import { FilterChips } from '../../instruments/FilterChips';
import { InstrumentList } from '../../instruments/InstrumentList';
import type { SeenRow } from '../../instruments/lastSeen';
import { ListView } from '../../instruments/listView';
import { onlyHit } from '../../instruments/onlyHit';
import { Watchlists } from '../../instruments/Watchlists';
import type { WatchlistsView } from '../../instruments/WatchlistsSheet';
import { tradePath } from '../../preferences/instrument';
import { filtered } from '../../preferences/marketQuery';
import * as session from '../../preferences/preferences';
import { type Filter, watchlists } from '../../preferences/watchlists';
import { FoundStatus, SearchField } from '../../ui/SearchField';
import { Sheet } from '../../ui/Sheet';
import { EmptyState } from '../../ui/State';
import { useValue } from '../../useValue';
import { workerApi } from '../../worker/workerApi';
import styles from './InstrumentSheet.module.css';

interface InstrumentSheetProps {
  open: boolean;
  current?: Instrument | undefined;
  onClose(): void;
  /** Gets the code of the chosen one; left out: it is traded. */
  onPick?(code: string): void;
}

/** The side list of all instruments (screens.md#trade). */
export function InstrumentSheet({ open, current, onClose, onPick }: InstrumentSheetProps) {
  const t = useT();
  return (
    <Sheet open={open} onClose={onClose} title={t('trade.instruments')} side="start">
      <Instruments current={current} onPicked={onClose} onPick={onPick} />
    </Sheet>
  );
}

function Instruments({
  current,
  onPicked,
  onPick,
}: Pick<InstrumentSheetProps, 'current' | 'onPick'> & { onPicked(): void }) {
  const t = useT();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const favourites = useValue(session.favourites);
  const [text, setText] = useState('');
  const [filter, setFilter] = useState<Filter>();
  const [view] = useState(() => new ListView(COLUMNS));
  const { total, loading } = useValue(view.status);
  const [lists, setLists] = useState<WatchlistsView>();
  // What the filter stands for changes with them.
  useValue(watchlists);
  const search = useDeferredValue(text.trim());
  const queryOf = (search: string): ListQuery => ({
    ...filtered(filter, { sort: 'default', descending: false, favourites }),
    search,
  });
  const pick = (row: SeenRow | undefined) => {
    if (!row) return;
    onPicked();
    if (onPick) return onPick(row.instrument.code);
    void navigate(tradePath(row.instrument.code), { replace: pathname === '/trade' });
  };
  return (
    <div className={styles.instruments}>
      <SearchField
        label={t('market.searchHint')}
        placeholder={t('market.searchHint')}
        text={text}
        onChange={setText}
        onEnter={() => void onlyHit(queryOf(text.trim())).then(pick)}
      />
      <div className={styles.filter}>
        <FilterChips
          value={filter}
          onChange={setFilter}
          onLists={() => setLists({ at: 'lists' })}
        />
      </div>
      <FoundStatus
        search={search}
        count={loading ? undefined : total}
        label={t('market.results')}
        nothing={t('common.nothingFound', { search })}
      />
      <InstrumentList
        view={view}
        query={queryOf(search)}
        label={t('trade.instruments')}
        current={current?.code}
        startAtCurrent
        onPick={pick}
        onRefresh={() => void workerApi.refreshList()}
        empty={
          search ? (
            <EmptyState title={t('common.nothingFound', { search })} />
          ) : (
            <EmptyState title={t('market.emptyTitle')}>{t(emptyText(filter))}</EmptyState>
          )
        }
      />
      <Watchlists view={lists} onView={setLists} onCreated={setFilter} />
    </div>
  );
}
