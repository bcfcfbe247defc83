import { ListPlus } from 'lucide-react';
import { useRef } from 'react';
import type { Category } from '#domain/api/market';
import { language, useT } from '../i18n/i18n';
import { type Filter, isListId, watchlists } from '../preferences/watchlists';
import { IconButton } from '../ui/Button';
import { Chips } from '../ui/Chips';
import { useValue } from '../useValue';
import { listRevision } from '../worker/frameReceiver';
import { useAnswer } from '../worker/useAnswer';
import { workerApi } from '../worker/workerApi';
import styles from './FilterChips.module.css';

interface FilterChipsProps {
  value: Filter;
  onChange(filter: Filter): void;
  /** Opens the watchlists. */
  onLists(): void;
}

/**
 * The filter of a list (screens.md#home): watchlists, open markets, rankings, categories by names in the user's
 * language. Its height is reserved, so that the list does not move when the names arrive.
 */
export function FilterChips({ value: chosen, onChange, onLists }: FilterChipsProps) {
  const t = useT();
  const shown = useValue(language);
  const lists = useValue(watchlists);
  const answer = useAnswer(listRevision, () => workerApi.categories(), [shown]);
  const latest = useRef<readonly Category[]>([]);
  // A failure keeps the former chips; the next list asks again.
  if (answer?.ok) latest.current = answer.data;
  const categories = latest.current;

  const options = [
    { value: 'favourites' as const, label: t('market.favourites') },
    ...lists.map(({ id, name }) => ({ value: id, label: name })),
    { value: 'all' as const, label: t('market.all') },
    { value: 'open' as const, label: t('market.open') },
    { value: 'movers' as const, label: t('market.movers') },
    { value: 'volatility' as const, label: t('market.volatility') },
    ...categories.map(({ id, name }) => ({ value: id, label: name })),
  ];
  const known = options.find(({ value }) => value === chosen);
  // A list that was deleted in another tab.
  const fallback = isListId(chosen) ? 'favourites' : 'all';
  return (
    <div className={styles.chips}>
      <Chips
        label={t('market.categories')}
        options={options}
        value={known?.value ?? fallback}
        onChange={(id) => onChange(id === 'all' ? undefined : id)}
      />
      <IconButton
        label={t('market.lists.title')}
        className={styles.lists}
        aria-haspopup="dialog"
        onClick={onLists}
      >
        <ListPlus size={20} />
      </IconButton>
    </div>
  );
}
