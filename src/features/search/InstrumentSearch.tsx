import { useCallback, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { ListQuery } from '#domain/market/list';
import { formatCount } from '../../i18n/format';
import { useT } from '../../i18n/i18n';
import { COLUMNS_WITH_STARS } from '../../instruments/columns';
import { InstrumentList } from '../../instruments/InstrumentList';
import type { SeenRow } from '../../instruments/lastSeen';
import { ListView } from '../../instruments/listView';
import { onlyHit } from '../../instruments/onlyHit';
import { instrument, tradePath } from '../../preferences/instrument';
import {
  favourites,
  recentSearches,
  rememberSearch,
  toggleFavourite,
} from '../../preferences/preferences';
import { Button } from '../../ui/Button';
import { ScreenHeader } from '../../ui/ScreenHeader';
import { SearchField } from '../../ui/SearchField';
import { EmptyState } from '../../ui/State';
import { useValue } from '../../useValue';
import { workerApi } from '../../worker/workerApi';
import searchStyles from './SearchScreen.module.css';
import styles from './SearchScreen.module.css';
import { useDebounced } from './useDebounced';

/** Search of instruments. */
export function InstrumentSearch() {
  const t = useT();
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const search = useDebounced(text.trim());
  const stars = useValue(favourites);
  const current = useValue(instrument);
  const recent = useValue(recentSearches);
  const [view] = useState(() => new ListView(COLUMNS_WITH_STARS));
  const { total, loading } = useValue(view.status);
  const found =
    total > 0
      ? t('common.labelled', { label: t('market.results'), text: formatCount(total) })
      : t('market.nothingFound', { search });
  // Until the rows of a search arrive, `total` is that of the search before.
  const announced = useDebounced(search && !loading ? found : '');

  const queryOf = (search: string): ListQuery => ({
    search,
    sort: 'default',
    descending: false,
    favourites: stars,
  });
  const open = useCallback(
    (row: SeenRow | undefined, search: string) => {
      if (!row) return;
      if (search) rememberSearch(search);
      void navigate(tradePath(row.instrument.code));
    },
    [navigate],
  );
  const pick = useCallback((row: SeenRow) => open(row, search), [open, search]);
  // Enter may come before the list shows what it found.
  const enter = async (search: string) => open(await onlyHit(queryOf(search)), search);

  return (
    <div className={searchStyles.search}>
      <ScreenHeader
        back
        title={t('market.search')}
        field={
          <SearchField
            className={searchStyles.field}
            autoFocus
            label={t('market.search')}
            placeholder={t('market.searchHint')}
            text={text}
            onChange={setText}
            onEnter={() => void enter(text.trim())}
          />
        }
      />
      {text === '' && recent.length > 0 && <RecentSearches recent={recent} onPick={setText} />}
      <p className="visually-hidden" role="status">
        {announced}
      </p>
      <InstrumentList
        view={view}
        query={queryOf(search)}
        label={t('market.results')}
        current={current}
        onPick={pick}
        onFavour={toggleFavourite}
        onRefresh={() => void workerApi.refreshList()}
        empty={
          <EmptyState
            title={t('market.nothingFound', { search })}
            action={<Button onClick={() => setText('')}>{t('market.showAll')}</Button>}
          >
            {t('market.nothingFoundHint')}
          </EmptyState>
        }
      />
    </div>
  );
}

/** Recent searches that led to a result. */
function RecentSearches({
  recent,
  onPick,
}: {
  recent: readonly string[];
  onPick(text: string): void;
}) {
  const t = useT();
  return (
    <section className={styles.recent} aria-label={t('market.recent')}>
      <div className={styles.recentHead}>
        <h2>{t('market.recent')}</h2>
        <Button
          variant="quiet"
          onClick={() => {
            recentSearches.value = [];
          }}
        >
          {t('market.clearRecent')}
        </Button>
      </div>
      <ul className={styles.recentList}>
        {recent.map((text) => (
          <li key={text}>
            <Button onClick={() => onPick(text)}>{text}</Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
