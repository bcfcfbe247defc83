// biome-ignore-all lint/a11y/useSemanticElements: rows are positioned absolutely, which the layout of a <table> does not allow
// biome-ignore-all lint/a11y/useFocusableInteractive: the focus is on the button in the row, not on the cell
import { computed } from '@preact/signals-core';
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import { type ComponentType, lazy, Suspense } from 'react';
import type { Sort } from '#domain/market/list';
import { useT } from '../../i18n/i18n';
import { dataSaverOn } from '../../session/dataSaver';
import { category, descending, favourites, sort } from '../../session/preferences';
import { useValue } from '../../signals';
import styles from './ColumnHead.module.css';

/** The first tap sorts, the second reverses the order, the third restores the default order. */
function cycle(column: Exclude<Sort, 'default'>): void {
  // Names start ascending, changes descending.
  const first = column === 'change';
  if (sort.value !== column) {
    sort.value = column;
    descending.value = first;
  } else if (descending.value === first) {
    descending.value = !first;
  } else {
    sort.value = 'default';
    descending.value = false;
  }
}

// If loading it fails, show the list without it.
const FavouriteOrder = lazy<ComponentType>(() =>
  import('./FavouriteOrder').catch(() => ({ default: () => null })),
);

/** Whether the list is in the user's own order, which can be changed. */
const isOwnOrder = computed(
  () => category.value === 'favourites' && sort.value === 'default' && favourites.value.length > 1,
);

export function ColumnHead() {
  const t = useT();
  const saves = useValue(dataSaverOn);
  const ownOrder = useValue(isOwnOrder);
  return (
    <div className={styles.head} role="row" aria-rowindex={1}>
      <span role="columnheader" className={styles.favour}>
        <span className="visually-hidden">{t('market.favourites')}</span>
        {ownOrder && (
          <Suspense>
            <FavouriteOrder />
          </Suspense>
        )}
      </span>
      <SortHead column="name" label={t('market.name')} className={styles.name} />
      <span role="columnheader" className={styles.chart}>
        {!saves && t('market.day')}
      </span>
      <span role="columnheader" className={styles.price}>
        {t('market.price')}
      </span>
      <SortHead column="change" label={t('market.change')} className={styles.change} />
    </div>
  );
}

function SortHead({
  column,
  label,
  className,
}: {
  column: Exclude<Sort, 'default'>;
  label: string;
  className: string | undefined;
}) {
  const sorted = useValue(sort) === column;
  const down = useValue(descending);
  const Arrow = !sorted ? ChevronsUpDown : down ? ArrowDown : ArrowUp;
  const order = down ? 'descending' : 'ascending';
  return (
    <span role="columnheader" className={className} aria-sort={sorted ? order : 'none'}>
      <button type="button" className={styles.sort} onClick={() => cycle(column)}>
        {label}
        <Arrow size={12} aria-hidden="true" />
      </button>
    </span>
  );
}
