// biome-ignore-all lint/a11y/useSemanticElements: rows are positioned absolutely, which the layout of a <table> does not allow
// biome-ignore-all lint/a11y/useFocusableInteractive: the focus is on the button in the row, not on the cell
import { ArrowDown, ArrowUp, ChevronsUpDown, Pencil } from 'lucide-react';
import type { ListSort } from '#domain/market/list';
import { useT } from '../../i18n/i18n';
import { listName } from '../../instruments/listName';
import { dataSaverOn } from '../../preferences/dataSaver';
import { descending, sort } from '../../preferences/preferences';
import { type Filter, isListId, type ListId } from '../../preferences/watchlists';
import { useValue } from '../../useValue';
import styles from './ColumnHead.module.css';

/** The first tap sorts, the second reverses the order, the third restores the default order. */
function cycle(column: Exclude<ListSort, 'default'>): void {
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

/** The heads of the columns. Where a watchlist is shown, `onEdit` changes it. */
export function ColumnHead({
  filter: shown,
  onEdit,
}: {
  filter: Filter;
  onEdit(id: ListId): void;
}) {
  const t = useT();
  const saves = useValue(dataSaverOn);
  return (
    <div className={styles.head} role="row" aria-rowindex={1}>
      <span role="columnheader" className={styles.favour}>
        <span className="visually-hidden">{t('market.favourites')}</span>
        {isListId(shown) && (
          <button
            type="button"
            className={styles.edit}
            aria-haspopup="dialog"
            aria-label={t('market.lists.edit', { name: listName(shown) })}
            onClick={() => onEdit(shown)}
          >
            <Pencil size={16} />
          </button>
        )}
      </span>
      <SortHead column="name" label={t('market.name')} className={styles.name} />
      <span className={styles.chart} aria-hidden="true">
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
  column: Exclude<ListSort, 'default'>;
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
        <Arrow size={12} />
      </button>
    </span>
  );
}
