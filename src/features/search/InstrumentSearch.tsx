import { type ReactNode, useCallback, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { ListQuery } from '#domain/market/list';
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
import { useFeature } from '../../requests/accountSettings';
import { useRequest } from '../../requests/queries';
import { Button } from '../../ui/Button';
import { ScreenHeader } from '../../ui/ScreenHeader';
import { FoundStatus, SearchField } from '../../ui/SearchField';
import { EmptyState } from '../../ui/State';
import { useDebounced } from '../../ui/useDebounced';
import { useValue } from '../../useValue';
import { api } from '../../worker/api';
import { workerApi } from '../../worker/workerApi';
import searchStyles from './SearchScreen.module.css';
import styles from './SearchScreen.module.css';

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
      {text === '' && <Popular onPick={(code) => void navigate(tradePath(code))} />}
      <FoundStatus
        search={search}
        // Until the rows of a search arrive, `total` is that of the search before.
        count={loading ? undefined : total}
        label={t('market.results')}
        nothing={t('common.nothingFound', { search })}
      />
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
            title={t('common.nothingFound', { search })}
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
  const clear = () => {
    recentSearches.value = [];
  };
  return (
    <Suggestions
      title={t('market.recent')}
      action={
        <Button variant="quiet" onClick={clear}>
          {t('market.clearRecent')}
        </Button>
      }
      texts={recent}
      onPick={onPick}
    />
  );
}

/** What most users trade, where the server counts it. */
function Popular({ onPick }: { onPick(code: string): void }) {
  const t = useT();
  const { data = [] } = useRequest(['popular'], () => api('ranking.popularList', {}), {
    scope: 'anyone',
    enabled: useFeature('popular'),
  });
  const codeOf = new Map(data.map(({ code, name }) => [name, code]));
  if (codeOf.size === 0) return null;
  return (
    <Suggestions
      title={t('market.popular')}
      texts={[...codeOf.keys()]}
      onPick={(name) => onPick(codeOf.get(name) ?? '')}
    />
  );
}

function Suggestions({
  title,
  action,
  texts,
  onPick,
}: {
  title: string;
  action?: ReactNode;
  texts: readonly string[];
  onPick(text: string): void;
}) {
  return (
    <section className={styles.suggestions} aria-label={title}>
      <div className={styles.suggestionsHead}>
        <h2>{title}</h2>
        {action}
      </div>
      <ul className={styles.suggestionsList}>
        {texts.map((text) => (
          <li key={text}>
            <Button onClick={() => onPick(text)}>{text}</Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
