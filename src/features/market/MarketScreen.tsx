import { Languages, RotateCw, Search } from 'lucide-react';
import { type ComponentType, lazy, Suspense, useCallback } from 'react';
import { useNavigate } from 'react-router-dom';
import { gateway } from '../../gateway/client';
import { useRow } from '../../gateway/useRow';
import { useT } from '../../i18n/i18n';
import { emptyText } from '../../instruments/emptyText';
import { FilterChips } from '../../instruments/FilterChips';
import { InstrumentList } from '../../instruments/InstrumentList';
import { marketView } from '../../instruments/marketView';
import { instrument, tradePath } from '../../session/instrument';
import type { SeenRow } from '../../session/lastSeen';
import { marketQuery } from '../../session/marketQuery';
import { category, type Filter, toggleFavourite } from '../../session/preferences';
import { useValue } from '../../signals';
import { Button, IconButton, iconButtonClass } from '../../ui/Button';
import { Link } from '../../ui/Link';
import { ScreenHeader } from '../../ui/ScreenHeader';
import { EmptyState } from '../../ui/State';
import { useMediaQuery, WIDE } from '../../ui/useMediaQuery';
import { ColumnHead } from './ColumnHead';
import styles from './MarketScreen.module.css';

// If loading the links fails, show the prices without them.
const MoreLinks = lazy<ComponentType>(() =>
  import('./MoreLinks').catch(() => ({ default: () => null })),
);

function refresh(): void {
  void gateway.refreshList();
}

/** `/` (screens.md#home): the market list. */
export function MarketScreen() {
  const t = useT();
  const navigate = useNavigate();
  const query = useValue(marketQuery);
  const filter = useValue(category);
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

  return (
    <section className={styles.market} aria-label={t('market.title')}>
      <ScreenHeader title={t('market.title')}>
        <IconButton label={t('market.refresh')} className={styles.refresh} onClick={refresh}>
          <RotateCw size={20} aria-hidden="true" />
        </IconButton>
        <Link
          to="/product"
          className={iconButtonClass}
          aria-label={t('market.search')}
          aria-keyshortcuts="Control+K Meta+K"
        >
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
      <FilterChips
        value={filter}
        onChange={(next) => {
          category.value = next;
        }}
      />
      <InstrumentList
        view={marketView}
        query={query}
        label={t('market.title')}
        current={current}
        onPick={pick}
        onFavour={toggleFavourite}
        onRefresh={refresh}
        head={<ColumnHead />}
        empty={<NoMatches filter={filter} />}
      />
    </section>
  );
}

function NoMatches({ filter }: { filter: Filter }) {
  const t = useT();
  return (
    <EmptyState
      title={t('market.emptyTitle')}
      action={
        filter !== undefined ? (
          <Button
            onClick={() => {
              category.value = undefined;
            }}
          >
            {t('market.showAll')}
          </Button>
        ) : (
          <Button onClick={refresh}>{t('market.refresh')}</Button>
        )
      }
    >
      {t(emptyText(filter))}
    </EmptyState>
  );
}
